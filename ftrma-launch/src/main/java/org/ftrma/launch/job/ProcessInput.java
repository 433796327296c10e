package org.ftrma.launch.job;

import java.io.PrintStream;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.ftrma.core.coordinator.Coordinator;
import org.ftrma.launch.control.ControlServer;
import org.ftrma.options.JobOptions;
import org.ftrma.rank.control.MachineClock;

/**
 * Input from a job's processes: passes what they send to the coordinator while the job runs, and after its end to
 * their exit statuses. The job's thread only.
 *
 * @param isOver whether the job has come to an end
 * @param notes is told for people what the launcher does
 * @param log where it is told what goes wrong
 */
record ProcessInput(JobOptions options, ProcessTable processes, Coordinator coordinator, JobEvents events,
    ExitStatuses afterRun, BooleanSupplier isOver, Consumer<String> notes, PrintStream log, MachineClock clock)
    implements ControlServer.Listener {
    @Override
    public void joined(int process, long pid) {
        processes.came(process, pid);
    }

    @Override
    public void received(int process, byte[] payload) {
        RankHandle handle = processes.get(process);
        if (handle == null) {
            return;
        }
        if (isOver.getAsBoolean()) {
            if (Farewell.isRank(coordinator, options, handle)) {
                afterRun.received(coordinator.memberOf(process), payload);
            }
        } else if (handle.joined) {
            coordinator.onFrame(process, payload, clock.runningNanos());
            events.pump();
        }
    }

    @Override
    public void disconnected(int process, String why) {
        RankHandle handle = processes.get(process);
        if (handle != null) {
            handle.disconnectedNanos = clock.nanoTime();
            if (!why.equals(ControlServer.CLOSED) && !isOver.getAsBoolean()) {
                notes.accept("process " + process + " is disconnected: " + why);
            }
        }
    }

    @Override
    public void rejected(String why) {
        if (!isOver.getAsBoolean()) { // else it is a process that comes too late
            log.println("ftrma: control connection dropped: " + why);
        }
    }
}
