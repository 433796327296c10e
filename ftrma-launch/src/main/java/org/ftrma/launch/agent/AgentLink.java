package org.ftrma.launch.agent;

import java.io.IOException;

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

    /** The facts that an agent begins with, if it has told them. */
    default HostFacts facts() throws IOException {
        byte[] frame = poll();
        if (frame == null) {
            return null;
        }
        try {
            if (AgentCodec.event(frame) instanceof AgentMessage.Facts first) {
                return first.facts();
            }
            throw new IOException("it said something else before it said what it is");
        } catch (AgentCodec.MalformedException e) {
            throw new IOException("it sent a frame that is no event: " + e.getMessage(), e);
        }
    }

    /** Tells an agent that the job does not want it; it then closes the connection. */
    default void refuse(String why) {
        send(AgentCodec.encode(new AgentMessage.Refuse(why)));
    }
}
