package org.ftrma.messaging.transport;

/**
 * The layout of a send log: memory of a sender in which its messages lie until images of their receivers include that
 * they were received. Receivers pull long ones from there.
 *
 * <pre>
 *   | chunk 0 | chunk 1 | ...      each has records of messages to one target, in the order of their numbers
 *
 *   record, at a multiple of 64 bytes:
 *     0 number of the message   8 tag * 2^32 + context   16 bytes of the message
 *     24 bytes of this piece * 256 + flags   32 digest of all messages to the target up to this one
 *     40 not 0: the receiver has read this piece   48 which call of a collective the message belongs to, 0: none
 *     64 the piece
 * </pre>
 *
 * <p>Immutable; any thread.
 */
public final class SendLogDescriptor {
    /** Bytes of a chunk. */
    public static final int CHUNK = 64 << 10;
    /** The most bytes of a message that a record has. */
    public static final long PIECE = CHUNK - 64;
    static final long NUMBER = 0;
    static final long TAG = 8;
    static final long TOTAL = 16;
    static final long LENGTH = 24;
    static final long DIGEST = 32;
    static final long READ = 40;
    static final long CALL = 48;
    static final long PAYLOAD = 64;
    /** The piece is the first one of its message. */
    static final int FIRST = 1;
    /** The piece is the last one of its message. */
    static final int LAST = 2;
    /** The message is pulled, however short it is: its sender waits until it was received. */
    static final int SYNCHRONOUS = 4;

    private SendLogDescriptor() {
    }

    /** Bytes of a record with so many of a message. */
    static int recordBytes(long piece) {
        return (int) (PAYLOAD + piece + 63 & -64);
    }

    /** Bytes of a log that has room for a message of so many. */
    public static long logBytes(long message) {
        return (message + PIECE - 1) / PIECE * CHUNK;
    }

    /** Bytes of a region of at least so many bytes. */
    public static long regionBytes(long bytes) {
        return (bytes + CHUNK - 1) / CHUNK * CHUNK;
    }
}
