package org.ftrma.messaging.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.ftrma.FtrmaException;

/** The reading end of a lane: what one source sends to this rank. Data thread only; allocates nothing. */
public final class InLane {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private final MemorySegment inbox;
    private final int source;
    private final long lane;
    private final long headAt;
    private final long laneBytes;
    private long offset;
    private long head;
    private long number;
    private long header;

    /** The lane of a source in an own inbox. */
    public InLane(MemorySegment inbox, int ranks, long laneBytes, int source) {
        this.inbox = inbox;
        this.source = source;
        this.laneBytes = laneBytes;
        this.lane = FrameDescriptor.laneOffset(ranks, laneBytes, source);
        this.headAt = FrameDescriptor.headOffset(ranks, source);
    }

    /** The word of the inbox that has the bits of 64 sources. */
    public static long senders(MemorySegment inbox, int word) {
        return (long) LONG.getAcquire(inbox, word * 8L);
    }

    /** Nobody writes to the inbox: it is as if nothing was ever sent. */
    public static void clearSenders(MemorySegment inbox, int ranks) {
        inbox.asSlice(0, FrameDescriptor.headOffset(ranks, 0)).fill((byte) 0);
    }

    /** Nobody writes to the lane: it is empty, no message was ever sent, and none received. */
    public void clear() {
        clear(0);
        tellReceived(0, 0);
        tellCovered(0);
    }

    /** Nobody writes to the lane: it is empty, and the message after that number comes next. */
    public void clear(long last) {
        offset = 0;
        head = 0;
        number = last;
        header = 0;
        inbox.set(ValueLayout.JAVA_LONG, lane, 0);
        inbox.set(ValueLayout.JAVA_LONG, headAt, 0);
    }

    /** Whether there is a frame: the one that the other methods tell of. */
    public boolean hasFrame() {
        header = (long) LONG.getAcquire(inbox, lane + offset);
        if (header == FrameDescriptor.WRAP) {
            head += laneBytes - offset;
            offset = 0;
            header = (long) LONG.getAcquire(inbox, lane);
        }
        if (header == 0) {
            return false;
        }
        check();
        return true;
    }

    private void check() {
        int kind = FrameDescriptor.kind(header);
        long payload = FrameDescriptor.payload(header);
        boolean isPlace = kind == FrameDescriptor.FIRST || kind == FrameDescriptor.NEXT;
        if (!isPlace && kind != FrameDescriptor.EAGER || isPlace && payload != FrameDescriptor.PLACE
            || FrameDescriptor.frameBytes(payload) > laneBytes - offset) {
            throw malformed("kind " + kind + ", " + payload + " bytes at " + offset + " of " + laneBytes);
        }
        long expected = kind == FrameDescriptor.NEXT ? number : number + 1;
        if (word(FrameDescriptor.NUMBER) != expected) {
            throw malformed("message " + word(FrameDescriptor.NUMBER) + " where " + expected + " is next");
        }
        if (total() < 0 || kind == FrameDescriptor.EAGER && total() != payload) {
            throw malformed("a message of " + total() + " bytes, of which " + payload + " are here");
        }
    }

    private FtrmaException malformed(String what) {
        return new FtrmaException(FtrmaException.Category.FATAL, "a frame from rank " + source + " is malformed: "
            + what);
    }

    private long word(long at) {
        return inbox.get(ValueLayout.JAVA_LONG, lane + offset + at);
    }

    /** One of EAGER, FIRST and NEXT. */
    public int kind() {
        return FrameDescriptor.kind(header);
    }

    /** The number of the message among all of its source. */
    public long number() {
        return word(FrameDescriptor.NUMBER);
    }

    /** Tells the source what was received of it: the last number of those that all were, and their digest. */
    public void tellReceived(long last, long digest) {
        LONG.set(inbox, headAt + FrameDescriptor.RECEIVED_DIGEST, digest);
        LONG.setRelease(inbox, headAt + FrameDescriptor.RECEIVED, last);
    }

    /** Tells the source up to which number a committed image includes what was received. */
    public void tellCovered(long last) {
        LONG.setRelease(inbox, headAt + FrameDescriptor.COVERED, last);
    }

    /** The tag and the context of the message in one word. */
    public long tagAndContext() {
        return word(FrameDescriptor.TAG);
    }

    /** The tag of the message. */
    public int tag() {
        return (int) (word(FrameDescriptor.TAG) >>> 32);
    }

    /** The context of the message. */
    public int context() {
        return (int) word(FrameDescriptor.TAG);
    }

    /** Which call of a collective the message belongs to; 0: none. */
    public long call() {
        return word(FrameDescriptor.CALL);
    }

    /** Bytes of the whole message. */
    public long total() {
        return word(FrameDescriptor.TOTAL);
    }

    /** Where the payload of an EAGER frame lies in the inbox. */
    public long payloadAt() {
        return lane + offset + FrameDescriptor.PAYLOAD;
    }

    /** The slot of the source's outbox that has the piece. */
    public long slot() {
        return word(FrameDescriptor.PAYLOAD);
    }

    /** Bytes of the piece. */
    public long pieceBytes() {
        return word(FrameDescriptor.PAYLOAD + Long.BYTES);
    }

    /** The frame is done with: its bytes may be written again. */
    public void take() {
        if (kind() != FrameDescriptor.NEXT) {
            number++;
        }
        long frame = FrameDescriptor.frameBytes(FrameDescriptor.payload(header));
        head += frame;
        offset = offset + frame == laneBytes ? 0 : offset + frame;
        LONG.setRelease(inbox, headAt, head);
    }
}
