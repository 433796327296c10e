package org.ftrma.launch.agent;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.FtrmaException;
import org.ftrma.rank.control.HostPlace;
import org.ftrma.rank.control.JobFile;
import org.ftrma.rank.control.LifelineGreeting;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.counter.CounterFile;
import org.ftrma.ucx.HostMemory;
import org.ftrma.ucx.SharedMemorySweep;

/**
 * The agent of this host: the job's processes are children of this one, and each request is carried out within its
 * call. The job's thread only; it starts the processes, so that its end ends them. The ends of processes, and of their
 * lifelines, come from other threads, and wait here for {@link #poll}.
 */
public final class LocalAgent implements HostAgent {
    /** So often a process whose end is near is looked at, while the job's thread has nothing else to do. */
    private static final long CLOSE_LOOK_NANOS = 1_000_000;
    /** For a process to say whose lifeline it is: it does so at once. */
    private static final long GREETING_NANOS = 5_000_000_000L;
    private static final Pattern OPEN_FILES = Pattern.compile("(?m)^Max open files +(\\d+)");
    /** Files that a launcher opens without a job. */
    private static final int OWN_FILES = 64;
    /** Its output, errors, control connection and lifeline. */
    private static final int FILES_OF_ONE = 4;

    /** Starts processes. The job's thread. */
    @FunctionalInterface
    interface Starter {
        /** Starts the process of this number; its end is bound to the end of the calling thread. */
        Process start(int number) throws IOException;
    }

    private final HostPlace place;
    private final MachineClock clock;
    private final CrashReport crashes = CrashReport.here();
    private final MemoryShortage shortage = MemoryShortage.here();
    private final Map<Integer, LocalProcess> processes = new HashMap<>();
    /** Told to be dead, while the kernel takes their memory apart. */
    private final List<LocalProcess> dying = new ArrayList<>();
    private final Set<Long> startedPids = new HashSet<>();
    private final ConcurrentLinkedQueue<Integer> exits = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<Runnable> events = new ArrayDeque<>();
    private Starter starter;
    private volatile JobDirectory directory;
    private Lifelines lifelines;
    private OutputRelay relay;
    private Listener listener;
    private Runnable wakeup;

    /** That of no job yet, which has no other host. */
    public LocalAgent(MachineClock clock) {
        this(HostPlace.ONLY, clock);
    }

    /** That of no job yet, which has other hosts too. */
    LocalAgent(HostPlace place, MachineClock clock) {
        this(place, clock, null);
    }

    /**
     * That of no job yet, with processes of another kind.
     *
     * @param starter starts them; null: they are virtual machines of ranks
     */
    LocalAgent(HostPlace place, MachineClock clock, Starter starter) {
        this.clock = clock;
        this.place = place;
        this.starter = starter;
    }

    @Override
    public HostRoom room() {
        return new HostRoom(Runtime.getRuntime().availableProcessors(), HostMemory.here().availableBytes());
    }

    @Override
    public void requireRoom(int processes, long leastBytes) {
        HostAgent.super.requireRoom(processes, leastBytes);
        try {
            requireFiles(processes, Files.readString(Path.of("/proc/self/limits")));
        } catch (IOException e) {
            return; // nothing is known of a limit
        }
    }

    /** Refuses to start processes whose output and connections this one could not hold open. */
    static void requireFiles(int processes, String limits) {
        Matcher limit = OPEN_FILES.matcher(limits);
        int needed = OWN_FILES + FILES_OF_ONE * processes;
        if (limit.find() && Long.parseLong(limit.group(1)) < needed) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "the launcher of " + processes
                + " processes opens " + needed + " files, and may open " + limit.group(1) + " (ulimit -n): raise the "
                + "hard limit (/etc/security/limits.conf; LimitNOFILE= of a service; --ulimit nofile= of a container), "
                + "or use fewer --ranks, --checksums and --spares");
        }
    }

    @Override
    public void open(HostJob job, Listener hearer, Output output, Runnable wake) throws IOException {
        listener = hearer;
        wakeup = wake;
        relay = new OutputRelay(output, clock);
        directory = new JobDirectory(job.places().stream().map(Path::of).toList(),
            job.kept() == null ? null : Path.of(job.kept()), output::note);
        InetSocketAddress launcher = new InetSocketAddress(InetAddress.ofLiteral(job.address()), job.port());
        lifelines = new Lifelines(job.token(), GREETING_NANOS, wakeup, output::note, clock);
        new JobFile(launcher, lifelines.port(), job.token(), ProcessHandle.current().pid(), job.joinMillis(),
            place, directory.counters(), job.options()).write(directory.path());
        starter = starter == null ? new RankCommand(job.jvm(), directory, crashes) : starter;
    }

    @Override
    public String place() {
        return directory == null ? null : directory.path().toString();
    }

    @Override
    public void isTold() {
        try {
            if (directory != null) {
                JobFile.tell(directory.path());
            }
        } catch (IOException e) {
            return; // they end after a while, and are lost
        }
    }

    @Override
    public void start(int number) {
        Process process;
        try {
            process = starter.start(number);
        } catch (IOException e) {
            String why = e.getMessage().lines().findFirst().orElse(""); // the JDK's advice is about other reasons
            events.add(() -> listener.notStarted(number, why));
            return;
        }
        processes.put(number, new LocalProcess(number, process, crashes, shortage, directory.counters()));
        startedPids.add(process.pid());
        directory.uses(process.pid());
        events.add(() -> listener.started(number, process.pid()));
        relay.attach(number, process);
        process.onExit().thenRun(() -> {
            exits.add(number);
            wakeup.run();
        });
    }

    @Override
    public void signal(int number, Signal signal) {
        LocalProcess local = processes.get(number);
        if (local == null || !local.process.isAlive()) {
            return;
        }
        switch (signal) {
            case KILL -> local.kill();
            case STOP -> ProcessSignals.send("STOP", local.process);
            case CONTINUE -> ProcessSignals.send("CONT", local.process);
        }
    }

    @Override
    public ProcessVitals vitals(int number) {
        LocalProcess local = processes.get(number);
        return local == null ? null : ProcessVitals.of(local.process.pid());
    }

    @Override
    public byte[] counters(int process) {
        return directory == null ? null : CounterFile.copy(directory.counters(), process);
    }

    @Override
    public long nextNanos(long nowNanos) {
        if (!events.isEmpty() || !exits.isEmpty() || lifelines != null && lifelines.hasNext()) {
            return 0;
        }
        for (LocalProcess local : processes.values()) {
            if (local.isDying(nowNanos)) {
                return CLOSE_LOOK_NANOS;
            }
        }
        return Long.MAX_VALUE;
    }

    @Override
    public void poll(long nowNanos) {
        noteExits();
        noteBrokenLifelines();
        noteEarlyEnds(nowNanos);
        for (Runnable event = events.poll(); event != null; event = events.poll()) {
            event.run();
        }
    }

    private void noteExits() {
        for (Integer number = exits.poll(); number != null; number = exits.poll()) {
            LocalProcess exited = processes.remove(number);
            if (exited != null) {
                tell(exited.gone());
            }
        }
    }

    /** A process whose lifeline is broken is about to die, if it has not given that connection up. */
    private void noteBrokenLifelines() {
        while (lifelines != null && lifelines.hasNext()) {
            LifelineGreeting broken = lifelines.next();
            LocalProcess local = processes.get(broken.process());
            if (local != null && local.process.pid() == broken.pid()) {
                local.suspect(clock.nanoTime());
            }
        }
    }

    private void noteEarlyEnds(long nowNanos) {
        Iterator<LocalProcess> all = processes.values().iterator();
        while (all.hasNext()) {
            LocalProcess local = all.next();
            Death death = local.early(nowNanos);
            if (death != null) {
                all.remove();
                local.kill(); // whatever it is said to be
                dying.add(local);
                tell(death);
            }
        }
    }

    private void tell(Death death) {
        events.add(() -> listener.dead(death));
    }

    @Override
    public boolean finishOutput(long timeoutNanos) {
        return relay == null || relay.finish(timeoutNanos);
    }

    @Override
    public List<Integer> killAll(long timeoutNanos) {
        List<LocalProcess> all = new ArrayList<>(dying);
        all.addAll(processes.values());
        all.forEach(LocalProcess::kill);
        List<LocalProcess> left = waitForAll(all, timeoutNanos);
        Set<Long> gone = new HashSet<>(startedPids);
        left.forEach(local -> gone.remove(local.process.pid()));
        // A process killed in the moment between making a segment and marking it for removal leaves it behind.
        SharedMemorySweep.removeOrphansOf(gone);
        return left.stream().map(local -> local.number).toList();
    }

    /** Returns those that are not gone after so long. */
    private static List<LocalProcess> waitForAll(List<LocalProcess> all, long timeoutNanos) {
        try {
            CompletableFuture.allOf(all.stream().map(local -> local.process.onExit())
                .toArray(CompletableFuture<?>[]::new)).orTimeout(timeoutNanos, TimeUnit.NANOSECONDS).join();
            return List.of();
        } catch (CompletionException e) {
            return all.stream().filter(local -> local.process.isAlive()).toList();
        }
    }

    @Override
    public void close() {
        if (lifelines != null) {
            lifelines.close();
        }
        if (directory != null) {
            directory.close();
        }
    }
}
