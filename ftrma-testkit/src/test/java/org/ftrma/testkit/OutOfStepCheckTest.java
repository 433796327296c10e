package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Window;
import org.ftrma.check.race.RaceCheck;
import org.ftrma.check.restart.RestartCheck;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs whose ranks are not in lock step: checks of them find nothing, wait for nobody in vain, and check them. */
class OutOfStepCheckTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final long DEADLINE_NANOS = 40_000_000_000L;
    private static final int STEPS = 6;

    private enum Checked {
        NOT, RESTART, RACES
    }

    /** What ranks do in steps. */
    private enum Work {
        /** Rank 0 holds a lock over the end of a step in which rank 1 takes it. */
        HOLDS_OVER {
            @Override
            void step(Job job, Window window, MemorySegment seen, long step, long more) {
                if (job.rank() == 0 && step == 2) {
                    window.lock(LockType.EXCLUSIVE, 0);
                    window.signal(AtomicOp.REPLACE, step, 1, 8);
                } else if (job.rank() == 1 && step == 2) {
                    window.waitUntil(8, Comparison.GE, step);
                    window.lock(LockType.EXCLUSIVE, 0);
                    seen.set(LONG, 0, window.getLong(0, 0));
                    window.putLong(window.getLong(0, 0) + step, 0, 0);
                    window.unlock(0);
                } else if (job.rank() == 0 && step == 3) {
                    window.putLong(window.getLong(0, 0) + 5 + more, 0, 0);
                    window.unlock(0);
                }
                if (step == STEPS) {
                    job.gsync();
                }
            }
        },
        /** Rank 1 waits for what rank 0 signals in the next step. */
        IS_AHEAD {
            @Override
            void step(Job job, Window window, MemorySegment seen, long step, long more) {
                if (job.rank() == 0 && step > 1) {
                    window.putLong(step * 7 + more, 1, 8);
                    window.signal(AtomicOp.REPLACE, step - 1, 1, 0);
                    window.waitUntil(0, Comparison.GE, step - 1);
                } else if (job.rank() == 1 && step < STEPS) {
                    window.waitUntil(0, Comparison.GE, step);
                    seen.set(LONG, 0, seen.get(LONG, 0) * 31 + window.memory().get(LONG, 8));
                    window.signal(AtomicOp.REPLACE, step, 0, 0);
                }
            }
        };

        abstract void step(Job job, Window window, MemorySegment seen, long step, long more);
    }

    private static SimResult run(Work work, Checked checked, boolean keepsState, long seed) {
        SimProgram program = new SimProgram() {
            @Override
            public String name() {
                return work.name();
            }

            @Override
            public void run(Job job, Results results) throws Exception {
                switch (checked) {
                    case NOT -> body(job, results);
                    case RESTART -> new RestartCheck(own -> body(own, results), new RestartCheckTest.Counting(),
                        DEADLINE_NANOS).run(job);
                    case RACES -> new RaceCheck(own -> body(own, results), new RestartCheckTest.Counting(),
                        DEADLINE_NANOS).run(job);
                }
            }

            private void body(Job job, Results results) {
                Window window = job.allocateWindow("w", 64);
                MemorySegment seen = job.protect("seen", 8);
                long variable = 0;
                for (long step : job.steps(STEPS)) {
                    work.step(job, window, seen, step, variable);
                    variable += keepsState ? 1 : 0;
                }
                job.gsync();
                results.store("w", window.memory());
                results.store("seen", seen);
            }
        };
        return new SimCluster(JobOptions.of(Map.of("ranks", "2", "checksums", "0", "deadline", "40s")), program, seed)
            .run();
    }

    @ParameterizedTest
    @EnumSource
    void theyPassWithTheResultThatTheyHave(Work work) {
        for (long seed = 1; seed <= 5; seed++) {
            SimResult plain = run(work, Checked.NOT, false, seed);
            for (Checked checked : new Checked[] {Checked.RESTART, Checked.RACES}) {
                SimResult result = run(work, checked, false, seed);
                assertNull(result.fault(plain.contents()), () -> checked + ": " + result.story());
            }
        }
    }

    /** Steps that are run twice together find what each alone would. */
    @Test
    void stateInAJavaVariableIsFoundAllTheSame() {
        SimResult result = run(Work.HOLDS_OVER, Checked.RESTART, true, 1);
        assertEquals(1, result.outcome().kind().exitCode(), result::story);
        assertTrue(result.outcome().message().contains("step 3 of rank 0 was run twice from the same state"),
            result::story);
    }
}
