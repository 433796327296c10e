package org.ftrma.check.race;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.check.layer.Extent;

/** One access to bytes of a window at a rank. Mutable until it is complete; one thread. */
final class Access {
    /** What an access does to its bytes. */
    public enum Kind {
        GET("get", false, false),
        PUT("put", true, false),
        /** A blocking read of 8 aligned bytes; it is never torn. */
        GET_LONG("getLong", false, true),
        ATOMIC_READ("atomic read", false, true),
        ATOMIC("atomic update", true, true),
        /** Own memory out of which a put is made. */
        SOURCE("use as the source of a put", false, false),
        /** Own memory into which a get delivers. */
        DESTINATION("use as the destination of a get", true, false);

        final String text;
        private final boolean writes;
        private final boolean atomic;

        Kind(String text, boolean writes, boolean atomic) {
            this.text = text;
            this.writes = writes;
            this.atomic = atomic;
        }
    }

    /** What is the same in accesses of which only the newest matters. */
    record Place(int source, Kind kind, int width, int window, Extent extent) {
    }

    /**
     * Counters when it was issued (ftRMA, section 4.1).
     *
     * @param step the step, 0 before the loop
     * @param ec the epoch towards the target, from 1
     * @param gc flushes issued before
     * @param sc the acquisition of the window's lock at the target, 0: none
     * @param gnc collectives completed before
     */
    record Moment(long step, long ec, long gc, long sc, long gnc) {
    }

    static final int WORDS = 15;
    private static final Kind[] KINDS = Kind.values();

    final Place place;
    final int target;
    final Moment moment;
    /** Number of the operation of its rank that it is; all numbers of operations count from 1. */
    final long start;
    /** Between which synchronizations of its rank it was issued. */
    final int segment;
    /** Number of the operation that completed it; 0 as long as it is under way. */
    long end;
    /** Up to which operation of each rank is known to come before it. */
    long[] clock;

    Access(Place place, int target, Moment moment, long start, int segment) {
        this.place = place;
        this.target = target;
        this.moment = moment;
        this.start = start;
        this.segment = segment;
    }

    void encode(MemorySegment words, long at) {
        Extent extent = place.extent;
        long[] values = {place.window, target, place.kind.ordinal(), place.width, extent.offset(), extent.block(),
            extent.stride(), extent.count(), moment.step, moment.ec, moment.gc, moment.sc, moment.gnc, start,
            (long) segment << 32 | end - start};
        MemorySegment.copy(values, 0, words, ValueLayout.JAVA_LONG, at, WORDS);
    }

    static Access decode(int source, MemorySegment words, long at) {
        long[] v = new long[WORDS];
        MemorySegment.copy(words, ValueLayout.JAVA_LONG, at, v, 0, WORDS);
        Extent extent = new Extent(v[4], v[5], v[6], v[7]);
        Access access = new Access(new Place(source, KINDS[(int) v[2]], (int) v[3], (int) v[0], extent), (int) v[1],
            new Moment(v[8], v[9], v[10], v[11], v[12]), v[13], (int) (v[14] >>> 32));
        access.end = access.start + (v[14] & 0xffff_ffffL);
        return access;
    }

    /**
     * Accesses of one group conflict with those of the same groups: reads, writes, updates of 4 and of 8 bytes, reads
     * that are never torn.
     */
    int group() {
        return place.kind.atomic ? place.kind.writes ? place.width == 4 ? 2 : 3 : 4 : place.kind.writes ? 1 : 0;
    }

    /**
     * Whether overlapping accesses of these groups must be ordered: one writes, and not both are atomic on the same
     * elements.
     */
    static boolean conflict(int one, int other) {
        return one == 1 || other == 1 || one == 0 && (other == 2 || other == 3) || other == 0 && (one == 2 || one == 3)
            || one + other == 5;
    }

    static final int GROUPS = 5;

    /** Whether one of them was complete before the other was issued, and the other's rank could know it. */
    static boolean ordered(Access a, Access b) {
        if (a.place.source == b.place.source) {
            return a.end <= b.start || b.end <= a.start;
        }
        return b.clock[a.place.source] >= a.end || a.clock[b.place.source] >= b.end;
    }

    String describe() {
        return place.kind.text + (place.kind == Kind.ATOMIC ? " of " + place.width + " bytes" : "") + " by rank "
            + place.source + " in step "
            + moment.step + " (EC " + moment.ec + ", GC " + moment.gc + ", SC " + moment.sc + ", GNC " + moment.gnc
            + ")";
    }
}
