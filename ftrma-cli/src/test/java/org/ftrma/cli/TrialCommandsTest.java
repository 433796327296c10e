package org.ftrma.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.ftrma.launch.Interrupts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands demo and simulate, and {@code kv --compare}, as {@code CliTest} has those of the launcher. */
class TrialCommandsTest {
    private static final String[][] WRONG_USAGE = {
        {"simulate --crashes none --pairs 3", "--pairs=3"},
        {"simulate --steps 0", "--steps=0"},
        {"kv --compare --work 0.1", "--work: --compare is for"},
        {"kv --compare --kill 1@2 --checksums 1", "--kill: --compare is for"},
        {"demo --ranks 3", "--ranks"},
        {"dance", "'dance': no such command; there are run, fft, kv, npb, sample, demo, simulate, map"},
    };

    @TempDir
    private Path place;

    @Test
    void helpOfEveryCommandEndsWell() {
        for (String command : List.of("demo", "simulate")) {
            assertTrue(Command.line(command + " --help").exits(0).out().startsWith("Usage: ftrma " + command), command);
            assertEquals(Command.line(command + " --help").out(), Command.line("help " + command).exits(0).out());
            assertTrue(Command.line("--help").exits(0).out().contains("  " + command + " "), command);
        }
    }

    /** Turkish has an i of its own. */
    @Test
    void localesChangeNothing() {
        String expected = Command.line("simulate --help").out();
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("tr-TR"));
        try {
            assertEquals(expected, Command.line("simulate --help").out());
        } finally {
            Locale.setDefault(before);
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
        Command command = Command.line("simulate --json --steps 0").exits(2);
        assertEquals(1, command.out().lines().count());
        assertEquals(List.of("simulate", 2, "failed"), List.of(command.json().get("app"),
            command.json().get("exitCode"), command.json().get("outcome")));
        command.tells("ftrma: " + command.json().get("message"));
    }

    @Test
    void readmeListsEveryCommandAndShellsCompleteIt() throws Exception {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("docs/README.md"))) {
            root = root.getParent();
        }
        String readme = Files.readString(root.resolve("README.md"));
        String completion = Command.line("completion").exits(0).out();
        for (String command : List.of("demo", "simulate")) {
            assertTrue(readme.contains("`./ftrma " + command), "README.md does not list " + command);
            assertTrue(completion.contains("_picocli_ftrma_" + command + "()"), command);
        }
    }

    @Test
    void aJobThatHasNotBegunDoesNotBegin() {
        Interrupts interrupts = new Interrupts();
        assertFalse(interrupts.arrive(), "no job tells of it");
        Command command = Command.interruptible("demo --json --seed 3", interrupts).exits(130);
        assertEquals("interrupted", command.json().get("outcome"));
        assertEquals(130, command.json().get("exitCode"));
        assertEquals(0, command.json().get("processes"));
        assertTrue(interrupts.arrive(), "a job tells of it");
    }

    @Test
    void machinesOfSimulationsComeFromFiles() throws Exception {
        Path file = Files.writeString(place.resolve("racks.json"), """
            {"name": "three racks", "levels": ["node", "rack"], "domains": [
              {"name": "left", "domains": ["n1", "n2"]}, {"domains": ["n3", "n4"]}, {"domains": ["n5", "n6"]}]}""");
        assertTrue(Command.line("simulate --ranks 4 --losses 2 --topology " + file
            + " --aware rack --crashes m0#700,m1#700").exits(0).err().isEmpty());
    }

    private ProcessBuilder launcher(String words) {
        List<String> command = new java.util.ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin",
            "java").toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData",
            "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("surefire.test.class.path",
                System.getProperty("java.class.path")), Main.class.getName()));
        command.addAll(List.of(words.split(" ")));
        return new ProcessBuilder(command).redirectOutput(place.resolve("out").toFile())
            .redirectError(place.resolve("err").toFile());
    }

    private static int statusOf(Process process) throws InterruptedException {
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the launcher hangs");
        return process.exitValue();
    }

    private Map<String, Object> result() throws java.io.IOException {
        return JSON.std.mapFrom(Files.readAllLines(place.resolve("out")).getLast());
    }

    @Test
    void anInterruptedCommandWithoutJobsTellsSoItself() throws Exception {
        Process process = launcher(
            "simulate --ranks 2 --schedules 1 --singles no --pairs all --json").start();
        try {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (Files.size(place.resolve("out")) == 0) {
                assertTrue(process.isAlive() && System.nanoTime() - end < 0,
                    "the first of the simulation's runs does not end");
                LockSupport.parkNanos(5_000_000);
            }
            process.destroy();
            assertEquals(130, statusOf(process));
        } finally {
            process.destroyForcibly();
        }
        assertEquals(Map.of("app", "simulate", "exitCode", 130, "outcome", "interrupted", "message", "interrupted"),
            result());
    }
}
