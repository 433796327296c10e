package org.ftrma.checkpoint.coordinator;

/**
 * What the coordinator asks of whoever hosts it (the launcher, or a simulator). All calls come from the thread that calls the coordinator; they
 * return at once, and their consequences are reported by later calls to the coordinator.
 */
public interface CoordinatorHost {
    /** Queues a frame to a process. Frames to a process that is gone are dropped. */
    void send(int process, byte[] frame);

    /** Kills a process for certain; {@link Coordinator#onExit} follows. */
    void fence(int process, String why);

    /** Starts one more process; {@link Coordinator#onJoin} (or onExit) follows with its number. */
    void startProcess();

    /** Something that people or tools want to know. */
    void event(JobEvent event);

    /** The job is over: called once. The host ends the remaining processes (they were told, and leave by themselves in good cases). */
    void finished(JobOutcome outcome);
}
