package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ftrma.launch.programs.OneMore;
import org.ftrma.launch.programs.Ring;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs that take long to start, or never do. */
@Timeout(300)
class StartTest {
    private static final int OTHERS = 4;
    private static final int RANKS = 14;

    /** Twice as many processes as a machine of two cores has compute all the time. */
    private static List<Process> load() throws IOException {
        List<Process> load = new ArrayList<>();
        for (int i = 0; i < OTHERS; i++) {
            load.add(new ProcessBuilder("sh", "-c", "while kill -0 " + ProcessHandle.current().pid() + "; do :; done")
                .start());
        }
        return load;
    }

    @Test
    void manyRanksStartOnAMachineThatIsBusy() throws IOException {
        List<Process> load = load();
        try {
            Map<String, Object> json = Command.line("run --ranks " + RANKS
                + " --checksums 2 --protocol full --start-timeout 20s --log-budget 1MiB"
                + " --json -- " + Ring.class.getName() + " 3").exits(0).json();
            assertEquals(true, json.get("verified"));
            assertEquals(RANKS + 2, json.get("processes"), "one of them was given up");
            assertTrue(load.stream().allMatch(Process::isAlive), "the machine was not busy");
        } finally {
            load.forEach(Process::destroyForcibly);
        }
    }

    /** Each waits for a debugger before its first instruction. */
    @Test
    void processesThatNeverJoinAreGivenUpAndWhatTheyDoIsTold() {
        Command command = Command.line("run --ranks 3 --checksums 1 --start-timeout 500ms --json --jvm-arg "
            + "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0 -- " + Ring.class.getName()
            + " 3").exits(1);
        String message = command.json().get("message").toString();
        assertTrue(message.matches(".*did not join, nor did any other process, within [0-9a-z]+ "
            + "\\(--start-timeout\\), then killed; 0 of [34] "
            + "processes have joined; not .*rank .*\\((asleep|running|waiting.*), [0-9.]+ s of processor time\\).*"),
            message);
    }

    @ParameterizedTest
    @CsvSource({"none, ''", "none, less", "coordinated, ''", "full, ''"})
    void ranksThatAllocateUnlikeAreToldAtOnceWithTheirPlaces(String protocol, String how) {
        Command command = Command.line(("run --ranks 3 --checksums 1 --deadline 60s --timeout 120s --json --protocol "
            + protocol + " -- "
            + OneMore.class.getName() + " " + how).trim()).exits(1);
        String message = command.json().get("message").toString();
        String window = "window b bytes=64 kind=PROTECTED";
        String loop = "the loop over 3 steps";
        String others = how.isEmpty() ? loop : window;
        String one = how.isEmpty() ? window : loop;
        assertTrue(message.matches("(?s)rank [012] failed: .*(rank 1 comes to " + one + " where rank [02] came to "
            + others + " .*|rank [02] comes to "
            + others + " where rank 1 came to " + one + " .*)"), message);
    }

    @Test
    void aTimeLimitThatEndsBeforeAllHaveJoinedTellsWhoIsMissing() {
        Command command = Command.line("run --ranks 3 --timeout 2s --json --jvm-arg "
            + "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0 -- " + Ring.class.getName()
            + " 3").exits(1);
        String message = command.json().get("message").toString();
        assertTrue(message.startsWith("the job took longer than --timeout=2s: 0 of 3 processes have joined; not rank "
            + "0 ("), message);
    }
}
