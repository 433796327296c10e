package org.ftrma.launch;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ftrma.launch.host.JobHost;

/**
 * Ctrl-C and SIGTERM: ends the running job in good order, then the JVM with status 130. A JVM that gets such a signal runs its shutdown
 * hooks while all other threads go on, so the hook asks the job to end, waits until the main thread is done with everything, and then
 * leaves.
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

    /** When the JVM is told to end, the job ends first; {@link #remove} the hook when the job is over. */
    static Thread endingFirst(JobHost job) {
        Thread hook = new Thread(() -> {
            job.interrupt("interrupted");
            boolean done = false;
            try {
                done = DONE.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (!done) {
                System.err.println("ftrma: the job did not end within " + PATIENCE_SECONDS
                    + " s of the interrupt; its processes end with this one");
            }
            Runtime.getRuntime().halt(STATUS);
        }, "ftrma-interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
        return hook;
    }

    /** Takes a hook back. */
    static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending already: the hook runs, and ends it once the main thread is done.
            Thread.onSpinWait();
        }
    }
}
