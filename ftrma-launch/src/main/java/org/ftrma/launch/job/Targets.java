package org.ftrma.launch.job;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.ftrma.core.coordinator.Coordinator;
import org.ftrma.launch.agent.HostAgent;
import org.ftrma.launch.inject.FaultTargets;
import org.ftrma.launch.inject.InjectedFailure;
import org.ftrma.options.JobOptions;

/**
 * The members of a running job and the processes that play them, for the injector of failures. The job's thread only.
 */
final class Targets implements FaultTargets {
    private final JobOptions options;
    private final Coordinator coordinator;
    private final ProcessTable processes;
    private final CrashLoop crashLoop;
    private final Supplier<PlacementPolicy> placing;
    private final Consumer<String> notes;

    /**
     * Those of one job.
     *
     * @param crashLoop is told which deaths are our own doing
     * @param placing knows the hosts
     * @param notes takes what people are told
     */
    Targets(JobOptions options, Coordinator coordinator, ProcessTable processes, CrashLoop crashLoop,
        Supplier<PlacementPolicy> placing, Consumer<String> notes) {
        this.placing = placing;
        this.options = options;
        this.coordinator = coordinator;
        this.processes = processes;
        this.crashLoop = crashLoop;
        this.notes = notes;
    }

    @Override
    public void watch(int member, long step) {
        coordinator.watch(member, step);
    }

    @Override
    public void release(int member, long step) {
        RankHandle handle = processes.get(coordinator.processOf(member));
        if (handle == null || !handle.hit) { // else it is to die where it is: the signal may be under way
            coordinator.release(member, step);
        }
    }

    @Override
    public boolean present(int member) {
        RankHandle handle = processes.get(coordinator.processOf(member));
        return handle != null && handle.exitedNanos == 0;
    }

    @Override
    public boolean whole() {
        for (int group = 0; group < options.groups(); group++) {
            if (!coordinator.groupWhole(group)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean areHostsBack() {
        return placing.get().areHostsBack();
    }

    /** Where no host can be lost, the kill of a member that shares its host makes the next loss possible. */
    private Hit loseHostOf(int drawn) {
        int member = placing.get().memberWhoseHostMayGo(drawn);
        if (member >= 0) {
            placing.get().loseHostOf(member);
            return new Hit(member, InjectedFailure.Action.HOST);
        }
        int crowded = placing.get().memberBesideAMate();
        notes.accept("fault: no host can be lost without too many members of a group; "
            + InjectedFailure.memberName(crowded, options) + " is killed instead");
        return hit(crowded, InjectedFailure.Action.KILL);
    }

    @Override
    public Hit hit(int member, InjectedFailure.Action action) {
        if (action == InjectedFailure.Action.HOST) {
            return loseHostOf(member);
        }
        RankHandle handle = processes.get(coordinator.processOf(member));
        if (handle == null) {
            return new Hit(member, action); // it has died of itself
        }
        crashLoop.expectDeathOf(member);
        handle.hit = true;
        if (action == InjectedFailure.Action.KILL) {
            processes.signal(handle, HostAgent.Signal.KILL);
        } else {
            processes.signal(handle, HostAgent.Signal.STOP);
        }
        return new Hit(member, action);
    }

    @Override
    public void say(String text) {
        notes.accept(text);
    }
}
