package org.ftrma.launch;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.ftrma.launch.host.JobHost;

/**
 * Ctrl-C and SIGTERM: ends the running job in good order, then the JVM with status 130. A JVM that gets such a signal runs its shutdown hooks while all other
 * threads go on, so the hook asks the job to end, waits until the main thread is done with everything, and then leaves.
 */
final class Interrupts {
    static final int STATUS = 130;
    private static final long PATIENCE_SECONDS = 20;
    private static final CountDownLatch DONE = new CountDownLatch(1);

    private Interrupts() {
    }

    /** Ends the JVM once everything is cleaned up and printed. Does not return. */
    static void exit(int status) {
        DONE.countDown();
        System.exit(status);
    }

    /** Interrupts the job that the reference holds, if the JVM is told to end while there is one; close when the job is over. */
    static AutoCloseableHook during(AtomicReference<JobHost> job) {
        Thread hook = new Thread(() -> {
            JobHost running = job.get();
            if (running != null) {
                running.interrupt("interrupted");
            }
            boolean done = false;
            try {
                done = DONE.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (!done) {
                System.err.println("ftrma: the job did not end within " + PATIENCE_SECONDS + " s of the interrupt; its processes end with this one");
            }
            Runtime.getRuntime().halt(STATUS);
        }, "ftrma-interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
        return () -> remove(hook);
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending already: the hook runs and will take it from here.
            Thread.onSpinWait();
        }
    }

    /** A hook that is taken back by closing it. */
    @FunctionalInterface
    interface AutoCloseableHook extends AutoCloseable {
        @Override
        void close();
    }
}
