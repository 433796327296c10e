package org.ftrma.core.coordinator;

import java.util.Collection;
import java.util.List;

/**
 * Host of the coordinator: the launcher, or a simulator. All calls come from the thread that calls the coordinator;
 * they return at once, and their consequences are reported by later calls to the coordinator.
 */
public interface CoordinatorHost {
    /** Queues a frame to a process. Frames to a process that is gone are dropped. */
    void send(int process, byte[] frame);

    /** Kills a process for certain; {@link Coordinator#onExit} follows. */
    void fence(int process, String why);

    /** Starts one more process; {@link Coordinator#onJoin} (or onExit) follows with its number. */
    void startProcess();

    /**
     * Of members that no process plays, the one that a process which has joined is to play.
     *
     * @param candidates at least one, ascending
     */
    default int memberFor(int process, List<Integer> candidates) {
        return candidates.getFirst();
    }

    /**
     * Of processes that wait, the one that is to play a member.
     *
     * @param idle at least one, the first to come first
     */
    default int spareFor(int member, Collection<Integer> idle) {
        return idle.iterator().next();
    }

    /**
     * Where the images of a flush belong, as the ranks' {@link org.ftrma.spi.ImageStore} understands it; null where
     * there is no disk level.
     *
     * @param number of the flush, 1 for the first one
     */
    default String flushPlace(long number) {
        return null;
    }

    /**
     * Names the images of a flush, which are all written: from then on they count. {@link Coordinator#onFlushNamed}
     * follows.
     */
    default void nameFlush(FlushedImages images) {
        throw new IllegalStateException("no disk level");
    }

    /** Removes what was written for a flush that was given up. */
    default void dropFlush(long number) {
        throw new IllegalStateException("no disk level");
    }

    /** Something that people or tools want to know. */
    void event(JobEvent event);

    /**
     * The job is over: called once. The host ends the remaining processes (they were told, and leave by themselves in
     * good cases).
     */
    void finished(JobOutcome outcome);
}
