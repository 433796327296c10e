package org.ftrma.launch.host;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.ftrma.FtrmaException;
import org.ftrma.launch.control.ControlServer;
import org.ftrma.options.JobOptions;
import org.ftrma.options.Units;
import org.ftrma.ucx.HostMemory;
import org.ftrma.ucx.SharedMemorySweep;

/**
 * The processes of one job: numbered and started, noted when they exit, reaped when nothing more can come from them,
 * and buried. The job's thread only; it starts the processes, too, so that its end would end them. The ends of
 * processes come from other threads and wait here until the job's thread asks for them.
 */
final class ProcessTable {
    /** For a process that has exited: so long what it sent before is waited for. */
    static final long LAST_WORDS_NANOS = 1_000_000_000L;
    /** Half of what a rank's JVM takes without any windows, so that nothing is refused that could run. */
    private static final long LEAST_PROCESS_BYTES = 32L << 20;

    private final CrashReport crashes;
    private final Map<Integer, RankHandle> processes = new HashMap<>();
    /** Dead to the job, while the kernel takes their memory apart. */
    private final List<Process> dying = new ArrayList<>();
    private final Set<Long> startedPids = new HashSet<>();
    private final ConcurrentLinkedQueue<Integer> exits = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<Integer> failedStarts = new ArrayDeque<>();
    private int nextNumber;

    /**
     * Empty.
     *
     * @param crashes where processes that crash leave their reports
     */
    ProcessTable(CrashReport crashes) {
        this.crashes = crashes;
    }

    /** Far too many processes would take the machine down before any of them could tell what it lacks. */
    static void requireMemory(JobOptions options) {
        long processes = options.ranks() + options.checksums() + options.spares();
        long least = processes * LEAST_PROCESS_BYTES;
        long available = HostMemory.here().availableBytes();
        if (least > available) {
            throw new FtrmaException(FtrmaException.Category.SETUP, processes + " processes take " + Units.bytes(least)
                + " at least, and this machine has " + Units.bytes(available)
                + " left: use fewer --ranks, --checksums and --spares");
        }
    }

    /** The process of this number, or null if it is buried or never was. */
    RankHandle get(int number) {
        return processes.get(number);
    }

    /** All that are not buried; a view. */
    Collection<RankHandle> all() {
        return Collections.unmodifiableCollection(processes.values());
    }

    boolean isEmpty() {
        return processes.isEmpty();
    }

    /** A number for the next process. */
    int nextNumber() {
        return nextNumber++;
    }

    /** Starts the process of this number. */
    RankHandle start(int number, RankCommand command) throws IOException {
        Process process = command.start(number);
        RankHandle handle = new RankHandle(number, process, System.nanoTime(), crashes);
        processes.put(number, handle);
        startedPids.add(process.pid());
        return handle;
    }

    /**
     * From now on the end of a started process is noted.
     *
     * @param wakeup runs on any thread when the process has ended
     */
    void awaitExit(RankHandle handle, Runnable wakeup) {
        handle.process.onExit().thenRun(() -> {
            exits.add(handle.number);
            wakeup.run();
        });
    }

    /** The process of this number could not be started; {@link #nextFailedStart} gives it later. */
    void startFailed(int number) {
        failedStarts.add(number);
    }

    /** The number of a process that could not be started, once; null: there is none. */
    Integer nextFailedStart() {
        return failedStarts.poll();
    }

    /** Whether exits wait to be noted. */
    boolean hasExits() {
        return !exits.isEmpty();
    }

    /** Whether exits wait to be noted, or failed starts to be given. */
    boolean hasNews() {
        return hasExits() || !failedStarts.isEmpty();
    }

    /** Whether the end of some process is very near. */
    boolean isAnyDying(long now) {
        return processes.values().stream().anyMatch(handle -> handle.isDying(now));
    }

    /** Notes what the operating system has told since. */
    void noteExits() {
        for (Integer number = exits.poll(); number != null; number = exits.poll()) {
            RankHandle exited = processes.get(number);
            if (exited != null) {
                exited.exitedNanos = System.nanoTime();
            }
        }
    }

    /**
     * Finds the dead whose last words were heard.
     *
     * @param server gives what they had sent
     * @param dead is given each of them, and is to {@link #bury} it
     */
    void reap(ControlServer server, Consumer<RankHandle> dead) {
        long now = System.nanoTime();
        noteExits();
        for (RankHandle handle : List.copyOf(processes.values())) {
            if (handle.exitedNanos == 0 && handle.dyingNanos != 0
                && DyingProcess.isPastItsLastInstruction(handle.process.pid())) {
                handle.exitedNanos = handle.dyingNanos;
                server.drain(handle.number);
                dead.accept(handle);
                continue;
            }
            // Everything that it sent comes before its death; the connection's end tells that there is no more.
            if (handle.exitedNanos != 0 && (server.drain(handle.number)
                || now - handle.exitedNanos > LAST_WORDS_NANOS)) {
                dead.accept(handle);
            }
        }
    }

    /** Removes a process that is dead to the job. */
    void bury(RankHandle handle) {
        processes.remove(handle.number);
        if (handle.process.isAlive()) {
            handle.process.destroyForcibly(); // whatever it is said to be
            dying.add(handle.process);
        }
    }

    /** Removes those that have left; returns whether there were any. */
    boolean removeIf(Predicate<RankHandle> hasLeft) {
        return processes.values().removeIf(hasLeft);
    }

    /** Kills what is left, waits until all of it is gone, and removes what it left in shared memory. */
    void killAll() {
        for (RankHandle handle : processes.values()) {
            handle.fence("killed with its launcher");
        }
        for (RankHandle handle : processes.values()) {
            handle.process.onExit().join();
        }
        dying.forEach(process -> process.onExit().join());
        // A process killed in the moment between making a segment and marking it for removal leaves it behind.
        SharedMemorySweep.removeOrphansOf(startedPids);
    }
}
