package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Window;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.Script.Story;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks on the host of a lock, or of a cell, and ranks that reach it over a network. */
class FairLocksTest {
    private static final int SEEDS = 15;
    private static final int TURNS = 4;
    private static final int TRIPS = 10;
    /** A far rank asks, says that it waits, has its turn, and logs what it did: so many times a round trip at most. */
    private static final int MOST_TRIPS = 200;

    /**
     * The ranks on the host of rank 0 do something there again and again, until the first rank on another host has done
     * it some times.
     */
    private static final class Contest implements SimProgram {
        private final JobOptions options;
        private final BiConsumer<Job, Window> turn;
        private final int far;
        private long nearTurns;
        /** How many turns near ranks have in what a far one needs for a turn, and for a round trip. */
        private long longest;
        private long trip = 1;
        private int farTurns;

        Contest(JobOptions options, BiConsumer<Job, Window> turn) {
            this.options = options;
            this.turn = turn;
            this.far = IntStream.range(1, options.ranks()).filter(rank -> !isNear(rank)).findFirst().orElseThrow();
        }

        private boolean isNear(int rank) {
            return JobGroups.nodeOf(rank, options) == JobGroups.nodeOf(0, options);
        }

        @Override
        public String name() {
            return "contest";
        }

        private long turnsWhile(Runnable access) {
            long before = nearTurns;
            access.run();
            return nearTurns - before;
        }

        @Override
        public void run(Job job, Results results) {
            Window window = job.allocateWindow("w", 4096);
            for (long step : job.steps(1)) {
                job.gsync();
                if (job.rank() == far) {
                    for (int i = 0; i < TRIPS; i++) {
                        trip = Math.max(trip, turnsWhile(() -> window.getLong(0, 8)));
                    }
                    for (; farTurns < TURNS; farTurns++) {
                        longest = Math.max(longest, turnsWhile(() -> turn.accept(job, window)));
                    }
                } else if (isNear(job.rank())) {
                    for (; farTurns < TURNS; nearTurns++) {
                        turn.accept(job, window);
                    }
                }
            }
            job.gsync();
            if (job.rank() == 0) {
                assertEquals(nearTurns + TURNS, window.getLong(0, 0));
            }
            job.gsync();
        }
    }

    private static void contest(String protocol, BiConsumer<Job, Window> turn) {
        JobOptions options = JobOptions.builder().set(JobOption.RANKS, 6).set(JobOption.CHECKSUMS, 2)
            .set(JobOption.INTERVAL, "none").set(JobOption.PROTOCOL, protocol).set(JobOption.NODES, 3)
            .set(JobOption.DEADLINE, "40s").set(JobOption.LOG_BUDGET, "4MiB").build();
        StringBuilder all = new StringBuilder();
        for (long seed = 1; seed <= SEEDS; seed++) {
            Contest program = new Contest(options, turn);
            SimResult result = new SimCluster(options, program, seed).onHosts().run();
            assertNull(result.fault(result.contents()), result::story);
            all.append(' ').append(program.longest).append('/').append(program.trip);
            assertTrue(program.longest <= MOST_TRIPS * program.trip, "seed " + seed + ":" + all);
        }
        System.out.println(protocol + ", turns of near ranks while a far one waits/in a round trip:" + all);
    }

    private static void increment(Window window) {
        window.putLong(window.getLong(0, 0) + 1, 0, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"full", "coordinated"})
    void aRankOverTheNetworkGetsALockThatNearOnesTakeAgainAndAgain(String protocol) {
        contest(protocol, (job, window) -> {
            window.lock(LockType.EXCLUSIVE, 0);
            increment(window);
            window.unlock(0);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"full", "coordinated"})
    void aRankOverTheNetworkGetsASharedLockThatNearOnesTakeAgainAndAgain(String protocol) {
        contest(protocol, (job, window) -> {
            window.lock(LockType.SHARED, 0);
            window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, 0, 0);
            window.unlock(0);
        });
    }

    @Test
    void aRankOverTheNetworkUpdatesACellThatNearOnesUpdateAgainAndAgain() {
        contest("full", (job, window) -> window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, 0, 0));
    }

    /** Rank 2 is in the middle of an update of a cell of rank 1, which polls it. */
    @Test
    void aRankThatPollsByAtomicsThatChangeNothingWaitsForNoUpdate() {
        SimResult result = new Story("poll", 3, 1, "none", 1, (job, script, window, memory) -> {
            job.gsync();
            if (job.rank() == 2) {
                script.hold(1, 2, "fetchOp", () -> script.reach(1), () -> script.isAt(2));
                window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 5, 1, 0);
            } else if (job.rank() == 1) {
                script.await(job, window, 1);
                assertEquals(0, window.compareAndSwap(DataType.INT64, -1, -1, 1, 0));
                assertEquals(0, window.compareAndSwap(DataType.INT64, 0, 0, 1, 0));
                assertEquals(0, window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 0, 1, 0));
                assertEquals(0, window.fetchAndOp(AtomicOp.MAX, DataType.INT64, -3, 1, 0));
                script.reach(2);
            }
            job.gsync();
            assertEquals(5, window.getLong(1, 0));
            job.gsync();
        }, Map.of("deadline", "2s")).run(3, true, Set.of(), List.of());
        assertNull(result.fault(result.contents()), result::story);
    }
}
