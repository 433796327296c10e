package org.ftrma.messaging.send;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.Message;
import org.ftrma.messaging.match.ChannelMembers;
import org.ftrma.messaging.match.PendingRequest;
import org.ftrma.messaging.transport.Outbox;

/** A send, and how far its message has gone. Data thread only. */
public final class SendRequest extends PendingRequest implements Outbox.Owner {
    private static final int NO_SOURCE = -2;
    private final SendRequests pool;
    /** The next one in the list that it is in: of sends to a target, or of free ones. */
    SendRequest next;
    MemorySegment segment;
    long offset;
    long length;
    int context;
    int tag;
    /** Which call of a collective it belongs to; 0: none. */
    long call;
    boolean isSynchronous;
    /** Bytes sent so far. */
    long bytes;
    boolean hasBegun;
    /** Pieces in the outbox that the receiver has not read. */
    int unread;
    /** A piece in the outbox that the lane had no room to announce; -1: none. */
    int heldSlot;
    long heldBytes;
    /** A synchronous send: the record of its last piece in the send log. */
    long record;
    /** Whether nobody waits for it any longer. */
    private boolean isDetached;

    SendRequest(SendRequests pool) {
        this.pool = pool;
    }

    /**
     * Begins a send of a message to a rank of the job.
     *
     * @param newCall which call of a collective it belongs to, 0: none
     */
    public void begin(ChannelMembers channel, MemorySegment newSegment, long newOffset, long newLength,
        int newContext, int target, int newTag, long newCall) {
        begin(channel, target);
        next = null;
        segment = newSegment;
        offset = newOffset;
        length = newLength;
        context = newContext;
        tag = newTag;
        call = newCall;
        isSynchronous = false;
        bytes = 0;
        hasBegun = false;
        unread = 0;
        heldSlot = -1;
        isDetached = false;
    }

    /** It is complete when its message was received. */
    public void isSynchronous(boolean is) {
        isSynchronous = is;
    }

    @Override
    public void wasRead() {
        unread--;
        completeIfRead();
    }

    /** A synchronous send is complete when all its pieces were read. */
    void completeIfRead() {
        if (isSynchronous && unread == 0 && hasBegun && bytes == length && heldSlot < 0) {
            complete();
            if (isDetached) {
                pool.over(this);
            }
        }
    }

    /** Nobody waits for it any longer: what was not sent is copied, and its source belongs to the program again. */
    public void detach() {
        MemorySegment rest = Arena.ofAuto().allocate(Math.max(1, length - bytes), 8);
        MemorySegment.copy(segment, offset + bytes, rest, 0, length - bytes);
        segment = rest;
        offset = -bytes;
        isDetached = true;
        abandon();
    }

    @Override
    protected void recycle() {
        pool.over(this);
        segment = null;
        pool.free(this);
    }

    @Override
    public boolean isWrong() {
        return false;
    }

    @Override
    protected void requireRight() {
        // it is always right
    }

    @Override
    public String awaited() {
        return "room for a message, or its receive,";
    }

    @Override
    public int expectedSource() {
        return NO_SOURCE;
    }

    @Override
    public Message message() {
        return null;
    }

    @Override
    public String toString() {
        return (isSynchronous ? "a synchronous send" : "a send") + " of " + length + " bytes to rank "
            + channel().numberOf(peer()) + " with tag " + tag;
    }
}
