package org.ftrma.rma.window;

import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.MisuseException;
import org.ftrma.PeerLostException;
import org.ftrma.Window;
import org.ftrma.WindowKind;
import org.ftrma.core.session.PeerFailureHandling;
import org.ftrma.core.session.RecoveringRanks;
import org.ftrma.core.session.Waiter;
import org.ftrma.rma.log.AccessLog;
import org.ftrma.rma.log.Interceptor;
import org.ftrma.rma.log.LogDescriptor;
import org.ftrma.spi.RemoteMemory;

/**
 * Atomic updates of one window that are noted at their target first, so that a replacement can tell whether one had
 * happened that its predecessor was killed in. Without an operation an update is a compare-and-swap, whose operand is
 * the value that it expects. Data thread only; hot path.
 */
final class AtomicUpdate {
    private enum Swap {
        /** The value is the new one. */
        DONE,
        /** There was another value. */
        FAILED,
        /** The target was lost, and its recovery will do it. */
        LEFT_TO_RECOVERY
    }

    private final WindowParts parts;
    private final String name;
    private final Interceptor log;
    private final Waiter waiter;
    private final RecoveringRanks away;
    private final PeerFailureHandling survivor;
    private final int index;
    private final int member;
    /** In no image: what sets it is logged, also where that changes nothing. */
    private final boolean isScratch;

    AtomicUpdate(Window window, int index, WindowParts parts, int member, Interceptor log, Waiter waiter,
        RecoveringRanks away, PeerFailureHandling survivor) {
        this.parts = parts;
        this.name = window.name();
        this.log = log;
        this.waiter = waiter;
        this.away = away;
        this.survivor = survivor;
        this.index = index;
        this.member = member;
        this.isScratch = window.kind() == WindowKind.SCRATCH;
    }

    /** Makes an operation that is not noted. What changes nothing may be done again, like a get. */
    long fetchOrAgain(AtomicOp op, DataType type, long operand, int target, long offset) {
        while (true) {
            try {
                return parts.present(target).fetchOp(op, type, offset, operand);
            } catch (PeerLostException e) {
                if (op != AtomicOp.NO_OP) {
                    throw e;
                }
                survivor.awaitBack(e);
            }
        }
    }

    /** Makes an update, logs it, and returns the value before. */
    long make(AtomicOp op, DataType type, long operand, long desired, int target, long offset) {
        if (mayChangeNothing(op, operand)) {
            long seen = peek(type, target, offset);
            if (applied(op, type, operand, desired, seen) == seen && !setsUndefined(op, type, operand, seen)) {
                record(op, type, operand, desired, target, offset, seen);
                return seen;
            }
        }
        RemoteMemory remote = begun(target, offset);
        while (true) {
            long old;
            try {
                old = remote.fetchOp(AtomicOp.NO_OP, type, offset, 0);
            } catch (PeerLostException e) {
                survivor.awaitBack(e);
                remote = begun(target, offset);
                continue;
            }
            long updated = applied(op, type, operand, desired, old);
            if (target == member) { // L5
                // Others see it at once: so it is logged before. If this process is killed in between, it counts as
                // done.
                record(op, type, operand, desired, target, offset, old);
                replace(remote, type, offset, old, updated);
                return old;
            }
            Swap swap = updated == old ? Swap.DONE : swap(remote, type, target, offset, old, updated);
            if (swap != Swap.FAILED) {
                record(op, type, operand, desired, target, offset, old);
                if (swap == Swap.LEFT_TO_RECOVERY) {
                    survivor.awaitBack(target); // a lost process that lives shows others the value before until then
                }
                return old;
            }
        }
    }

    /** Whether there are values that an update leaves as they are, and programs poll with it. */
    private static boolean mayChangeNothing(AtomicOp op, long operand) {
        return op == null || switch (op) {
            case SUM, BXOR -> operand == 0;
            case MIN, MAX, BAND, BOR, PROD, LAND, LOR, LXOR, MINLOC, MAXLOC -> true;
            // what sets a place of a scratch window is logged whatever was there
            case REPLACE, NO_OP -> false;
        };
    }

    private static long applied(AtomicOp op, DataType type, long operand, long desired, long old) {
        return op == null ? AccessLog.swapped(type, operand, desired, old) : op.apply(type, old, operand);
    }

    private boolean setsUndefined(AtomicOp op, DataType type, long operand, long old) {
        return isScratch && (op == null ? type.normalized(old) == type.normalized(operand)
            : LogDescriptor.replaces(op, type, operand));
    }

    private void record(AtomicOp op, DataType type, long operand, long desired, int target, long offset, long old) {
        if (op == null) {
            log.compareAndSwap(index, target, offset, type, operand, desired, old);
        } else {
            log.atomic(index, target, op, type, offset, operand, old);
        }
    }

    /**
     * Reads an element before an atomic access that may leave it as it is. If it does, that is all: such an access is
     * what an atomic read is, and no update. It is not noted, so it needs no update lock, which a rank that polls would
     * keep from others most of the time. If somebody is in the middle of an update here, and is lost, the value tells
     * whether that had happened, and nobody changes it before that is found out: who saw it saw what there was.
     */
    private long peek(DataType type, int target, long offset) {
        return fetchOrAgain(AtomicOp.NO_OP, type, 0, target, offset);
    }

    /** The memory for an update, of a place that nobody else updates until the outcome is logged. */
    private RemoteMemory begun(int target, long offset) {
        long deadline = 0;
        int turn = 0;
        while (true) {
            int known = away.losses();
            RemoteMemory remote = parts.present(target);
            boolean begun = log.beginUpdate(index, target, offset);
            if (begun && known == away.losses()) {
                return remote;
            }
            if (!begun) {
                deadline = turn == 0 ? waiter.deadlineFromNow() : deadline;
                waiter.backOff("the end of another atomic update, or of the copy for a demand checkpoint,", target,
                    turn++, deadline);
            }
        }
    }

    /**
     * Swaps a value for another one. If the target is lost in the middle, that counts as done: nobody else updated the
     * place since it held the old value, so whoever saw either of them saw what there was, and the target's recovery
     * does it again.
     */
    private Swap swap(RemoteMemory remote, DataType type, int target, long offset, long old, long updated) {
        log.updating(index, target, type, offset, old, updated);
        try {
            return remote.compareAndSwap(type, offset, old, updated) == old ? Swap.DONE : Swap.FAILED;
        } catch (PeerLostException e) {
            if (!survivor.isPossible()) {
                throw e;
            }
            return Swap.LEFT_TO_RECOVERY;
        }
    }

    /** In the own memory, which nobody else updates now. */
    private void replace(RemoteMemory remote, DataType type, long offset, long old, long updated) {
        if (updated != old && remote.compareAndSwap(type, offset, old, updated) != old) {
            throw new MisuseException("window=" + name + " target=" + member + " offset=" + offset
                + " type=" + type + ": the bytes were changed during an atomic update by something that was no atomic"
                + " access; --check-races finds what races");
        }
        log.ended();
    }
}
