package org.ftrma.checkpoint.log;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What an image of one rank has of its {@link AccessLog}: counters, and where the results stand that are logged at others. Data thread only.
 *
 * <pre>
 *   0 GC   8 GNC   16 flushes of all
 *   then by rank               the present epoch towards it
 *   then by rank, and buddy    mark in the results kept there, timeline of the region that it is a mark of
 *   then by rank               F of it and number of its last atomic update here (both 0 if the image includes all that is in no log);
 *                              last epoch with a put to it, number of the last atomic update there, GNC of the newest of these
 * </pre>
 */
public final class LogImage {
    private static final int COUNTERS = 24;
    private static final int PER_SOURCE = 40;

    private final AccessLog log;
    private final MemorySegment image;
    private final long offset;
    private final int ranks;

    /** The part of an image that begins at {@code offset}. */
    public LogImage(AccessLog log, MemorySegment image, long offset) {
        this.log = log;
        this.image = image;
        this.offset = offset;
        this.ranks = log.ranks;
    }

    /** Bytes that {@link #save} writes. */
    public static int bytes(int ranks) {
        return COUNTERS + 8 * ranks + 16 * (ranks + 1) + PER_SOURCE * ranks;
    }

    private long word(long at) {
        return image.get(ValueLayout.JAVA_LONG, offset + at);
    }

    private void word(long at, long value) {
        image.set(ValueLayout.JAVA_LONG, offset + at, value);
    }

    private long epochAt(int rank) {
        return COUNTERS + 8L * rank;
    }

    private long markAt(int rank) {
        return epochAt(ranks) + 16L * rank;
    }

    private long sourceAt(int rank) {
        return markAt(ranks + 1) + (long) PER_SOURCE * rank;
    }

    /** Writes all of it. */
    public void save() {
        long[] marks = log.resultMarks();
        word(0, log.gc);
        word(8, log.gnc);
        word(16, log.flushesOfAll);
        for (int rank = 0; rank < ranks; rank++) {
            Peer peer = log.peers[rank];
            long at = sourceAt(rank);
            word(epochAt(rank), peer == null ? 1 + log.flushesOfAll : peer.epoch);
            word(at, log.covered == null ? 0 : log.covered.closed()[rank]);
            word(at + 8, log.covered == null ? 0 : log.covered.updates()[rank]);
            word(at + 16, peer == null ? 0 : peer.touched ? peer.epoch : peer.closed);
            word(at + 24, peer == null ? 0 : peer.updates);
            word(at + 32, peer == null ? 0 : peer.lastGnc);
        }
        for (int rank = 0; rank <= ranks; rank++) {
            Peer keeper = log.peers[rank < ranks ? rank : log.buddy];
            word(markAt(rank), marks[rank]);
            word(markAt(rank) + 8, keeper == null || keeper.region == null ? 0 : keeper.region.timeline());
        }
        log.covered = null;
    }

    /** The counters become those of the log. */
    public void restore() {
        log.gc = word(0);
        log.gnc = word(8);
        log.flushesOfAll = word(16);
        for (int rank = 0; rank < ranks; rank++) {
            long epoch = word(epochAt(rank));
            if (epoch != 1 + log.flushesOfAll) {
                Peer peer = log.peer(rank);
                peer.epoch = epoch;
                peer.flushes = epoch - 1 - log.flushesOfAll;
            }
            long last = word(sourceAt(rank) + 16);
            if (last > 0) {
                Peer peer = log.peer(rank);
                peer.touched = last == epoch;
                peer.updates = word(sourceAt(rank) + 24);
                peer.lastGnc = word(sourceAt(rank) + 32);
            }
        }
    }

    /**
     * Where the image stands in the results logged at each rank and, last, at the buddy: 0 where the keeper's region was made after the image, and
     * holds only newer ones.
     */
    public long[] marks() {
        long[] marks = new long[ranks + 1];
        for (int rank = 0; rank <= ranks; rank++) {
            int keeper = rank < ranks ? rank : log.buddy;
            if (keeper != log.self && word(markAt(rank) + 8) == log.home.region(keeper).timeline()) {
                marks[rank] = word(markAt(rank));
            }
        }
        return marks;
    }

    /** What the image includes of others' accesses, if it is of a demand checkpoint. */
    public Coverage coverage() {
        long[] closed = new long[ranks];
        long[] updates = new long[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            closed[rank] = word(sourceAt(rank));
            updates[rank] = word(sourceAt(rank) + 8);
        }
        return new Coverage(word(8), closed, updates);
    }

    /** The image is of a demand checkpoint: what this rank had put before it is in no log any more, and the others' images may lack it. */
    public void lackPutsBefore() {
        for (int rank = 0; rank < ranks; rank++) {
            long last = word(sourceAt(rank) + 16);
            if (rank != log.self && last > 0) {
                log.peer(rank).puts.drop(last, word(sourceAt(rank) + 32), word(sourceAt(rank) + 24));
            }
        }
    }
}
