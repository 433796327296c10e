package org.ftrma.rma.replay;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import org.ftrma.DataType;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.rma.replay.ReplayedWindows.ConflictException;

/**
 * Last accesses to the bytes of a window since a barrier, in a replay: finds accesses that nothing orders. Of puts the
 * last one is enough, since all are ordered; atomic updates of one location need no order among each other, so of these
 * the last one of each rank is kept. One recovery, one thread; allocates.
 */
final class TouchedBytes {
    private static final int NOBODY = -1;

    /** Bytes that were accessed alike. */
    private static final class Piece {
        private long end;
        private int putBy = NOBODY;
        private long putAt;
        /** By rank, how many lock events came before its last update; null: there was none since the put. */
        private Map<Integer, Long> updates;
        private DataType type;
        private long location;

        Piece(long end) {
            this.end = end;
        }

        Piece copy(long newEnd) {
            Piece piece = new Piece(newEnd);
            piece.putBy = putBy;
            piece.putAt = putAt;
            piece.updates = updates == null ? null : new HashMap<>(updates);
            piece.type = type;
            piece.location = location;
            return piece;
        }
    }

    /** What would have ordered the accesses of two ranks. */
    @FunctionalInterface
    interface Advice {
        String of(int one, int other);
    }

    private final int window;
    private final Advice advice;
    private final NavigableMap<Long, Piece> pieces = new TreeMap<>();

    TouchedBytes(int window, Advice advice) {
        this.window = window;
        this.advice = advice;
    }

    /**
     * An access, after all that came before it.
     *
     * @param type of an atomic update; null for a put
     * @param events how many lock events of its rank came before it
     * @param before the last event of a rank that came before it
     */
    void touch(DataType type, int source, long offset, long length, long events, IntToLongFunction before)
        throws ConflictException {
        long end = offset + length;
        Map.Entry<Long, Piece> last = pieces.lowerEntry(end);
        if (last == null || last.getValue().end <= offset) {
            add(last, type, source, offset, end, offset, events);
            return;
        }
        split(end);
        split(offset);
        NavigableMap<Long, Piece> there = pieces.subMap(offset, true, end, false);
        for (Map.Entry<Long, Piece> entry : there.entrySet()) {
            check(entry.getKey(), entry.getValue(), type, source, offset, events, before);
        }
        if (type == null) {
            there.clear();
            add(null, null, source, offset, end, offset, events);
            return;
        }
        long at = offset;
        for (Map.Entry<Long, Piece> entry : new TreeMap<>(there).entrySet()) {
            if (at < entry.getKey()) {
                add(null, type, source, at, entry.getKey(), offset, events);
            }
            update(entry.getValue(), type, source, offset, events);
            at = entry.getValue().end;
        }
        if (at < end) {
            add(null, type, source, at, end, offset, events);
        }
    }

    /** Bytes that nobody has accessed; a put that goes on where the last one ended makes one piece with it. */
    private void add(Map.Entry<Long, Piece> last, DataType type, int source, long offset, long end, long location,
        long events) {
        if (type == null && last != null && last.getValue().end == offset && last.getValue().putBy == source
            && last.getValue().putAt == events
            && last.getValue().updates == null) {
            last.getValue().end = end;
            return;
        }
        Piece piece = new Piece(end);
        if (type == null) {
            piece.putBy = source;
            piece.putAt = events;
        } else {
            update(piece, type, source, location, events);
        }
        pieces.put(offset, piece);
    }

    private void update(Piece piece, DataType type, int source, long location, long events) {
        if (piece.updates == null || piece.type != type || piece.location != location) {
            piece.updates = new HashMap<>();
            piece.type = type;
            piece.location = location;
        }
        piece.updates.put(source, events);
    }

    private void split(long at) {
        Map.Entry<Long, Piece> entry = pieces.lowerEntry(at);
        if (entry != null && entry.getValue().end > at) {
            pieces.put(at, entry.getValue().copy(entry.getValue().end));
            entry.getValue().end = at;
        }
    }

    private void check(long from, Piece piece, DataType type, int source, long location, long events,
        IntToLongFunction before)
        throws ConflictException {
        if (piece.putBy != NOBODY && piece.putBy != source && piece.putAt >= before.applyAsLong(piece.putBy)) { // R18
            throw conflict(from, piece.end, "a put", piece.putBy, piece.putAt, type, source, events);
        }
        if (piece.updates == null || piece.type == type && piece.location == location) {
            return;
        }
        for (Map.Entry<Integer, Long> update : piece.updates.entrySet()) {
            int by = update.getKey();
            if (by != source && update.getValue() >= before.applyAsLong(by)) {
                throw conflict(from, piece.end, "an atomic update (" + piece.type + ")", by, update.getValue(), type,
                    source, events);
            }
        }
    }

    private ConflictException conflict(long from, long end, String what, int by, long events, DataType type, int source,
        long sourceEvents) {
        return new ConflictException(FallbackReason.UNORDERED_CONFLICT,
            "no barrier or lock orders " + what + " of rank " + by + " (after " + events
            + " lock events) and " + (type == null ? "a put" : "an atomic update (" + type + ")") + " of rank " + source
            + " (after " + sourceEvents
            + ") to [" + from + ", " + end + ") of window " + window + advice.of(by, source));
    }
}
