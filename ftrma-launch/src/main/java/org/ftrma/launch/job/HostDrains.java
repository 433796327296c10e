package org.ftrma.launch.job;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.ftrma.core.coordinator.Coordinator;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.launch.hosts.Host;
import org.ftrma.launch.hosts.JobHosts;
import org.ftrma.launch.hosts.OperatorSocket;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.ftrma.rank.control.MachineClock;

/**
 * Hosts of a job that are to be left while it goes on, since their agents were told to end, or somebody asked for it:
 * the members there move, its other processes end, and then its agent does. Where so many agents are told to end that
 * no place is left for their members, the job stops on disk if it can. What cannot be is told, and the host stays. The
 * job's thread only.
 */
final class HostDrains implements AutoCloseable {
    /**
     * A scheduler that ends the whole job tells all agents within that time. It is a part of what it gives them until
     * it kills them, which is 30 s mostly.
     */
    private static final long GATHER_NANOS = 2_000_000_000L;

    private final JobOptions options;
    private final JobHosts hosts;
    private final HostChoice choice;
    private final Coordinator coordinator;
    private final ProcessTable processes;
    private final Stopping stopping;
    private final MachineClock clock;
    private final Map<Integer, Drain> present = new TreeMap<>();
    /** Hosts whose agents were told to end, and since when, before they are left. */
    private final Map<Integer, Long> told = new TreeMap<>();

    /** One host that is being left. */
    private static final class Drain {
        private final String why;
        private final List<OperatorSocket.Request> askedBy = new ArrayList<>();
        /** Processes of members that the coordinator was told of. */
        private final Set<Integer> told = new HashSet<>();

        Drain(String why) {
            this.why = why;
        }

        void answer(boolean isDone, String text) {
            askedBy.forEach(request -> request.end(isDone, text));
            askedBy.clear();
        }
    }

    /**
     * Those of one job.
     *
     * @param stopping is asked where no host is left
     */
    HostDrains(JobOptions options, JobHosts hosts, HostChoice choice, Coordinator coordinator,
        ProcessTable processes, Stopping stopping, MachineClock clock) {
        this.clock = clock;
        this.options = options;
        this.hosts = hosts;
        this.choice = choice;
        this.coordinator = coordinator;
        this.processes = processes;
        this.stopping = stopping;
    }

    /** To be called in each turn of the job. */
    void look(Consumer<JobEvent> events, Consumer<String> notes) {
        long now = clock.runningNanos();
        for (int number = 0; number < hosts.hosts().size(); number++) {
            Host host = hosts.hosts().get(number);
            if (host.leaving() != null && !host.isLost() && !present.containsKey(number)) {
                told.putIfAbsent(number, now);
            }
        }
        told.keySet().removeIf(number -> hosts.hosts().get(number).isLost());
        if (stopping.isBegun()) {
            told.keySet().forEach(number -> hosts.hosts().get(number).stay());
            told.clear(); // all of them are left when the job has stopped
        } else if (told.values().stream().anyMatch(since -> now - since >= GATHER_NANOS)) {
            leaveOrStop(notes);
        }
        present.entrySet().removeIf(one -> isOver(one.getKey(), one.getValue(), events));
    }

    /** All that were told are left, unless there is no place for their members. */
    private void leaveOrStop(Consumer<String> notes) {
        Map<Integer, String> refusals = new TreeMap<>();
        for (int number : told.keySet()) {
            String refusal = refusal(number);
            if (refusal != null) {
                refusals.put(number, refusal);
            }
        }
        if (!refusals.isEmpty() && stopping.foresee(told.size() == 1 ? "the agent of " + names() + " was told to end"
            : "the agents of " + names() + " were told to end")) {
            // No process must lack a place now: who moves already may go anywhere.
            present.forEach((number, drain) -> drain.answer(false, "the job stops"));
            present.keySet().forEach(number -> hosts.hosts().get(number).stay());
            present.clear();
            return;
        }
        for (int number : told.keySet()) {
            Host host = hosts.hosts().get(number);
            if (refusals.containsKey(number)) {
                notes.accept("host " + host.name() + " is not left (" + host.leaving() + "): " + refusals.get(number));
                host.stay();
            } else {
                begin(number, host.leaving(), notes);
            }
        }
        told.clear();
    }

    private String names() {
        return String.join(", ", told.keySet().stream().map(number -> hosts.hosts().get(number).name()).toList());
    }

    /** Somebody asks for a host to be left. */
    void asked(OperatorSocket.Request request, Consumer<String> notes) {
        int number = 0;
        while (number < hosts.hosts().size() && !hosts.hosts().get(number).name().equals(request.host())) {
            number++;
        }
        if (number == hosts.hosts().size()) {
            request.end(false, "the job has no host " + request.host() + "; it has "
                + String.join(", ", hosts.hosts().stream().map(Host::name).toList()));
            return;
        }
        Host host = hosts.hosts().get(number);
        String refusal = host.isLost() ? "it is " + host.closed() : present.containsKey(number) ? null
            : refusal(number);
        if (refusal != null) {
            request.end(false, "host " + host.name() + " is not left: " + refusal);
            return;
        }
        if (present.containsKey(number)) {
            request.tell("it is being left already (" + present.get(number).why + ")");
        } else {
            host.leaving("./ftrma drain");
            begin(number, host.leaving(), notes);
            request.tell("its members move at the next checkpoint, which is taken as soon as it can be");
        }
        present.get(number).askedBy.add(request);
    }

    /** Why it cannot be, or null. */
    private String refusal(int host) {
        if (!options.isProtected()) {
            return "the job is not protected, so that nothing can move";
        }
        if (!options.mayBeAskedToCut()) {
            return "with --path " + options.value(JobOption.PATH)
                + " checkpoints cannot be asked for; leave it out, or add --flush";
        }
        return choice.whyNotWithout(host);
    }

    private void begin(int number, String why, Consumer<String> notes) {
        present.put(number, new Drain(why));
        notes.accept("host " + hosts.hosts().get(number).name() + " is to be left (" + why
            + "): its members move at the next checkpoint, which is taken as soon as it can be");
    }

    private boolean isOver(int number, Drain drain, Consumer<JobEvent> events) {
        Host host = hosts.hosts().get(number);
        if (host.isLost()) {
            drain.answer(false, "host " + host.name() + " is " + host.closed());
            return true;
        }
        List<Integer> members = new ArrayList<>();
        for (RankHandle handle : processes.all()) {
            if (hosts.hostOf(handle.number) != number) {
                continue;
            }
            if (coordinator.memberOf(handle.number) < 0) {
                handle.fence("its host is to be left");
            } else if (drain.told.add(handle.number)) {
                members.add(handle.number);
            }
        }
        if (!members.isEmpty()) {
            coordinator.operator().leave(members);
        }
        if (host.processes() > 0 || !choice.membersOn(number).isEmpty() || coordinator.operator().isMoving()) {
            return false;
        }
        host.leave();
        events.accept(new JobEvent.HostDrained(host.name(), drain.why));
        drain.answer(true, "host " + host.name() + " is left; its members run elsewhere");
        return true;
    }

    /** The job is over: whoever waits is told so. */
    @Override
    public void close() {
        present.values().forEach(drain -> drain.answer(false, OperatorDesk.ENDED));
    }
}
