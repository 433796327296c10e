package org.ftrma.launch.job;

import java.util.List;
import org.ftrma.launch.agent.ProcessVitals;
import org.ftrma.launch.control.ControlServer;
import org.ftrma.launch.inject.InjectedFailure;
import org.ftrma.options.JobOptions;
import org.ftrma.options.Units;

/**
 * The watch over the processes of one job: kills those that are silent, that do not join in time, or that have lost
 * their connection and go on. The job's thread only.
 */
final class ProcessWatch {
    private static final long DISCONNECTED_NANOS = 500_000_000L;

    private final JobOptions options;
    private final ProcessTable processes;
    private final StartTimeout starts;
    private final HeartbeatMonitor silence;

    ProcessWatch(JobOptions options, ProcessTable processes, int cores) {
        this.options = options;
        this.processes = processes;
        this.starts = new StartTimeout(options.startTimeoutNanos(), cores);
        this.silence = new HeartbeatMonitor(options.heartbeatTimeoutNanos(), options.stallTimeoutNanos());
    }

    void started(RankHandle handle) {
        starts.started(handle.number, handle.startedNanos);
    }

    void joined(int process, long now) {
        starts.joined(process, now);
    }

    /** The process is dead to the job. */
    void forget(int process) {
        silence.forget(process);
        starts.gone(process);
    }

    /** Whether all that were started have joined. */
    boolean isComplete() {
        return starts.isComplete();
    }

    /** Who has joined and who has not, for messages; empty if nobody is missing. */
    String whoIsMissing() {
        return starts.describe(this::describe);
    }

    /** A process that has not joined, by what it will play if all goes well. */
    private String describe(int process) {
        ProcessVitals vitals = processes.vitals(process);
        String name = process < options.ranks() + options.checksums() ? InjectedFailure.memberName(process, options)
            : "process " + process;
        return name + (vitals == null ? "" : " (" + vitals + ")");
    }

    /** Whether somebody has stopped all processes: then none of them hangs, and none could replace another. */
    private boolean areAllStopped(List<Integer> silent) {
        return silent.size() > 1 && processes.all().stream().filter(handle -> handle.exitedNanos == 0)
            .allMatch(handle -> handle.joined && silent.contains(handle.number) && isStopped(handle.number));
    }

    private boolean isStopped(int process) {
        ProcessVitals vitals = processes.vitals(process);
        return vitals != null && vitals.isStopped();
    }

    /**
     * Looks at all processes; to be called often.
     *
     * @param runningNanos now, without the time in which this process did not run
     */
    void look(ControlServer server, long now, long runningNanos) {
        List<Integer> quiet = server.silentSince(now - silence.noticeableNanos());
        boolean isNobodyThere = areAllStopped(quiet);
        for (int silent : quiet) {
            RankHandle handle = processes.get(silent);
            if (handle != null && handle.exitedNanos == 0) {
                if (isNobodyThere || processes.hostSilentNanos(silent, now) >= silence.noticeableNanos()) {
                    silence.excuse(silent, server.heardNanos(silent), now);
                    continue;
                }
                String verdict = silence.verdict(silent, server.heardNanos(silent), now,
                    () -> processes.vitals(silent));
                if (verdict != null) {
                    handle.fence(verdict);
                }
            }
        }
        for (int late : starts.late(runningNanos)) {
            RankHandle handle = processes.get(late);
            if (handle != null && handle.exitedNanos == 0 && !handle.isFenced()) {
                handle.fence("did not join, nor did any other process, within " + Units.time(starts.limitNanos())
                    + " (--start-timeout), then killed; " + whoIsMissing());
            }
        }
        for (RankHandle handle : processes.all()) {
            if (handle.exitedNanos != 0) {
                continue;
            }
            if (handle.disconnectedNanos != 0 && now - handle.disconnectedNanos > DISCONNECTED_NANOS) {
                handle.fence("lost its control connection, then killed");
            }
        }
    }
}
