package org.ftrma.launch.job;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.ftrma.core.coordinator.Coordinator;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.launch.control.ControlServer;
import org.ftrma.launch.record.JobRecord;
import org.ftrma.rank.control.MachineClock;

/**
 * The lives of a job's processes, from their start to their end: reports each change to all parts that must know, to
 * the coordinator last. The job's thread.
 */
final class ProcessLives implements ProcessTable.Hearer {
    private static final int MAX_FAILED_STARTS = 3;
    private Parts job;
    private IntFunction<String> prefix;
    private Consumer<String> abort;
    private PlacementPolicy placing = PlacementPolicy.ONE_HOST;
    private ControlServer server;
    private boolean isOver;
    private int startsThatFailed;

    /** Those of a job that must know. */
    record Parts(ProcessTable processes, ProcessWatch watch, CrashLoop crashLoop, Coordinator coordinator,
        JobEvents events, JobRecord record, PrintStream log, MachineClock clock) {
    }

    /**
     * The job, before anything is started.
     *
     * @param names how a process is called at the beginning of a line
     * @param end ends the job, which cannot be
     */
    void belongTo(Parts parts, IntFunction<String> names, Consumer<String> end) {
        job = parts;
        prefix = names;
        abort = end;
    }

    /** Who says where processes go, where there are several hosts. */
    void placedBy(PlacementPolicy choice) {
        placing = choice;
    }

    /** Where processes join. Before the first one is started. */
    void joinAt(ControlServer control) {
        server = control;
    }

    /**
     * Takes note of processes that have ended, or could not be started.
     *
     * @param over whether the job is, so that nobody counts what fails
     */
    void reap(boolean over) {
        isOver = over;
        ProcessTable processes = job.processes;
        List<Coordinator.Exit> exits = new ArrayList<>();
        processes.reap(server, handle -> bury(handle, exits));
        for (Integer number = processes.nextFailedStart(); number != null; number = processes.nextFailedStart()) {
            server.forget(number);
            job.watch.forget(number);
            gone(number, false, "could not be started", 0, exits);
        }
        job.coordinator.onExits(exits, job.clock.runningNanos());
        job.events.pump();
    }

    private void bury(RankHandle handle, List<Coordinator.Exit> exits) {
        job.events.pump();
        server.forget(handle.number);
        job.watch.forget(handle.number);
        job.processes.bury(handle);
        if (handle.lastWords() != null) {
            job.events.happened(new JobEvent.Note(prefix.apply(handle.number) + handle.lastWords()));
        }
        job.crashLoop.died(job.coordinator.memberOf(handle.number), handle.endedByItself());
        gone(handle.number, handle.joined, handle.cause(), handle.lastStep(), exits);
    }

    private void gone(int number, boolean hadJoined, String cause, long step, List<Coordinator.Exit> exits) {
        boolean isJobsFault = placing.ended(number, hadJoined);
        if (!hadJoined && isJobsFault && !isOver && ++startsThatFailed >= MAX_FAILED_STARTS) {
            isOver = true;
            abort.accept(startsThatFailed
                + " processes in a row ended before they had joined the job; the last one " + cause
                + " (their output above tells more)");
            return;
        }
        exits.add(new Coordinator.Exit(number, cause, step));
    }

    @Override
    public void started(int number) {
        job.record.processStarted();
    }

    @Override
    public void joined(int number) {
        job.watch.joined(number, job.clock.runningNanos());
        startsThatFailed = 0;
        placing.joined(number);
        job.coordinator.onJoin(number, job.clock.runningNanos());
        job.events.pump();
    }

    @Override
    public void mistaken(int number, long pid) {
        job.log.println("ftrma: process " + number + " joined with pid " + pid
            + ", which is not the one that was started; dropped");
        server.forget(number);
    }

    @Override
    public void hostJoined(String host, int slots) {
        job.events.happened(new JobEvent.HostJoined(host, slots));
    }

    @Override
    public void hostLost(String host, String why) {
        job.processes.all().stream().filter(RankHandle::isHostLost).forEach(handle ->
            job.crashLoop.expectDeathOf(job.coordinator.memberOf(handle.number)));
        job.events.happened(new JobEvent.HostLost(host, why));
    }

    @Override
    public void notStarted(int number, String why) {
        job.log.println("ftrma: cannot start process " + number + ": " + why);
    }
}
