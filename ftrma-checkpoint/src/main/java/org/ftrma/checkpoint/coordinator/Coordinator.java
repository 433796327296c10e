package org.ftrma.checkpoint.coordinator;

import org.ftrma.options.JobOptions;

/** Being written: this states the calls that hosts make. One thread. */
public final class Coordinator {
    private final JobOptions options;
    private final CoordinatorHost host;

    /** A coordinator of a job whose first ranks + checksums processes to join become members 0, 1, ...; later ones are spares. */
    public Coordinator(JobOptions options, CoordinatorHost host) {
        this.options = options;
        this.host = host;
    }

    /** A process (numbered by the host, never reused) is connected and has shown the job's token. */
    public void onJoin(int process, long nowNanos) {
        host.event(new JobEvent.Note("process " + process + " of " + options.ranks()));
    }

    /** A frame came from a joined process. Malformed frames are dropped with a Note event. */
    public void onFrame(int process, byte[] frame, long nowNanos) {
    }

    /** A process is known to be dead (the operating system said so), or could not be started. Its frames must have been handed in before. */
    public void onExit(int process, String cause, long nowNanos) {
    }

    /** To be called about every 10 ms: deadlines. */
    public void onTick(long nowNanos) {
    }

    /** Asks a member's current and later processes to announce the step and to hold at its end until {@link #release}. Before or while running. */
    public void watch(int member, long step) {
    }

    /** Lets a held member go on. */
    public void release(int member, long step) {
    }

    /** The process that plays a member now, or -1. */
    public int processOf(int member) {
        return -1;
    }

    /** Whether every member of the group (computing and checksum ranks) holds its part of the committed generation. */
    public boolean groupWhole(int group) {
        return true;
    }

    /** Ends the job from outside (interrupt). */
    public void abort(String why) {
    }
}
