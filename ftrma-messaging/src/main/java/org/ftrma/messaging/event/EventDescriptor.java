package org.ftrma.messaging.event;

/**
 * The layout of the events of a rank at an event logger (Open MPI-V, 3.1), which is a checksum rank of its group.
 *
 * <pre>
 *   0 not 0: all events of the rank are here that no committed image of it covers   8 events so far
 *   64 event number n at n modulo the most that there may be: each
 *      0 kind   8 clock: the number of the call   16 its outcome   24 n
 * </pre>
 *
 * <p>Immutable; any thread.
 */
public final class EventDescriptor {
    /** The most events of a rank that no image covers. */
    public static final int MOST = 1 << 16;
    static final long WHOLE = 0;
    static final long COUNT = 8;
    static final long EVENTS = 64;
    static final long EVENT = 32;

    private EventDescriptor() {
    }

    static long offset(long number) {
        return EVENTS + Math.floorMod(number, (long) MOST) * EVENT;
    }

    /** Bytes of a region with the events of one rank. */
    public static long bytes() {
        return EVENTS + MOST * EVENT;
    }
}
