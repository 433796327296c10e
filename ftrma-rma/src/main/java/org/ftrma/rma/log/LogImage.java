package org.ftrma.rma.log;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.FtrmaException;

/**
 * Part of a rank's image for its {@link AccessLog}: counters, and where the results stand that are logged at others; of
 * those ranks only with which there is something to count. Data thread only.
 *
 * <pre>
 *   0 GC   8 GNC   16 flushes of all   24 mark in the results kept at the buddy
 *     32 timeline of the region that it is a mark of
 *   40 count of ranks that follow   48 lock events   56 last recovery of another rank that was over
 *   then for each of these, by rank, 72 bytes:
 *   0 rank   8 the present epoch towards it   16 mark in the results kept there
 *     24 timeline of the region that it is a mark of
 *   32 F of it and   40 number of its last atomic update here (both 0 if the image includes all that is in no log)
 *   48 last epoch with a put to it   56 number of the last atomic update there   64 GNC of the newest of these
 * </pre>
 *
 * <p>A rank that is not in it has the epoch that flushes of all make, one more than there were of these, and 0 for all
 * the rest. (Where the mark is 0 the timeline counts for nothing.)
 */
public final class LogImage {
    private static final int BUDDY = 24;
    private static final int COUNT = 40;
    private static final int LOCK_EVENTS = 48;
    private static final int RECOVERIES = 56;
    private static final int HEAD = 64;
    private static final int ENTRY = 72;
    private static final int EPOCH = 8;
    private static final int MARK = 16;
    private static final int CLOSED = 32;
    private static final int UPDATES = 40;
    private static final int LAST = 48;
    private static final int LAST_UPDATE = 56;
    private static final int LAST_GNC = 64;

    private final AccessLog log;
    private final MemorySegment image;
    private final long offset;
    private final int ranks;

    /** The part of an image that begins at {@code offset}; to be read, it has passed {@link #check}. */
    public LogImage(AccessLog log, MemorySegment image, long offset) {
        this.log = log;
        this.image = image;
        this.offset = offset;
        this.ranks = log.logs.ranks;
    }

    /** The most bytes that {@link #save} writes. */
    public static int bytes(int ranks) {
        return HEAD + ENTRY * ranks;
    }

    /** What an image would have of a log that has not begun. */
    public static MemorySegment empty() {
        return MemorySegment.ofArray(new long[HEAD / Long.BYTES]).asReadOnly();
    }

    /** Refuses what no {@link #save} wrote: a FtrmaException of category FATAL. */
    public static void check(MemorySegment image, long offset, long length, int ranks) {
        long count = length < HEAD ? -1 : image.get(ValueLayout.JAVA_LONG, offset + COUNT);
        if (count < 0 || count > ranks || length != HEAD + ENTRY * count) {
            throw malformed("counters of " + count + " of " + ranks + " ranks in " + length + " bytes");
        }
        long last = -1;
        for (long at = offset + HEAD; at < offset + length; at += ENTRY) {
            long rank = image.get(ValueLayout.JAVA_LONG, at);
            if (rank <= last || rank >= ranks) {
                throw malformed("counters of rank " + rank + " after those of rank " + last + " of " + ranks);
            }
            last = rank;
        }
    }

    private static FtrmaException malformed(String what) {
        return new FtrmaException(FtrmaException.Category.FATAL, "the header of an image is malformed: " + what);
    }

    private long word(long at) {
        return image.get(ValueLayout.JAVA_LONG, offset + at);
    }

    private void word(long at, long value) {
        image.set(ValueLayout.JAVA_LONG, offset + at, value);
    }

    private long end() {
        return HEAD + ENTRY * word(COUNT);
    }

    private int rankAt(long entry) {
        return (int) word(entry);
    }

    /** Writes all of it. Returns the bytes that it takes. */
    public long save() {
        LogMarks marks = log.resultMarks();
        word(0, log.epochs.gc);
        word(8, log.epochs.gnc);
        word(16, log.epochs.flushesOfAll);
        mark(BUDDY, log.logs.buddy, marks.ownResults());
        word(LOCK_EVENTS, log.epochs.lockEvents);
        word(RECOVERIES, log.recoveriesOver);
        long at = HEAD;
        for (int rank = 0; rank < ranks; rank++) {
            if (save(rank, marks.results(rank), at)) {
                at += ENTRY;
            }
        }
        word(COUNT, (at - HEAD) / ENTRY);
        log.demand().covered = null;
        return at;
    }

    /** Writes what is to be said of a rank; returns false if that is nothing, and nothing is written. */
    private boolean save(int rank, long mark, long at) {
        Peer peer = log.logs.peers[rank];
        long closed = log.demand().covered == null ? 0 : log.demand().covered.closed()[rank];
        long updates = log.demand().covered == null ? 0 : log.demand().covered.updates()[rank];
        boolean counts = peer != null
            && (peer.epoch() != 1 + log.epochs.flushesOfAll || peer.touched || peer.closed != 0 || peer.updates != 0
                || peer.lastGnc() != 0);
        if (!counts && mark == 0 && closed == 0 && updates == 0) {
            return false;
        }
        word(at, rank);
        word(at + EPOCH, peer == null ? 1 + log.epochs.flushesOfAll : peer.epoch());
        mark(at + MARK, rank, mark);
        word(at + CLOSED, closed);
        word(at + UPDATES, updates);
        word(at + LAST, peer == null ? 0 : peer.touched ? peer.epoch() : peer.closed);
        word(at + LAST_UPDATE, peer == null ? 0 : peer.updates);
        word(at + LAST_GNC, peer == null ? 0 : peer.lastGnc());
        return true;
    }

    private void mark(long at, int keeper, long mark) {
        Peer peer = log.logs.peers[keeper];
        word(at, mark);
        word(at + 8, mark == 0 || peer == null || peer.region == null ? 0 : peer.region.timeline());
    }

    /** The counters become those of the log. */
    public void restore() {
        log.epochs.gc = word(0);
        log.epochs.gnc = word(8);
        log.epochs.flushesOfAll = word(16);
        log.epochs.lockEvents = word(LOCK_EVENTS);
        for (long at = HEAD; at < end(); at += ENTRY) {
            long epoch = word(at + EPOCH);
            if (epoch != 1 + log.epochs.flushesOfAll) {
                Peer peer = log.logs.peer(rankAt(at));
                peer.epoch(epoch);
                peer.flushes = epoch - 1 - log.epochs.flushesOfAll;
            }
            long last = word(at + LAST);
            if (last > 0) {
                Peer peer = log.logs.peer(rankAt(at));
                peer.touched = last == epoch;
                peer.updates = word(at + LAST_UPDATE);
                peer.lastGnc(word(at + LAST_GNC));
            }
        }
    }

    /**
     * Where the image stands in the results that others keep: 0 where the keeper's region was made after the image, and
     * holds only newer ones.
     */
    public LogMarks marks() {
        LogMarks marks = new LogMarks(ranks);
        for (long at = HEAD; at < end(); at += ENTRY) {
            marks.results(rankAt(at), markOf(at + MARK, rankAt(at)));
        }
        marks.ownResults(markOf(BUDDY, log.logs.buddy));
        return marks;
    }

    private long markOf(long at, int keeper) {
        long mark = word(at);
        boolean isThere = mark != 0 && keeper != log.logs.self && !log.logs.home.isAway(keeper);
        return isThere && word(at + 8) == log.logs.home.region(keeper).timeline() ? mark : 0;
    }

    /** What the image includes of others' accesses, if it is of a demand checkpoint. */
    public Coverage coverage() {
        long[] closed = new long[ranks];
        long[] updates = new long[ranks];
        for (long at = HEAD; at < end(); at += ENTRY) {
            closed[rankAt(at)] = word(at + CLOSED);
            updates[rankAt(at)] = word(at + UPDATES);
        }
        return new Coverage(word(8), closed, updates);
    }

    /** Recoveries of all views in their order. */
    public static long recoveryNumber(long view, long recovery) {
        return view << 32 | recovery;
    }

    /**
     * The last recovery that was over when the image was taken: what had happened before that recovery began, had
     * happened before the image.
     */
    public long recoveriesOver() {
        return word(RECOVERIES);
    }

    /** The image is of a demand checkpoint: lock events before it are in no log any more, since that recovery. */
    public void lackLocksBefore(long recovery) {
        if (word(LOCK_EVENTS) > 0) {
            log.locks.lackAll(word(8), recovery);
        }
    }

    /**
     * The image is of a demand checkpoint: results of collectives before it, which this rank kept for the one before
     * it, are in no log any more.
     */
    public void lackCollectivesBefore() {
        if (word(8) > 0 && log.logs.buddy != log.logs.self) {
            log.logs.collectives = null;
            log.logs.collectives().drop(0, word(8), 0);
        }
    }

    /**
     * The image is of a demand checkpoint: what this rank had put before it is in no log any more, and the others'
     * images may lack it.
     */
    public void lackPutsBefore() {
        for (long at = HEAD; at < end(); at += ENTRY) {
            int rank = rankAt(at);
            long last = word(at + LAST);
            if (rank != log.logs.self && last > 0) {
                log.logs.peer(rank).puts.drop(last, word(at + LAST_GNC), word(at + LAST_UPDATE));
            }
        }
    }
}
