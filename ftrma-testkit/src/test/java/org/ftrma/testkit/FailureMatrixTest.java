package org.ftrma.testkit;

import static org.ftrma.testkit.MatrixRuns.ALL_KINDS;
import static org.ftrma.testkit.MatrixRuns.AROUND;
import static org.ftrma.testkit.MatrixRuns.LONG;
import static org.ftrma.testkit.MatrixRuns.STEPS;
import static org.ftrma.testkit.MatrixRuns.STILL;
import static org.ftrma.testkit.MatrixRuns.all;
import static org.ftrma.testkit.MatrixRuns.allKinds;
import static org.ftrma.testkit.MatrixRuns.base;
import static org.ftrma.testkit.MatrixRuns.count;
import static org.ftrma.testkit.MatrixRuns.diedIn;
import static org.ftrma.testkit.MatrixRuns.duringTheRecovery;
import static org.ftrma.testkit.MatrixRuns.goBackToTheLastCommittedGeneration;
import static org.ftrma.testkit.MatrixRuns.local;
import static org.ftrma.testkit.MatrixRuns.points;
import static org.ftrma.testkit.MatrixRuns.program;
import static org.ftrma.testkit.MatrixRuns.reasons;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The failure matrix, row by row: what fails, when, and what must come of it. The table is in
 * docs/internals/failure-matrix.md.
 * Crashes are put at every point of the part of a run that the row is about; every run must end with the result of the
 * one without failures.
 */
@Tag("long")
class FailureMatrixTest {
    private static final Set<String> ACCESSES = Set.of("put", "get", "fetchOp", "compareAndSwap", "flush");
    private static final Set<String> AT_START = Set.of(FallbackReason.BEFORE_FIRST_CHECKPOINT.name(),
        FallbackReason.WHILE_RESTORING.name());

    private static Simulation simulation(SimProgram program, String protocol) {
        return new Simulation().program(program).protocol(protocol).ranks(3).checksums(1).spares(1).interval("1")
            .seed(5);
    }

    /** The points of a member in a run without crashes that come after an event. */
    private static long pointAt(Simulation simulation, int member, Class<? extends JobEvent> type, int times) {
        SimResult base = base(simulation);
        long low = 1;
        long high = base.memberPoints()[member];
        while (low < high) {
            long middle = (low + high) / 2;
            SimResult cut = simulation.run(simulation.seed(),
                List.of(new Crash(true, member, middle, Crash.How.BEFORE)), new SimMemory());
            long seen = cut.events().stream().takeWhile(e -> !(e.event() instanceof JobEvent.MemberLost))
                .filter(e -> type.isInstance(e.event()))
                .count();
            if (seen >= times) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    @Test
    void row1OneRankAnywhereInItsProgram() {
        Simulation simulation = simulation(ALL_KINDS, "full").interval("none");
        long from = pointAt(simulation, 1, JobEvent.Committed.class, 1);
        Collection<SimResult> results = all(simulation, points(1, from, base(simulation).memberPoints()[1], 1));
        Map<String, Integer> localIn = new TreeMap<>();
        results.stream().filter(r -> r.outcome().rollbacks() == 0)
            .forEach(r -> localIn.merge(diedIn(r), 1, Integer::sum));
        System.out.println("recovered locally, by the call it died in: " + localIn + "; fallbacks: "
            + reasons(results));
        assertTrue(localIn.keySet().containsAll(ACCESSES), localIn::toString);
        assertTrue(localIn.containsKey("progress"), "none in a wait");
        Set<String> other = reasons(results);
        other.removeAll(AT_START);
        assertEquals(Set.of(), other);
        assertTrue(local(results) > results.size() / 2,
            local(results) + " of " + results.size() + " recovered locally");
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void row2OneRankWhileACheckpointIsTaken(String protocol) {
        Simulation simulation = simulation(STILL, protocol);
        Collection<SimResult> results = all(simulation, points(1, 1, base(simulation).memberPoints()[1], 1));
        goBackToTheLastCommittedGeneration(results);
        assertTrue(results.stream().anyMatch(r -> count(r, JobEvent.Abandoned.class) > 0),
            "no checkpoint was given up");
        assertTrue(results.stream().anyMatch(r -> r.events().stream()
            .anyMatch(e -> e.event() instanceof JobEvent.RecoveryBegun begun
            && begun.generation() > 1)), "none died after the first checkpoint");
    }

    /**
     * After the first checkpoint there are only those of single ranks, taken all the time. Where the old parity stays
     * until the new one is complete, the loss of the rank is like any other; where it is changed in place, all go back
     * if the rank is lost meanwhile.
     */
    @ParameterizedTest
    @CsvSource({"around,bulk", "around,streaming", "all-kinds,bulk", "all-kinds,streaming"})
    void row3OneRankWhileItsDemandCheckpointIsTaken(String program, String demand) {
        boolean isStreaming = demand.equals("streaming");
        Simulation simulation = simulation(program.equals("around") ? AROUND : ALL_KINDS, "full").interval("none")
            .logLow(0).demand(demand);
        SimResult base = base(simulation);
        assertEquals(1, base.outcome().checkpoints(), base::story);
        assertTrue(base.outcome().demands().committed() > 2, base::story);
        long from = pointAt(simulation, 1, JobEvent.Committed.class, 1);
        Collection<SimResult> results = all(simulation, points(1, from, base.memberPoints()[1], 1));
        List<SimResult> during = results.stream().filter(FailureMatrixTest::lostItsDemandCheckpoint).toList();
        System.out.println(program + ", " + demand + ": " + results.size() + " runs, " + local(results)
            + " recovered locally, fallbacks "
            + reasons(results) + "; in its own demand checkpoint " + during.size() + ", " + local(during) + ", "
            + reasons(during));
        assertTrue(during.size() > 20 && local(during) > 10,
            "only " + during.size() + " died in it, " + local(during) + " recovered locally");
        Set<String> allowed = isStreaming ? Set.of(FallbackReason.DEMAND_INTERRUPTED.name()) : Set.of();
        Set<String> other = reasons(results);
        other.removeAll(AT_START);
        assertEquals(allowed, other);
        if (program.equals("around")) {
            long wrong = MatrixRuns.wrong(simulation, isStreaming ? "HALF_PARITY_USED"
                : "DEMAND_TRIM_EARLY",
                during.stream().map(SimResult::crashes).toList());
            System.out.println(demand + ": " + wrong + " wrong without the rule, until enough were");
            assertTrue(wrong > 2, wrong + " wrong without the rule");
        }
    }

    private static boolean lostItsDemandCheckpoint(SimResult result) {
        return result.events().stream().anyMatch(e -> e.event() instanceof JobEvent.DemandAbandoned given
            && given.member() == 1
            && given.reason().equals("rank 1 was lost"));
    }

    @Test
    void row4OneRankInItsLastStepOrFinished() {
        // Without a gsync at the end: each rank reads what others hold when these have finished.
        SimProgram program = program("uneven", STEPS, (job, window, memory, step) -> {
            if (step == STEPS) {
                for (int i = 0; i < 20 * job.rank(); i++) {
                    memory.set(LONG, 0, memory.get(LONG, 0) * 31 + window.getLong(0, 0) + i);
                }
                return;
            }
            window.putLong(step, (job.rank() + 1) % job.ranks(), 8);
            job.gsync();
        });
        Simulation simulation = simulation(program, "full").interval("none");
        long points = base(simulation).memberPoints()[2];
        Collection<SimResult> results = all(simulation, points(2, points - 60, points, 2));
        assertTrue(local(results) > 10, "only " + local(results) + " recovered locally");
        SimResult base = base(simulation);
        List<List<Crash>> finished = new ArrayList<>();
        // Rank 0 has nothing to do in the last step: late in the run it has finished.
        for (long step = base.steps() * 3 / 4; step < base.steps(); step += 2) {
            finished.add(List.of(new Crash(true, 0, step, Crash.How.AT_STEP)));
        }
        Collection<SimResult> served = all(simulation, finished);
        assertTrue(local(served) > 10, "only " + local(served) + " recovered locally of " + served.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void row5OneRankBeforeTheFirstCheckpoint(String protocol) {
        Simulation simulation = simulation(ALL_KINDS, protocol).interval("3");
        long until = pointAt(simulation, 1, JobEvent.Committed.class, 1);
        Collection<SimResult> results = all(simulation, points(1, 1, until - 1, 1));
        goBackToTheLastCommittedGeneration(results);
        assertTrue(results.stream().anyMatch(r -> r.events().stream()
            .anyMatch(e -> e.event() instanceof JobEvent.RecoveryBegun begun
            && begun.generation() == 0 && begun.rolledBack())), "none went back to generation 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void row6AReplacementDuringItsOwnRecovery(String protocol) {
        Simulation simulation = simulation(ALL_KINDS, protocol).interval("2");
        long points = base(simulation).memberPoints()[1];
        List<SimResult> again = new ArrayList<>();
        for (long first : new long[] {points / 2, points * 3 / 4, points - 10}) {
            all(simulation, duringTheRecovery(simulation, new Crash(true, 1, first, Crash.How.AFTER), 1,
                protocol.equals("full") ? 3 : 1)).stream()
                .filter(MatrixRuns::diedAgainBeforeItWasBack).forEach(again::add);
        }
        System.out.println(protocol + ": " + again.size() + " replacements died in their recovery, " + local(again)
            + " recovered locally");
        assertTrue(again.size() > 50, again.size() + " died during their recovery");
        assertTrue(protocol.equals("coordinated") || local(again) > again.size() / 3,
            local(again) + " of " + again.size() + " recovered locally");
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void row7ARankOfAnotherGroupAtTheSameTimeOrDuringTheFirstOnesRecovery(String protocol) {
        Simulation simulation = simulation(ALL_KINDS, protocol).ranks(4).checksums(2).spares(2);
        SimResult base = base(simulation);
        List<List<Crash>> crashes = new ArrayList<>();
        for (long step = base.steps() / 2; step < base.steps() * 9 / 10; step += base.steps() / 40) {
            crashes.add(List.of(new Crash(true, 1, step, Crash.How.AT_STEP),
                new Crash(true, 2, step, Crash.How.AT_STEP)));
        }
        crashes.addAll(duringTheRecovery(simulation, new Crash(true, 1, base.memberPoints()[1] * 2 / 3,
            Crash.How.AFTER), 2, 2));
        Collection<SimResult> results = all(simulation, crashes);
        assertTrue(results.stream().allMatch(SimResult::succeeded));
        assertTrue(results.stream().filter(MatrixRuns::diedAgainBeforeItWasBack).count() > 20,
            "too few died during a recovery");
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void row8AChecksumRankAtAnyTime(String protocol) {
        Simulation simulation = simulation(ALL_KINDS, protocol);
        Collection<SimResult> results = all(simulation, points(3, 1, base(simulation).memberPoints()[3], 2));
        for (SimResult result : results) {
            boolean started = result.events().stream().takeWhile(e -> !(e.event() instanceof JobEvent.MemberLost))
                .anyMatch(e -> e.event() instanceof JobEvent.Running);
            assertTrue(!started || result.outcome().rollbacks() == 0, result::story);
        }
        assertTrue(results.stream().filter(r -> count(r, JobEvent.Abandoned.class) > 0).count() > 5,
            "too few checkpoints were given up");
    }

    /** Of the lost rank's own group as soon as its image is there again, and of another one at once. */
    @Test
    void row8AChecksumRankDuringARecovery() {
        List<SimResult> results = new ArrayList<>();
        for (long seed = 1; seed <= 3; seed++) {
            Simulation simulation = simulation(ALL_KINDS, "full").ranks(4).checksums(2).spares(2).seed(seed);
            Crash first = new Crash(true, 1, base(simulation).memberPoints()[1] * 3 / 4, Crash.How.AFTER);
            List<List<Crash>> crashes = duringTheRecovery(simulation, first, 4, 1);
            crashes.addAll(duringTheRecovery(simulation, first, 5, 1));
            results.addAll(all(simulation, crashes));
        }
        long again = results.stream().filter(MatrixRuns::diedAgainBeforeItWasBack).filter(SimResult::succeeded).count();
        assertTrue(again > 10, () -> "only " + again + " of " + results.size());
        assertTrue(local(results) > 10, "only " + local(results) + " recovered locally");
    }

    /**
     * Rank 1 is lost and comes back; then rank 2, which held its logs, or rank 0, whose logs it held. A checkpoint in
     * between closes the gap, of all ranks or on demand.
     */
    @ParameterizedTest
    @CsvSource({"2, none, off", "0, none, off", "0, none, bulk", "2, 1, off", "0, 1, off"})
    void row9ARankAndLaterTheOneThatHeldItsLogs(int later, String interval, String demand) {
        Set<String> reasons = new TreeSet<>();
        int bothLocal = 0;
        long first = interval.equals("none") ? 1 : 3;
        for (int moment = 0; moment < 60; moment++) {
            long begin = 100_000 + 13_000 * (moment % 20);
            long wait = 25_000 * moment;
            SimCluster cluster = twoLosses(interval, demand);
            SimResult result = cluster.when(JobEvent.Committed.class, e -> e.generation() == first,
                c -> c.after(begin, d -> d.kill(1)))
                .when(JobEvent.Replayed.class, e -> true, c -> c.after(wait, d -> d.kill(later))).run();
            assertNull(result.fault(twoLosses(interval, demand).run().contents()), result::story);
            reasons.addAll(result.outcome().fallbacks().keySet());
            bothLocal += result.outcome().localRecoveries() == 2 ? 1 : 0;
        }
        boolean lacksLogs = later == 0 && interval.equals("none") && demand.equals("off");
        assertEquals(lacksLogs, bothLocal == 0, bothLocal + " recovered locally twice, " + reasons);
        assertTrue(!lacksLogs || reasons.contains(FallbackReason.LOG_GAP.name()), reasons::toString);
    }

    private static SimCluster twoLosses(String interval, String demand) {
        return new SimCluster(JobOptions.of(Map.of("ranks", "3", "checksums", "1", "spares", "2", "interval", interval,
            "protocol", "full",
            "log-budget", "1MiB", "demand", demand)), allKinds(20), 7);
    }

    /** One loss in a group can be rebuilt (m is 1): one in each group at once, computing ranks and checksum ranks. */
    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void row10AsManyAsAGroupCanLoseInEveryGroupAtOnce(String protocol) {
        inEveryPair(protocol, true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void row11MoreThanAGroupCanLoseEndTheJobClearly(String protocol) {
        inEveryPair(protocol, false);
    }

    /** Ranks 0 and 2 with checksum rank 4 are group 0, ranks 1 and 3 with 5 are group 1. */
    private static void inEveryPair(String protocol, boolean differentGroups) {
        Simulation simulation = simulation(ALL_KINDS, protocol).ranks(4).checksums(2).spares(2);
        SimResult base = base(simulation);
        for (int one = 0; one < 6; one++) {
            for (int other = one + 1; other < 6; other++) {
                if ((one + other) % 2 == (differentGroups ? 1 : 0)) {
                    List<List<Crash>> crashes = new ArrayList<>();
                    for (long step = base.steps() * 5 / 8; step < base.steps() * 9 / 10; step += base.steps() / 24) {
                        crashes.add(List.of(new Crash(true, one, step, Crash.How.AT_STEP),
                            new Crash(true, other, step, Crash.How.AT_STEP)));
                    }
                    String who = one + " and " + other;
                    for (SimResult result : all(simulation, crashes)) {
                        assertEquals(differentGroups, result.succeeded(), () -> who + "\n" + result.story());
                        JobOutcome outcome = result.outcome();
                        assertTrue(differentGroups || outcome.kind() == JobOutcome.Kind.CATASTROPHIC
                            && outcome.kind().exitCode() == 3
                            && outcome.message().contains("group " + one % 2) && outcome.message().contains("rank"),
                            result::story);
                    }
                }
            }
        }
    }

    /**
     * Neighbouring ranks share a node; round-robin they are in different groups. So a node of as many ranks as there
     * are groups may be lost.
     */
    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void row12AWholeNode(String protocol) {
        Simulation simulation = simulation(ALL_KINDS, protocol).ranks(6).checksums(3).spares(3);
        SimResult base = base(simulation);
        List<List<Crash>> crashes = new ArrayList<>();
        for (int node = 0; node < 2; node++) {
            for (long step = base.steps() / 2; step < base.steps() * 9 / 10; step += base.steps() / 12) {
                List<Crash> ranks = new ArrayList<>();
                for (int rank = 3 * node; rank < 3 * node + 3; rank++) {
                    ranks.add(new Crash(true, rank, step, Crash.How.AT_STEP));
                }
                crashes.add(ranks);
            }
        }
        for (SimResult result : all(simulation, crashes)) {
            assertTrue(result.succeeded(), result::story);
            assertEquals(3, count(result, JobEvent.MemberLost.class), result::story);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void row13AHang(String protocol) {
        Simulation simulation = simulation(ALL_KINDS, protocol);
        SimResult base = base(simulation);
        List<List<Crash>> crashes = new ArrayList<>();
        for (int member = 0; member < 4; member++) {
            for (long point = 2 + member; point < base.memberPoints()[member]; point += 9) {
                crashes.add(List.of(new Crash(true, member, point, Crash.How.HANG)));
            }
        }
        Collection<SimResult> results = all(simulation, crashes);
        assertTrue(results.stream().filter(r -> diedIn(r).equals("no heartbeat")).count() > results.size() / 2,
            "too few hangs");
        assertTrue(protocol.equals("coordinated") || local(results) > 10, local(results) + " recovered locally");
    }

    /**
     * Between the order to kill it and its death a member that hung goes on. Who takes its place before it is dead
     * meets what it does, where its memory is mapped: elsewhere it is cut off.
     */
    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void row13AHangThatEndsBeforeTheMemberIsDead(String protocol) {
        Simulation simulation = simulation(ALL_KINDS, protocol).hosts(1).nodes(1, "none").seed(7);
        SimResult base = base(simulation);
        List<List<Crash>> crashes = new ArrayList<>();
        for (int member = 0; member < 4; member++) {
            for (long point = 2 + member; point < base.memberPoints()[member]; point += 5) {
                crashes.add(List.of(new Crash(true, member, point, Crash.How.WAKE)));
            }
        }
        Collection<SimResult> results = all(simulation, crashes);
        long lost = results.stream().filter(r -> diedIn(r).equals("no heartbeat")).count();
        long wrong = MatrixRuns.wrong(simulation, "REPLACED_ALIVE", crashes);
        System.out.println(protocol + ": " + lost + " of " + crashes.size() + " were lost, " + local(results)
            + " recovered locally; " + wrong + " wrong without the rule");
        assertTrue(lost > results.size() / 2, lost + " of " + crashes.size() + " were lost");
        assertTrue(wrong > 0, "none wrong without the rule");
    }

    /** Rank 0 dies while it holds the lock of rank 1's window, or rank 1 does, its home; the other two wait for it. */
    @Test
    void row14TheHolderOfALockOrItsHome() {
        for (int victim = 0; victim < 2; victim++) {
            Script.Story story = new Script.Story("lock and rank " + victim, 3, 1, "none", 1,
                MatrixRuns.lockHeldWhenTheyDie(victim));
            Map<Integer, Map<String, byte[]>> expected = story.run(1, false, Set.of()).contents();
            for (long seed = 1; seed <= 20; seed++) {
                SimResult result = story.run(seed, true, Set.of());
                assertNull(result.fault(expected), result::story);
                assertEquals(1, result.outcome().localRecoveries(), result::story);
                assertEquals(0, result.outcome().rollbacks(), result::story);
                assertTrue(Arrays.equals(expected.get(1).get("w"), result.contents().get(1).get("w")), result::story);
            }
        }
    }
}
