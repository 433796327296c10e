package org.ftrma.launch.job;

import java.util.function.Consumer;
import org.ftrma.core.coordinator.Coordinator;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.options.Units;

/**
 * The ends of a job that come from outside: somebody interrupts it, or its time is over, or will be. Where generations
 * go to disk it stops without a loss of work: it is cut, and ends when the generation is on disk, within a time; a
 * second interrupt ends it at once. Elsewhere the first one does. The job's thread only, unless said otherwise.
 */
final class Stopping {
    private final Coordinator coordinator;
    private final TimeLimit limit;
    /** The longest that it may take to stop, 0: there is no disk level. */
    private long drainNanos;
    private String disk;
    private volatile boolean canStop;
    private volatile String interruption;
    private volatile String asked;
    private volatile String ahead;
    /** Why the job is stopping, or null. */
    private String why;
    private long begunNanos;

    Stopping(Coordinator coordinator, TimeLimit limit) {
        this.coordinator = coordinator;
        this.limit = limit;
    }

    /**
     * There is a disk level. Before the job runs.
     *
     * @param directory what people call it
     */
    void toDisk(String directory, long longestNanos) {
        disk = directory;
        drainNanos = longestNanos;
    }

    /** What has happened: before all have run once there is no work that could be lost. */
    void happened(JobEvent event) {
        canStop |= event instanceof JobEvent.Running && drainNanos > 0;
    }

    /** The job has come to an end. */
    void over() {
        canStop = false;
    }

    /** The job is to end at once. Any thread. */
    void interrupt(String reason) {
        interruption = reason;
    }

    /** Why it is to end at once, or null. Any thread. */
    String interruption() {
        return interruption;
    }

    /** The job is to stop without a loss of work. Any thread. Returns whether it will; else nothing is changed. */
    boolean ask(String reason) {
        if (!canStop || asked != null || interruption != null) {
            return false;
        }
        asked = reason;
        return true;
    }

    /**
     * The same for an end that is foreseen: whoever then asks does so for the first time, and the job goes on stopping.
     */
    boolean foresee(String reason) {
        if (!canStop || asked != null || ahead != null || interruption != null) {
            return false;
        }
        ahead = reason;
        return true;
    }

    /** Whether the job ends, or will. */
    boolean isBegun() {
        return why != null || asked != null || ahead != null || interruption != null;
    }

    /** Why the job ends now, or null where it goes on. */
    String end(long now, Consumer<String> notes) {
        if (interruption != null) {
            return interruption;
        }
        if (why != null) {
            return endOfStop(now);
        }
        if (asked != null) {
            begin(asked, now, notes);
        } else if (ahead != null) {
            begin(ahead, now, notes);
        } else if (limit.isOver(now)) {
            if (!canStop) {
                return limit.textWithPlaces(now);
            }
            begin(limit.text(), now, notes);
        }
        return null;
    }

    private void begin(String reason, long now, Consumer<String> notes) {
        why = reason;
        begunNanos = now;
        coordinator.operator().stopOnDisk();
        notes.accept(reason + ": the job stops at its next checkpoint, which is taken as soon as it can be and goes to "
            + disk + "; it ends within " + Units.time(drainNanos)
            + " (--drain-timeout), or at once when it is interrupted" + (asked == null ? " twice" : " once more"));
    }

    private String endOfStop(long now) {
        String failure = coordinator.operator().whyItCannotStop();
        if (failure == null && now - begunNanos <= drainNanos) {
            return null;
        }
        String places = failure == null ? coordinator.whatRanksDo(now) : "";
        if (places == null) {
            return null; // they are being asked
        }
        if (asked != null) {
            interruption = asked;
        }
        return why + "; what was done since the last generation in " + disk + " is lost: "
            + (failure == null ? "no newer one was there within --drain-timeout=" + Units.time(drainNanos) + "; "
            + places : failure);
    }

    /** How the job ended, with the reason where it was stopped. */
    JobOutcome explain(JobOutcome outcome) {
        return outcome.kind() == JobOutcome.Kind.STOPPED ? outcome.saying(why + ": " + outcome.message()) : outcome;
    }
}
