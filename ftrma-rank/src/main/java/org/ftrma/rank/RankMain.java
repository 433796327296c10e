package org.ftrma.rank;

import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.ftrma.FtrmaException;
import org.ftrma.rank.control.JobFile;
import org.ftrma.rank.control.LifelineGreeting;
import org.ftrma.rank.control.RankOptions;
import org.ftrma.rank.control.SocketControlPlane;
import org.ftrma.rank.counter.CounterFile;
import org.ftrma.rank.disk.FileImageStore;
import org.ftrma.runtime.RankProcess;
import org.ftrma.spi.MemoryShare;

/**
 * The main class of a process that plays a rank: {@code RankMain jobDirectory processNumber}; all else is in the job's
 * file. Started
 * by the launcher only; the thread that calls {@link #main} is the data thread.
 */
public final class RankMain {
    /** The launcher is gone: nobody reads this status. */
    private static final int ORPHANED = 4;
    private static final long ORPHAN_GRACE_NANOS = 2_000_000_000L;
    /** As a shell tells of a process that SIGTERM has ended. */
    private static final int TERMINATED = 143;
    /** For the parent to take note of a signal that all processes of a host have got. */
    private static final long TOLD_NANOS = 5_000_000_000L;

    private RankMain() {
    }

    /** Plays the role that the coordinator gives this process, then ends the JVM. */
    public static void main(String[] args) {
        int status = 1;
        try {
            status = run(args);
        } catch (Throwable e) {
            e.printStackTrace();
        }
        System.exit(status);
    }

    private static int run(String[] args) {
        Path directory = Path.of(args[0]);
        int process = Integer.parseInt(args[1]);
        JobFile job = JobFile.read(directory);
        if (!PosixProcess.bindToParent(job.launcherPid())) {
            return ORPHANED;
        }
        Signals.handle(() -> leaveUnlessTheParentIsTold(directory));
        RankOptions options = job.rank();
        try (CounterFile counters = new CounterFile(job.counters(), process);
            SocketControlPlane control = new SocketControlPlane(job.launcher(), job.token(), process,
                Thread.currentThread(), RankMain::leaveWithLauncher, job.joinMillis())) {
            Lifeline.hold(job.lifelines(), new LifelineGreeting(process, ProcessHandle.current().pid())
                .frame(job.token()));
            control.whenBeating(counters::beat);
            UcxFabrics fabrics = new UcxFabrics(control, options.isReplacement(process),
                options.oversubscribed(), job.place());
            RankProcess rank = new RankProcess(control, new SystemClock(options.oversubscribed(), options.sharing()),
                fabrics, new ForgivingCounters(counters))
                .keepingImagesIn(new FileImageStore())
                .sharing(options.isReplacement(process) ? MemoryShare.ALL : options.share());
            ProgramLoader program = new ProgramLoader(options.program(), RankMain.class.getClassLoader());
            Thread.currentThread().setContextClassLoader(program);
            Preloading preloading = new Preloading(options, process, program);
            fabrics.whenProvisioned(ofJob -> preloading.rehearse(ofJob, control));
            preloading.whileSpare(control);
            return switch (rank.awaitRole()) {
                case COMPUTING -> compute(new LaunchedRuntime.LaunchedRank(rank, options.check(), fabrics::report),
                    options, program);
                case CHECKSUM -> {
                    PosixProcess.runInBackground(); // ranks that go on after a checkpoint come before its parity
                    preloading.parityLoops();
                    rank.runChecksum();
                    yield 0;
                }
                case NONE -> 0;
            };
        }
    }

    /**
     * Who tells all processes of a host to end, as schedulers do, has told the launcher or the agent, too: that stops
     * the job without a loss of work, or leaves the host, and needs this process until then.
     */
    private static void leaveUnlessTheParentIsTold(Path directory) {
        LockSupport.parkNanos(TOLD_NANOS);
        if (!JobFile.isParentTold(directory)) {
            Runtime.getRuntime().halt(TERMINATED);
        }
    }

    /** The kernel kills this process with its launcher; this is for the case that only the connection is lost. */
    private static void leaveWithLauncher() {
        LockSupport.parkNanos(ORPHAN_GRACE_NANOS);
        Runtime.getRuntime().halt(ORPHANED); // M28
    }

    private static int compute(LaunchedRuntime.LaunchedRank rank, RankOptions options, ProgramLoader program) {
        EarlyExit.watch(rank, options.mainClass());
        Throwable failure = null;
        try {
            LaunchedRuntime.call(rank, () -> {
                program.requireTheSame();
                MainMethod.of(options, program).invoke(null,
                    (Object) options.arguments().toArray(String[]::new));
                return null;
            });
        } catch (InvocationTargetException e) {
            failure = e.getCause();
        // a class that cannot be loaded or initialized is an Error, and the program's failure as any other
        } catch (ReflectiveOperationException | RuntimeException | Error e) {
            failure = e;
        }
        if (failure == null && !rank.entered()) {
            failure = new FtrmaException(FtrmaException.Category.MISUSE, options.mainClass()
                + ".main returned without having called Ftrma.run");
        }
        if (failure == null) {
            return 0;
        }
        if (rank.returned()) {
            rank.failedAfterRun(failure);
        } else if (!rank.entered()) {
            // The job learns of it as of any failure of the program; what happened inside Ftrma.run it knows already.
            rank.failedBeforeRun(failure instanceof FtrmaException known ? known.getMessage()
                : MainMethod.describe(failure));
        }
        return 1;
    }
}
