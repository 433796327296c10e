package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Window;

/**
 * Program of orders by signals, one kind at a time. No gsync is in a step: whatever a rank reads directly, and whatever
 * it overwrites, is there, or is not needed any more, because of a signal alone. All that a rank reads is folded.
 */
final class SignalProgram implements SimProgram {
    /** What a step does. */
    enum Kind {
        /** Each rank hands data to its right neighbour, which reads it directly and acknowledges it. */
        PIPE,
        /** The same by flags that are 1, and that their owner sets to 0 directly. */
        RESET,
        /** One puts to another, and signals a third one, which signals that other one. */
        RELAY,
        /** Two put to a third one, and count up one cell there. */
        COUNTED,
        /** As PIPE, but the neighbour tests in place of waiting. */
        TESTED,
        /** Two ranks put to the same bytes of a third one, one after the other, as a signal tells them. */
        IN_TURN,
        /** A signal, then a lock elsewhere, then a signal: what came before each is there. */
        WITH_LOCKS,
        /** Several signals of one rank before any is waited for, of which the last one tells of all. */
        SEVERAL;

        String key() {
            return "signal" + name().toLowerCase(Locale.ROOT).replace("_", "");
        }
    }

    private static final int DATA = 0;
    private static final int FLAG = 64;
    private static final int ACK = 72;
    private static final int IDLE = 80;

    private final Kind kind;
    private final long steps;

    SignalProgram(Kind kind, long steps) {
        this.kind = kind;
        this.steps = steps;
    }

    @Override
    public String name() {
        return kind.key();
    }

    @Override
    public boolean polls() {
        return true;
    }

    @Override
    public void run(Job job, Results results) {
        new Rank(job, kind).run(steps, results);
    }

    /** One rank of it. */
    private static final class Rank {
        private final Job job;
        private final Kind kind;
        private final int me;
        private final int right;
        private final int left;
        private final Window w;
        private final MemorySegment seen;
        private final MemorySegment source = Arena.ofAuto().allocate(32, 8);

        Rank(Job job, Kind kind) {
            this.job = job;
            this.kind = kind;
            me = job.rank();
            right = (me + 1) % job.ranks();
            left = (me + job.ranks() - 1) % job.ranks();
            w = job.allocateWindow("w", 128);
            seen = job.protect("seen", 8);
        }

        void run(long steps, Results results) {
            for (long step : job.steps(steps)) {
                switch (kind) {
                    case PIPE, TESTED -> pipe(step);
                    case RESET -> reset(step);
                    case RELAY -> relay(step);
                    case COUNTED -> counted(step);
                    case IN_TURN -> inTurn(step);
                    case WITH_LOCKS -> withLocks(step);
                    case SEVERAL -> several(step);
                }
            }
            job.gsync();
            results.store("w", w.memory());
            results.store("seen", seen);
        }

        private void fold(long value) {
            seen.set(LONG, 0, mix(seen.get(LONG, 0), value));
        }

        private void foldData() {
            for (int i = 0; i < 4; i++) {
                fold(w.memory().get(LONG, DATA + i * 8L));
            }
        }

        private MemorySegment values(long step) {
            for (int i = 0; i < 4; i++) {
                source.setAtIndex(LONG, i, mix(step, me, i));
            }
            return source;
        }

        private void await(long offset, long value) {
            if (kind == Kind.TESTED) {
                for (int tries = 0; !w.test(offset, Comparison.GE, value); tries++) {
                    Mixer.pause(job, w, IDLE, tries);
                }
            } else {
                w.waitUntil(offset, Comparison.GE, value);
            }
        }

        private void pipe(long step) {
            await(ACK, step - 1);
            w.putSignal(values(step), right, DATA, step, FLAG);
            await(FLAG, step);
            foldData();
            w.signal(AtomicOp.REPLACE, step, left, ACK);
        }

        private void reset(long step) {
            if (step > 1) {
                fold(w.waitUntil(ACK, Comparison.EQ, 1));
                w.memory().set(LONG, ACK, 0);
            }
            w.putSignal(values(step), right, DATA, 1, FLAG);
            fold(w.waitUntil(FLAG, Comparison.NE, 0));
            foldData();
            w.memory().set(LONG, FLAG, 0);
            w.signal(AtomicOp.REPLACE, 1, left, ACK);
        }

        private void relay(long step) {
            if (me == 1) {
                await(ACK, step - 1);
                w.put(values(step), 0, DATA);
                w.flush(0);
                w.signal(AtomicOp.REPLACE, step, 2, FLAG);
            } else if (me == 2) {
                await(FLAG, step);
                w.signal(AtomicOp.REPLACE, step, 0, FLAG);
            } else {
                await(FLAG, step);
                foldData();
                w.memory().set(LONG, DATA, step);
                w.signal(AtomicOp.REPLACE, step, 1, ACK);
            }
        }

        private void counted(long step) {
            if (me == 0) {
                fold(w.waitUntil(FLAG, Comparison.GE, 2 * step));
                foldData();
                w.signal(AtomicOp.SUM, 1, 1, ACK);
                w.signal(AtomicOp.SUM, 1, 2, ACK);
            } else {
                fold(w.waitUntil(ACK, Comparison.EQ, step - 1));
                w.putSignal(values(step), 0, 0, DATA + (me - 1) * 16, 16, AtomicOp.SUM, 1, FLAG);
            }
        }

        private void inTurn(long step) {
            if (me == 1) {
                await(ACK, step - 1);
                w.put(values(step), 2, DATA);
                w.flush(2);
                w.signal(AtomicOp.REPLACE, step, 0, FLAG);
            } else if (me == 0) {
                await(FLAG, step);
                long found = w.getLong(2, DATA + 8);
                fold(found);
                w.putLong(found + step, 2, DATA + 8);
                w.putLong(step, 2, DATA + 16);
                w.signal(AtomicOp.REPLACE, step, 2, FLAG);
            } else {
                await(FLAG, step);
                foldData();
                w.putLong(step * 3, me, DATA);
                w.flush(me);
                w.signal(AtomicOp.REPLACE, step, 1, ACK);
            }
        }

        private void withLocks(long step) {
            if (me == 1) {
                await(ACK, step - 1);
                w.put(values(step), 0, DATA);
                w.flush(0);
                w.lock(LockType.EXCLUSIVE, 2);
                w.unlock(2);
                w.signal(AtomicOp.REPLACE, step, 2, FLAG);
            } else if (me == 2) {
                await(FLAG, step);
                w.lock(LockType.EXCLUSIVE, 1);
                w.putLong(step * 7, 0, DATA + 32);
                w.unlock(1);
                w.flush(0);
                w.signal(AtomicOp.SUM, 1, 0, FLAG);
            } else {
                await(FLAG, step);
                w.lock(LockType.SHARED, 2);
                foldData();
                fold(w.memory().get(LONG, DATA + 32));
                w.unlock(2);
                w.signal(AtomicOp.REPLACE, step, 1, ACK);
            }
        }

        private void several(long step) {
            await(ACK, step - 1);
            MemorySegment all = values(step);
            for (int i = 0; i < 4; i++) {
                w.putSignal(all, i * 8L, right, DATA + i * 8L, 8, AtomicOp.REPLACE, step * 10 + i, FLAG);
            }
            fold(w.waitUntil(FLAG, Comparison.GE, step * 10 + 3));
            foldData();
            w.signal(AtomicOp.REPLACE, step, left, ACK);
        }
    }
}
