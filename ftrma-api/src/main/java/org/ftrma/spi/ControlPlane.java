package org.ftrma.spi;

import java.util.function.UnaryOperator;

/**
 * A member's connection to the coordinator: reliable, ordered, bounded frames whose contents only the protocol knows.
 */
public interface ControlPlane extends AutoCloseable {
    /** The largest frame, in bytes. */
    int MAX_FRAME_BYTES = 1 << 20;

    /** Queues a frame to the coordinator. Any thread. */
    void send(byte[] frame);

    /**
     * Whether to call {@link #poll}: a cheap flag, read in every access. True wherever there is a frame; it may be true
     * where there is none any more. Data thread.
     */
    boolean ready();

    /**
     * The next frame, or null. Data thread. A lost coordinator is an {@link org.ftrma.FtrmaException} of category
     * FATAL.
     */
    byte[] poll();

    /**
     * Answers some frames as soon as they come, so that nobody waits for the next call of this member's program. Such
     * frames are not polled. A control plane whose frames come only when they are polled need not do anything.
     *
     * @param answerer told each frame, by any thread, one frame after the other in the order in which they came;
     *     returns what is sent for it, or null: then the frame is polled
     */
    default void answerWith(UnaryOperator<byte[]> answerer) {
    }

    /**
     * For how long the data thread has not asked {@link #ready}, which every call of the library does; 0 where that is
     * not known. Any thread.
     */
    default long idleNanos() {
        return 0;
    }

    @Override
    void close();
}
