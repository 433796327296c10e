package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Window;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.Script.Story;
import org.ftrma.testkit.bugs.BrokenProtocol;
import org.ftrma.testkit.bugs.ProtocolBugs;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The executions that break simpler rules of the protocol, each brought about on purpose: with the rule the result is
 * right, without it (with a bug of {@link ProtocolBugs}) it is wrong. docs/internals/failure-matrix.md tells them; the
 * letters in the names are those of its table.
 */
@Tag("long")
class BadExecutionsTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    static final int SEEDS = 20;
    static final String LOCAL = "local";

    static Story story(String name, int ranks, int checksums, Script.Part part) {
        return new Story(name, ranks, checksums, "none", 1, part);
    }

    /** The result is that without failures; returns how it came about. */
    static Set<String> right(Story story, Set<String> faults) {
        Map<Integer, Map<String, byte[]>> expected = story.run(1, false, Set.of()).contents();
        assertEquals(story.ranks(), expected.size(), story.name());
        Set<String> how = new TreeSet<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimResult result = story.run(seed, true, faults);
            assertNull(result.fault(expected), result::story);
            how.addAll(result.outcome().rollbacks() > 0 ? result.outcome().fallbacks().keySet() : Set.of(LOCAL));
        }
        return how;
    }

    static void recovered(Story story, String how) {
        assertEquals(Set.of(how), right(story, Set.of()), story.name());
    }

    /** Without the rule results are wrong: in how many of the runs. */
    static int wrong(Story story, String... without) {
        Map<Integer, Map<String, byte[]>> expected = story.run(1, false, Set.of()).contents();
        List<String> faults = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            String fault = story.run(seed, true, Set.of(without)).fault(expected);
            if (fault != null) {
                faults.add(fault.lines().findFirst().orElseThrow());
            }
        }
        System.out.println(story.name() + " without its rule: " + faults.size() + " of " + SEEDS + " wrong: "
            + new TreeSet<>(faults));
        return faults.size();
    }

    /** 6.1: rank 0 puts 1 and rank 2 then 2, ordered by a lock; rank 0 dies. Sent again, its 1 would replace the 2. */
    @Test
    void e1PutsOfAClosedEpochAreNotSentAgain() {
        Story story = story("lost update", 3, 1, (job, script, window, memory) -> {
            if (job.rank() == 0) {
                window.lock(LockType.EXCLUSIVE, 1);
                window.putLong(1, 1, 0);
                window.unlock(1);
                script.reach(1);
                script.await(job, window, 2);
                script.die(job, 3, 0);
            } else if (job.rank() == 2) {
                script.await(job, window, 1);
                window.lock(LockType.EXCLUSIVE, 1);
                window.putLong(2, 1, 0);
                window.unlock(1);
                script.reach(2);
            }
            job.gsync();
        });
        recovered(story, LOCAL);
        assertEquals(SEEDS, wrong(story, "REPLAY_TWICE"));
    }

    /**
     * 6.1: rank 2 puts 2, then rank 0 puts 1 to the same bytes; their target dies, and no log tells which was the later
     * one.
     */
    @Test
    void e2PutsThatNothingOrdersAreNotReplayed() {
        Story story = story("unordered conflict", 3, 1, (job, script, window, memory) -> {
            if (job.rank() == 2) {
                window.putLong(2, 1, 0);
                window.flush(1);
                script.reach(1);
            } else if (job.rank() == 0) {
                script.await(job, window, 1);
                window.putLong(1, 1, 0);
                window.flush(1);
                script.reach(2);
            } else {
                script.await(job, window, 2);
                script.die(job, 3, 1);
            }
            job.gsync();
        });
        recovered(story, FallbackReason.UNORDERED_CONFLICT.name());
        assertEquals(SEEDS, wrong(story, "CONFLICT_IGNORED"));
    }

    /**
     * Adds to three blocks of its neighbour's window at once after every boundary: each element of the result counts
     * the steps.
     */
    private static final SimProgram ADDING = new SimProgram() {
        @Override
        public String name() {
            return "adding";
        }

        @Override
        public void run(Job job, Results results) {
            Window window = job.allocateWindow("w", Script.WINDOW_BYTES);
            MemorySegment one = job.protect("one", 8);
            job.initialize(() -> one.set(LONG, 0, 1));
            for (long step : job.steps(10)) {
                for (long block = 0; block < 3; block++) {
                    window.accumulate(AtomicOp.SUM, DataType.INT64, one, 0, (job.rank() + 1) % job.ranks(),
                        block * 4096, 1);
                }
                job.gsync();
            }
            results.store("w", window.memory());
        }
    };

    private static SimCluster cluster(String interval, long seed) {
        return new SimCluster(JobOptions.of(Map.of("ranks", "3", "checksums", "1", "spares", "2", "interval", interval,
            "cut-deadline", "1s")), ADDING,
            seed);
    }

    private static SimResult run(String interval, long seed, String... bugs) {
        return BrokenProtocol.call(Set.of(bugs), () -> cluster(interval, seed).run());
    }

    /** Rank 1 dies when that generation counts. */
    private static SimResult runKilling(String interval, long seed, long generation, String... bugs) {
        return BrokenProtocol.call(Set.of(bugs), () -> cluster(interval, seed).when(JobEvent.Committed.class,
            e -> e.generation() == generation, c -> c.kill(1)).run());
    }

    private static long cell(SimResult result, int rank, int block) {
        return MemorySegment.ofArray(result.contents().get(rank).get("w"))
            .get(ValueLayout.JAVA_LONG_UNALIGNED, block * 4096L);
    }

    /**
     * 6.2: after the boundary a fast rank adds to the window of one that still copies: before the copy, or in the
     * middle of it.
     */
    @Test
    void e3AnImageHoldsNothingOfTheNextStep() {
        Map<Integer, Map<String, byte[]>> expected = run("1", 1).contents();
        int wrong = 0;
        int torn = 0;
        for (long seed = 1; seed <= 2 * SEEDS; seed++) {
            SimResult right = runKilling("1", seed, 4);
            assertNull(right.fault(expected), right::story);
            assertEquals(1, right.outcome().rollbacks(), right::story);
            SimResult result = runKilling("1", seed, 4, "SKIP_SECOND_BARRIER");
            wrong += result.fault(expected) == null ? 0 : 1;
            for (int rank = 0; rank < 3 && result.succeeded(); rank++) {
                torn += cell(result, rank, 0) != cell(result, rank, 1) || cell(result, rank, 1) != cell(result, rank, 2)
                    ? 1 : 0;
            }
        }
        System.out.println("no second barrier: " + wrong + " wrong, " + torn + " windows whose image was torn");
        assertTrue(wrong > 0 && torn > 0, wrong + " wrong, " + torn + " torn");
    }

    /**
     * 6.2: a rank that decides by its own clock to cut waits at a boundary that the others have passed, and they wait
     * for it in a gsync.
     */
    @Test
    void e4NoRankDecidesAloneToCut() {
        int[] deadlines = new int[2];
        int[] committed = new int[2];
        for (long seed = 1; seed <= SEEDS; seed++) {
            for (int alone = 0; alone < 2; alone++) {
                SimResult result = alone == 0 ? run("40us", seed) : run("40us", seed, "DECIDES_ALONE");
                assertTrue(result.succeeded(), result::story);
                for (SimResult.TimedEvent event : result.events()) {
                    deadlines[alone] += event.event() instanceof JobEvent.Abandoned given
                        && given.reason().contains("--cut-deadline") ? 1 : 0;
                    committed[alone] += event.event() instanceof JobEvent.Committed ? 1 : 0;
                }
            }
        }
        System.out.println("checkpoints: " + committed[0] + ", each rank for itself: " + committed[1] + ", and "
            + deadlines[1] + " deadlines");
        assertTrue(committed[0] > SEEDS && deadlines[0] == 0,
            committed[0] + " checkpoints, " + deadlines[0] + " deadlines");
        assertTrue(deadlines[1] > 0);
    }

    /** 6.3: a rank dies when its generation counts as committed and its parity is not made. */
    @Test
    void e5AGenerationCountsWhenAllItsParityIsThere() {
        Map<Integer, Map<String, byte[]>> expected = run("2", 1).contents();
        int wrong = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimResult right = runKilling("2", seed, 2);
            assertNull(right.fault(expected), right::story);
            wrong += runKilling("2", seed, 2, "COMMIT_EARLY").fault(expected) == null ? 0 : 1;
        }
        System.out.println("committed early: " + wrong + " of " + SEEDS + " wrong");
        assertTrue(wrong > 0);
    }

    /**
     * 6.5: what rank 0 read at rank 1 is logged there and dies with it; then rank 0 dies, and would read again what has
     * changed since.
     */
    @Test
    void e6ResultsThatDiedWithTheirKeeperAreNotReadAgain() {
        Story story = story("logs that died", 3, 1, (job, script, window, memory) -> {
            if (job.rank() == 0) {
                window.get(memory, 0, 1, 0, 8);
                window.flush(1);
                memory.set(LONG, 8, memory.get(LONG, 0) + 1);
                script.reach(1);
                script.await(job, window, () -> script.hasReplayed() || !script.hasFailures());
                script.die(job, 3, 0);
            } else if (job.rank() == 1) {
                script.await(job, window, 1);
                window.putLong(20, 1, 0);
                script.die(job, 2, 1);
            }
            job.gsync();
        });
        recovered(story, FallbackReason.LOG_GAP.name());
        assertTrue(wrong(story, "GAP_FORGOTTEN") > SEEDS / 2);
    }

    /** 6.5: rank 3 put to rank 0, and both die: the record that the one needs died with the other. */
    @Test
    void e7ARecordThatAnotherLostRankHeldIsNotMissed() {
        Story story = story("source and target lost", 4, 2, (job, script, window, memory) -> {
            if (job.rank() == 3) {
                window.putLong(7, 0, 0);
                window.flush(0);
                script.reach(1);
            } else if (job.rank() == 2) {
                script.await(job, window, 1);
                script.die(job, 2, 0, 3);
            }
            job.gsync();
        });
        recovered(story, FallbackReason.SECOND_FAILURE.name());
    }

    /**
     * 6.6: the image has 5, rank 1 itself drew 5 and rank 0 then 6; rank 1 dies. From the log of rank 0 alone it would
     * draw again.
     */
    @Test
    void e8WhatARankDidInItsOwnWindowIsKnownToItsBuddy() {
        Story story = story("drawn twice", 3, 1, (job, script, window, memory) -> {
            if (job.rank() == 1) {
                memory.set(LONG, 0, window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, 1, 0));
                window.putLong(memory.get(LONG, 0), 2, 8);
                window.flush(2);
                script.reach(1);
                script.await(job, window, 2);
                script.die(job, 3, 1);
            } else if (job.rank() == 0) {
                script.await(job, window, 1);
                memory.set(LONG, 0, window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, 1, 0));
                script.reach(2);
            }
            job.gsync();
        });
        recovered(story, LOCAL);
        // That a transition is missing is noticed even so: the logged ones form no path from the image's value.
        assertEquals(Set.of(FallbackReason.LOG_GAP.name()), right(story, Set.of("OWN_NOT_LOGGED")));
        assertEquals(SEEDS, wrong(story, "OWN_NOT_LOGGED", "PATH_IGNORED"));
    }

    /**
     * 6.6: rank 0 dies in the middle of an accumulate of four elements: which were added is known of each, the first
     * after a barrier included.
     */
    @Test
    void e9AnAccumulateThatIsHalfDoneIsNotDoneTwice() {
        Story story = story("half-done accumulate", 3, 1, (job, script, window, memory) -> {
            job.gsync();
            if (job.rank() == 0) {
                for (int i = 0; i < 4; i++) {
                    memory.set(LONG, 8L * i, 100 + i);
                }
                window.accumulate(AtomicOp.SUM, DataType.INT64, memory, 0, 1, 0, 4);
                window.flush(1);
            }
            job.gsync();
        });
        SimResult clean = story.run(1, true, Set.of());
        Set<String> how = new TreeSet<>();
        int wrong = 0;
        for (long point = 1; point <= clean.memberPoints()[0]; point++) {
            for (Crash.How side : List.of(Crash.How.BEFORE, Crash.How.AFTER)) {
                List<Crash> crash = List.of(new Crash(true, 0, point, side));
                SimResult result = story.run(1, true, Set.of(), crash);
                assertNull(result.fault(clean.contents()), result::story);
                how.addAll(result.outcome().rollbacks() > 0 ? result.outcome().fallbacks().keySet() : Set.of(LOCAL));
                wrong += story.run(1, true, Set.of("N_NEVER_SET"), crash).fault(clean.contents()) == null ? 0
                    : 1;
            }
        }
        assertTrue(how.contains(LOCAL) && !how.contains(FallbackReason.ATOMIC_IN_FLIGHT.name()), how::toString);
        // One point at least after each of the four: its effect is there, and no log says so.
        assertTrue(wrong >= 4, "only " + wrong + " wrong");
    }
}
