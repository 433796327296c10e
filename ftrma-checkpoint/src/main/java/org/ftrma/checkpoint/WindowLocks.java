package org.ftrma.checkpoint;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.ftrma.MisuseException;
import org.ftrma.spi.RemoteMemory;

/**
 * The locks of one window: one word per home rank in its control region (see {@link ControlDescriptor}), taken by compare-and-swap. A lock
 * belongs to a
 * rank, not to an incarnation. What this rank holds and its own words are part of its image. Data thread only.
 */
final class WindowLocks implements HeaderPart {
    private static final byte NONE = 0;
    private static final byte SHARED = 1;
    private static final byte EXCLUSIVE = 2;
    private static final byte ALL = 3;

    private final Session session;
    private final String window;
    private final long wordOffset;
    private final byte[] held;
    private int exclusive;

    WindowLocks(Session session, String window, int index) {
        this.session = session;
        this.window = window;
        this.wordOffset = ControlDescriptor.lockOffset(index);
        this.held = new byte[session.ranks];
    }

    /** Nothing is held any more (a new view starts from what the image says). */
    void reset() {
        Arrays.fill(held, NONE);
        exclusive = 0;
    }

    /** Number of exclusive locks held: the paper's lock counter LC, shared locks apart. */
    int exclusiveHeld() {
        return exclusive;
    }

    void lock(LockType type, int target) {
        if (held[target] != NONE) {
            throw new MisuseException("window=" + window + " target=" + target + ": this rank holds a lock there already");
        }
        acquire(type, target);
        held[target] = type == LockType.SHARED ? SHARED : EXCLUSIVE;
        exclusive += type == LockType.EXCLUSIVE ? 1 : 0;
    }

    void lockAll() {
        for (int target = 0; target < held.length; target++) {
            if (held[target] != NONE) {
                throw new MisuseException("window=" + window + " target=" + target + ": lockAll while this rank holds a lock");
            }
        }
        for (int target = 0; target < held.length; target++) {
            acquire(LockType.SHARED, target);
            held[target] = ALL;
        }
    }

    void checkHeld(int target) {
        if (held[target] != SHARED && held[target] != EXCLUSIVE) {
            throw new MisuseException("window=" + window + " target=" + target + ": unlock without lock");
        }
    }

    void checkAllHeld() {
        for (int target = 0; target < held.length; target++) {
            if (held[target] != ALL) {
                throw new MisuseException("window=" + window + " target=" + target + ": unlockAll without lockAll");
            }
        }
    }

    void unlock(int target) {
        release(target, held[target] == EXCLUSIVE);
    }

    void unlockAll() {
        for (int target = 0; target < held.length; target++) {
            release(target, false);
        }
    }

    private void acquire(LockType type, int target) {
        RemoteMemory home = session.control(target);
        long deadline = 0;
        int turn = 0;
        while (true) {
            long word = home.getLong(wordOffset);
            int shared = ControlDescriptor.shared(word);
            boolean free = ControlDescriptor.owner(word) < 0 && (type == LockType.SHARED || shared == 0);
            if (free) {
                int acquisitions = ControlDescriptor.acquisitions(word) + 1;
                long taken = type == LockType.SHARED
                    ? ControlDescriptor.lockWord(-1, shared + 1, acquisitions) : ControlDescriptor.lockWord(session.member, 0, acquisitions);
                if (home.compareAndSwap(DataType.INT64, wordOffset, word, taken) == word) {
                    return;
                }
            } else {
                deadline = turn == 0 ? session.waiter.deadlineFromNow() : deadline;
                session.fabric.progress();
                session.waiter.outerTurn("a window's lock", target, turn++, deadline);
                home = session.control(target);
            }
        }
    }

    private void release(int target, boolean wasExclusive) {
        RemoteMemory home = session.control(target);
        while (true) {
            long word = home.getLong(wordOffset);
            int acquisitions = ControlDescriptor.acquisitions(word);
            long released = wasExclusive ? ControlDescriptor.lockWord(-1, 0, acquisitions)
                : ControlDescriptor.lockWord(-1, ControlDescriptor.shared(word) - 1, acquisitions);
            if (home.compareAndSwap(DataType.INT64, wordOffset, word, released) == word) {
                break;
            }
        }
        held[target] = NONE;
        exclusive -= wasExclusive ? 1 : 0;
    }

    @Override
    public int imageBytes() {
        return 8 + (held.length + 7 & ~7);
    }

    @Override
    public void save(MemorySegment image, long offset) {
        image.set(ValueLayout.JAVA_LONG, offset, session.controlMemory().get(ValueLayout.JAVA_LONG, wordOffset));
        MemorySegment.copy(held, 0, image, ValueLayout.JAVA_BYTE, offset + 8, held.length);
    }

    @Override
    public void restore(MemorySegment image, long offset) {
        session.controlMemory().set(ValueLayout.JAVA_LONG, wordOffset, image.get(ValueLayout.JAVA_LONG, offset));
        MemorySegment.copy(image, ValueLayout.JAVA_BYTE, offset + 8, held, 0, held.length);
        exclusive = 0;
        for (byte one : held) {
            exclusive += one == EXCLUSIVE ? 1 : 0;
        }
    }
}
