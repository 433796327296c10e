package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import org.ftrma.AtomicOp;
import org.ftrma.Counters;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Window;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * EC, GC, SC and GNC count what the program does, as section 4.1 of the paper says, and nothing else: whenever
 * checkpoints are taken.
 */
class CountersTest {
    private static final int RANKS = 3;
    private static final int STEPS = 3;
    private static final int SEEDS = 10;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    /** What a rank did so far, counted beside the library. */
    private static final class Expected {
        private final Counters counters;
        private final int rank;
        private final long[] epochs = new long[RANKS];
        private long flushes;
        private long gsyncs;

        Expected(Job job) {
            counters = job.counters();
            rank = job.rank();
            gsyncs = counters.gsyncs();
            flushes = counters.flushes();
            Arrays.setAll(epochs, counters::epochs);
        }

        void flushed(int target) {
            epochs[target]++;
            flushes++;
        }

        void flushedAll() {
            Arrays.setAll(epochs, target -> epochs[target] + 1);
            flushes++;
        }

        void gsync() {
            flushedAll();
            gsyncs++;
        }

        void check(String after) {
            for (int target = 0; target < RANKS; target++) {
                equal(epochs[target], counters.epochs(target), "EC of target " + target, after);
            }
            equal(flushes, counters.flushes(), "GC", after);
            equal(gsyncs, counters.gsyncs(), "GNC", after);
        }

        void equal(long expected, long found, String what, String after) {
            if (expected != found) {
                throw new IllegalStateException("rank " + rank + ", " + what + " after " + after + ": " + found
                    + " instead of " + expected);
            }
        }
    }

    private static final SimProgram PROGRAM = new SimProgram() {
        @Override
        public String name() {
            return "counters";
        }

        @Override
        public void run(Job job, Results results) {
            Window window = job.allocateWindow("w", 256);
            for (long step : job.steps(STEPS)) {
                accesses(job, window);
                locks(job, window, step);
            }
        }
    };

    private static void accesses(Job job, Window window) {
        MemorySegment local = Arena.ofAuto().allocate(64, 8);
        int next = (job.rank() + 1) % RANKS;
        int other = (job.rank() + 2) % RANKS;
        Expected expected = new Expected(job);
        window.put(local, 0, next, 8 * job.rank(), 8);
        window.putLong(1, other, 64 + 8 * job.rank());
        window.get(local, 0, next, 8 * job.rank(), 8);
        window.getLong(other, 64 + 8 * job.rank());
        window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, next, 128);
        window.compareAndSwap(DataType.INT64, 0, 1, next, 136);
        expected.check("accesses");
        window.flushLocal(next);
        expected.check("flushLocal");
        window.flush(next);
        expected.flushed(next);
        expected.check("flush");
        window.flushAll();
        expected.flushedAll();
        expected.check("flushAll");
        job.gsync();
        expected.gsync();
        expected.check("gsync");
        job.barrier();
        expected.gsyncs++;
        expected.check("barrier");
    }

    /** All lock the window at rank 0 once in each step: the numbers are those of the order in which they had it. */
    private static void locks(Job job, Window window, long step) {
        Expected expected = new Expected(job);
        expected.equal(0, job.counters().lockSequence(0, 0), "SC", "nothing");
        window.lock(LockType.EXCLUSIVE, 0);
        expected.check("lock");
        long mine = job.counters().lockSequence(0, 0);
        long place = window.getLong(0, 144);
        window.putLong(place + 1, 0, 144);
        window.unlock(0);
        expected.flushed(0);
        expected.check("unlock");
        expected.equal(0, job.counters().lockSequence(0, 0), "SC", "unlock");
        expected.equal(place + 1, mine, "SC", "lock");
        MemorySegment all = Arena.ofAuto().allocate(8L * RANKS, 8);
        MemorySegment own = Arena.ofAuto().allocate(8, 8);
        own.set(LONG, 0, mine);
        job.allGather(own, all);
        long[] sorted = all.toArray(LONG);
        Arrays.sort(sorted);
        for (int i = 0; i < RANKS; i++) {
            expected.equal((step - 1) * RANKS + i + 1, sorted[i], "SC of acquisition " + i, "allGather");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "1"})
    void countersCountWhatTheProgramDoes(String interval) {
        SimMemory memory = new SimMemory();
        for (long seed = 1; seed <= SEEDS; seed++) {
            JobOptions options = JobOptions.of(Map.of("ranks", "" + RANKS, "checksums", "1", "interval", interval,
                "protocol", "full"));
            SimResult result = new SimCluster(options, PROGRAM, seed, memory, 1_000_000).run();
            assertTrue(result.succeeded(), result::story);
        }
    }
}
