package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.options.JobOption;
import org.ftrma.testkit.programs.Flavour;
import org.ftrma.testkit.programs.Programs;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Demand checkpoints of single ranks (design 6.4; ftRMA, 6.2): with {@code --log-low 0} they are taken all the time,
 * and crashes come before, in and after them. There is one coordinated checkpoint only, at the start, so that nothing
 * else drops logs.
 */
@Tag("long")
class DemandCheckpointTest {
    private static final int PROGRAMS = 45;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private static Simulation always(String program) {
        return always(new Simulation().program(program)).steps(4);
    }

    private static Simulation always(Simulation simulation) {
        return simulation.protocol("full").logLow(0).interval("none");
    }

    private static Simulation alwaysOverTheNetwork(Simulation simulation) {
        return always(simulation).set(JobOption.PATH, "network");
    }

    private static void check(SimReport report, int deaths, int replays) {
        System.out.println(report.summary());
        assertTrue(report.clean(), report::toString);
        assertTrue(report.deaths() >= deaths && report.replays() >= replays, report::summary);
    }

    /**
     * Takes the points before, in and after demand checkpoints of the rank that dies, of others, and of the checksum
     * rank.
     */
    @ParameterizedTest
    @ValueSource(strings = {"halo", "locks", "atomics"})
    void oneCrashAtEveryPointOfEveryMemberLeavesTheResultAsItIs(String program) {
        Simulation simulation = always(program).steps(5);
        SimResult clean = simulation.replay();
        assertTrue(clean.outcome().demands().committed() >= 1, clean::story);
        SimReport report = simulation.singles(EveryPoint.or(3));
        check(report, 260, 100);
        assertEquals(0, report.gaveUp(), report::toString);
    }

    @ParameterizedTest
    @CsvSource({"halo,bulk", "locks,bulk", "atomics,bulk", "halo,streaming", "locks,streaming", "atomics,streaming"})
    void aReplacementMayDieWhenDemandCheckpointsAreTaken(String program, String demand) {
        check(always(program).demand(demand).interval("3").spares(1).seed(5000).pairs(100), 50, 20);
        check(always(program).demand(demand).interval("3").ranks(4).checksums(2).spares(1).seed(6000).kills(80), 30, 5);
    }

    /** Of seven in a group two or three go into the parity by difference, more by making it anew. */
    @ParameterizedTest
    @CsvSource({"halo,7,1", "locks,7,1", "halo,5,2", "atomics,5,2"})
    void imagesThatGoIntoAParityTogetherCountTogether(String program, int ranks, int losses) {
        Simulation simulation = always(program).ranks(ranks).losses(losses).checksums(losses).spares(1);
        int together = 0;
        for (int seed = 1; seed <= 12; seed++) {
            boolean[] seen = new boolean[1];
            SimCluster cluster = new SimCluster(simulation.options(), Programs.byName(program, 4), seed);
            cluster.when(JobEvent.DemandCommitted.class, e -> e.parity() != e.number(), c -> seen[0] = true);
            SimResult clean = cluster.run();
            assertEquals(JobOutcome.Kind.SUCCESS, clean.outcome().kind(), clean::story);
            together += seen[0] ? 1 : 0;
        }
        // whether they do is up to the schedule
        assertTrue(together >= 4, "images went together in " + together + " of 12 runs");
        check(simulation.kills(97), 30, 10);
    }

    @ParameterizedTest
    @EnumSource
    void crashesLeaveTheResultsOfRandomProgramsAsTheyAre(Flavour flavour) {
        checkRandom(flavour, DemandCheckpointTest::always);
    }

    /** What images include is dropped at boundaries there, and remote words take a while. */
    @ParameterizedTest
    @EnumSource
    void soTheyDoOverTheNetwork(Flavour flavour) {
        checkRandom(flavour, DemandCheckpointTest::alwaysOverTheNetwork);
    }

    private static void checkRandom(Flavour flavour, UnaryOperator<Simulation> shape) {
        RandomReport report = new RandomRuns().shaped(shape).flavour(flavour).seeds(20_000, PROGRAMS).run();
        System.out.println(report);
        assertTrue(report.clean(), report::toString);
        assertTrue(report.ends().get(RandomReport.End.LOCAL) > report.crashed() / 5, report::toString);
    }

    /**
     * What died with one rank would make another one's loss a fallback: those concerned take demand checkpoints at
     * once.
     */
    @Test
    void afterARecoveryTheLogsAreMadeCompleteAgain() {
        int[] local = new int[2];
        int[] lacking = new int[2];
        for (int way = 0; way < 2; way++) {
            Simulation simulation = new Simulation().ranks(4).checksums(2).spares(2).protocol("full").interval("none")
                .logLow(100)
                .demand(way == 0 ? "bulk" : "off");
            for (long moment = 0; moment < 20; moment++) {
                long begin = 200_000 + 20_000 * moment;
                SimCluster cluster = new SimCluster(simulation.options(), Programs.byName("locks", 60), 201 + moment);
                cluster.when(JobEvent.Committed.class, e -> true, c -> c.after(begin, d -> d.kill(1)));
                if (way == 0) {
                    cluster.when(JobEvent.DemandCommitted.class, e -> e.member() == 0,
                        c -> c.after(100_000, d -> d.kill(0)));
                } else {
                    cluster.when(JobEvent.Replayed.class, e -> true, c -> c.after(400_000, d -> d.kill(0)));
                }
                SimResult result = cluster.run();
                assertEquals(JobOutcome.Kind.SUCCESS, result.outcome().kind(), result::story);
                local[way] += result.outcome().localRecoveries() == 2 ? 1 : 0;
                lacking[way] += result.outcome().fallbacks().containsKey(FallbackReason.LOG_GAP.name()) ? 1 : 0;
            }
        }
        String told = "both recovered locally: " + local[0] + " with demand checkpoints, " + local[1]
            + " without, of 20; logs lacked records: "
            + lacking[0] + ", " + lacking[1];
        System.out.println(told);
        assertTrue(lacking[0] <= 1 && lacking[1] >= 12 && local[0] > 3 * local[1], told);
    }

    @Test
    void anImageThatClaimsAnEpochTooManyIsFound() {
        RandomReport report = new RandomRuns().shaped(DemandCheckpointTest::always).flavour(Flavour.LOCKS)
            .faults(Set.of("IMAGE_CLAIMS_TOO_MUCH")).seeds(1, 100).until(1).run();
        assertTrue(report.failed() > 0, report::summary);
    }

    @Test
    void logsThatAreTrimmedBeforeTheCommitAreFound() {
        SimReport report = always("halo").faults(Set.of("DEMAND_TRIM_EARLY")).until(1).singles();
        assertTrue(report.failed() > 0, report::summary);
    }

    /**
     * Two neighbours turn a value over and back again: from 1 in the image nobody could tell whether it had been 0 or 1
     * before.
     */
    private static final class Toggles implements SimProgram {
        private static final int CELLS = 8192;

        @Override
        public String name() {
            return "toggles";
        }

        @Override
        public void run(Job job, Results results) {
            Window cells = job.allocateWindow("cells", CELLS);
            for (long step : job.steps(8)) {
                int target = (job.rank() + 1) % job.ranks();
                for (int turn = 0; turn < 2; turn++) {
                    cells.fetchAndOp(AtomicOp.BXOR, DataType.INT64, 1, target, CELLS - 8);
                    cells.flush(target);
                }
            }
            job.gsync();
            results.store("cells", cells.memory());
        }
    }

    @Test
    void updatesThatDoNotWaitForTheCopyAreFound() {
        for (long seed : new long[] {10, 8, 9, 11, 12, 13}) { // the first one finds it now
            SimReport report = always(new Simulation().program(new Toggles())).seed(seed)
                .faults(Set.of("UPDATES_NOT_HELD")).until(1).singles();
            if (report.failed() > 0) {
                int stride = EveryPoint.or(3);
                check(always(new Simulation().program(new Toggles())).seed(seed).singles(stride), 100 / stride,
                    50 / stride);
                return;
            }
        }
        throw new AssertionError("not found");
    }

    /**
     * Gathers, and puts what came of it.
     *
     * @param varies much in some steps and little in others, which images keep: their headers take many blocks and few,
     *     and not the same in a group
     */
    private record Gathers(boolean varies) implements SimProgram {
        private static final int MOST = 30_000;

        @Override
        public String name() {
            return "gathers";
        }

        @Override
        public void run(Job job, Results results) {
            Window in = job.allocateWindow("in", 16);
            MemorySegment state = job.protect("state", 8);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment mine = arena.allocate(MOST, 8);
                MemorySegment all = arena.allocate((long) MOST * job.ranks(), 8);
                for (long step : job.steps(6)) {
                    long bytes = !varies || step % 3 == 1 ? MOST : step % 3 == 2 ? 9_000 : 40;
                    for (long at = 0; at < bytes; at += 8) {
                        mine.set(LONG, at, state.get(LONG, 0) * 31 + step + at + job.rank());
                    }
                    job.allGather(mine.asSlice(0, bytes), all.asSlice(0, bytes * job.ranks()));
                    long sum = state.get(LONG, 0);
                    for (long at = 0; at < bytes * job.ranks(); at += 8) {
                        sum = sum * 17 + all.get(LONG, at);
                    }
                    state.set(LONG, 0, sum);
                    in.putLong(sum, (job.rank() + 1) % job.ranks(), step % 2 * 8);
                    in.flush((job.rank() + 1) % job.ranks());
                }
            }
            job.gsync();
            results.store("state", state);
            results.store("in", in.memory());
        }
    }

    @ParameterizedTest
    @CsvSource({"3,bulk,1", "3,streaming,1", "5,bulk,1", "3,bulk,2", "4,streaming,2"})
    void headersOfImagesMayGrowAndShrink(int ranks, String demand, int losses) {
        Simulation simulation = always(new Simulation().program(new Gathers(true))).demand(demand).ranks(ranks)
            .losses(losses).checksums(losses)
            .spares(1);
        SimResult clean = simulation.replay();
        assertTrue(clean.outcome().demands().committed() >= 1, clean::story);
        check(simulation.kills(61), 30, 10);
        check(simulation.interval("2").seed(300).kills(47), 30, 10);
        assertEquals(0, simulation.interval("2").seed(300).pairs(40).failed());
    }

    /**
     * The results that a rank keeps for another one die with it; its replacement begins with the image of a demand
     * checkpoint and does not make them again. If the other one is lost then, it must not conclude from their absence
     * that nobody has gone on, and read buffers that are used again.
     */
    @Test
    void resultsOfCollectivesThatDiedWithTheirKeeperAreNotReadFromBuffersInUse() {
        for (long seed = 300; seed <= 1800; seed += 100) {
            Simulation simulation = always(new Simulation().program(new Gathers(false))).interval("2").ranks(3)
                .spares(1).seed(seed);
            SimReport report = simulation.faults(Set.of("LOST_COLLECTIVES_FORGOTTEN")).until(1).pairs(60);
            if (report.failed() > 0) {
                check(simulation.faults(Set.of()).until(Long.MAX_VALUE).pairs(60), 60, 40);
                return;
            }
        }
        throw new AssertionError("not found");
    }

    /** Puts much into its neighbours' windows, in every step. */
    private record Heavy(int bytes, long steps) implements SimProgram {
        @Override
        public String name() {
            return "heavy";
        }

        @Override
        public void run(Job job, Results results) {
            Window window = job.allocateWindow("in", 2L * bytes);
            MemorySegment out = job.protect("out", bytes);
            MemorySegment sum = job.protect("sum", 8);
            for (long step : job.steps(steps)) {
                out.set(LONG, 0, step * 7 + job.rank() + sum.get(LONG, 0));
                long half = step % 2 * bytes; // what is read in this step is not written in the next one
                window.put(out, 0, (job.rank() + 1) % job.ranks(), half, bytes);
                job.gsync();
                sum.set(LONG, 0, sum.get(LONG, 0) * 31 + window.memory().get(LONG, half));
            }
            results.store("sum", sum);
        }
    }

    private static long dropped(JobOutcome outcome, int ranks) {
        long sum = 0;
        for (int rank = 0; rank < ranks; rank++) {
            sum += (Long) outcome.reports().get("log." + rank + ".dropped");
        }
        return sum;
    }

    @Test
    void theyAloneKeepLogsWithinTheirBudget() {
        SimResult result = new Simulation().program(new Heavy(24 << 10, 60)).protocol("full").interval("none").steps(60)
            .replay();
        JobOutcome outcome = result.outcome();
        assertEquals(JobOutcome.Kind.SUCCESS, outcome.kind(), result::story);
        assertEquals(0, dropped(outcome, 3), result::story);
        assertEquals(1, outcome.checkpoints(), result::story);
        assertTrue(outcome.demands().committed() >= 3, result::story);
        SimResult without = new Simulation().program(new Heavy(24 << 10, 60)).protocol("full").interval("none")
            .demand("off").steps(60).replay();
        assertEquals(0, without.outcome().demands().committed());
        assertTrue(without.outcome().checkpoints() > 1,
            "without them all ranks must stop for a checkpoint: " + without.story());
    }

    /**
     * Where few steps fit the budget, they are asked for earlier than {@code --log-low} says: else it is too late, and
     * all stop for a checkpoint.
     */
    @ParameterizedTest
    @ValueSource(ints = {68, 80})
    void theyComeInTimeWhereFewStepsFit(int kibibytes) {
        SimResult result = new Simulation().program(new Heavy(kibibytes << 10, 60)).protocol("full").interval("none")
            .logLow(75).steps(60).replay();
        assertEquals(JobOutcome.Kind.SUCCESS, result.outcome().kind(), result::story);
        assertEquals(0, dropped(result.outcome(), 3), result::story);
        assertEquals(1, result.outcome().checkpoints(), result::story);
    }

    /** A budget that one step exceeds; the warning's budget is used then. */
    @Test
    void aBudgetThatCannotBeKeptIsToldWithOneThatWouldDo() {
        Simulation simulation = new Simulation().program(new Heavy(1100 << 10, 6)).protocol("full").interval("none")
            .steps(6);
        SimResult small = simulation.replay();
        assertEquals(JobOutcome.Kind.SUCCESS, small.outcome().kind(), small::story);
        assertTrue(dropped(small.outcome(), 3) > 0, small::story);
        Matcher matcher = Pattern.compile("do not fit --log-budget 1MiB.* --log-budget (\\d+MiB) would do")
            .matcher(small.events().stream()
            .map(SimResult.TimedEvent::event).filter(JobEvent.Note.class::isInstance).toList().toString());
        assertTrue(matcher.find(), small::story);
        SimResult enough = simulation.logBudget(matcher.group(1)).replay();
        assertEquals(0, dropped(enough.outcome(), 3), enough::story);
        Map<Integer, Map<String, byte[]>> expected = enough.contents();
        assertNull(small.fault(expected));
    }

    @Test
    void aBudgetThatCannotBeKeptEndsTheJobIfItIsToldTo() {
        SimResult result = new Simulation().program(new Heavy(1100 << 10, 6)).protocol("full").interval("none").steps(6)
            .logOverflow("error").replay();
        assertEquals(JobOutcome.Kind.FAILED, result.outcome().kind(), result::story);
        assertTrue(result.outcome().message().contains("the access logs do not fit --log-budget 1MiB")
            && result.outcome().message().contains("would do"), result::story);
    }
}
