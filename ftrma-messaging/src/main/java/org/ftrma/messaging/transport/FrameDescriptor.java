package org.ftrma.messaging.transport;

/**
 * The layout of a lane's frames, and of the region that has a rank's lanes.
 *
 * <pre>
 *   inbox region | bit r of word r / 64: rank r has sent something | head of lane 0 | head of lane 1 | ... | lane 0 ...
 *                  a head is a word in a line of its own: the bytes of the lane that its owner has taken out so far
 *
 *   frame, at a multiple of 64 bytes:
 *     0 payload bytes * 256 + kind; 0: there is no frame here (yet)     written last
 *     8 tag * 2^32 + context   16 number among all messages to this target, from 1   24 bytes of the message
 *     32 payload of EAGER; of FIRST and NEXT: 32 slot of the sender's outbox  40 bytes that lie there
 *   WRAP, 8 bytes: the next frame is at the lane's beginning
 * </pre>
 *
 * <p>Behind a frame that was published stands a zero, so that the owner never takes old bytes for a frame. Immutable;
 * any thread.
 */
public final class FrameDescriptor {
    /** The whole message is in the frame. */
    public static final int EAGER = 1;
    /** The first piece of a message that lies in the sender's outbox. */
    public static final int FIRST = 2;
    /** A further piece of the message that this sender began last. */
    public static final int NEXT = 3;
    static final int WRAP = 4;
    static final long TAG = 8;
    static final long NUMBER = 16;
    static final long TOTAL = 24;
    static final long PAYLOAD = 32;
    static final long LINE = 64;
    /** Bytes of the payload of FIRST and NEXT. */
    static final long PLACE = 16;

    private FrameDescriptor() {
    }

    /** The bytes that a frame takes in a lane. */
    public static long frameBytes(long payload) {
        return PAYLOAD + payload + LINE - 1 & -LINE;
    }

    static long header(int kind, long payload) {
        return payload << 8 | kind;
    }

    static int kind(long header) {
        return (int) (header & 0xff);
    }

    static long payload(long header) {
        return header >>> 8;
    }

    static long tag(int tag, int context) {
        return (long) tag << 32 | context;
    }

    /** Where the bit of a source is: the offset of its word. */
    static long senderOffset(int source) {
        return source / 64 * 8L;
    }

    static long headOffset(int ranks, int source) {
        return line((ranks + 63L) / 64 * 8) + source * LINE;
    }

    static long laneOffset(int ranks, long laneBytes, int source) {
        return headOffset(ranks, ranks) + source * laneBytes;
    }

    /** Bytes of the region that has the lanes of so many sources. */
    public static long inboxBytes(int ranks, long laneBytes) {
        return laneOffset(ranks, laneBytes, ranks);
    }

    private static long line(long bytes) {
        return bytes + LINE - 1 & -LINE;
    }
}
