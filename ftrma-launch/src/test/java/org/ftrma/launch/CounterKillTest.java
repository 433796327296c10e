package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ftrma.core.counter.Counter;
import org.ftrma.core.counter.CounterReader;
import org.ftrma.core.counter.CounterSnapshot;
import org.ftrma.launch.programs.Ring;
import org.ftrma.rank.counter.CounterFile;
import org.junit.jupiter.api.Test;

/** The counters of a real rank outlive its death by SIGKILL, and go with the job. */
class CounterKillTest {
    private static final int PROCESSES = 4;

    private static Path place(LauncherProcess launcher) {
        return launcher.places().stream().filter(place -> Files.exists(place.resolve("counters-0"))).findFirst()
            .orElseThrow();
    }

    private static CounterSnapshot read(Path place, int process) {
        try {
            return CounterFile.read(place, process);
        } catch (IOException | CounterReader.MalformedException e) {
            throw new AssertionError(e);
        }
    }

    /** Null also while the process makes its file. */
    private static CounterSnapshot readIfWhole(Path place, int process) {
        try {
            return CounterFile.read(place, process);
        } catch (CounterReader.MalformedException e) {
            return null;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The number of the process that plays that. */
    private static int playerOf(LauncherProcess launcher, int member, int incarnation) {
        Path place = place(launcher);
        int[] found = {-1};
        launcher.await("incarnation " + incarnation + " of member " + member + " in " + place, () -> {
            for (int process = 0; process <= PROCESSES; process++) {
                CounterSnapshot counters = readIfWhole(place, process);
                if (counters != null && counters.member() == member && counters.incarnation() == incarnation) {
                    found[0] = process;
                }
            }
            return found[0] >= 0;
        });
        return found[0];
    }

    private static void kill(LauncherProcess launcher, int process) {
        ProcessHandle victim = launcher.ranks().stream().filter(rank -> {
            String[] arguments = rank.info().arguments().orElse(new String[] {""});
            return arguments[arguments.length - 1].equals(Integer.toString(process));
        }).findFirst().orElseThrow();
        launcher.signal("KILL", victim.pid());
    }

    @Test
    void statesOfAKilledRankAreReadFromItsFileAndToldByItsLauncher() throws IOException {
        try (LauncherProcess launcher = new LauncherProcess("run", "--ranks", "2", "--checksums", "1", "--spares", "1",
            "--protocol", "full", "--verbose", "--", Ring.class.getName(), "1000000000")) {
            launcher.awaitLine("ring of 2 begins");
            Path place = place(launcher);
            int process = playerOf(launcher, 1, 0);
            launcher.await("the first steps of rank 1", () -> read(place, process).get(Counter.STEP) > 2);
            CounterSnapshot before = read(place, process);
            kill(launcher, process);
            launcher.awaitLine("[rank 1] at its end: incarnation 0, view 1, generation ");
            launcher.awaitLine("; view RUNNING, program RUNNING, access logging LOGGING");
            launcher.awaitLine("rank 1 is lost in step ");
            CounterSnapshot dead = read(place, process);
            assertEquals(List.of(1, 0), List.of(dead.member(), dead.incarnation()));
            assertTrue(dead.get(Counter.STEP) >= before.get(Counter.STEP), dead.text());
            assertEquals(before.states(), dead.states());
            assertEquals(List.of("RUNNING", "RUNNING", "LOGGING"),
                dead.states().stream().map(CounterSnapshot.State::name).toList());
            launcher.awaitLine("rank 1 is back");
            int next = playerOf(launcher, 1, 1);
            assertTrue(next != process);
            launcher.await("steps of the replacement", () ->
                read(place, next).get(Counter.STEP) > dead.get(Counter.STEP));
            assertEquals("RUNNING", read(place, next).state("view").name());
            assertEquals(dead, read(place, process));
            launcher.takeStock();
            launcher.signal("INT", launcher.pid());
            assertEquals(130, launcher.awaitExit());
            launcher.assertNothingLeft();
        }
    }
}
