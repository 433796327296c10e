package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.WindowKind;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A scratch window is in no image: whatever a program does there, what it may read is what it has set in the same step,
 * and the loss of one rank takes back that rank alone.
 */
class ScratchWindowsTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final DataType INT64 = DataType.INT64;
    private static final long STEPS = 5;
    private static final int RANKS = 3;
    private static final int POINTS = 16;

    /** One rank in a step. */
    private record Rank(Job job, Window scratch, Window kept, MemorySegment seen, long step) {
        int me() {
            return job.rank();
        }

        int right() {
            return (job.rank() + 1) % job.ranks();
        }

        int left() {
            return (job.rank() + job.ranks() - 1) % job.ranks();
        }

        long value() {
            return step * 100 + job.rank() + 1;
        }

        void fold(long value) {
            seen.set(LONG, 0, seen.get(LONG, 0) * 31 + value);
        }

        void foldCell(long offset) {
            fold(scratch.memory().get(LONG, offset));
        }

        void update(AtomicOp op, long operand, int target, long offset) {
            scratch.accumulate(op, operand, target, offset);
        }
    }

    /** What a step does. */
    private enum Use implements SimProgram {
        /** Several add to what nobody reads. */
        COUNTED {
            @Override
            void step(Rank r) {
                r.update(AtomicOp.SUM, r.value(), r.right(), 0);
                r.update(AtomicOp.SUM, r.value(), r.left(), 0);
                r.update(AtomicOp.MAX, r.value(), r.right(), 8);
                r.scratch.fetchAndOp(AtomicOp.SUM, INT64, 1, r.me(), 0);
            }
        },
        /** What is added is taken away again: the value comes back to where it was, whatever that is. */
        TAKEN_BACK {
            @Override
            void step(Rank r) {
                r.update(AtomicOp.SUM, 5, r.right(), 0);
                r.update(AtomicOp.SUM, -5, r.left(), 0);
                r.update(AtomicOp.BXOR, 9, r.right(), 8);
                r.update(AtomicOp.BXOR, 9, r.left(), 8);
            }
        },
        /** The owner sets a cell directly, others add, and it reads the sum directly. */
        STORED {
            @Override
            void step(Rank r) {
                r.scratch.memory().set(LONG, 0, -r.step);
                r.job.barrier();
                r.update(AtomicOp.SUM, r.value(), r.right(), 0);
                r.update(AtomicOp.SUM, r.value(), r.left(), 0);
                r.job.gsync();
                r.foldCell(0);
            }
        },
        /** Others put, and add after a flush, before anybody has met anybody. */
        PUT {
            @Override
            void step(Rank r) {
                r.update(AtomicOp.SUM, 1, r.right(), 8);
                r.scratch.flush(r.right());
                r.scratch.putLong(r.value(), r.right(), 8);
                r.scratch.flush(r.right());
                r.update(AtomicOp.SUM, 7, r.right(), 8);
                r.job.gsync();
                r.foldCell(8);
                r.fold(r.scratch.getLong(r.left(), 8));
            }
        },
        /** Results of atomics are used in the step that had set the cell. */
        FETCHED {
            @Override
            void step(Rank r) {
                r.update(AtomicOp.REPLACE, r.step, r.right(), 0);
                r.job.gsync();
                r.fold(r.scratch.fetchAndOp(AtomicOp.SUM, INT64, r.value(), r.left(), 0));
                r.fold(r.scratch.compareAndSwap(INT64, r.step + r.step * 100 + r.me() + 1, -1, r.left(), 0));
                r.job.gsync();
                r.foldCell(0);
            }
        },
        /** Data and a signal in scratch cells; the owner takes the signal back directly. */
        SIGNALLED {
            @Override
            void step(Rank r) {
                r.scratch.memory().set(LONG, 16, 0);
                r.job.barrier();
                for (int i = 1; i <= 2; i++) {
                    r.scratch.putLong(r.value() * i, r.right(), 24);
                    r.scratch.signal(AtomicOp.SUM, i, r.right(), 16);
                    r.scratch.waitUntil(16, Comparison.GE, i);
                    r.foldCell(24);
                    r.scratch.memory().set(LONG, 16, 0);
                    r.scratch.signal(AtomicOp.REPLACE, r.step * 2 + i, r.left(), 32);
                    r.scratch.waitUntil(32, Comparison.EQ, r.step * 2 + i);
                }
            }
        },
        /** A lock of two values, which all take and give back. */
        SPIN {
            @Override
            void step(Rank r) {
                if (r.me() == 0) {
                    r.scratch.memory().set(LONG, 0, 0);
                }
                r.job.barrier();
                while (r.scratch.compareAndSwap(INT64, 0, r.me() + 1, 0, 0) != 0) {
                    Thread.onSpinWait();
                }
                r.kept.accumulate(AtomicOp.SUM, r.value(), 0, 8);
                r.scratch.fetchAndOp(AtomicOp.REPLACE, INT64, 0, 0, 0);
                r.job.gsync();
            }
        },
        /** A cell that held its value already is set to it in each step, by what gives the same whatever was there. */
        SET_TO_THE_SAME {
            @Override
            void step(Rank r) {
                r.update(AtomicOp.REPLACE, 77, r.right(), 0);
                r.update(AtomicOp.BOR, -1, r.right(), 8);
                r.update(AtomicOp.MAX, Long.MAX_VALUE, r.right(), 16);
                r.update(AtomicOp.LOR, 3, r.right(), 24);
                long there = r.scratch.getLong(r.right(), 32);
                while (r.scratch.compareAndSwap(INT64, there, 55, r.right(), 32) != there) {
                    there = r.scratch.getLong(r.right(), 32);
                }
                r.job.gsync();
                for (int offset = 0; offset <= 32; offset += 8) {
                    r.foldCell(offset);
                }
            }
        },
        /** The same, of the own window. */
        SET_AT_HOME {
            @Override
            void step(Rank r) {
                r.update(AtomicOp.BOR, -1, r.me(), 8);
                r.update(AtomicOp.REPLACE, 77, r.me(), 0);
                r.foldCell(0);
                r.foldCell(8);
            }
        },
        /**
         * One sets a cell and tells another one, which changes that to what was there before the step: two orders fit,
         * and end with other values.
         */
        TURNED_ROUND {
            @Override
            void step(Rank r) {
                if (r.me() == 0) {
                    r.update(AtomicOp.REPLACE, 10, 1, 0);
                    r.kept.signal(AtomicOp.REPLACE, r.step, 2, 16);
                }
                if (r.me() == 2) {
                    r.kept.waitUntil(16, Comparison.GE, r.step);
                    r.update(AtomicOp.SUM, 5, 1, 0);
                }
                r.job.gsync();
                r.foldCell(0);
            }
        };

        abstract void step(Rank rank);

        @Override
        public boolean polls() {
            return this == SPIN;
        }

        @Override
        public void run(Job job, Results results) {
            Window scratch = job.allocateWindow("scratch", 64, WindowKind.SCRATCH);
            Window kept = job.allocateWindow("kept", 64);
            MemorySegment seen = job.protect("seen", 8);
            for (long step : job.steps(STEPS)) {
                step(new Rank(job, scratch, kept, seen, step));
                kept.accumulate(AtomicOp.SUM, step * 3, (job.rank() + 1) % job.ranks(), 0);
                job.gsync();
            }
            results.store("kept", kept.memory());
            results.store("seen", seen);
        }
    }

    /** A crash before and after many points of every rank, the first checkpoint only, or several. */
    private static Map<String, Integer> reasons(Use use, String interval) {
        Simulation simulation = new Simulation().program(use).ranks(RANKS).checksums(1).spares(2).steps(STEPS)
            .interval(interval).protocol("full");
        SimMemory memory = new SimMemory();
        SimResult base = simulation.run(1, List.of(), memory);
        assertTrue(base.succeeded(), base::story);
        Map<String, Integer> reasons = new TreeMap<>();
        for (int rank = 0; rank < RANKS; rank++) {
            int stride = 1 + (int) (base.memberPoints()[rank] / POINTS);
            for (long point = 1 + rank; point <= base.memberPoints()[rank]; point += EveryPoint.or(stride)) {
                Crash.How how = point / stride % 2 == 0 ? Crash.How.BEFORE : Crash.How.AFTER;
                SimResult result = simulation.run(1, List.of(new Crash(true, rank, point, how)), memory);
                assertNull(result.fault(base.contents()),
                    () -> simulation.command(1, result.crashes()) + "\n" + result.story());
                result.outcome().fallbacks().keySet().forEach(reason -> reasons.merge(reason, 1, Integer::sum));
                reasons.merge("local", result.outcome().rollbacks() == 0 ? result.outcome().localRecoveries() : 0,
                    Integer::sum);
            }
        }
        // whether it hits the start is not a matter of the window
        reasons.remove(FallbackReason.WHILE_RESTORING.name());
        reasons.remove(FallbackReason.BEFORE_FIRST_CHECKPOINT.name());
        return reasons;
    }

    @ParameterizedTest
    @EnumSource(Use.class)
    void theLostRankAloneGoesBack(Use use) {
        for (String interval : List.of("none", "2")) {
            Map<String, Integer> reasons = reasons(use, interval);
            assertTrue(reasons.remove("local") > 10, reasons::toString);
            if (use == Use.TURNED_ROUND || use == Use.SPIN) { // set by REPLACE, and back at the value before the step
                reasons.remove(FallbackReason.UNORDERED_CONFLICT.name());
            }
            assertEquals(Map.of(), reasons);
        }
    }
}
