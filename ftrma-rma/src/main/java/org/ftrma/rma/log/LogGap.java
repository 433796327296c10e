package org.ftrma.rma.log;

import java.util.function.Predicate;

/**
 * Gap of a log that was dropped for want of room: it lacks all records up to the counters given. It is kept in the
 * log's entry, where readers see it; see {@link LogDescriptor}. Data thread only.
 */
final class LogGap {
    private final LogRegion region;
    private final long entry;
    private long mark;
    private long ec;
    private long gnc;
    private long updates;

    /** The one that the entry tells of. */
    LogGap(LogRegion region, long entry) {
        this.region = region;
        this.entry = entry;
        mark = region.word(entry + LogDescriptor.ENTRY_GAP);
        ec = region.word(entry + LogDescriptor.ENTRY_GAP_EC);
        gnc = region.word(entry + LogDescriptor.ENTRY_GAP_GNC);
        updates = region.word(entry + LogDescriptor.ENTRY_GAP_UPDATES);
    }

    boolean isOpen() {
        return mark != 0;
    }

    /** The log's end when it was dropped; 0 if it was not. */
    long mark() {
        return mark;
    }

    long ec() {
        return ec;
    }

    long gnc() {
        return gnc;
    }

    /** In a log of puts: the number of an atomic update. */
    long updates() {
        return updates;
    }

    /** More is missing, up to these numbers; {@link #open} follows. */
    void widen(long upToEc, long upToGnc, long upToUpdates) {
        ec = Math.max(ec, upToEc);
        gnc = Math.max(gnc, upToGnc);
        updates = Math.max(updates, upToUpdates); // L20
    }

    /** Readers see it. It goes up to that mark. Complete when it returns. */
    void open(long newMark) {
        mark = newMark;
        region.word(entry + LogDescriptor.ENTRY_GAP_UPDATES, updates);
        region.word(entry + LogDescriptor.ENTRY_GAP_EC, ec);
        region.word(entry + LogDescriptor.ENTRY_GAP_GNC, gnc);
        region.word(entry + LogDescriptor.ENTRY_GAP, mark);
        region.complete();
    }

    /** Nobody needs what is missing. */
    void close() {
        if (isOpen()) {
            ec = 0;
            gnc = 0;
            updates = 0;
            open(0);
        }
    }

    /** Closes it if what is included covers it; whether nothing is missing now. */
    boolean closeIf(Predicate<LogGap> isCovered) {
        if (isOpen() && isCovered.test(this)) {
            close();
        }
        return !isOpen();
    }
}
