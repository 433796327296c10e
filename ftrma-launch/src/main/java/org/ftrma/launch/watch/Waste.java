package org.ftrma.launch.watch;

import java.util.ArrayList;
import java.util.List;
import org.ftrma.launch.journal.EventKind;
import org.ftrma.launch.journal.JobView;
import org.ftrma.launch.journal.LoggedEvent;
import org.ftrma.options.Units;
import org.ftrma.xor.DalyInterval;

/**
 * The time that a job's protection and its losses took, by cause, and the prediction of the model of {@code ftrma plan}
 * for a job with such checkpoints and recoveries: C / (T + C) for checkpoints that take C each, T after T, and
 * ((T + C) / 2 + R) / M for a loss each M, from which a recovery takes R. Immutable; any thread.
 */
final class Waste {
    private static final double MICROS = 1e-6;
    /** Members that are lost within so long are lost together, as those of a host are: that is one loss. */
    private static final long TOGETHER_MICROS = 100_000;
    private static final double NANOS = 1e-9;

    /** From the moment in which all ranks ran to the end. */
    final double seconds;
    final int checkpoints;
    final double blockedSeconds;
    /** Checkpoints to which not all ranks came, and for how long the others waited at them. */
    final int givenUp;
    final double givenUpSeconds;
    /** Members that are lost together are one. */
    final int losses;
    /** From losses to the moments in which the lost members ran again. */
    final double recoverySeconds;
    final long stepsRepeated;
    final double repeatedSeconds;
    final double mtbfSeconds;

    Waste(JobView job) {
        LoggedEvent running = first(job, EventKind.RUNNING);
        long from = running == null ? job.lastMicros() : running.micros();
        seconds = Math.max(0, MICROS * (job.lastMicros() - from));
        List<LoggedEvent> cuts = job.events().stream().filter(event -> event.kind() == EventKind.CUT).toList();
        checkpoints = cuts.size();
        blockedSeconds = NANOS * cuts.stream().mapToLong(cut -> cut.get("blockedNanos")).sum();
        double recovered = 0;
        double repeated = 0;
        long steps = 0;
        long furthest = 0;
        double stepNanos = 0;
        int lost = 0;
        LoggedEvent first = null;
        double longest = 0;
        List<LoggedEvent> open = new ArrayList<>();
        for (LoggedEvent event : job.events()) {
            switch (event.kind()) {
                case PROGRESS -> {
                    furthest = event.get("greatestStep");
                    stepNanos = event.get("averageStepNanos") > 0 ? event.get("averageStepNanos") : stepNanos;
                }
                case LOST -> {
                    if (first == null || event.micros() - first.micros() > TOGETHER_MICROS) {
                        first = event;
                        lost++;
                        recovered += longest;
                        longest = 0;
                    }
                    open.add(event);
                }
                case RECOVERY -> {
                    long again = event.get("rolledBack") == 1 ? Math.max(0, furthest - event.get("toStep")) : 0;
                    steps += again;
                    repeated += NANOS * again * stepNanos;
                }
                case REPLAYED -> steps += event.get("stepsRepeated");
                case RECOVERED -> {
                    for (LoggedEvent loss : open) {
                        longest = loss.member() == event.member()
                            ? Math.max(longest, MICROS * (event.micros() - loss.micros())) : longest;
                    }
                    open.removeIf(loss -> loss.member() == event.member());
                }
                default -> {
                    // it takes no time of the ranks
                }
            }
        }
        losses = lost;
        List<LoggedEvent> waited = job.events().stream().filter(event -> event.kind() == EventKind.CUT_ABANDONED
            && event.get("waitedNanos") > 0).toList();
        givenUp = waited.size();
        givenUpSeconds = NANOS * waited.stream().mapToLong(event -> event.get("waitedNanos")).sum();
        recoverySeconds = recovered + longest;
        stepsRepeated = steps;
        repeatedSeconds = repeated;
        mtbfSeconds = NANOS * Units.durationNanos("mtbf", job.facts().options().getOrDefault("mtbf", "24h"));
    }

    private static LoggedEvent first(JobView job, EventKind kind) {
        return job.events().stream().filter(event -> event.kind() == kind).findFirst().orElse(null);
    }

    /** What one checkpoint held the slowest rank up for, on average. */
    double checkpointSeconds() {
        return checkpoints == 0 ? 0 : blockedSeconds / checkpoints;
    }

    /** What one recovery took, on average. */
    double recoveryEach() {
        return losses == 0 ? 0 : recoverySeconds / losses;
    }

    /** From one checkpoint to the next, on average; infinite where there were none. */
    double intervalSeconds() {
        return checkpoints == 0 ? Double.POSITIVE_INFINITY : Math.max(0, seconds / checkpoints - checkpointSeconds());
    }

    /** The interval that costs least at the MTBF given (Daly). */
    double dalySeconds(double mtbf) {
        return checkpoints == 0 ? Double.POSITIVE_INFINITY : DalyInterval.seconds(checkpointSeconds(), mtbf);
    }

    /** The part of the time that the model says checkpoints take, with an interval. */
    double modelOfCheckpoints(double interval) {
        return checkpoints == 0 ? 0 : checkpointSeconds() / (interval + checkpointSeconds());
    }

    /** The part of the time that the model says losses take, with an interval and a mean time between them. */
    double modelOfLosses(double interval, double mtbf) {
        return checkpoints == 0 ? 0 : ((interval + checkpointSeconds()) / 2 + recoveryEach()) / mtbf;
    }

    /** The mean time between the losses that there were; infinite where there were none. */
    double seenMtbfSeconds() {
        return losses == 0 ? Double.POSITIVE_INFINITY : seconds / losses;
    }
}
