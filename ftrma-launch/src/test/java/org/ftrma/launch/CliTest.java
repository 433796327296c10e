package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ftrma.apps.samples.Samples;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.options.CommandOption;
import org.ftrma.options.JobOption;
import org.ftrma.ucx.HostMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CliTest {
    /** Command lines, and what the refusal of each must tell. */
    private static final String[][] WRONG_USAGE = {
        {"fft --rank 2", "--rank"},
        {"fft --ranks two", "--ranks=two"},
        {"fft --ranks 0", "1 to 1024"},
        {"fft --ranks 65", "--ranks=65: class S takes any number up to 64"},
        {"fft --ranks 65", "take 64 or 66"},
        {"fft --ranks 6 --grid 3x2", "--grid=3x2: must be rows x columns"},
        {"fft --ranks 4 --grid 1x6", "--grid=1x6: needs 6 ranks, the job has 4"},
        {"fft --ranks", "--ranks"},
        {"fft --class Z", "--class=Z"},
        {"fft --grid 3", "--grid"},
        {"fft --deadline 10", "--deadline=10"},
        {"fft --protocol magic", "--protocol=magic"},
        {"fft --interval never", "--interval=never"},
        {"fft --path sideways", "--path=sideways"},
        {"fft --ranks 2 --checksums 3", "--checksums=3"},
        {"fft --kill 9@1", "--kill=9@1"},
        {"fft --kill checksum0@1", "0 checksum ranks"},
        {"fft --chaos 3", "not protected"},
        {"fft --chaos many --checksums 1", "--chaos=many"},
        {"fft --heap lots", "--heap=lots"},
        {"fft --heap 1k", "--heap=1k: must be 16m to 1024g"},
        {"fft --heap 99999999999g", "--heap=99999999999g: must be 16m to 1024g"},
        {"fft --jvm-arg main", "--jvm-arg=main: must begin with -"},
        {"fft --timeout soon", "--timeout=soon"},
        {"run --class-path /no/such/place -- Main", "--class-path=/no/such/place: /no/such/place does not exist"},
        {"run --class-path .: -- Main", "an entry is missing"},
        {"run --class-path pom.xml -- Main", "pom.xml is neither a directory nor a readable jar"},
        {"run --class-path pom.xml/* -- Main", "pom.xml is not a directory"},
        {"fft --interval soon", "--interval=soon: must be daly, none, a number of steps"},
        {"fft --seed many", "--seed=many: not a whole number (of 64 bits)"},
        {"kv --kill 0@99999999999", "at most 9 digits"},
        {"sample stencil --size 0x5", "--size=0x5: must be rows x columns, each 1 to 32768"},
        {"sample stencil --size 5", "--size=5: must be rows x columns"},
        {"pcf --machine tsubame2 --processes 40 --sweep --checksums 10", "--checksums: not together with --sweep"},
        {"map --machine=", "--machine=: is empty"},
        {"map --topology /dev/null", "/dev/null: empty"},
        {"map --topology /", "--topology=/: cannot be read: Is a directory"},
        {"map --topology /no/file", "--topology=/no/file: cannot be read: no such file"},
        {"map --nodes 4 --ranks 2 --checksums 1 --picture /no/file.svg",
         "--picture=/no/file.svg: cannot be written: no such file"},
        {"plan --nodes 4 --ranks 4 --checkpoint 1s --image 1MiB --mtbf node=1h,node=2h", "node is given twice"},
        {"plan --nodes 4 --ranks 4 --checkpoint 1s --image 8589934591GiB --mtbf node=1h",
         "--image=8589934591GiB: more memory than"},
        {"help dance", "'dance': no such command; there are run, fft"},
        {"help fft dance", "dance"},
        {"help sample dance", "dance"},
        {"dance --help", "dance"},
        {"fft --dance --help", "--dance"},
        {"mutate", "script"},
        {"bench", "script"},
        {"javac", "script"},
        {"package", "script"},
        {"completion fish", "'fish': no shell that can be completed for; there are bash and zsh"},
        {"completion bash zsh", "'bash zsh': no shell"},
        {"fft --quiet --verbose", "--quiet: not together with --verbose"},
        {"run --ranks 2", "no program"},
        {"fft --verify-restart --checksums 1", "--verify-restart"},
        {"fft --verify-restart --kill 1@2", "--verify-restart"},
        {"fft --check-races --checksums 1 --kill 1@2", "--check-races"},
        {"fft --check-races --verify-restart", "--check-races"},
        {"run --no-such-option -- Main", "--no-such-option"},
        {"sample", "name is missing; there are stencil, locks, atomics"},
        {"kv --inserts 0", "--inserts=0"},
        {"kv --work 2", "--work=2"},
        {"kv --work 0 --wait 2us", "--wait=2us"},
        {"kv --warm-up 90", "--warm-up=90"},
        {"web --port 99999", "--port=99999: must be 0 to 65535"},
        {"kv --compare", "--compare: there is nothing here to compare with"},
        {"kv --protocol puts --checksums 1 --demand bulk", "--demand=bulk"},
        {"kv --protocol puts --checksums 1 --kill 0@demand", "no demand checkpoints"},
        {"kv --kill 1@x", "--kill=1@x"},
        {"sample dance", "'dance': no such sample; there are stencil, locks, atomics"},
        {"fft --checksums 1 --flush /proc/x", "--flush=/proc/x: it cannot be written to: "},
        {"fft --checksums 1 --flush /no/such/place", "--flush=/no/such/place: it cannot be written to: "
             + "there is no /no/such"},
        {"fft --checksums 1 --restart /no/place", "--restart=/no/place: no such directory"},
        {"fft --checksums 1 --restart /dev/null", "--restart=/dev/null: it is not a directory"},
        {"fft --checksums 1 --restart /no/place --flush /other", "--restart=/no/place: no such directory"},
        {"fft --checksums 1 --restart latest", "--restart=latest: means the newest images in the directory of --flush"},
        {"fft --checksums 1 --restart-step 4", "--restart-step: is for --restart"},
        {"sample stencil --ranks 5 --grid 2x2", "--grid=2x2"},
        {"sample locks --size 3", "--size"},
        {"sample locks --accounts 0", "--accounts=0"},
        {"sample atomics --ranks none", "--ranks=none"},
        {"dance", "dance"},
    };

    @Test
    void helpOfEveryCommandEndsWell() {
        for (String command : List.of("run", "fft", "kv", "npb", "sample", "map", "pcf", "plan",
            "info", "test", "mutate",
            "bench", "javac", "package", "completion")) {
            assertTrue(Command.line(command + " --help").exits(0).out().startsWith("Usage: ftrma " + command), command);
            assertEquals(Command.line(command + " --help").out(), Command.line("help " + command).exits(0).out());
            assertTrue(Command.line("--help").exits(0).out().contains("  " + command + " "), command);
        }
    }

    @Test
    void helpOfJobsListsEveryOptionWithDefaultAndMeaning() {
        for (String command : List.of("run", "fft", "kv", "npb cg", "sample stencil", "sample locks",
            "sample atomics")) {
            String help = Command.line(command + " --help").out().replaceAll("\\s+", " ");
            for (JobOption option : JobOption.values()) {
                assertTrue(help.contains("--" + option.key() + "=" + option.label() + " "),
                    option.key() + " in " + help);
                assertTrue(help.contains(option.meaning() + " (default: " + option.defaultText() + ")"),
                    option.key() + " in " + help);
            }
            for (LauncherOption option : LauncherOption.values()) {
                assertTrue(help.contains("--" + option.key()) && help.contains(option.meaning()),
                    option.key() + " in " + help);
            }
        }
    }

    @Test
    void wrongUsageIsRefusedWithTheReason() {
        for (String[] one : WRONG_USAGE) {
            Command command = Command.line(one[0]).exits(2).tells(one[1]).tells("Try: ./ftrma");
            assertEquals("", command.out(), one[0]);
        }
    }

    @Test
    void withJsonARefusalIsAnObjectToo() {
        for (String line : List.of("fft --ranks two --json", "fft --json --dance", "run --json --ranks 2",
            "sample locks --json --accounts 0",
            "map --json", "pcf --machine nowhere --json", "dance --json")) {
            Command command = Command.line(line).exits(2);
            assertEquals(1, command.out().lines().count(), line);
            assertEquals(2, command.json().get("exitCode"), line);
            assertEquals("failed", command.json().get("outcome"), line);
            assertEquals(line.split(" ")[0], command.json().get("app"), line);
            command.tells("ftrma: " + command.json().get("message"));
        }
        assertEquals("", Command.line("run --ranks 0 -- Main --json").exits(2).out(), "the program's own");
    }

    @Test
    void versionsAreShown() {
        String[] lines = Command.line("--version").exits(0).out().split("\n");
        assertEquals(3, lines.length);
        assertTrue(lines[0].startsWith("ftrma "), lines[0]);
        assertTrue(lines[1].startsWith("jdk " + Runtime.version().feature()), lines[1]);
        assertTrue(lines[2].matches("ucx 1\\.[0-9]+\\.[0-9]+"), lines[2]);
    }

    /** The real bash completes these lines, whose last word is what has been typed of it. */
    @Test
    void bashCompletesCommandsOptionsAndTheirWords(@TempDir Path directory) throws Exception {
        String script = Command.line("completion").exits(0).out();
        assertEquals(script, Command.line("completion zsh").exits(0).out());
        Path file = Files.writeString(directory.resolve("completion"), script);
        Map<String, String> lines = Map.of("ftrma dra", "drain", "ftrma fft --protoc", "--protocol",
            "ftrma fft --protocol co", "coordinated", "ftrma sample locks --demand s", "streaming",
            "ftrma sample st", "stencil", "ftrma completion z", "zsh");
        for (Map.Entry<String, String> line : lines.entrySet()) {
            int last = line.getKey().split(" ").length - 1;
            Process bash = new ProcessBuilder("bash", "-c", "source \"$0\"; COMP_WORDS=(" + line.getKey()
                + "); COMP_CWORD=" + last + "; _complete_ftrma; echo \"${COMPREPLY[*]}\"", file.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            assertEquals(line.getValue(), new String(bash.getInputStream().readAllBytes()).strip(), line.getKey());
        }
    }

    @Test
    void farTooManyProcessesAreNotStarted() {
        assumeTrue(HostMemory.here().availableBytes() < 64L << 30, "a machine that could start them");
        Command command = Command.line("run --ranks 1024 --checksums 1024 --spares 1024 --json -- Main").exits(4);
        command.tells("3072 processes need at least 96.0 GiB");
        assertEquals("unfit", command.json().get("outcome"));
        assertEquals(0, command.json().get("processes"));
    }

    @Test
    void helpOfHelp() {
        assertEquals(Command.line("--help").exits(0).out(), Command.line("help").exits(0).out());
        assertTrue(Command.line("help --help").exits(0).out().startsWith("Usage: ftrma help"));
        assertEquals(Command.line("help --help").out(), Command.line("help help").exits(0).out());
        assertEquals(Command.line("help --help").out(), Command.line("help -h").exits(0).out());
    }

    @Test
    void samplesHaveAHelpOfTheirOwn() {
        for (Samples.Sample sample : Samples.all()) {
            String help = Command.line("sample " + sample.name() + " --help").exits(0).out();
            assertTrue(help.startsWith("Usage: ftrma sample " + sample.name()), help);
            assertEquals(help, Command.line("help sample " + sample.name()).exits(0).out());
            for (CommandOption option : sample.options().options()) {
                String value = option.form().isFlag() ? " " : "=" + option.label();
                assertTrue(help.contains("--" + option.key() + value), help);
            }
            assertTrue(Command.line("sample --help").out().contains("  " + sample.name() + " "), sample.name());
        }
        Command.line("sample locks --accounts 0").exits(2).tells("Try: ./ftrma sample locks --help");
        Command.line("sample locks --size 3").exits(2).tells("Try: ./ftrma sample locks --help");
    }

    @Test
    void noCommandShowsTheUsageAsAnError() {
        Command.run().exits(2).tells("Usage: ftrma");
    }

    @Test
    void optionsOfTheProgramAreNotTheLaunchers() {
        Command.line("run --ranks 0 -- Main --ranks 5").exits(2).tells("--ranks=0");
        Command.line("run --ranks 0 Main --no-such-option").exits(2).tells("--ranks=0");
    }

    @Test
    void infoTellsVersionsAndTransports() {
        Command command = Command.line("info --json").exits(0);
        for (String key : List.of("jdk", "cores", "ucx", "transports", "path", "sharedMemory", "reedSolomon")) {
            assertTrue(command.json().containsKey(key), command.out());
        }
    }
}
