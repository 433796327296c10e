package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParseResult;

/** The command that is told where a job was stopped does what is wanted when it is pasted. */
class RestartCommandTest {
    private static String of(String... arguments) {
        ParseResult parsed = CommandTree.create().parseArgs(arguments);
        while (parsed.hasSubcommand()) {
            parsed = parsed.subcommand();
        }
        return RestartCommand.of(parsed, "im ages");
    }

    @Test
    void itIsTheSameCommandWithTheDirectory() {
        assertEquals("./ftrma fft --restart 'im ages' --ranks 4 --json --flush=img",
            of("fft", "--ranks", "4", "--json", "--flush=img"));
        assertEquals("./ftrma sample locks --restart 'im ages' --steps 4",
            of("sample", "locks", "--steps", "4"));
    }

    @Test
    void whatTookPlaceIsLeftOut() {
        assertEquals("./ftrma fft --restart 'im ages' --ranks 4 --seed 3",
            of("fft", "--restart", "old", "--restart-step=7", "--kill", "1@5", "--ranks", "4", "--kill=2@6", "--stop",
                "0@9", "--seed", "3"));
    }

    @Test
    void argumentsOfTheProgramAreItsOwn() {
        assertEquals("./ftrma run --restart 'im ages' --ranks 4 -- Main --kill it '$HOME' 'it'\\''s' ''",
            of("run", "--ranks", "4", "--", "Main", "--kill", "it", "$HOME", "it's", ""));
        assertEquals("./ftrma run --restart 'im ages' --ranks 4 Main --kill it",
            of("run", "--ranks", "4", "Main", "--kill", "it"));
    }
}
