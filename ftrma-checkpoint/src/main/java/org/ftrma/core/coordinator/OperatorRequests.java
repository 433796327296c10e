package org.ftrma.core.coordinator;

import java.util.Collection;
import org.ftrma.options.JobOptions;

/** Requests of people while a job runs: checkpoints, its end, and that it leaves processes. Coordinator's thread. */
public final class OperatorRequests {
    private final CheckpointArbiters checkpoints;

    OperatorRequests(CheckpointArbiters checkpoints) {
        this.checkpoints = checkpoints;
    }

    /**
     * Somebody outside asks for a cut: the next boundary that no rank has passed becomes one, as soon as all run.
     * {@link JobEvent.CutServed} tells of the generation. Only where {@link JobOptions#mayBeAskedToCut}.
     *
     * @return the number of the request
     */
    public long requestCut() {
        return checkpoints.requestCut();
    }

    /**
     * Somebody outside wants the job to end without a loss of work: it is cut, the generation goes to disk, and when
     * it is there the job ends as stopped; unless the program ends first. To say so again changes nothing. Only where
     * there is a disk level.
     */
    public void stopOnDisk() {
        checkpoints.stopOnDisk();
    }

    /**
     * These processes are to be left without a loss: their members move to others, a few at a time, at cuts that are
     * asked for. {@link JobEvent.MembersMoved} tells of them. Only where {@link JobOptions#mayBeAskedToCut}.
     */
    public void leave(Collection<Integer> processes) {
        checkpoints.leave(processes);
    }

    /** Whether members are to move to other processes, or do. */
    public boolean isMoving() {
        return !checkpoints.moves().isIdle();
    }

    /** Why nothing will come of {@link #stopOnDisk}, or null. */
    public String whyItCannotStop() {
        return checkpoints.stop().failure();
    }
}
