package org.ftrma.testkit;

import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.bugs.BrokenProtocol;
import org.ftrma.testkit.programs.SimProgram;

/**
 * Brings the ranks of a program into the order of a story, whatever the seed: they reach and await numbered stages, and
 * die at places of the program. A stage that was reached stays reached for a replacement that runs the program again;
 * when all ranks go back the stages begin anew. Deaths happen once. One run; the threads of the simulated processes, of
 * which one runs at a time.
 */
final class Script {
    /** What one rank does in the one step of a story. {@code memory} is protected, 64 bytes. */
    interface Part extends Serializable {
        void run(Job job, Script script, Window window, MemorySegment memory);

        /** What comes before the first step. */
        default void prepare(Job job) {
            // there is nothing to prepare
        }
    }

    /** A program of one step; what is in the window and the protected memory at its end is the result. */
    record Story(String name, int ranks, int checksums, String interval, long steps, Part part,
        Map<String, String> more) {
        /** Without further options. */
        Story(String name, int ranks, int checksums, String interval, long steps, Part part) {
            this(name, ranks, checksums, interval, steps, part, Map.of());
        }

        /** Runs it; without {@code failures} nobody dies. */
        SimResult run(long seed, boolean failures, Set<String> faults) {
            return run(seed, failures, faults, List.of());
        }

        /** As above, with crashes besides. */
        SimResult run(long seed, boolean failures, Set<String> faults, List<Crash> crashes) {
            return BrokenProtocol.call(faults, () -> play(seed, failures, crashes));
        }

        private SimResult play(long seed, boolean failures, List<Crash> crashes) {
            Map<String, String> all = new HashMap<>(Map.of("ranks", "" + ranks, "checksums", "" + checksums, "spares",
                "2", "interval", interval,
                "protocol", "full", "log-budget", "1MiB", "deadline", "40s"));
            all.putAll(more);
            JobOptions options = JobOptions.of(all);
            Script script = new Script(failures);
            SimProgram program = new SimProgram() {
                @Override
                public String name() {
                    return name;
                }

                @Override
                public void run(Job job, Results results) {
                    script.entered(job);
                    Window window = job.allocateWindow("w", WINDOW_BYTES);
                    MemorySegment memory = job.protect("m", 64);
                    part.prepare(job);
                    for (long step : job.steps(steps)) {
                        part.run(job, script, window, memory);
                    }
                    job.gsync();
                    results.store("w", window.memory());
                    results.store("m", memory);
                }
            };
            SimCluster cluster = new SimCluster(options, program, seed).crashing(crashes);
            script.cluster = cluster;
            cluster.when(JobEvent.class, e -> script.events.add(e) && false, c -> { });
            return cluster.run();
        }
    }

    static final long WINDOW_BYTES = 4 * 4096;
    private static final long SETTLED_NANOS = 20_000_000;

    private final boolean failures;
    private final Set<String> entries = new HashSet<>();
    private final Set<Integer> deaths = new HashSet<>();
    private final List<JobEvent> events = new ArrayList<>();
    private SimCluster cluster;
    private SimFabric silent;
    private int stage;
    private boolean rolledBack;

    private Script(boolean failures) {
        this.failures = failures;
    }

    private void entered(Job job) {
        if (!entries.add(job.rank() + "." + job.incarnation())) {
            stage = 0;
            rolledBack = true;
        }
    }

    /** All that the story has before this stage has happened. */
    void reach(int number) {
        stage = Math.max(stage, number);
        cluster.wake();
    }

    /** Waits for a stage, with calls to the library now and then. */
    void await(Job job, Window window, int number) {
        await(job, window, () -> stage >= number);
    }

    /** Whether that stage was reached. */
    boolean isAt(int number) {
        return stage >= number;
    }

    /** As above, for anything. */
    void await(Job job, Window window, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            window.flushLocal(job.rank());
            if (!condition.getAsBoolean()) {
                cluster.relax(job.rank());
            }
        }
    }

    /** Waits for anything, while messages make progress. */
    void progress(Job job, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            job.progress();
            if (!condition.getAsBoolean()) {
                cluster.relax(job.rank());
            }
        }
    }

    /** Waits for anything without a call to the library: what comes meanwhile stays where it is. */
    void idle(Job job, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            cluster.relax(job.rank());
        }
    }

    /** Whether a replacement has come back by replay. */
    boolean hasReplayed() {
        return replays() > 0;
    }

    /** How many replacements have come back by replay. */
    long replays() {
        return count(JobEvent.Replayed.class, e -> true);
    }

    /** How many such events there were. */
    <E extends JobEvent> long count(Class<E> type, Predicate<E> which) {
        return events.stream().filter(type::isInstance).map(type::cast).filter(which).count();
    }

    /** The last committed generation. */
    long committed() {
        return count(JobEvent.Committed.class, e -> true);
    }

    /** How many demand checkpoints of a rank were committed. */
    long demands(int rank) {
        return count(JobEvent.DemandCommitted.class, e -> e.member() == rank);
    }

    /** Waits, with calls to the library, until all that was under way has come to rest. */
    void settle(Job job, Window window) {
        long since = nanos();
        await(job, window, () -> nanos() > since + SETTLED_NANOS);
    }

    /** Whether all ranks have gone back. */
    boolean hasRolledBack() {
        return rolledBack;
    }

    /** These ranks die here, once; {@code number} is also a stage. */
    void die(Job job, int number, int... ranks) {
        reach(number);
        if (failures && deaths.add(number)) {
            for (int rank : ranks) {
                cluster.kill(rank);
            }
            cluster.relax(job.rank());
        }
    }

    /** Whether somebody dies in this run. */
    boolean hasFailures() {
        return failures;
    }

    /** See {@link SimCluster#hold}; once. */
    void hold(int number, int member, String call, Runnable whenHeld, BooleanSupplier until) {
        if (failures && deaths.add(number)) {
            cluster.hold(member, call, whenHeld, until);
        }
    }

    /** As above, at the n-th such call from now on. */
    void hold(int number, int member, String call, int nth, Runnable whenHeld, BooleanSupplier until) {
        if (failures && deaths.add(number)) {
            holdNth(member, call, nth, whenHeld, until);
        }
    }

    private void holdNth(int member, String call, int nth, Runnable whenHeld, BooleanSupplier until) {
        if (nth == 1) {
            cluster.hold(member, call, whenHeld, until);
        } else {
            cluster.hold(member, call, () -> holdNth(member, call, nth - 1, whenHeld, until), () -> true);
        }
    }

    /** See {@link SimCluster#fence}. */
    void fence(int member, long nanos) {
        cluster.fence(member, nanos);
    }

    /** Kills a rank now, wherever it is. */
    void kill(int rank) {
        cluster.kill(rank);
    }

    /** What this rank's process has under way to others stays so until {@link #deliver}, also when it dies. */
    void keepUnderWay(int rank) {
        silent = cluster.network.fabricOf(rank);
        cluster.network.mute(silent);
    }

    /** What was kept under way goes on. */
    void deliver() {
        if (silent != null) {
            cluster.network.unmute(silent);
        }
    }

    /** Simulated time. */
    long nanos() {
        return cluster.nanos();
    }
}
