package org.ftrma.launch.record;

import java.util.List;
import org.ftrma.core.coordinator.JobOutcome;

/**
 * The end of a job.
 *
 * @param outcome as the coordinator tells it
 * @param record what happened
 * @param notInjected failures that were asked for and did not take place
 * @param faults failures that were injected
 * @param interrupted whether somebody outside ended it
 * @param programStatus with which a rank's process ended after {@code Ftrma.run} had returned; 0: all is well
 */
public record JobResult(JobOutcome outcome, JobRecord record, List<String> notInjected, int faults, boolean interrupted,
    int programStatus) {
    /** The exit code where this machine lacks something. */
    public static final int SETUP = JobOutcome.Kind.UNFIT.exitCode();

    /** The exit code that follows. */
    public int exitCode() {
        if (interrupted) {
            return 130;
        }
        if (outcome.kind() == JobOutcome.Kind.SUCCESS && !notInjected.isEmpty()) {
            return JobOutcome.Kind.FAILED.exitCode();
        }
        return outcome.kind().exitCode();
    }
}
