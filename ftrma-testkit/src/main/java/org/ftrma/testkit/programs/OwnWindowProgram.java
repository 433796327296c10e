package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.MemorySegment;
import java.util.Locale;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Window;
import org.ftrma.WindowKind;

/**
 * Program of accesses to a rank's own window, and of orders by locks beyond the bytes of their window, one kind at a
 * time. All that a rank reads is folded. Each step ends with an atomic at the neighbour and a gsync, but for the kinds
 * that need another end.
 */
final class OwnWindowProgram implements SimProgram {
    /** What a step does. */
    enum Kind {
        /** By the interface only, epochs apart, nobody else there: a cell is put, counted up, put. */
        RESET,
        /** An atomic on the own window, read directly, all under its exclusive lock. */
        DIRECT_LOCK,
        /** What own atomics left is the source of a put, an accumulate and collectives. */
        OWN_SOURCE,
        /** The lock of one window at rank 0 guards bytes of another window there. */
        GUARD,
        /** The lock at rank 2 guards bytes of rank 0. */
        ELSEWHERE,
        /**
         * One puts, then takes and gives back a lock without any access; the other, told by an atomic, takes the lock
         * and reads directly.
         */
        EMPTY_LOCK,
        /** The same, told under the lock; a third is told by the second one, by another lock. */
        LOCK_CHAIN,
        /** Puts of others into one window, and the own lock of another one that has nothing to do with them. */
        UNRELATED_LOCK,
        /** The home and others add to one counter, and the home takes its lock of another window in between. */
        COUNTED_LOCK,
        /** A get into protected memory that is completed in the next step. */
        CARRIED_GET,
        /** A scratch cell that an atomic REPLACE sets in each step, and others add to. */
        SCRATCH_REPLACE,
        /** A slice of the neighbour's window that one rank has alone: puts and atomics in turn, epochs apart. */
        SLICES,
        /**
         * A lock of another rank, taken before a barrier and given back after it, guards bytes that the holder reads
         * directly.
         */
        LATE_LOCK,
        /** Two claim a cell of one of them by compare-and-swap, a third looks who won: all must see the same winner. */
        CLAIM,
        /** A cell is taken, given back, and taken by another rank, while its home does nothing. */
        MAILBOX;

        String key() {
            return name().toLowerCase(Locale.ROOT).replace("_", "");
        }
    }

    private static final int FLAG = 24;
    private static final int DATA = 32;
    private static final int IDLE = 120;
    private static final int NEIGHBOUR = 8;

    private final Kind kind;
    private final long steps;

    OwnWindowProgram(Kind kind, long steps) {
        this.kind = kind;
        this.steps = steps;
    }

    @Override
    public String name() {
        return kind.key();
    }

    @Override
    public boolean polls() {
        return switch (kind) {
            case GUARD, ELSEWHERE, EMPTY_LOCK, LOCK_CHAIN, MAILBOX -> true;
            default -> false;
        };
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
        private final Window v;
        private final Window scratch;
        private final MemorySegment seen;
        private final MemorySegment got;

        Rank(Job job, Kind kind) {
            this.job = job;
            this.kind = kind;
            me = job.rank();
            right = (me + 1) % job.ranks();
            left = (me + job.ranks() - 1) % job.ranks();
            w = job.allocateWindow("w", 128);
            v = job.allocateWindow("v", 128);
            scratch = job.allocateWindow("scratch", 16, WindowKind.SCRATCH);
            seen = job.protect("seen", 8);
            got = job.protect("got", 16);
        }

        void run(long steps, Results results) {
            for (long step : job.steps(steps)) {
                one(step);
                if (kind != Kind.CARRIED_GET) {
                    w.fetchAndOp(AtomicOp.SUM, DataType.INT64, step, right, NEIGHBOUR);
                    job.gsync();
                }
            }
            job.gsync();
            results.store("w", w.memory());
            results.store("v", v.memory());
            results.store("seen", seen);
        }

        private void fold(long value) {
            seen.set(LONG, 0, mix(seen.get(LONG, 0), value));
        }

        private void one(long step) {
            switch (kind) {
                case RESET -> reset();
                case DIRECT_LOCK -> directLock(step);
                case OWN_SOURCE -> ownSource(step);
                case GUARD -> guard(step);
                case ELSEWHERE -> elsewhere(step);
                case EMPTY_LOCK -> emptyLock(step);
                case LOCK_CHAIN -> lockChain(step);
                case UNRELATED_LOCK -> unrelatedLock(step);
                case COUNTED_LOCK -> countedLock(step);
                case CARRIED_GET -> carriedGet(step);
                case SCRATCH_REPLACE -> scratchReplace(step);
                case SLICES -> slices(step);
                case LATE_LOCK -> lateLock(step);
                case CLAIM -> claim(step);
                case MAILBOX -> mailbox(step);
            }
        }

        private void reset() {
            w.putLong(0, me, 0);
            w.flush(me);
            fold(w.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, me, 0));
            w.flush(me);
            w.putLong(0, me, 0);
            w.flush(me);
        }

        private void directLock(long step) {
            w.lock(LockType.EXCLUSIVE, me);
            w.fetchAndOp(AtomicOp.SUM, DataType.INT64, step, me, 0);
            w.flush(me);
            fold(w.memory().get(LONG, 0));
            w.unlock(me);
        }

        private void ownSource(long step) {
            w.fetchAndOp(AtomicOp.SUM, DataType.INT64, mix(step, me), me, 0);
            w.flush(me);
            v.put(w.memory(), 0, right, 0, 8);
            v.flush(right);
            w.fetchAndOp(AtomicOp.BXOR, DataType.INT64, step, me, 0);
            w.flush(me);
            v.accumulate(AtomicOp.SUM, DataType.INT64, w.memory(), 0, right, 8, 1);
            v.flush(right);
            w.putLong(w.memory().get(LONG, 0) + step, me, 16);
            w.flush(me);
            fold(job.allReduce(AtomicOp.SUM, w.memory().get(LONG, 16)));
        }

        private void guard(long step) {
            if (me == 1) {
                w.lock(LockType.EXCLUSIVE, 0);
                w.putLong(step, 0, FLAG);
                v.fetchAndOp(AtomicOp.SUM, DataType.INT64, step * 7, 0, 0);
                w.unlock(0);
            }
            if (me == 0) {
                lockUntil(w, 0, step, true);
                fold(v.memory().get(LONG, 0));
                w.unlock(0);
            }
        }

        private void elsewhere(long step) {
            if (me == 1) {
                w.lock(LockType.EXCLUSIVE, 2);
                w.putLong(step * 9, 0, DATA);
                w.putLong(step, 0, FLAG);
                w.flush(0);
                w.unlock(2);
            }
            if (me == 0) {
                lockUntil(w, 2, step, false);
                fold(w.memory().get(LONG, DATA));
                w.unlock(2);
            }
        }

        /** Returns with the lock held, when the flag in the own window is of that value. */
        private void lockUntil(Window window, int home, long value, boolean directly) {
            for (int tries = 0;; tries++) {
                window.lock(LockType.EXCLUSIVE, home);
                if ((directly ? w.memory().get(LONG, FLAG) : w.getLong(me, FLAG)) >= value) {
                    return;
                }
                window.unlock(home);
                Mixer.pause(job, w, IDLE, tries);
            }
        }

        private void emptyLock(long step) {
            if (me == 1) {
                w.putLong(step * 5, 0, DATA);
                w.flush(0);
                v.lock(LockType.EXCLUSIVE, 2);
                v.unlock(2);
                w.fetchAndOp(AtomicOp.REPLACE, DataType.INT64, step, 0, FLAG);
            }
            if (me == 0) {
                long found = 0;
                for (int tries = 0; found < step; tries++) {
                    found = w.fetchAndOp(AtomicOp.NO_OP, DataType.INT64, 0, 0, FLAG);
                    Mixer.pause(job, w, IDLE, tries);
                }
                v.lock(LockType.EXCLUSIVE, 2);
                v.unlock(2);
                fold(w.memory().get(LONG, DATA));
            }
        }

        private void lockChain(long step) {
            if (me == 1) {
                w.putLong(step * 5, 0, DATA);
                w.flush(0);
                v.lock(LockType.EXCLUSIVE, 2);
                w.putLong(step, 2, FLAG);
                w.flush(2);
                v.unlock(2);
            }
            if (me == 2) {
                lockUntil(v, 2, step, true);
                v.unlock(2);
                w.lock(LockType.EXCLUSIVE, 1);
                w.putLong(step, 0, FLAG);
                w.flush(0);
                w.unlock(1);
            }
            if (me == 0) {
                lockUntil(w, 1, step, false);
                w.unlock(1);
                fold(w.memory().get(LONG, DATA));
            }
        }

        private void unrelatedLock(long step) {
            w.putLong(mix(step, me), right, DATA);
            w.flush(right);
            v.lock(LockType.EXCLUSIVE, me);
            v.memory().set(LONG, 0, v.memory().get(LONG, 0) + step);
            v.unlock(me);
            w.putLong(mix(step, me, 1), right, DATA);
            job.gsync();
            fold(w.memory().get(LONG, DATA));
            job.gsync();
        }

        private void countedLock(long step) {
            for (int i = 0; i < 2; i++) {
                w.fetchAndOp(AtomicOp.SUM, DataType.INT64, step + i, me, 0);
                w.fetchAndOp(AtomicOp.SUM, DataType.INT64, step * 3 + i, right, 0);
                v.lock(LockType.EXCLUSIVE, me);
                v.putLong(v.getLong(me, 0) + step, me, 0);
                v.unlock(me);
            }
        }

        /**
         * The slice of the neighbour's window belongs to this rank alone, so that nothing else needs to be waited for.
         */
        private void carriedGet(long step) {
            if (step > 1) {
                w.flush(right);
                fold(got.get(LONG, 0));
            }
            SimRandom random = new SimRandom(mix(step, me));
            w.putLong(mix(step, me), right, 0);
            w.flush(right);
            if (random.chance(500)) {
                fold(w.getLong(right, 0));
            }
            w.get(got, 0, right, 0, 8);
        }

        private void scratchReplace(long step) {
            scratch.fetchAndOp(AtomicOp.REPLACE, DataType.INT64, mix(step, me), me, 0);
            scratch.fetchAndOp(AtomicOp.REPLACE, DataType.INT64, step, right, 8);
            job.gsync();
            scratch.fetchAndOp(AtomicOp.SUM, DataType.INT64, step * 3, right, 0);
            scratch.fetchAndOp(AtomicOp.SUM, DataType.INT64, me, left, 8);
            job.gsync();
            fold(scratch.memory().get(LONG, 0));
            fold(scratch.getLong(right, 8));
            job.gsync();
        }

        private void slices(long step) {
            w.putLong(mix(step, me), right, DATA);
            w.flush(right);
            fold(w.fetchAndOp(AtomicOp.SUM, DataType.INT64, step, right, DATA));
            w.flush(right);
            w.putLong(w.getLong(right, DATA) + 1, right, DATA);
            w.flush(right);
            got.set(LONG, 8, mix(step, me, 2));
            w.accumulate(AtomicOp.BXOR, DataType.INT64, got, 8, right, DATA, 1);
            w.flush(right);
            fold(w.compareAndSwap(DataType.INT64, w.getLong(right, DATA), step, right, DATA));
            w.flush(right);
        }

        private void lateLock(long step) {
            if (me == 1) {
                w.lock(LockType.EXCLUSIVE, 2);
            }
            job.barrier();
            if (me == 1) {
                fold(w.memory().get(LONG, DATA));
                w.unlock(2);
                for (int i = 0; i < 4; i++) {
                    v.putLong(step + i, 0, 64 + 8 * i);
                }
            }
            if (me == 0) {
                w.lock(LockType.EXCLUSIVE, 2);
                w.putLong(step * 9, 1, DATA);
                w.flush(1);
                w.unlock(2);
            }
            job.gsync();
        }

        /** Who wins is a matter of chance; what does not fit is counted. */
        private void claim(long step) {
            long found = -1;
            if (me != 1) {
                found = w.compareAndSwap(DataType.INT64, 0, step * 10 + me + 1, 0, DATA);
            }
            for (int tries = 0; me == 1 && tries < 12 && found <= 0; tries++) {
                found = w.fetchAndOp(AtomicOp.NO_OP, DataType.INT64, 0, 0, DATA);
            }
            job.gsync();
            long winner = w.getLong(0, DATA);
            boolean fits = me == 1 ? found == 0 || found == winner : (found == 0) == (winner == step * 10 + me + 1);
            fold(fits ? 0 : 1);
            job.gsync();
            if (me == 0) {
                w.putLong(0, 0, DATA);
            }
            job.gsync();
        }

        private void mailbox(long step) {
            if (me == 2) {
                w.compareAndSwap(DataType.INT64, 0, 5, 1, DATA);
                w.fetchAndOp(AtomicOp.REPLACE, DataType.INT64, 0, 1, DATA);
                v.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, 1, 0);
            }
            for (int tries = 0; me == 0 && v.fetchAndOp(AtomicOp.NO_OP, DataType.INT64, 0, 1, 0) < step; tries++) {
                Mixer.pause(job, w, IDLE, tries);
            }
            if (me == 0) {
                fold(w.compareAndSwap(DataType.INT64, 0, 7, 1, DATA));
            }
            job.gsync();
            if (me == 0) {
                w.putLong(0, 1, DATA);
            }
            job.gsync();
        }
    }
}
