package org.ftrma.messaging.match;

import java.lang.foreign.MemorySegment;
import org.ftrma.Channel;
import org.ftrma.Message;
import org.ftrma.MisuseException;

/** A receive, and what it has received; a probe is one without a destination. Data thread only. */
public final class ReceiveRequest extends PendingRequest implements Message {
    private final ReceiveRequests pool;
    /** The next one in the list that it is in: of posted receives, or of free ones. */
    ReceiveRequest next;
    private MemorySegment segment;
    private long offset;
    private long length;
    private int context;
    /** The tag that it names; that of what it received when there is something. */
    private int tag;
    /** Which call of a collective its sender has made; 0: none. */
    private long call;
    /** Bytes of the message that was received. */
    private long bytes;
    private boolean isCancelled;
    /** Whether it will be ended before it matches anything, as it was when the program made it before. */
    private boolean isInert;
    /** When the program posted it: the number of the call, where messages are logged. */
    private long clock;
    /** The blocking collective that it belongs to; null: none. */
    private Expectation expectation;

    ReceiveRequest(ReceiveRequests pool) {
        this.pool = pool;
    }

    /** Begins a receive of a message from a rank of the job, or of any, to a destination; null: it is a probe. */
    public void begin(ChannelMembers newChannel, MemorySegment newSegment, long newOffset, long newLength,
        int newContext, int source, int newTag) {
        begin(newChannel, source);
        next = null;
        segment = newSegment;
        offset = newOffset;
        length = newLength;
        context = newContext;
        tag = newTag;
        call = 0;
        bytes = 0;
        isCancelled = false;
        isInert = false;
        expectation = null;
    }

    /** It belongs to a blocking collective. */
    public void isPartOf(Expectation collective) {
        expectation = collective;
    }

    /** Its message is dropped when it is withdrawn: nobody else can receive that. */
    public boolean dropsItsMessage() {
        return expectation != null || isTooLong();
    }

    /** A receive that takes the rest of this one's message in its stead, to nowhere. */
    public ReceiveRequest dropper() {
        ReceiveRequest dropper = new ReceiveRequest(pool);
        dropper.begin(channel(), null, 0, 0, context, peer(), tag);
        return dropper;
    }

    /** Whether it matches a message. */
    public boolean matches(int source, int messageTag) {
        return (peer() == Channel.ANY_SOURCE || peer() == source) && (tag == Channel.ANY_TAG || tag == messageTag);
    }

    /** It has matched a message, or a probe has found one. */
    public void matched(int source, int messageTag, long messageCall, long total) {
        peer(source);
        tag = messageTag;
        call = messageCall;
        bytes = total;
    }

    /** Copies as much of a whole message as there is room for. */
    public void copyFrom(MemorySegment memory, long at, long total) {
        MemorySegment.copy(memory, at, segment, offset, Math.min(total, length));
    }

    /** Where what it receives goes. */
    public MemorySegment segment() {
        return segment;
    }

    /** Where in its destination that begins. */
    public long offset() {
        return offset;
    }

    /** Bytes that there is room for. */
    public long length() {
        return length;
    }

    /** The context of its message. */
    public int context() {
        return context;
    }

    /** Which call of a collective its sender has made; 0: none. */
    public long call() {
        return call;
    }

    /** Whether the message that it has matched does not fit. */
    public boolean isTooLong() {
        return bytes > length;
    }

    /** Whether a replay knows that it is ended before it matches anything. */
    public boolean isInert() {
        return isInert;
    }

    /** A replay decides about it: whether it is ended before it matches anything. */
    public void inert(boolean is) {
        isInert = is;
    }

    /** A replay decides about it: it takes a message of that source. */
    public void forcedTo(int source) {
        peer(source);
    }

    /** The number of the call that posted it. */
    public long clock() {
        return clock;
    }

    /** The call that posted it has that number. */
    public void clock(long number) {
        clock = number;
    }

    @Override
    protected boolean isCancelled(RequestCalls calls) {
        if (calls.isTakenBack(this)) {
            isCancelled = true;
            complete();
        }
        return isCancelled;
    }

    @Override
    protected void recycle() {
        segment = null;
        pool.free(this);
    }

    @Override
    public boolean isWrong() {
        return !isCancelled && isTooLong();
    }

    @Override
    protected void requireRight() {
        if (isWrong()) {
            throw new MisuseException("recv: a message of " + bytes + " bytes from rank " + source() + " with tag "
                + tag + " does not fit the destination of " + length + " bytes; what fits is there");
        }
    }

    @Override
    public void requirePossible() {
        if (expectation != null) {
            expectation.requirePossible(this);
        }
    }

    @Override
    public Message message() {
        return isCancelled ? null : this;
    }

    @Override
    public int source() {
        return channel().numberOf(peer());
    }

    @Override
    public int tag() {
        return tag;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return "a receive of at most " + length + " bytes from "
            + (peer() == Channel.ANY_SOURCE ? "any rank" : "rank " + channel().numberOf(peer())) + " with "
            + (tag == Channel.ANY_TAG ? "any tag" : "tag " + tag);
    }
}
