package org.ftrma.rma.log;

import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * Part of an {@link AccessLog} for demand checkpoints: who should take one, what it includes, and what is dropped then.
 * Data thread only.
 */
public final class DemandLog {
    private final RankLogs logs;
    private final Epochs epochs;
    private final LostPeers lostPeers;
    /** What the image that is being taken includes of others' accesses; null: all of them, it is a coordinated one. */
    Coverage covered;

    /** That of a log. */
    DemandLog(RankLogs logs, Epochs epochs, LostPeers lostPeers) {
        this.logs = logs;
        this.epochs = epochs;
        this.lostPeers = lostPeers;
    }

    /** Whether more than so many percent of the memory at this rank would be in use without some chunks. */
    public boolean usesMoreThan(int percent, long lessChunks) {
        return (logs.own.usedChunks() - lessChunks) * 100 > (long) percent * logs.layout.chunks();
    }

    /** Most memory that the logs kept at this rank, its own and others', took at a time. */
    public long peakBytes() {
        return logs.own.takenChunks() * logs.layout.chunkBytes();
    }

    /** Memory that the logs kept at this rank take now. */
    public long usedBytes() {
        return logs.own.usedChunks() * logs.layout.chunkBytes();
    }

    /** Chunks in use at this rank. */
    public long usedChunks() {
        return logs.own.usedChunks();
    }

    /** Whether so many chunks more fit. */
    public boolean hasRoomFor(long chunks) {
        return logs.own.usedChunks() + chunks <= logs.layout.chunks();
    }

    /**
     * What a rank's demand checkpoint could free at most here: chunks of this rank's puts to it, of its results, and of
     * results kept for it.
     */
    public long chunksFor(int rank) {
        return logs.own.chunksOf(logs.layout.putLog(rank)) + logs.own.chunksOf(logs.layout.getLog(rank))
            + (logs.layout.buddy(rank) == logs.self ? logs.own.chunksOf(logs.layout.buddyLog())
            + logs.own.chunksOf(logs.layout.collectiveLog()) : 0);
    }

    /**
     * Whether puts to a rank, or results of collectives that are kept for it, are missing in this rank's logs, so that
     * it could not be recovered.
     */
    public boolean lacksFor(int rank) {
        return logs.peers[rank] != null && logs.peers[rank].puts.gap().isOpen()
            || rank != logs.self && logs.layout.buddy(rank) == logs.self && logs.collectives != null
            && logs.collectives.gap().isOpen();
    }

    /** Whether results of this rank are lost or were dropped, so that it could not be recovered itself. */
    public boolean lacksResults() {
        boolean lacks = lostPeers.isBuddyLacking() || logs.ownResults != null && logs.ownResults.gap().isOpen();
        for (Peer peer : logs.peers) {
            lacks |= peer != null && (peer.lostResults || peer.results != null && peer.results.gap().isOpen());
        }
        return lacks;
    }

    /**
     * Opens the logs that lack results of this rank: an image that is taken now includes these, and says where it
     * stands in the logs that it knows. May wait for a rank that is lost meanwhile.
     */
    public void openLacking() {
        for (Peer peer : logs.peers) {
            if (peer != null && peer.lostResults && !logs.home.isAway(peer.rank)) {
                logs.results(peer.rank);
            }
        }
        if (lostPeers.isBuddyLacking() && !logs.home.isAway(logs.buddy)) {
            logs.ownResults();
        }
    }

    /** Whether an atomic update of another rank is under way at this one, or its log is. */
    public boolean isBeingUpdated() {
        return logs.own.isBeingUpdated();
    }

    /**
     * What an image taken from now on includes of others' accesses, while none of them may begin an atomic update. The
     * epochs that are closed are read until they are twice the same: so they were closed at one moment, and if one
     * access was ordered before another and the latter is included, so is the former.
     *
     * @param pause run between two words
     */
    public Coverage coverage(Runnable pause) {
        long[] closed = new long[logs.ranks];
        long[] updates = new long[logs.ranks];
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int rank = 0; rank < logs.ranks; rank++) {
                long now = rank == logs.self ? 0 : logs.own.f(rank) >>> 1;
                changed |= now != closed[rank]; // D6
                closed[rank] = now;
                pause.run();
            }
        }
        for (int rank = 0; rank < logs.ranks; rank++) {
            updates[rank] = rank == logs.self ? 0 : logs.own.updates(rank);
        }
        covered = new Coverage(epochs.gnc, closed, updates);
        return covered;
    }

    /**
     * Of marks of all logs, or of results, that are not trimmed yet (or null): a rank is lost, and results since they
     * were taken with it.
     */
    public void forget(LogMarks marks, int rank) {
        if (marks != null) {
            marks.lose(rank);
            if (rank == logs.buddy) {
                marks.loseOwnResults();
            }
        }
    }

    /** A rank's image of that coverage is committed: what it includes is dropped here. Allocates. */
    public void trimFor(int rank, Coverage image, IntPredicate isScratch, boolean hasScratch) {
        Peer peer = logs.peers[rank];
        if (peer != null && peer.puts.gap().closeIf(gap ->
            image.includesUpTo(logs.self, gap.ec(), gap.gnc(), gap.updates(), hasScratch))) {
            long updates = peer.puts.newestUpdate();
            trimTo(peer.puts, next -> image.includesUpTo(logs.self, next.ec(), next.gnc(), updates, hasScratch),
                record -> image.includes(logs.self, record, isScratch));
        }
        if (logs.layout.buddy(rank) == logs.self && logs.collectives != null
            && logs.collectives.gap().closeIf(gap -> gap.gnc() <= image.gnc())) {
            Predicate<LogRecord> isOlder = record -> record.gnc() <= image.gnc();
            trimTo(logs.collectives, isOlder, isOlder);
        }
    }

    /**
     * Drops the records up to the first one that is not included. Those of many steps need not be looked at: counters
     * never fall within a log, so the last chunk that begins with an included one is found by bisection.
     *
     * @param includesUpTo whether all records are included whose counters are not above those of this one
     */
    private void trimTo(LogWriter writer, Predicate<LogRecord> includesUpTo, Predicate<LogRecord> isIncluded) {
        LogReader reader = new LogReader(logs.own, null).open(writer.log());
        int[] chunks = reader.chunksAhead();
        int included = 0;
        int last = chunks.length - 1;
        while (included < last) {
            int middle = included + last + 1 >>> 1;
            if (reader.toChunk(chunks[middle]).nextWrite() && includesUpTo.test(reader.record())) {
                included = middle;
            } else {
                last = middle - 1;
            }
        }
        long mark = 0;
        if (included == 0) {
            reader.open(writer.log());
        } else if (reader.toChunk(chunks[included]).nextWrite()) {
            mark = reader.markBefore();
            reader.toChunk(chunks[included]);
        }
        // D12
        while (reader.nextWrite() && isIncluded.test(reader.record())) {
            mark = reader.markAfter();
        }
        LogEnds.trim(writer, mark);
    }
}
