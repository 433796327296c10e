package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Window;
import org.ftrma.check.restart.RestartCheck;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks of all ranks beside those of one, in a program whose steps are run twice: all are taken in the same order. */
class LockAllCheckTest {
    private static final long DEADLINE_NANOS = 40_000_000_000L;

    /** Counts under exclusive locks, and sums up what all have under the locks of all. */
    private record Sums(boolean isChecked) implements SimProgram {
        @Override
        public String name() {
            return "counting";
        }

        @Override
        public void run(Job job, Results results) throws Exception {
            if (isChecked) {
                new RestartCheck(own -> count(own, results), new RestartCheckTest.Counting(), DEADLINE_NANOS).run(job);
            } else {
                count(job, results);
            }
        }

        private static void count(Job job, Results results) {
            Window window = job.allocateWindow("w", 64);
            MemorySegment seen = job.protect("seen", 8);
            for (long step : job.steps(4)) {
                for (int i = 0; i < 2; i++) {
                    int target = (int) ((job.rank() * 5 + step * 3 + i) % job.ranks());
                    window.lock(LockType.EXCLUSIVE, target);
                    window.putLong(window.getLong(target, 0) + 1, target, 0);
                    window.unlock(target);
                }
                window.lockAll();
                long sum = 0;
                for (int rank = 0; rank < job.ranks(); rank++) {
                    sum += window.getLong(rank, 0);
                }
                window.unlockAll();
                seen.set(ValueLayout.JAVA_LONG, 0, sum < 0 ? sum : step);
            }
            job.gsync();
            results.store("w", window.memory());
            results.store("seen", seen);
        }
    }

    private static SimResult run(boolean isChecked, int ranks, long seed) {
        JobOptions options = JobOptions.of(Map.of("ranks", Integer.toString(ranks), "checksums", "0", "deadline",
            "40s"));
        return new SimCluster(options, new Sums(isChecked), seed).run();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void aSecondRunTakesThemInTheOrderOfTheFirst(int ranks) {
        for (long seed = 1; seed <= 30; seed++) {
            SimResult plain = run(false, ranks, seed);
            SimResult checked = run(true, ranks, seed);
            assertTrue(checked.succeeded(), checked::story);
            assertNull(checked.fault(plain.contents()), checked::story);
        }
    }
}
