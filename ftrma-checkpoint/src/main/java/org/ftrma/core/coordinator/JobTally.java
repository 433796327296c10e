package org.ftrma.core.coordinator;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.FallbackReason;

/**
 * Counts that the coordinator gathers while a job runs, for its outcome: results of the program, checkpoints,
 * recoveries. Coordinator's thread.
 */
final class JobTally {
    private final int ranks;
    private final Map<String, Object> reports = new TreeMap<>();
    private final Map<String, Integer> fallbacks = new TreeMap<>();
    private int checkpoints;
    private int rollbacks;
    private int localRecoveries;
    private int demandsCommitted;
    private int demandsAbandoned;
    private long demandBytes;
    private long steps = -1;

    private long checkpointNanos;
    /**
     * The generation that ranks report the cost of, how many have, and the longest time in which one of them was
     * blocked.
     */
    private long costGeneration;
    private int costReports;
    private long costNanos;

    JobTally(int ranks) {
        this.ranks = ranks;
    }

    /** A result of the program, instead of an earlier one of the same key. Returns why it was dropped, if it was. */
    Optional<String> report(ControlMessage.Report m) {
        try {
            Object value = switch (m.type()) {
                case "D" -> Double.parseDouble(m.value());
                case "L" -> Long.parseLong(m.value());
                case "B" -> Boolean.parseBoolean(m.value());
                default -> m.value();
            };
            reports.put(m.key(), value);
            return Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.of("dropped a report of " + m.key() + ": not a number: " + m.value());
        }
    }

    /** Whether the program itself said that its result is wrong. */
    boolean reportedWrong() {
        return Boolean.FALSE.equals(reports.get("verified"));
    }

    /** How long a rank was blocked by a checkpoint; returns the message. */
    ControlMessage.CutCost cost(ControlMessage.CutCost m) {
        if (m.generation() != costGeneration) {
            costGeneration = m.generation();
            costReports = 0;
            costNanos = 0;
        }
        costNanos = Math.max(costNanos, m.nanos());
        if (++costReports == ranks) {
            checkpointNanos += costNanos;
        }
        return m;
    }

    /** How long the ranks were blocked by this generation, as far as they have said so yet. */
    long blockedNanos(long generation) {
        return costGeneration == generation ? costNanos : 0;
    }

    void committed() {
        checkpoints++;
    }

    void demandCommitted(long bytes) {
        demandsCommitted++;
        demandBytes += bytes;
    }

    void demandAbandoned() {
        demandsAbandoned++;
    }

    void recoveredLocally() {
        localRecoveries++;
    }

    void rolledBack() {
        rollbacks++;
    }

    /** With logging: why all ranks go back although the others might have run on. */
    void fellBack(FallbackReason reason) {
        fallbacks.merge(reason.name(), 1, Integer::sum);
    }

    /** The program has returned on all ranks, after that step. */
    void returned(long step) {
        steps = step;
    }

    JobOutcome outcome(JobOutcome.Kind kind, String message) {
        return new JobOutcome(kind, message, checkpoints, rollbacks, localRecoveries, Map.copyOf(fallbacks),
            checkpointNanos, new JobOutcome.Demands(demandsCommitted, demandsAbandoned, demandBytes), steps,
            Map.copyOf(reports));
    }
}
