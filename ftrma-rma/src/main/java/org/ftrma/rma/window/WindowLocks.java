package org.ftrma.rma.window;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.ftrma.DataType;
import org.ftrma.DeadlineException;
import org.ftrma.LockType;
import org.ftrma.MisuseException;
import org.ftrma.PeerLostException;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.image.ResidualState;
import org.ftrma.core.session.ControlDescriptor;
import org.ftrma.core.session.ControlRegions;
import org.ftrma.core.session.PeerFailureHandling;
import org.ftrma.core.session.PeerPaths;
import org.ftrma.core.session.RecoveringRanks;
import org.ftrma.core.session.Session;
import org.ftrma.core.session.Waiter;
import org.ftrma.rma.log.LockBackoff;
import org.ftrma.rma.log.LockObserver;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.RemoteMemory;

/**
 * Locks of one window: one word per home rank in its control region (see {@link ControlDescriptor}), taken by
 * compare-and-swap. A lock belongs to a rank, not to an incarnation. What this rank holds and its own words are part of
 * its image. A rank that takes a lock on its own host {@linkplain LockBackoff gives way} to one that waits for it over
 * a network. Data thread only.
 */
public final class WindowLocks implements CheckpointedState {
    private static final byte NONE = 0;
    private static final byte SHARED = 1;
    private static final byte EXCLUSIVE = 2;
    private static final byte ALL = 3;
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private static final long HELD_SHARED = 1;
    private static final long HELD_EXCLUSIVE = 2;
    private static final long BUSY = -1;
    private static final long CHANGED = -2;
    private static final long TAKEN = -3;
    private static final int ATTEMPTS = 16;
    /** The number of an acquisition in what was published. */
    private static final long NUMBER = 0xffff_ffffL;

    private final Fabric fabric;
    private final Waiter waiter;
    private final PeerPaths paths;
    private final RecoveringRanks away;
    private final ControlRegions controls;
    private final PeerFailureHandling survivor;
    private final int member;
    private final int ranks;
    private final String window;
    private final int index;
    private final long wordOffset;
    private final long waitingOffset;
    private final LockBackoff way;
    /** This rank has said that it waits for the lock which it takes now, or changes. */
    private boolean toldWaiting;
    /** The lock's word when it said so last. */
    private long toldAt;
    private final byte[] held;
    /** The last acquisition (SC) of this rank at each target. */
    private final long[] acquisitions;
    private LockObserver observer = LockObserver.NONE;
    private LockReplay replay = LockReplay.NONE;
    private int exclusive;

    WindowLocks(Session session, String window, int index) {
        this.fabric = session.fabric;
        this.waiter = session.waiter;
        this.paths = session.paths;
        this.away = session.away;
        this.controls = session.controls;
        this.survivor = session.survivor;
        this.member = session.member;
        this.ranks = session.ranks;
        this.window = window;
        this.wordOffset = ControlDescriptor.lockOffset(index);
        this.waitingOffset = ControlDescriptor.waitingOffset(index);
        this.way = new LockBackoff(session.clock);
        this.index = index;
        this.held = new byte[ranks];
        this.acquisitions = new long[ranks];
    }

    /** Who is told of locks from now on; of those that are held, at once. */
    void observeBy(LockObserver newObserver) {
        observer = newObserver;
        for (int target = 0; target < held.length; target++) {
            if (held[target] != NONE) {
                observer.holds(index, target, typeOf(target), acquisitions[target]);
            }
        }
    }

    /**
     * What was locked and unlocked before this rank was lost is not done again; {@link LockReplay#NONE}: everything is
     * done.
     */
    void replayWith(LockReplay ongoing) {
        replay = ongoing;
    }

    private LockType typeOf(int target) {
        return held[target] == EXCLUSIVE ? LockType.EXCLUSIVE : LockType.SHARED;
    }

    /**
     * A target was lost: its replacement finds here what this rank holds there, and how many acquisitions it knows of.
     */
    public void publish(int lost) {
        if ((long) WORD.getAcquire(controls.own(), waitingOffset) == lost + 1) {
            WORD.setRelease(controls.own(), waitingOffset, 0L);
        }
        long kind = held[lost] == NONE ? 0 : held[lost] == EXCLUSIVE ? HELD_EXCLUSIVE : HELD_SHARED;
        WORD.setRelease(controls.own(), controls.heldOffset(lost, index), kind << 32 | acquisitions[lost]);
    }

    /**
     * This rank's lock word, which was lost, is made of what the others hold, and this rank itself; a rank that is
     * lost, too, had no lock here since this rank's image. Before others can reach it.
     */
    public void rebuildWord() {
        int self = member;
        int owner = held[self] == EXCLUSIVE ? self : -1;
        int shared = held[self] == SHARED || held[self] == ALL ? 1 : 0;
        long known = Integer.toUnsignedLong(ControlDescriptor.acquisitions((long) WORD.getAcquire(
            controls.own(), wordOffset)));
        long last = Math.max(acquisitions[self], known);
        for (int rank = 0; rank < held.length; rank++) {
            if (rank != self) {
                long word = published(rank);
                if ((word & NUMBER) > last) { // R25
                    last = word & NUMBER;
                    // a replacement that is behind: its predecessor had released the lock before it was taken again
                    owner = -1;
                }
                owner = word >>> 32 == HELD_EXCLUSIVE && (word & NUMBER) == last ? rank : owner;
                shared += word >>> 32 == HELD_SHARED ? 1 : 0;
            }
        }
        WORD.setRelease(controls.own(), wordOffset, ControlDescriptor.lockWord(owner, shared, (int) last));
    }

    private long published(int rank) {
        return controls.heldBy(rank, index);
    }

    /**
     * Whether this rank, a replacement that is about to go on, holds the lock of its own window, and others had it
     * since: its predecessor had released it. What is done again under the lock would come after what they did.
     */
    public boolean ownWasPassedOn() {
        int self = member;
        return held[self] == EXCLUSIVE && IntStream.range(0, held.length)
            .anyMatch(rank -> rank != self && (published(rank) & NUMBER) > acquisitions[self]);
    }

    /** Whether this rank, a replacement, holds an exclusive lock that its predecessor had given back. */
    public boolean wasGivenBack() {
        for (int target = 0; exclusive > 0 && target < held.length; target++) {
            if (held[target] == EXCLUSIVE
                && (target == member ? ownWasPassedOn()
                : !isOwn(controls.of(target).getLong(wordOffset), target))) {
                return true;
            }
        }
        return false;
    }

    /** Nothing is held any more (a new view starts from what the image says). */
    void reset() {
        Arrays.fill(held, NONE);
        exclusive = 0;
    }

    /** Whether this rank holds a lock at a target. */
    public boolean holds(int target) {
        return held[target] != NONE;
    }

    /** Number of exclusive locks held: the paper's lock counter LC, shared locks apart. */
    public int exclusiveHeld() {
        return exclusive;
    }

    void checkNoneExclusive() {
        for (int target = 0; exclusive > 0 && target < held.length; target++) {
            if (held[target] == EXCLUSIVE) {
                throw new MisuseException("window=" + window + " target=" + target
                    + ": the program returned with an exclusive lock held; unlock it"
                    + " before, at the end of the step that took it at the latest");
            }
        }
    }

    void lock(LockType type, int target) {
        if (held[target] != NONE) {
            throw new MisuseException("window=" + window + " target=" + target
                + ": this rank holds a lock there already; unlock it first");
        }
        take(type, target, type == LockType.SHARED ? SHARED : EXCLUSIVE);
        exclusive += type == LockType.EXCLUSIVE ? 1 : 0;
    }

    void lockAll() {
        for (int target = 0; target < held.length; target++) {
            if (held[target] != NONE) {
                throw new MisuseException("window=" + window + " target=" + target
                    + ": lockAll while this rank holds a lock; unlock it first");
            }
        }
        int target = 0;
        try {
            for (; target < held.length; target++) {
                take(LockType.SHARED, target, ALL);
            }
        } catch (DeadlineException e) {
            while (--target >= 0) {
                release(target);
            }
            throw e;
        }
    }

    void checkHeld(int target) {
        if (held[target] != SHARED && held[target] != EXCLUSIVE) {
            throw new MisuseException("window=" + window + " target=" + target
                + ": unlock without lock: this rank holds none there that lock() took; what lockAll() took ends with "
                + "unlockAll()");
        }
    }

    void checkAllHeld() {
        for (int target = 0; target < held.length; target++) {
            if (held[target] != ALL) {
                throw new MisuseException("window=" + window + " target=" + target
                    + ": unlockAll without lockAll: call lockAll() first, and unlock() for what lock() took");
            }
        }
    }

    void unlock(int target) {
        release(target);
    }

    void unlockAll() {
        for (int target = 0; target < held.length; target++) {
            release(target);
        }
    }

    private void take(LockType type, int target, byte as) {
        long number = replay.loggedLock(index, target, type == LockType.EXCLUSIVE);
        boolean known = number >= 0 && !replay.isUnlogged();
        if (number < 0) {
            if (replay.isReplaying()) {
                replay.openAt("lock window=" + window + " target=" + target);
            }
            number = acquire(type, target);
        }
        held[target] = as;
        acquisitions[target] = number;
        observer.locked(index, target, type, number, known);
    }

    private void release(int target) {
        LockType type = typeOf(target);
        // L15
        observer.leaving(index, target, type);
        replay.gaveBack(index, target, type == LockType.SHARED, acquisitions[target]);
        boolean logged = replay.loggedUnlock(index, target, type == LockType.SHARED);
        boolean known = logged && !replay.isUnlogged();
        boolean done = logged || replay.isReplaying() && wasReleased(type, target);
        if (!done) {
            releaseWord(type, target);
        }
        held[target] = NONE;
        exclusive -= type == LockType.EXCLUSIVE ? 1 : 0;
        observer.unlocked(index, target, type, known);
    }

    /** In a recovery: the own word is made anew at its end; elsewhere an exclusive lock says itself whose it is. */
    private boolean wasReleased(LockType type, int target) {
        if (target == member) {
            return true;
        }
        if (type == LockType.SHARED) {
            return false;
        }
        return !isOwn(controls.of(target).getLong(wordOffset), target);
    }

    /** Whether a word says that this rank has the exclusive lock. */
    private boolean isOwn(long word, int target) {
        return ControlDescriptor.owner(word) == member // R26
            && Integer.toUnsignedLong(ControlDescriptor.acquisitions(word)) == acquisitions[target];
    }

    /** Returns the number of the acquisition. */
    private long acquire(LockType type, int target) {
        while (true) {
            try {
                return acquireFrom(type, target);
            } catch (DeadlineException e) {
                tellDone(controls.of(target), false); // it waits no more
                throw e;
            } catch (PeerLostException e) {
                survivor.awaitBack(e); // its word is made anew of what all hold, and this rank does not hold it
            }
        }
    }

    private long acquireFrom(LockType type, int target) {
        boolean isNear = isNear(target);
        long deadline = 0;
        int turn = 0;
        way.begin();
        toldWaiting = false;
        while (true) {
            RemoteMemory home = controls.of(target);
            long word = home.getLong(wordOffset);
            if (ControlDescriptor.owner(word) == member) {
                // A predecessor of this process took the lock and was lost before its log could say so.
                return Integer.toUnsignedLong(ControlDescriptor.acquisitions(word));
            }
            deadline = turn == 0 ? waiter.deadlineFromNow() : deadline;
            boolean isTaken = ControlDescriptor.owner(word) >= 0
                || type == LockType.EXCLUSIVE && ControlDescriptor.shared(word) > 0;
            long number = isTaken || isNear && way.isDue(home.getLong(waitingOffset)) ? TAKEN
                : type == LockType.SHARED ? changeShared(target, 1) : takeWord(home, word);
            if (number >= 0) {
                tellDone(home, isNear && way.hasWaited());
                return number;
            }
            tellWaiting(home, isNear, word);
            if (number == BUSY) {
                waiter.backOff("a window's shared lock", target, turn++, deadline);
            } else if (number == TAKEN || !isNear) {
                fabric.progress();
                waiter.outerTurn("a window's lock", target, turn++, deadline);
            }
        }
    }

    /** Whether this rank is on the lock's host. */
    private boolean isNear(int target) {
        return target == member || paths.isImmediate(target);
    }

    /** Once for each word that is found there: who has the lock next may take away what was said before. */
    private void tellWaiting(RemoteMemory home, boolean isNear, long word) {
        if (!isNear && (!toldWaiting || word != toldAt)) {
            home.putLong(waitingOffset, member + 1L);
            toldWaiting = true;
            toldAt = word;
        }
    }

    private void tellDone(RemoteMemory home, boolean forOthers) {
        if (toldWaiting || forOthers) {
            home.putLong(waitingOffset, 0); // who still waits says so again
            toldWaiting = false;
        }
    }

    /** Takes a lock that nobody has; returns the number of the acquisition, or {@link #CHANGED}. */
    private long takeWord(RemoteMemory home, long word) {
        int number = ControlDescriptor.acquisitions(word) + 1;
        boolean isTaken = home.compareAndSwap(DataType.INT64, wordOffset, word,
            ControlDescriptor.lockWord(member, 0, number)) == word;
        return isTaken ? Integer.toUnsignedLong(number) : CHANGED;
    }

    /**
     * Changes the count of shared holders by one more or less.
     *
     * @return the number of the acquisition, of the newest one where one less holds it; {@link #BUSY} if somebody else
     *     changes it now, and may hang; or {@link #CHANGED} if exclusive holders came in between
     */
    private long changeShared(int target, int by) {
        int known = away.losses();
        boolean isNear = isNear(target);
        RemoteMemory home = controls.of(target);
        if (!observer.beginShared(target)) {
            return BUSY;
        }
        for (int attempt = 0; attempt < ATTEMPTS && known == away.losses(); attempt++) {
            long word = home.getLong(wordOffset);
            if (ControlDescriptor.owner(word) >= 0) {
                break;
            }
            int number = ControlDescriptor.acquisitions(word) + Math.max(by, 0);
            long changed = ControlDescriptor.lockWord(-1, ControlDescriptor.shared(word) + by, number);
            observer.changing(index, target, word, changed);
            if (home.compareAndSwap(DataType.INT64, wordOffset, word, changed) == word) {
                return Integer.toUnsignedLong(number);
            }
            tellWaiting(home, isNear, word);
        }
        observer.gaveUp(target);
        return CHANGED;
    }

    private void releaseWord(LockType type, int target) {
        while (true) {
            try {
                releaseAt(type, target);
                return;
            } catch (DeadlineException e) {
                survivor.cannotGoOn(e); // the log of locks has it as given back
                throw e;
            } catch (PeerLostException e) {
                survivor.awaitBack(e); // its word is made anew of what all hold, and this rank holds it
            }
        }
    }

    private void releaseAt(LockType type, int target) {
        if (type == LockType.EXCLUSIVE) {
            releaseExclusive(target);
            return;
        }
        toldWaiting = false;
        long deadline = waiter.deadlineFromNow();
        for (int turn = 0; changeShared(target, -1) < 0; turn++) {
            waiter.backOff("a window's shared lock, to be given back,", target, turn, deadline);
        }
        tellDone(controls.of(target), false);
    }

    private void releaseExclusive(int target) {
        while (true) {
            RemoteMemory home = controls.of(target);
            long word = home.getLong(wordOffset);
            if (!isOwn(word, target)) {
                return; // a predecessor of this process had released it before it was lost
            }
            long released = ControlDescriptor.lockWord(-1, 0, ControlDescriptor.acquisitions(word));
            if (home.compareAndSwap(DataType.INT64, wordOffset, word, released) == word) {
                return;
            }
        }
    }

    @Override
    public int imageBytes() {
        return HeldLocks.bytes(held.length);
    }

    @Override
    public long save(MemorySegment image, long offset) {
        image.set(ValueLayout.JAVA_LONG, offset, controls.own().get(ValueLayout.JAVA_LONG, wordOffset));
        return HeldLocks.save(held, acquisitions, image, offset);
    }

    @Override
    public void tell(ResidualState remainder) {
        for (byte one : held) {
            remainder.locks(one == 0 ? 0 : 1);
        }
    }

    @Override
    public void restore(MemorySegment image, long offset, long length) {
        HeldLocks.restore(held, acquisitions, image, offset, length);
        controls.own().set(ValueLayout.JAVA_LONG, wordOffset, image.get(ValueLayout.JAVA_LONG, offset));
        exclusive = 0;
        for (byte one : held) {
            exclusive += one == EXCLUSIVE ? 1 : 0;
        }
    }
}
