package org.ftrma.messaging.event;

/**
 * The layout of the events of a rank at an event logger (Open MPI-V, 3.1), which is a checksum rank of its group.
 *
 * <pre>
 *   0 not 0: all events of the rank are here that no committed image of it covers   8 events so far
 *   64 event number n at n modulo the most that there may be: each
 *      0 kind   8 clock: the number of the call   16 its outcome   24 n
 *   then, where the logger stores events itself:
 *   0 so many events were given   8 who gives them: a number that a replacement of the rank changes
 *   64 event number n at n modulo the most that may wait
 * </pre>
 *
 * <p>Such a logger tells all ranks of its group in one region: by rank, how many events it has stored, and whom it
 * takes them from (16 bytes).
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

    /** The most events of a rank that wait until its logger stores them. */
    static final int MOST_WAITING = 1 << 10;
    private static final long LANE = EVENTS + MOST * EVENT;
    static final long GIVEN = LANE;
    static final long GIVER = LANE + 8;
    static final long STORED = 0;
    static final long TAKEN_FROM = 8;
    static final long TOLD = 16;

    private EventDescriptor() {
    }

    static long offset(long number) {
        return EVENTS + Math.floorMod(number, (long) MOST) * EVENT;
    }

    static long waitingOffset(long number) {
        return LANE + EVENTS + Math.floorMod(number, (long) MOST_WAITING) * EVENT;
    }

    /** Bytes of the events of one rank. */
    public static long bytes() {
        return LANE;
    }

    /** Bytes of a region of a logger that stores events of one rank itself. */
    static long activeBytes() {
        return LANE + EVENTS + MOST_WAITING * EVENT;
    }
}
