package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.Programs;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Protocol puts: puts are logged and nothing else, results stay what they are, and a lost rank makes all go back. */
@Tag("long")
class PutLoggingTest {
    private static Simulation simulation(String program) {
        return new Simulation().program(program).ranks(3).checksums(1).spares(2).steps(3).interval("2").demand("off")
            .protocol("puts").seed(3);
    }

    private static long logged(SimResult result, String what) {
        long sum = 0;
        for (int rank = 0; rank < 3; rank++) {
            sum += ((Number) result.outcome().reports().get("log." + rank + "." + what)).longValue();
        }
        return sum;
    }

    static Stream<String> programs() {
        return Programs.all(1).stream().map(SimProgram::name);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void resultsAreThoseOfAnUnprotectedRunAndOnlyPutsAreLogged(String name) {
        Simulation plain = simulation(name).checksums(0).protocol("none");
        for (long seed = 1; seed <= 3; seed++) {
            SimResult puts = simulation(name).run(seed, List.of(), new SimMemory());
            assertNull(puts.fault(plain.expected()), puts::story);
            assertEquals(0, logged(puts, "getBytes"));
            SimResult all = simulation(name).protocol("full").run(seed, List.of(), new SimMemory());
            if (name.equals("atomics")) {
                // how often it tries again follows from the schedule
                assertTrue(logged(puts, "putBytes") > 1_000, puts::story);
            } else {
                assertEquals(logged(all, "putBytes"), logged(puts, "putBytes"), "of " + name);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"halo", "locks", "atomics", "random-mixed-3"})
    void aLossMakesAllGoBackForTheReasonThatHasAName(String name) {
        Simulation simulation = simulation(name);
        Map<Integer, Map<String, byte[]>> expected = simulation.expected();
        SimResult base = simulation.run(3, List.of(), new SimMemory());
        int named = 0;
        for (int member = 0; member < 4; member++) {
            for (long point = 1; point <= base.memberPoints()[member]; point += 1 + base.memberPoints()[member] / 60) {
                SimResult result = simulation.run(3, List.of(new Crash(true, member, point, Crash.How.AFTER)),
                    new SimMemory());
                assertNull(result.fault(expected), result::story);
                assertEquals(0, result.outcome().localRecoveries(), result::story);
                named += result.outcome().fallbacks().getOrDefault("ONLY_PUTS_LOGGED", 0);
            }
        }
        assertTrue(named > 40, "only " + named + " of that name");
    }

    @Test
    void logsThatRunLowAskForACheckpoint() {
        JobOptions options = JobOptions.of(Map.of("ranks", "2", "checksums", "1", "protocol", "puts", "interval",
            "none", "log-budget", "1MiB"));
        SimResult result = new SimCluster(options, new SimProgram() {
            @Override
            public String name() {
                return "much";
            }

            @Override
            public void run(Job job, Results results) {
                Window window = job.allocateWindow("w", 64 << 10);
                for (long step : job.steps(48)) {
                    window.memory().set(ValueLayout.JAVA_LONG, 0, step);
                    window.put(window.memory(), 1 - job.rank(), 0);
                    job.gsync();
                    job.gsync();
                }
                results.store("w", window.memory());
            }
        }, 1).run();
        assertTrue(result.succeeded(), result::story);
        long cuts = result.events().stream().filter(event -> event.event() instanceof JobEvent.Committed).count();
        assertTrue(cuts >= 3 && cuts <= 10, cuts + " checkpoints\n" + result.story());
    }
}
