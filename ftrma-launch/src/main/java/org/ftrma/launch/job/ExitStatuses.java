package org.ftrma.launch.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.MessageCodec;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.launch.agent.HostAgent;

/**
 * The exit statuses of the program's ranks, after all of them had finished and {@code Ftrma.run} had returned. The job
 * has no part in it any more, but the program's result may be written there, so that an exception or a status is the
 * program's failure. The job's thread only.
 */
final class ExitStatuses {
    /** As many ranks as are named. */
    private static final int MOST_NAMED = 4;

    private final Map<Integer, String> thrown = new TreeMap<>();
    private final Map<Integer, String> ended = new TreeMap<>();
    private int status;

    /** A frame that a rank sent after the job's end. */
    void received(int member, byte[] frame) {
        try {
            if (MessageCodec.decode(frame) instanceof ControlMessage.Failed failed) {
                thrown.putIfAbsent(member, failed.message());
            }
        } catch (MessageCodec.MalformedException e) {
            thrown.putIfAbsent(member, "sent what is no message: " + e.getMessage());
        }
    }

    /** A rank's process has ended; the cause is told for people. A status that nobody knows says nothing. */
    void exited(int member, int exitStatus, String cause) {
        if (exitStatus != 0 && exitStatus != HostAgent.Death.UNKNOWN) {
            ended.put(member, cause);
            status = status == 0 ? exitStatus : status;
        }
    }

    /** The first status of a rank's process that is not 0; 0: there is none. */
    int status() {
        return status;
    }

    /** The job's outcome, now that all processes are gone. */
    JobOutcome judge(JobOutcome outcome) {
        if (outcome.kind() != JobOutcome.Kind.SUCCESS || thrown.isEmpty() && ended.isEmpty()) {
            return outcome;
        }
        List<String> lines = new ArrayList<>();
        // A trace is told once; it is mostly the same on all ranks.
        thrown.forEach((rank, what) -> lines.add("rank " + rank + " failed after Ftrma.run had returned: "
            + (lines.isEmpty() ? what : what.lines().findFirst().orElse(""))));
        ended.forEach((rank, cause) -> {
            if (!thrown.containsKey(rank)) {
                lines.add("rank " + rank + ", after Ftrma.run had returned: " + cause);
            }
        });
        String more = lines.size() > MOST_NAMED ? "\nand " + (lines.size() - MOST_NAMED) + " ranks more" : "";
        String message = String.join("\n", lines.subList(0, Math.min(lines.size(), MOST_NAMED))) + more;
        return failed(outcome, message);
    }

    /** What was a success is none. */
    static JobOutcome failed(JobOutcome outcome, String message) {
        return new JobOutcome(JobOutcome.Kind.FAILED, message, outcome.checkpoints(), outcome.rollbacks(),
            outcome.localRecoveries(),
            outcome.fallbacks(), outcome.checkpointNanos(), outcome.demands(), outcome.steps(),
            outcome.reports());
    }
}
