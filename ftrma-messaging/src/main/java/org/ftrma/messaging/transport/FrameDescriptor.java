package org.ftrma.messaging.transport;

/**
 * The layout of a lane's frames, and of the region that has a rank's lanes.
 *
 * <pre>
 *   inbox region | bit r of word r / 64: rank r has sent something | words of lane 0 | of lane 1 | ... | lane 0 ...
 *                  the words of a lane, in a line of their own, which its owner writes:
 *                  0 head: the bytes of the lane that were taken out so far
 *                  where messages are logged: 8 received: all messages up to this number were received
 *                  16 the digest of these   24 covered: a committed image includes that all up to this number were
 *
 *   frame, at a multiple of 64 bytes:
 *     0 payload bytes * 256 + kind; 0: there is no frame here (yet)     written last
 *     8 tag * 2^32 + context   16 number among all messages to this target, from 1   24 bytes of the message
 *     32 which call of a collective the message belongs to, 0: none
 *     40 payload of EAGER; of FIRST and NEXT: 40 slot of the sender's outbox  48 bytes that lie there
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
    static final long CALL = 32;
    static final long PAYLOAD = 40;
    static final long LINE = 64;
    /** In the words of a lane. */
    static final long RECEIVED = 8;
    static final long RECEIVED_DIGEST = 16;
    static final long COVERED = 24;
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

    /** Tag and context in one word. */
    public static long tag(int tag, int context) {
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

    /** What the digest of all messages of a source becomes with the next one. */
    public static long digest(long before, long tag, long total) {
        long mixed = (before ^ tag) * 0x9E37_79B9_7F4A_7C15L;
        return (Long.rotateLeft(mixed, 29) ^ total) * 0xBF58_476D_1CE4_E5B9L + 1;
    }

    private static long line(long bytes) {
        return bytes + LINE - 1 & -LINE;
    }
}
