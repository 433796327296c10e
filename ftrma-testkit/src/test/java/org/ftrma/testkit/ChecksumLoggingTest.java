package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.Programs;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Protocol ml: accesses are logged at the checksum ranks, results stay what they are, and a lost rank makes all go
 * back.
 */
@Tag("long")
class ChecksumLoggingTest {
    private static Simulation simulation(String program) {
        return new Simulation().program(program).ranks(3).checksums(1).spares(2).steps(3).interval("2").protocol("ml")
            .seed(3);
    }

    static Stream<String> programs() {
        return Programs.all(1).stream().map(SimProgram::name);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void resultsAreThoseOfAnUnprotectedRun(String name) {
        Simulation plain = simulation(name).checksums(0).protocol("none");
        for (long seed = 1; seed <= 3; seed++) {
            SimResult logged = simulation(name).run(seed, List.of(), new SimMemory());
            assertNull(logged.fault(plain.expected()), logged::story);
            boolean accesses = !name.equals("collectives");
            assertTrue(((Number) logged.outcome().reports().get("messageLogBytes"))
                .longValue() >= (accesses ? 64 * 3 : 1), logged::story);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"halo", "locks", "random-mixed-3"})
    void lossesAreRecoveredFromAsWithoutLogs(String name) {
        Simulation simulation = simulation(name);
        Map<Integer, Map<String, byte[]>> expected = simulation.expected();
        SimResult base = simulation.run(3, List.of(), new SimMemory());
        int rollbacks = 0;
        for (int member = 0; member < 4; member++) {
            for (long point = 1; point <= base.memberPoints()[member]; point += 1 + base.memberPoints()[member] / 60) {
                SimResult result = simulation.run(3, List.of(new Crash(true, member, point, Crash.How.AFTER)),
                    new SimMemory());
                assertNull(result.fault(expected), result::story);
                assertEquals(0, result.outcome().localRecoveries(), result::story);
                rollbacks += result.outcome().rollbacks();
            }
        }
        assertTrue(rollbacks > 60, "only " + rollbacks + " rollbacks");
    }

    @Test
    void lossOfTheRankThatKeepsTheLogsMakesAllGoBackToo() {
        Simulation simulation = simulation("halo");
        SimResult base = simulation.run(3, List.of(), new SimMemory());
        SimResult result = simulation.run(3, List.of(new Crash(true, 3, base.memberPoints()[3] / 2, Crash.How.BEFORE)),
            new SimMemory());
        assertNull(result.fault(base.contents()), result::story);
        assertEquals(1, result.outcome().rollbacks(), result::story);
    }

    @Test
    void logsThatRunLowAskForACheckpoint() {
        JobOptions options = JobOptions.of(Map.of("ranks", "2", "checksums", "1", "protocol", "ml", "interval", "none",
            "log-budget", "1MiB"));
        SimResult result = new SimCluster(options, new SimProgram() {
            @Override
            public String name() {
                return "much";
            }

            @Override
            public void run(org.ftrma.Job job, Results results) {
                org.ftrma.Window window = job.allocateWindow("w", 64 << 10);
                for (long step : job.steps(40)) {
                    window.memory().set(java.lang.foreign.ValueLayout.JAVA_LONG, 0, step);
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
