package org.ftrma.launch.job;

import java.util.HashSet;
import java.util.Set;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.launch.record.JobObserver;

/**
 * Notices a job that dies again and again of itself at the same place, where recovering once more would go on for ever.
 * The job's thread.
 */
final class CrashLoop implements JobObserver {
    private final int limit;
    private final Set<Integer> expected = new HashSet<>();
    private int deaths;
    private long furthestStep = -1;
    private String reason;

    CrashLoop(int limit) {
        this.limit = limit;
    }

    /** The member's next death is our own doing. */
    void expectDeathOf(int member) {
        expected.add(member);
    }

    @Override
    public void event(JobEvent event, long nowNanos) {
        switch (event) {
            case JobEvent.StepBegun begun -> progress(begun.step());
            case JobEvent.Committed committed -> deaths = 0;
            case JobEvent.MemberLost lost -> {
                if (!expected.remove(lost.member()) && ++deaths >= limit) {
                    reason = deaths + " ranks died in a row without the program getting beyond step "
                        + Math.max(0, furthestStep)
                        + "; the last one " + lost.cause() + " (member " + lost.member() + ")";
                }
            }
            default -> {
            }
        }
    }

    private void progress(long step) {
        if (step > furthestStep) {
            furthestStep = step;
            deaths = 0;
        }
    }

    /** Why the job should end, or null. */
    String reason() {
        return reason;
    }
}
