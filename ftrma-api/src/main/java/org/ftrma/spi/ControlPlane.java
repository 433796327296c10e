package org.ftrma.spi;

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

    @Override
    void close();
}
