package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.ftrma.launch.programs.Hoard;
import org.ftrma.launch.programs.Ring;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real launchers and ranks in all the ways to end; afterwards there is no process, no file, no segment and no port. */
class NothingLeftTest {
    private static final String FOR_EVER = "1000000000";

    private static LauncherProcess ring(String steps, String... more) {
        String[] arguments = new String[more.length + 10];
        String[] fixed = {"run", "--ranks", "2", "--checksums", "1", "--spares", "1"};
        System.arraycopy(fixed, 0, arguments, 0, fixed.length);
        System.arraycopy(more, 0, arguments, fixed.length, more.length);
        arguments[arguments.length - 3] = "--";
        arguments[arguments.length - 2] = Ring.class.getName();
        arguments[arguments.length - 1] = steps;
        return new LauncherProcess(arguments);
    }

    private static LauncherProcess running(String... more) {
        LauncherProcess launcher = ring(FOR_EVER, more);
        try {
            launcher.awaitLine("ring of 2 begins");
            launcher.takeStock();
            assertEquals(4, launcher.ranks().size());
        } catch (AssertionError | RuntimeException e) {
            launcher.close();
            throw e;
        }
        return launcher;
    }

    @Test
    void jobThatDoesNotFitEndsWith4BeforeItTakesTheMemory(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("now");
        try (LauncherProcess launcher = new LauncherProcess("run", "--ranks", "2", "--checksums", "1", "--spares", "1",
            "--", Hoard.class.getName(),
            Long.toString(1L << 40), file.toString())) {
            launcher.awaitLine("the hoard waits");
            launcher.takeStock();
            Files.createFile(file);
            launcher.awaitLine("memory that the job needs does not fit: the job needs 11.0 TiB of memory and ");
            assertEquals(4, launcher.awaitExit());
            assertTrue(launcher.lines().stream().anyMatch(line -> line.matches("live state +1.0 TiB +-")),
                launcher.lines()::toString);
            assertFalse(launcher.lines().contains("the hoard is there"));
            launcher.assertNothingLeft();
        }
    }

    @Test
    void interruptFromTheTerminalEndsWith130() throws IOException {
        try (LauncherProcess launcher = running()) {
            launcher.signal("INT", launcher.pid());
            assertEquals(130, launcher.awaitExit());
            launcher.assertNothingLeft();
        }
    }

    @Test
    void terminationOfTheLauncherIsAnInterruptToo() throws IOException {
        try (LauncherProcess launcher = running("--json")) {
            launcher.signal("TERM", launcher.pid());
            assertEquals(130, launcher.awaitExit());
            launcher.awaitLine("\"outcome\":\"interrupted\"");
            launcher.assertNothingLeft();
        }
    }

    @Test
    void tokenIsInNoCommandLineAndNoEnvironmentAndItsPlacesArePrivate() throws IOException {
        try (LauncherProcess launcher = running()) {
            Path file = launcher.places().stream().map(place -> place.resolve("job.properties")).filter(Files::exists)
                .findFirst()
                .orElseThrow();
            for (Path place : launcher.places()) {
                assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(place)),
                    place.toString());
            }
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            String token = Files.readString(file).lines().filter(line -> line.startsWith("token=")).findFirst()
                .orElseThrow().substring(6);
            assertEquals(64, token.length());
            for (ProcessHandle rank : launcher.ranks()) {
                for (String name : new String[] {"cmdline", "environ"}) {
                    String text = new String(Files.readAllBytes(Path.of("/proc/" + rank.pid() + "/" + name)),
                        StandardCharsets.ISO_8859_1);
                    assertTrue(text.length() > 100);
                    assertFalse(text.contains(token.substring(0, 16)) || text.contains(token.substring(32, 48)), name);
                }
            }
            launcher.signal("INT", launcher.pid());
            assertEquals(130, launcher.awaitExit());
        }
    }

    @Test
    void killOfTheLauncherTakesEverythingWithIt() throws IOException {
        try (LauncherProcess launcher = running()) {
            launcher.signal("KILL", launcher.pid());
            launcher.awaitExit();
            launcher.assertNothingLeft();
        }
    }

    @Test
    void stoppedRankDoesNotOutliveItsLauncher() throws IOException {
        try (LauncherProcess launcher = running("--heartbeat-timeout", "1h")) {
            launcher.signal("STOP", launcher.ranks().getFirst().pid());
            launcher.signal("KILL", launcher.pid());
            launcher.awaitExit();
            launcher.assertNothingLeft();
        }
    }

    @Test
    void killedRankIsReplacedAndTheJobCanStillBeInterrupted() throws IOException {
        try (LauncherProcess launcher = running()) {
            launcher.signal("KILL", launcher.ranks().getFirst().pid());
            launcher.awaitLine("is back");
            launcher.takeStock();
            launcher.signal("INT", launcher.pid());
            assertEquals(130, launcher.awaitExit());
            launcher.assertNothingLeft();
        }
    }

    @Test
    void normalEndLeavesNothing() throws IOException {
        try (LauncherProcess launcher = ring("20000", "--json")) {
            launcher.awaitLine("ring of 2 begins");
            launcher.takeStock();
            assertEquals(0, launcher.awaitExit());
            launcher.awaitLine("\"verified\":true");
            launcher.assertNothingLeft();
            assertTrue(launcher.lines().stream().anyMatch(line -> line.startsWith("{\"app\":")),
                launcher.lines().toString());
        }
    }
}
