package org.ftrma.core.coordinator;

import java.util.List;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.control.RecoveryFigures;

/**
 * Events of a running job, which the coordinator reports to its host. Members: computing ranks 0 to N-1, then checksum
 * ranks N to N+C-1.
 */
public sealed interface JobEvent {
    /** A process plays a member from now on. */
    record Assigned(int process, int member, int incarnation) implements JobEvent {
    }

    /** All members run (after start or recovery), in this view from the step given. */
    record Running(int view, long fromStep) implements JobEvent {
    }

    /**
     * A member began a step. Sent for every watched step, and else at most every 50 ms per member. averageStepNanos 0
     * if unknown.
     */
    record StepBegun(int member, long step, long iterations, long averageStepNanos) implements JobEvent {
    }

    /** A watched step's end boundary was reached; the member waits there for {@link Coordinator#release}. */
    record StepHeld(int member, long step) implements JobEvent {
    }

    /**
     * A generation was committed. blockedNanos: the longest time that a rank was blocked by it; parityNanos: from
     * when all go on.
     */
    record Committed(long generation, long step, long blockedNanos, long parityNanos) implements JobEvent {
    }

    /** Cuts that were asked for from outside, up to the request of that number, are there: in this generation. */
    record CutServed(long request, long generation, long step) implements JobEvent {
    }

    /**
     * A cut was given up, or a generation; the job goes on.
     *
     * @param generation 0: nobody had copied yet
     * @param times how often, for this reason, since it was told last
     * @param waitedNanos for how long ranks waited for others that did not come to the cut; 0: it was put off to the
     *     next boundary, or given up later
     */
    record Abandoned(long generation, String reason, int times, long waitedNanos) implements JobEvent {
        /** Whether a checkpoint was given up that was due: not only put off to the next boundary. */
        public boolean isGivenUp() {
            return generation > 0 || waitedNanos > 0;
        }
    }

    /**
     * A demand checkpoint of a rank was committed.
     *
     * @param parity the number of the newest demand checkpoint that went into the parity with it, or its own
     * @param bytes of the parity that were made anew, for all that went into it together; 0 but for the newest of
     *     these
     */
    record DemandCommitted(int member, long number, long parity, long bytes) implements JobEvent {
    }

    /** A demand checkpoint of a rank was given up; it keeps its last image. */
    record DemandAbandoned(int member, String reason) implements JobEvent {
    }

    /**
     * The coordinator sees a member in another state.
     *
     * @param view the present one
     * @param incarnation of the process that plays it, or of that which did last; -1: none yet
     */
    record MemberChanged(int view, int member, int incarnation, MemberState from, MemberState to) implements JobEvent {
    }

    /** A member was lost. step: the last step it is known to have begun. */
    record MemberLost(int view, int member, int incarnation, long step, String cause) implements JobEvent {
    }

    /**
     * Members are to be played by other processes, since theirs are to be left; they are dead, and all begin again from
     * the generation of the step at which they stay. Nothing is repeated.
     */
    record MembersMoving(int view, List<Integer> members, long generation, long step) implements JobEvent {
    }

    /** All run, these members with other processes than before. */
    record MembersMoved(int view, List<Integer> members) implements JobEvent {
    }

    /** A host was left: its members run elsewhere, nothing was lost, and its agent is gone. */
    record HostDrained(String host, String why) implements JobEvent {
    }

    /** A further host has come, which may run so many processes at a time. */
    record HostJoined(String host, int slots) implements JobEvent {
    }

    /** A host was lost, with all processes that ran there. */
    record HostLost(String host, String why) implements JobEvent {
    }

    /**
     * All ranks go back for the loss of a member although accesses or messages are logged. text: why, what was found,
     * and what would help, in words.
     */
    record FellBack(int member, FallbackReason reason, String text) implements JobEvent {
    }

    /** Recovery began: rolledBack tells whether all ranks go back to the generation. */
    record RecoveryBegun(int view, boolean rolledBack, long generation, long toStep) implements JobEvent {
    }

    /**
     * A lost rank has replayed what the logs hold, up to this step. figures: by ordinal of
     * {@link RecoveryFigures}.
     */
    record Replayed(int member, int incarnation, long step, long[] figures) implements JobEvent {
        /** With the figures by their names. */
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder("Replayed[member=" + member + ", incarnation=" + incarnation
                + ", step=" + step);
            for (RecoveryFigures figure : RecoveryFigures.values()) {
                if (figure.ordinal() < figures.length) {
                    text.append(", ").append(figure).append('=').append(figures[figure.ordinal()]);
                }
            }
            return text.append(']').toString();
        }
    }

    /** A lost member has its state again and the job runs. how: "rollback", "replay" or "parity rebuilt". */
    record Recovered(int member, int incarnation, String how) implements JobEvent {
    }

    /** All members of a group hold their part of the committed generation again (or never lost it). */
    record RedundancyChanged(int group, boolean whole) implements JobEvent {
    }

    /** The memory that the members need is known; a table of it. */
    record MemoryPlanned(String table) implements JobEvent {
    }

    /** The job starts from a generation on disk. place: as the ranks' store knows it. */
    record Restarted(long generation, long step, String place) implements JobEvent {
    }

    /** A generation is on disk, under this name. bytes: of all ranks; nanos: from its commit to there. */
    record Flushed(long generation, long step, String name, long bytes, long nanos) implements JobEvent {
    }

    /** A generation that was due to go to disk does not, since another one is being written. */
    record FlushSkipped(long generation, String reason) implements JobEvent {
    }

    /** A generation could not be written to disk; the job goes on. */
    record FlushFailed(long generation, String reason) implements JobEvent {
    }

    /** What became of a window or segment of the images from which a job of another shape has started, in words. */
    record Redistributed(String text) implements JobEvent {
    }

    /** A text for the log. */
    record Note(String text) implements JobEvent {
    }
}
