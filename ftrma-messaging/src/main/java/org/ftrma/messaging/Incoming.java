package org.ftrma.messaging;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A message that has arrived, or begun to: matched by a receive, or waiting for one. Reused. Data thread only.
 */
final class Incoming {
    Incoming next;
    /** Which one it is of all that have come. */
    long order;
    int source;
    /** Among all messages of its source, from 1. */
    long number;
    int context;
    int tag;
    /** Which call of a collective it belongs to; 0: none. */
    long call;
    long total;
    /** Bytes that have been announced so far. */
    long announced;
    /** Bytes of these that were read. */
    long read;
    /** Where the whole message is kept that came in one frame; -1: it lies in its sender's outbox. */
    long place;
    /** What a receive had read of it that was withdrawn: the first bytes; null: nothing. */
    MemorySegment kept;
    /** What takes it; null: no receive has matched it yet. */
    MessageRequestImpl request;
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

    /** Its pieces come again, all of them; who takes it is known. */
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
            MemorySegment.copy(request.segment, request.offset, kept, 0, read);
        }
        request = null;
    }

    /** Its next receive gets what was kept. */
    void handOver() {
        if (kept != null) {
            MemorySegment.copy(kept, 0, request.segment, request.offset, Math.min(read, request.length));
            kept = null;
        }
    }

    void addPiece(long slot, long length) {
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
    int pieces() {
        return end - first;
    }

    long slot(int piece) {
        return slots[first + piece];
    }

    long pieceBytes(int piece) {
        return bytes[first + piece];
    }

    void taken() {
        first = end;
    }
}
