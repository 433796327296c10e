package org.ftrma.rma.log;

import java.lang.foreign.MemorySegment;
import org.ftrma.spi.Clock;

/**
 * The update locks of a log region as one member sees them: words that one rank at a time has, while it updates some of
 * the places of the home's windows by an atomic access. Who is on the home's host {@linkplain LockBackoff gives way} to
 * who reaches the region over a network, and says beside the word that it waits. The data thread of that member only;
 * hot path.
 */
final class UpdateLocks {
    private static final int NONE = -1;

    private final LogRegion region;
    private final MemorySegment direct;
    private final long self;
    /** A lock was given back, and may not be free yet: only where the region is not mapped. */
    private boolean unlocking;
    /** The lock that this member said last to wait for, over a network. */
    private int awaited = NONE;
    /** The lock that is left to others. */
    private int left = NONE;
    /** Null: this member reaches the region over a network, and leaves nothing to anybody. */
    private LockBackoff way;

    UpdateLocks(LogRegion region) {
        this.region = region;
        this.direct = region.direct;
        this.self = region.member + 1L;
    }

    /** This member is on the home's host. */
    void giveWay(Clock clock) {
        way = new LockBackoff(clock);
    }

    private static long offset(int lock) {
        return LogDescriptor.HEADER_LOCKS + lock * LogDescriptor.LOCK_BYTES;
    }

    private static long waiting(int lock) {
        return offset(lock) + LogDescriptor.LOCK_WAITING;
    }

    /** Takes a lock, unless another member has it, or it is left to others. A full fence if it is taken. */
    boolean take(int lock) {
        if (direct == null || left == lock) {
            return takeOtherwise(lock);
        }
        long found = (long) LogRegion.LONG.compareAndExchange(direct, offset(lock), 0L, self);
        // in the same line of the cache as the word, which is here now
        if (found == 0 && (long) LogRegion.LONG.getAcquire(direct, waiting(lock)) == 0) {
            return true;
        }
        return found == self || found == 0 && !leave(lock);
    }

    private long swap(int lock) {
        return direct != null ? (long) LogRegion.LONG.compareAndExchange(direct, offset(lock), 0L, self)
            : region.memory.swap(offset(lock), 0, self);
    }

    /** Gives a lock, which was taken just now, to who waits for it over a network. */
    private boolean leave(int lock) {
        if (way == null) {
            return false;
        }
        way.begin();
        way.isDue(region.word(waiting(lock)));
        left = lock;
        region.word(offset(lock), 0);
        return true;
    }

    private boolean takeOtherwise(int lock) {
        if (unlocking) {
            region.complete(); // else it might be freed after it is taken again
        }
        return way == null ? takeFromFar(lock) : takeUnlessLeft(lock);
    }

    private boolean takeUnlessLeft(int lock) {
        if (left != lock) {
            way.begin();
        }
        if (way.isDue(region.word(waiting(lock)))) {
            left = lock;
            return false;
        }
        long found = swap(lock);
        if (found != 0 && found != self) {
            return false;
        }
        if (way.hasWaited()) {
            region.word(waiting(lock), 0); // who still waits says so again
        }
        left = NONE;
        return true;
    }

    private boolean takeFromFar(int lock) {
        long found = swap(lock);
        if (found == 0 || found == self) {
            return true;
        }
        region.word(waiting(lock), self);
        awaited = lock;
        return false;
    }

    /** Gives a lock back. */
    void giveBack(int lock) {
        region.complete();
        if (awaited == lock) {
            region.word(waiting(lock), 0);
            awaited = NONE;
        }
        region.word(offset(lock), 0);
        unlocking = direct == null;
    }

    /** All that was written is complete. */
    void flushed() {
        unlocking = false;
    }

    /** Gives those back that this member's predecessor had. */
    void giveAllBack() {
        for (int lock = 0; lock < LogDescriptor.UPDATE_LOCKS; lock++) {
            if (region.word(offset(lock)) == self) {
                giveBack(lock);
            }
        }
    }

    /** At the home: a member that is lost waits for nothing. */
    void lost(int rank) {
        for (int lock = 0; lock < LogDescriptor.UPDATE_LOCKS; lock++) {
            if (region.word(waiting(lock)) == rank + 1) {
                region.word(waiting(lock), 0);
            }
        }
    }

    /** The member that has a lock; -1: none. */
    int holder(int lock) {
        return (int) region.word(offset(lock)) - 1;
    }

    /** Whether anybody has one of those for places in windows. */
    boolean isAnyTaken() {
        for (int lock = LogDescriptor.LOCKS_LOCK + 1; lock < LogDescriptor.UPDATE_LOCKS; lock++) {
            if (region.word(offset(lock)) != 0) {
                return true;
            }
        }
        return false;
    }
}
