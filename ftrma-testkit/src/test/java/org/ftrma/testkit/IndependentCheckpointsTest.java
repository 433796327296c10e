package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.TreeMap;
import org.ftrma.core.control.RecoveryFigures;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.options.JobOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checkpoints that each rank takes alone, whether somebody needs them or not: {@code --independent}. */
@Tag("long")
class IndependentCheckpointsTest {
    private static final int RANKS = 3;

    /** Nobody needs any: there is room in the logs. */
    private static Simulation independent(String program, String protocol, String when) {
        return new Simulation().program(program).protocol(protocol).ranks(RANKS).checksums(1).spares(1).steps(12)
            .interval("none").logLow(100).set(JobOption.INDEPENDENT, when);
    }

    private static Map<Integer, Integer> byRank(SimResult result) {
        Map<Integer, Integer> counts = new TreeMap<>();
        result.events().forEach(timed -> {
            if (timed.event() instanceof JobEvent.DemandCommitted committed) {
                counts.merge(committed.member(), 1, Integer::sum);
            }
        });
        return counts;
    }

    @ParameterizedTest
    @CsvSource({"logged-messages, pessimistic-v, 4", "any-source, pessimistic-v, 3", "halo, full, 4", "locks, full, 3",
        "logged-messages, pessimistic-v, 200us", "halo, full, 200us"})
    void eachRankTakesThem(String program, String protocol, String when) {
        Map<Integer, Integer> most = new TreeMap<>();
        for (long seed = 1; seed <= 10; seed++) {
            Simulation simulation = independent(program, protocol, when).seed(seed);
            SimResult result = simulation.replay();
            assertEquals(0, byRank(simulation.set(JobOption.INDEPENDENT, "none").replay()).size(), "without");
            byRank(result).forEach((rank, count) -> most.merge(rank, count, Integer::max));
        }
        assertEquals(RANKS, most.size(), most::toString);
        assertTrue(most.values().stream().allMatch(count -> count >= 2 && count <= 12), most::toString);
    }

    @ParameterizedTest
    @CsvSource({"logged-messages, pessimistic-v, 4, auto, 197", "any-source, pessimistic-v, 3, auto, 293",
        "logged-messages, pessimistic-v, 100us, auto, 197", "halo, full, 3, auto, 97", "locks, full, 3, auto, 97",
        "atomics, full, 200us, auto, 97", "locks, full, 3, network, 197", "atomics, full, 3, network, 197"})
    void aProcessIsKilledAtAnyMoment(String program, String protocol, String when, String path, int stride) {
        SimReport report = independent(program, protocol, when).set(JobOption.PATH, path).kills(stride);
        System.out.println(report.summary());
        assertTrue(report.clean(), report::toString);
        assertEquals(0, report.gaveUp(), report::toString);
        assertTrue(report.replays() > report.rollbacks(), report::summary);
    }

    /** A lost rank begins at its newest image. */
    @ParameterizedTest
    @CsvSource({"logged-messages, pessimistic-v", "halo, full"})
    void fewStepsAreRepeated(String program, String protocol) {
        long without = stepsRepeated(independent(program, protocol, "none"));
        long with = stepsRepeated(independent(program, protocol, "2"));
        assertTrue(with > 0 && with < without / 2, () -> with + " steps, " + without + " without");
    }

    /** Of rank 1, which dies at ten moments of the second half, by itself. */
    private static long stepsRepeated(Simulation simulation) {
        long steps = simulation.replay().steps();
        long sum = 0;
        for (long i = 0; i < 10; i++) {
            SimResult result = simulation.crashes("m1#" + (steps / 2 + steps * i / 25)).replay();
            assertEquals(1, result.outcome().localRecoveries(), result::story);
            sum += result.events().stream().map(SimResult.TimedEvent::event)
                .filter(JobEvent.Replayed.class::isInstance).map(JobEvent.Replayed.class::cast)
                .mapToLong(replayed -> replayed.figures()[RecoveryFigures.STEPS_REPEATED.ordinal()]).sum();
        }
        return sum;
    }
}
