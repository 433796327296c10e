package org.ftrma.launch;

import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ftrma.launch.job.JobHost;
import org.ftrma.launch.record.JobResult;
import org.ftrma.rank.Signals;

/**
 * Ctrl-C and SIGTERM: ends what runs in good order, then the JVM with status 130. A JVM that gets such a signal runs
 * its shutdown hooks while all other threads go on. So the hook asks the running job to end, waits until the main
 * thread is done with everything, and then leaves; a job that begins later ends at once. Where no job has begun,
 * nothing needs to be put in order, and the hook leaves by itself. A job that can stop without a loss of work does so
 * at the first signal, and the JVM goes on until it has; the second one is as the first one is elsewhere.
 */
public final class Interrupts {
    public static final int STATUS = 130;
    private static final long PATIENCE_SECONDS = 20;
    private static final long LAST_WORDS_MILLIS = 2_000;
    /** The script that started this JVM can tell its statuses from those of a JVM that came to no end of its own. */
    private static final int TOLD = Integer.getInteger("ftrma.status.told", 0);
    private static final String WHY = "interrupted";
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile int status = STATUS;
    private JobHost job;
    private boolean jobsHaveBegun;
    private boolean arrived;

    /** None has come yet. */
    public Interrupts() {
    }

    /**
     * From now on signals are handled.
     *
     * @param out where results are printed
     * @param tell prints that the command was interrupted, where the main thread does not; it may be at work, and
     *     prints nothing after that
     */
    void install(PrintStream out, Runnable tell) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            if (arrive() && mainIsDone()) {
                halt(status);
            }
            Thread teller = Thread.ofPlatform().daemon().start(() -> {
                synchronized (out) {
                    tell.run();
                    halt(STATUS);
                }
            });
            joined(teller);
            halt(STATUS);
        }, "ftrma-interrupt"));
    }

    private static void halt(int ended) {
        Runtime.getRuntime().halt(TOLD + ended);
    }

    /** Whoever reads the output may be stuck. */
    private static void joined(Thread teller) {
        try {
            teller.join(LAST_WORDS_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A signal came, or the JVM ends by itself. Returns whether the main thread can tell so. */
    public synchronized boolean arrive() {
        arrived = true;
        if (job != null) {
            job.interrupt(WHY);
        }
        return jobsHaveBegun || done.getCount() == 0;
    }

    /** Whether a signal has come. Any thread. */
    synchronized boolean haveArrived() {
        return arrived;
    }

    private boolean mainIsDone() {
        try {
            if (done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return true;
            }
            System.err.println("ftrma: the job did not end within " + PATIENCE_SECONDS
                + " s of the interrupt; its processes end with this one");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    /** A signal came, and the JVM goes on: a job that can, stops. Returns whether one does. */
    synchronized boolean stop() {
        return job != null && !arrived && job.stop(WHY);
    }

    private void signalled() {
        if (!stop()) {
            System.exit(TOLD + STATUS);
        }
    }

    /** Runs a job so that a signal ends it in good order. Main thread. */
    public JobResult run(JobHost host) {
        if (host.hasDisk()) {
            Signals.handle(this::signalled);
        }
        synchronized (this) {
            jobsHaveBegun = true;
            job = host;
            if (arrived) {
                host.interrupt(WHY);
            }
        }
        try {
            return host.run();
        } finally {
            synchronized (this) {
                job = null;
            }
        }
    }

    /**
     * Ends the JVM once everything is cleaned up and printed, with this status also if a signal comes now. Does not
     * return.
     */
    void exit(int ended) {
        status = ended;
        done.countDown();
        System.exit(TOLD + ended);
    }
}
