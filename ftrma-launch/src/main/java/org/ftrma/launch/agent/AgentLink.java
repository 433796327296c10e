package org.ftrma.launch.agent;

/**
 * A connection between a job and the agent of a host: whole frames, in order, in both directions. Any thread may send;
 * one thread receives.
 */
public interface AgentLink extends AutoCloseable {
    /** Queues a frame; dropped where the connection is over. */
    void send(byte[] frame);

    /** The next frame that has come, or null. */
    byte[] poll();

    /** Why nothing more will come once {@link #poll} gives null, for people; null: the connection goes on. */
    String whyOver();

    /** When something came last, on this process's clock. */
    long heardNanos();

    /** Runs on any thread when a frame has come, or the connection is over; it replaces the one before. */
    void whenHeard(Runnable wakeup);

    /** Ends the connection. */
    @Override
    void close();
}
