package org.ftrma.launch.job;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.ftrma.core.coordinator.Coordinator;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.launch.control.ControlServer;
import org.ftrma.options.JobOptions;
import org.ftrma.rank.control.MachineClock;

/**
 * The end of one job: its processes leave by themselves where it went well, and are killed where not or where they do
 * not. The job's thread only.
 */
final class Farewell {
    /** For the next process to leave. */
    static final long LEAVE_NANOS = 30_000_000_000L;
    /** For JVMs that write ahead-of-time caches when they end, on a machine that is busy with other things. */
    private static final long TRAINING_NANOS = 300_000_000_000L;
    /** For a failed program: time to print its stack traces. */
    private static final long FAREWELL_NANOS = 1_000_000_000L;

    private final JobOptions options;
    private final Coordinator coordinator;
    private final ProcessTable processes;
    private final ControlServer server;
    private final ExitStatuses afterRun;
    private final Limits limits;
    private final MachineClock clock;
    private JobOutcome outcome;
    private boolean aborted;

    /**
     * What may end a job from outside. The job's thread asks.
     *
     * @param isInterrupted whether somebody has ended it
     * @param isTooLate whether the job has taken longer than it may, now
     * @param tooLong that it has, for people
     */
    record Limits(BooleanSupplier isInterrupted, LongPredicate isTooLate, Supplier<String> tooLong) {
    }

    /**
     * That of one job.
     *
     * @param afterRun is told how the processes of ranks have ended
     */
    Farewell(JobOptions options, Coordinator coordinator, ProcessTable processes, ControlServer server,
        ExitStatuses afterRun, Limits limits, MachineClock clock) {
        this.clock = clock;
        this.options = options;
        this.coordinator = coordinator;
        this.processes = processes;
        this.server = server;
        this.afterRun = afterRun;
        this.limits = limits;
    }

    /**
     * Returns when all processes are gone, or do not go though they were killed. Once.
     *
     * @param reached what the job has come to
     * @param atOnce whether the launcher has ended the job, so that nobody is waited for
     * @return the same, or a failure if that took too long
     */
    JobOutcome after(JobOutcome reached, boolean atOnce) {
        outcome = reached;
        aborted = atOnce;
        long begun = clock.runningNanos();
        while (!processes.isEmpty()) {
            long now = clock.runningNanos();
            if (outcome.kind() == JobOutcome.Kind.SUCCESS && limits.isTooLate().test(now)) {
                aborted = true;
                outcome = ExitStatuses.failed(outcome, limits.tooLong().get());
            }
            for (RankHandle handle : processes.all()) {
                long grace = graceNanos(handle);
                if (limits.isInterrupted().getAsBoolean() || now - begun >= grace) {
                    handle.fence("did not end within " + TimeUnit.NANOSECONDS.toSeconds(grace)
                        + " s (--deadline, at least 30 s) and was killed");
                }
            }
            server.poll(processes.nextNanos(now) == 0 ? 0 : 10);
            if (processes.reap(server, this::left)) {
                begun = now; // many leave as slowly as they start
            } else if (processes.areAllFenced() && now - begun > mostNanos() + ProcessTable.GONE_NANOS) {
                break; // they do not die; whoever kills what is left names them
            }
        }
        return outcome;
    }

    /** The longest that any process may go on. */
    private long mostNanos() {
        return processes.all().stream().mapToLong(this::graceNanos).max().orElse(0);
    }

    /**
     * How long a process may go on after the job's end. A rank's program may have something to do yet: its result to
     * write, say.
     */
    private long graceNanos(RankHandle handle) {
        if (aborted) {
            return 0;
        }
        if (JobRequest.isTraining()) {
            return TRAINING_NANOS;
        }
        return switch (outcome.kind()) {
            case SUCCESS -> isRank(coordinator, options, handle) ? Math.max(LEAVE_NANOS, options.deadlineNanos())
                : LEAVE_NANOS;
            case FAILED, UNFIT -> FAREWELL_NANOS;
            case CATASTROPHIC, STOPPED -> 0;
        };
    }

    /** Whether a process plays a rank of the program. */
    static boolean isRank(Coordinator coordinator, JobOptions options, RankHandle handle) {
        int member = coordinator.memberOf(handle.number);
        return member >= 0 && member < options.ranks();
    }

    /** A process is gone, and all that it said was heard. */
    private void left(RankHandle handle) {
        server.forget(handle.number);
        if (isRank(coordinator, options, handle)) {
            afterRun.exited(coordinator.memberOf(handle.number), handle.status(), handle.cause());
        }
        processes.bury(handle);
    }
}
