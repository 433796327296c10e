package org.ftrma.messaging.transport;

/**
 * The layout of an outbox: memory of a sender in which pieces of long messages lie until their receivers have read
 * them.
 *
 * <pre>
 *   | word of slot 0: not 0 when the receiver has read it | word of slot 1 | ... | slot 0 | slot 1 | ...
 *   each word is in a line of its own
 * </pre>
 *
 * <p>Immutable; any thread.
 */
public final class OutboxDescriptor {
    /** Bytes of a slot: the most that a piece has. */
    public static final long SLOT = 64 << 10;

    private OutboxDescriptor() {
    }

    static long readOffset(int slot) {
        return slot * FrameDescriptor.LINE;
    }

    static long slotOffset(int slots, int slot) {
        return (slots * FrameDescriptor.LINE + 4095 & -4096) + slot * SLOT;
    }

    /** Bytes of an outbox of so many slots. */
    public static long bytes(int slots) {
        return slotOffset(slots, slots);
    }
}
