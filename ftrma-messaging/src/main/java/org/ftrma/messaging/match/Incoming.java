package org.ftrma.messaging.match;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A message that has arrived, or begun to: matched by a receive, or waiting for one. Reused. Data thread only.
 */
public final class Incoming {
    /** The next one in the list that it is in. */
    Incoming next;
    /** Its number among all that have come. */
    long order;
    /** Where the whole message is kept that came in one frame; -1: it lies in its sender's memory. */
    long place;
    /** What a receive had read of it that was withdrawn: the first bytes; null: nothing. */
    MemorySegment kept;
    private int source;
    private long number;
    private int context;
    private int tag;
    private long call;
    private long total;
    private long announced;
    private long read;
    private ReceiveRequest request;
    private long[] slots = new long[4];
    private long[] bytes = new long[4];
    private int first;
    private int end;

    void begin(int newSource, long newNumber, int newContext, int newTag, long newCall, long newTotal) {
        next = null;
        source = newSource;
        number = newNumber;
        context = newContext;
        tag = newTag;
        call = newCall;
        total = newTotal;
        announced = 0;
        read = 0;
        place = -1;
        kept = null;
        request = null;
        first = 0;
        end = 0;
    }

    /** The message after it in its list; null: none. */
    public Incoming next() {
        return next;
    }

    /** The rank of the job that has sent it. */
    public int source() {
        return source;
    }

    /** Its number among all messages of its source, from 1. */
    public long number() {
        return number;
    }

    /** Its context. */
    public int context() {
        return context;
    }

    /** Its tag. */
    public int tag() {
        return tag;
    }

    /** Which call of a collective it belongs to; 0: none. */
    public long call() {
        return call;
    }

    /** Its bytes. */
    public long total() {
        return total;
    }

    /** Bytes that have been announced so far. */
    public long announced() {
        return announced;
    }

    /** Bytes that were read so far. */
    public long read() {
        return read;
    }

    /** Whether all of it was read. */
    public boolean isRead() {
        return read == total;
    }

    /** Whether all of it is kept here. */
    public boolean isWhole() {
        return place >= 0;
    }

    /** The receive that takes it; null: none has matched it yet. */
    public ReceiveRequest request() {
        return request;
    }

    /** A receive has matched it. */
    public void matchedBy(ReceiveRequest receive) {
        request = receive;
    }

    void announcedWhole() {
        announced = total;
    }

    /** All its pieces come again; the receive that takes it is known. */
    void again() {
        announced = 0;
        read = 0;
        first = 0;
        end = 0;
    }

    /** Its receive is withdrawn: what that had read is kept for the next one. */
    void leave() {
        if (read > 0) {
            kept = Arena.ofAuto().allocate(read, 8);
            MemorySegment.copy(request.segment(), request.offset(), kept, 0, read);
        }
        request = null;
    }

    /** Its next receive gets what was kept. */
    void handOver() {
        if (kept != null) {
            MemorySegment.copy(kept, 0, request.segment(), request.offset(), Math.min(read, request.length()));
            kept = null;
        }
    }

    /** A piece of it is announced. */
    public void addPiece(long slot, long length) {
        if (first == end) {
            first = 0;
            end = 0;
        }
        if (end == slots.length) {
            slots = Arrays.copyOf(slots, 2 * end);
            bytes = Arrays.copyOf(bytes, 2 * end);
        }
        slots[end] = slot;
        bytes[end++] = length;
        announced += length;
    }

    /** Pieces that were announced and not taken. */
    public int pieces() {
        return end - first;
    }

    /** The place of such a piece at its sender. */
    public long slot(int piece) {
        return slots[first + piece];
    }

    /** The bytes of such a piece. */
    public long pieceBytes(int piece) {
        return bytes[first + piece];
    }

    /** All pieces that were announced are taken: that many bytes were read so far. */
    public void taken(long bytesRead) {
        first = end;
        read = bytesRead;
    }
}
