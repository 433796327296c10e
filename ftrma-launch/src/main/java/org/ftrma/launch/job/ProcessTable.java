package org.ftrma.launch.job;

import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.ftrma.launch.agent.HostAgent;
import org.ftrma.launch.agent.ProcessVitals;
import org.ftrma.launch.control.ControlServer;
import org.ftrma.options.Units;
import org.ftrma.rank.control.MachineClock;

/**
 * The processes of one job: numbered, started by their host, noted when it reports their deaths, reaped when nothing
 * more can come from them, and buried. The job's thread only.
 */
final class ProcessTable implements HostAgent.Listener {
    /** For a process that has exited: so long what it sent before is waited for. */
    static final long LAST_WORDS_NANOS = 1_000_000_000L;
    /** For the kernel to take the memory of all processes apart. */
    static final long GONE_NANOS = 300_000_000_000L;
    /** Half of what a rank's JVM takes without any windows, so that nothing is refused that could run. */
    static final long LEAST_PROCESS_BYTES = 32L << 20;

    private final HostAgent agent;
    private final Hearer hearer;
    private final MachineClock clock;
    private final Map<Integer, RankHandle> processes = new HashMap<>();
    private final ArrayDeque<Integer> failedStarts = new ArrayDeque<>();
    private int nextNumber;

    /** Hears of starts, within {@link #reap} and {@link #came}. */
    interface Hearer {
        /** A process runs. */
        void started(int number);

        /** It has come to the launcher, and is the one that was started. */
        void joined(int number);

        /** Another one has come in its place. */
        void mistaken(int number, long pid);

        /** One could not be started. */
        void notStarted(int number, String why);

        /** A further host has come. */
        default void hostJoined(String host, int slots) {
        }

        /** A host is lost; its processes are dead now, as far as anybody will ever know. */
        default void hostLost(String host, String why) {
        }
    }

    /**
     * Empty.
     *
     * @param agent that of the host where all processes run
     */
    ProcessTable(HostAgent agent, Hearer hearer, MachineClock clock) {
        this.clock = clock;
        this.agent = agent;
        this.hearer = hearer;
    }

    /** The process of this number, or null if it is buried or never was. */
    RankHandle get(int number) {
        return processes.get(number);
    }

    /** All that are not buried; a view. */
    Collection<RankHandle> all() {
        return Collections.unmodifiableCollection(processes.values());
    }

    /** Whether all that are left were killed. */
    boolean areAllFenced() {
        return processes.values().stream().allMatch(RankHandle::isFenced);
    }

    boolean isEmpty() {
        return processes.isEmpty();
    }

    /** A number for the next process. */
    int nextNumber() {
        return nextNumber++;
    }

    /** Has the process of this number started. */
    RankHandle start(int number) {
        RankHandle handle = new RankHandle(number, agent, clock.runningNanos());
        processes.put(number, handle);
        agent.start(number);
        return handle;
    }

    /** Has a signal sent to a process; nothing happens if it is dead. */
    void signal(RankHandle handle, HostAgent.Signal signal) {
        agent.signal(handle.number, signal);
    }

    /** What is known of a process besides; null: nothing. */
    ProcessVitals vitals(int number) {
        return agent.vitals(number);
    }

    /** For how long nothing was heard of the whole host of a process. */
    long hostSilentNanos(int number, long nowNanos) {
        return agent.hostSilentNanos(number, nowNanos);
    }

    /** Processor time of processes so far, as their hosts have told. */
    long processorNanos(IntStream numbers) {
        return numbers.mapToObj(this::vitals).filter(Objects::nonNull).mapToLong(ProcessVitals::processorNanos).sum();
    }

    /** The number of a process that could not be started, once; null: there is none. */
    Integer nextFailedStart() {
        return failedStarts.poll();
    }

    /** So long nothing happens to processes that must be asked for. */
    long nextNanos(long nowNanos) {
        return agent.nextNanos(nowNanos);
    }

    @Override
    public void started(int number, long pid) {
        RankHandle handle = processes.get(number);
        handle.pid = pid;
        hearer.started(number);
        admit(handle);
    }

    /** A process has come to the launcher, with the token and the id that it has on its host. */
    void came(int number, long pid) {
        RankHandle handle = processes.get(number);
        if (handle == null) {
            hearer.mistaken(number, pid);
            return;
        }
        handle.namedPid = pid;
        admit(handle);
    }

    /** A process joins when it has come and its host has told of its start, whichever is first. */
    private void admit(RankHandle handle) {
        if (handle.namedPid < 0 || handle.pid == 0) {
            return;
        }
        if (handle.namedPid != handle.pid) {
            hearer.mistaken(handle.number, handle.namedPid);
            return;
        }
        handle.joined = true;
        hearer.joined(handle.number);
    }

    @Override
    public void notStarted(int number, String why) {
        processes.remove(number);
        failedStarts.add(number);
        hearer.notStarted(number, why);
    }

    @Override
    public void dead(HostAgent.Death death) {
        RankHandle handle = processes.get(death.process());
        if (handle != null) {
            handle.died(death, clock.nanoTime());
        }
    }

    @Override
    public void hostJoined(String host, int slots) {
        hearer.hostJoined(host, slots);
    }

    @Override
    public void hostLost(String host, String why) {
        hearer.hostLost(host, why);
    }

    /**
     * Notes what their host has told since, and finds the dead whose last words were heard.
     *
     * @param server gives what they had sent
     * @param dead is given each of them, and is to {@link #bury} it
     * @return whether there were any
     */
    boolean reap(ControlServer server, Consumer<RankHandle> dead) {
        agent.poll(clock.nanoTime());
        boolean any = false;
        for (RankHandle handle : List.copyOf(processes.values())) {
            if (isHeard(handle, server)) {
                dead.accept(handle);
                any = true;
            }
        }
        return any;
    }

    /**
     * Whether a process is dead, and all that it said was heard. Everything that it sent comes before its death; the
     * connection's end tells that there is no more.
     */
    private boolean isHeard(RankHandle handle, ControlServer server) {
        if (handle.exitedNanos == 0) { // M5, R1
            return false;
        }
        boolean ended = server.drain(handle.number); // M7
        return ended || handle.isAllHere() || clock.nanoTime() - handle.exitedNanos > LAST_WORDS_NANOS;
    }

    /** Removes a process that is dead to the job. */
    void bury(RankHandle handle) {
        processes.remove(handle.number);
    }

    /** Kills what is left, and returns when it is gone; tells of those that the kernel does not let go. */
    void killAll(PrintStream log) {
        List<Integer> left = agent.killAll(GONE_NANOS);
        if (!left.isEmpty()) {
            log.println("ftrma: processes " + left + " are not gone " + Units.time(GONE_NANOS)
                + " after they were killed");
        }
    }
}
