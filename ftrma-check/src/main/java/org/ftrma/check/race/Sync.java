package org.ftrma.check.race;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * A synchronization through one rank's memory: a lock taken or given back, an atomic access, a read of 8 bytes. Those
 * at one target are ordered by their tickets. Mutable by its own rank until it is told to others; one thread.
 */
final class Sync {
    /** What it does with the clock of its object. */
    enum How {
        /** Learns what others knew when they released it. */
        ACQUIRE,
        /** Others may learn what this rank knows. */
        RELEASE,
        /** Both at once. */
        UPDATE,
        /** A shared lock is taken: learns from exclusive ones only. */
        ACQUIRE_SHARED,
        /** A shared lock is given back: who takes it exclusively learns. */
        RELEASE_SHARED
    }

    /** A lock, or an element of an atomic access. Accesses of different widths do not synchronize with each other. */
    record Place(int target, int window, int width, long offset) {
    }

    /** The width of a lock. */
    static final int LOCK = 0;
    /** The width of a read of 8 bytes that sees updates of 4 bytes too. */
    static final int ANY = 12;
    static final int WORDS = 9;
    private static final How[] HOWS = How.values();

    final How how;
    final int target;
    final int window;
    /** Bytes of an element, {@link #LOCK} or {@link #ANY}. */
    final int width;
    /** The elements, from this offset on. */
    final long offset;
    final long length;
    final long operation;
    /** The segment that begins with it. */
    final int segment;
    long ticket;

    Sync(How how, int target, int window, int width, long offset, long length, long operation, int segment,
        long ticket) {
        this.how = how;
        this.target = target;
        this.window = window;
        this.width = width;
        this.offset = offset;
        this.length = length;
        this.operation = operation;
        this.segment = segment;
        this.ticket = ticket;
    }

    /** What it synchronizes through. */
    List<Place> places() {
        List<Place> places = new ArrayList<>();
        if (width == LOCK) {
            places.add(new Place(target, window, LOCK, 0));
        }
        for (int each = 4; each <= 8 && width != LOCK; each += 4) {
            for (long at = offset; (width == each || width == ANY) && at < offset + length; at += each) {
                places.add(new Place(target, window, each, at));
            }
        }
        return places;
    }

    void encode(MemorySegment words, long at) {
        long[] values = {how.ordinal(), target, window, width, offset, length, operation, segment, ticket};
        MemorySegment.copy(values, 0, words, ValueLayout.JAVA_LONG, at, WORDS);
    }

    static Sync decode(MemorySegment words, long at) {
        long[] v = new long[WORDS];
        MemorySegment.copy(words, ValueLayout.JAVA_LONG, at, v, 0, WORDS);
        return new Sync(HOWS[(int) v[0]], (int) v[1], (int) v[2], (int) v[3], v[4], v[5], v[6], (int) v[7], v[8]);
    }
}
