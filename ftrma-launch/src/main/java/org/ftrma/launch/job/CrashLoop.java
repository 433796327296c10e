package org.ftrma.launch.job;

import java.util.HashSet;
import java.util.Set;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.launch.record.JobObserver;

/**
 * Notices a job that gets no further, where recovering once more would go on for ever. There are two kinds of it:
 *
 * <ul>
 * <li>The program ends its own processes again and again (a status, a crash): a few such deaths are enough.
 * <li>The machine, or somebody, takes processes away (a signal from outside, a process that hangs) faster than the job
 * gets on: that may end, so only many such losses are too many. A checksum rank does not run the program, so its losses
 * are of this kind, however it dies.
 * </ul>
 *
 * <p>Both are counted from the last time that the job got further than ever, or committed a checkpoint. What is
 * executed once more after a rollback is no progress: a program that dies in step 7 gets there each time. Deaths of our
 * own doing do not count. The job's thread.
 */
final class CrashLoop implements JobObserver {
    /** So many deaths of the program's own doing in a row are too many. */
    static final int MOST_CRASHES = 4;
    /** So many other losses in a row are too many. */
    static final int MOST_LOSSES = 20;

    private final int ranks;
    private final Set<Integer> expected = new HashSet<>();
    private final Set<Integer> crashed = new HashSet<>();
    private int crashes;
    private int losses;
    private long furthestStep = -1;
    private String reason;

    /**
     * For one job.
     *
     * @param ranks members with smaller numbers run the program
     */
    CrashLoop(int ranks) {
        this.ranks = ranks;
    }

    /** The member's next death is our own doing. */
    void expectDeathOf(int member) {
        expected.add(member);
    }

    /** The process of the member is dead, which is lost next; -1: it played none. */
    void died(int member, boolean byItself) {
        if (byItself && member >= 0) {
            crashed.add(member);
        }
    }

    @Override
    public void event(JobEvent event, long nowNanos) {
        switch (event) {
            case JobEvent.StepBegun begun -> progress(begun.step());
            case JobEvent.Committed committed -> clear();
            case JobEvent.MemberLost lost -> count(lost);
            default -> {
            }
        }
    }

    private void count(JobEvent.MemberLost lost) {
        boolean isOwn = crashed.remove(lost.member()) && lost.member() < ranks;
        if (expected.remove(lost.member())) {
            return;
        }
        String where = " without the program getting beyond step " + Math.max(0, furthestStep) + "; the last one "
            + lost.cause() + " (member " + lost.member() + ")";
        if (isOwn && ++crashes >= MOST_CRASHES) {
            reason = crashes + " ranks died in a row" + where;
        } else if (!isOwn && ++losses >= MOST_LOSSES) {
            reason = losses + " processes were lost in a row" + where + ": somebody ends them, or this machine has too"
                + " little memory or time for the job (dmesg tells of processes killed for want of memory)";
        }
    }

    private void progress(long step) {
        if (step > furthestStep) {
            furthestStep = step;
            clear();
        }
    }

    private void clear() {
        crashes = 0;
        losses = 0;
    }

    /** Why the job should end, or null. */
    String reason() {
        return reason;
    }
}
