package org.ftrma.messaging;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.Channel;
import org.ftrma.Message;
import org.ftrma.MessageRequest;
import org.ftrma.MisuseException;
import org.ftrma.messaging.transport.Outbox;

/** A send, a receive or a collective, reused when a call has told that it is complete. Data thread only. */
final class MessageRequestImpl implements MessageRequest, Message, Outbox.Owner {
    private final Messages messages;
    /** The next one in the list that it is in: of receives, of sends to a target, of those that are free. */
    MessageRequestImpl next;
    /** Its neighbours among those that the program holds. */
    MessageRequestImpl older;
    MessageRequestImpl newer;
    ChannelImpl channel;
    /** Which collective it is; null: a send or receive. */
    OpenCollective collective;
    /** Whose receive it is; null: one that no collective waits for by itself. */
    Trees trees;
    boolean isSend;
    /** Whether the program holds it, and is to hear of its end. */
    boolean isOfProgram;
    boolean isSynchronous;
    boolean isComplete;
    boolean isCancelled;
    /** A send that nobody waits for any longer. */
    private boolean isDetached;
    /** A receive that will be ended before it matches anything, as it was when the program made it before. */
    boolean isInert;
    /** When the program posted it: the number of the call, where messages are logged. */
    long clock;
    /** A synchronous send: the record of its last piece in the send log. */
    long record;
    /** Whether a call has told that it is complete: it belongs to nobody any more. */
    boolean isOver = true;
    MemorySegment segment;
    long offset;
    long length;
    int context;
    /** The target of a send; the source that a receive names, or that of what it received. Numbers of the job. */
    int peer;
    /** The tag; of a receive, that of what it received when there is something. */
    int tag;
    /** Which call of a collective it belongs to; of a receive, that which its sender has made. 0: none. */
    long call;
    /** Bytes sent so far, or of the message that was received. */
    long bytes;
    boolean hasBegun;
    /** Pieces that the receiver has not read. */
    int unread;
    /** A piece in the outbox that the lane had no room to announce; -1: none. */
    int heldSlot;
    long heldBytes;

    MessageRequestImpl(Messages messages) {
        this.messages = messages;
    }

    void begin(ChannelImpl newChannel, boolean sends, MemorySegment newSegment, long newOffset, long newLength,
        int newContext, int newPeer, int newTag) {
        next = null;
        channel = newChannel;
        collective = null;
        trees = null;
        isSend = sends;
        isSynchronous = false;
        isComplete = false;
        isCancelled = false;
        isDetached = false;
        isInert = false;
        isOver = false;
        segment = newSegment;
        offset = newOffset;
        length = newLength;
        context = newContext;
        peer = newPeer;
        tag = newTag;
        call = 0;
        bytes = 0;
        hasBegun = false;
        unread = 0;
        heldSlot = -1;
    }

    boolean matches(int source, int messageTag) {
        return (peer == Channel.ANY_SOURCE || peer == source) && (tag == Channel.ANY_TAG || tag == messageTag);
    }

    @Override
    public void wasRead() {
        unread--;
        completeIfRead();
    }

    /** A synchronous send is complete when all its pieces were read. */
    void completeIfRead() {
        if (isSynchronous && unread == 0 && hasBegun && bytes == length && heldSlot < 0) {
            isComplete = true;
            if (isDetached) {
                messages.sender().over(this);
            }
        }
    }

    /** What was not sent of it yet is copied: its source belongs to the program again. */
    void detach() {
        MemorySegment rest = Arena.ofAuto().allocate(Math.max(1, length - bytes), 8);
        MemorySegment.copy(segment, offset + bytes, rest, 0, length - bytes);
        segment = rest;
        offset = -bytes;
        isDetached = true;
        isOver = true;
    }

    @Override
    public boolean test() {
        messages.enter();
        requireOpen("test");
        return messages.questions().test(this) && over();
    }

    @Override
    public Message await() {
        messages.enter();
        requireOpen("await");
        messages.waits().awaitNamed(this);
        over();
        return message();
    }

    /** What a call tells of a request that is complete. */
    boolean over() {
        messages.requests().over(this);
        if (collective != null) {
            collective.over();
        } else if (isWrong()) {
            throw new MisuseException("recv: a message of " + bytes + " bytes from rank " + source() + " with tag "
                + tag + " does not fit the destination of " + length + " bytes; what fits is there");
        }
        return true;
    }

    /** Whether the program is to be told, of what is complete, that it is not what it should be. */
    boolean isWrong() {
        return collective != null ? collective.isRefused() : !isSend && !isCancelled && bytes > length;
    }

    @Override
    public Message message() {
        return isSend || isCancelled || collective != null ? null : this;
    }

    @Override
    public boolean cancel() {
        messages.enter();
        requireOpen("cancel");
        if (isSend || collective != null) {
            throw new MisuseException("cancel: " + this
                + " cannot be taken back, only a receive can: await or test it");
        }
        if (messages.questions().isTakenBack(this)) {
            isCancelled = true;
            isComplete = true;
        }
        return isCancelled;
    }

    void requireOpen(String call) {
        if (isOver) {
            throw new MisuseException(call + ": a call has told before that the request is complete; requests are used "
                + "again: drop each when it is complete");
        }
    }

    @Override
    public int source() {
        return channel.numberOf(peer);
    }

    @Override
    public int tag() {
        return tag;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    /** For whoever waits for it in vain. */
    String describe() {
        return collective == null ? toString() : collective.describe();
    }

    @Override
    public String toString() {
        if (collective != null) {
            return collective.toString();
        }
        return (isSend ? (isSynchronous ? "a synchronous send" : "a send") + " of " + length + " bytes to "
            : "a receive of at most " + length + " bytes from ")
            + (peer == Channel.ANY_SOURCE ? "any rank" : "rank " + channel.numberOf(peer)) + " with "
            + (tag == Channel.ANY_TAG ? "any tag" : "tag " + tag);
    }
}
