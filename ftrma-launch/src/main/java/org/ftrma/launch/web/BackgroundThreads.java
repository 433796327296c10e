package org.ftrma.launch.web;

import java.util.concurrent.ThreadFactory;
import org.ftrma.ucp.Libc;

/**
 * Makes the threads of a page: daemons to which the kernel gives what the ranks leave, and next to nothing where they
 * leave none. On Linux each thread has a nice value of its own; at the greatest one it weighs a seventieth of a thread
 * of a rank. It is not made to weigh less (SCHED_IDLE): one that a garbage collection of the launcher has to wait for
 * is run again within a fifth of a second so, and otherwise within a whole one. Any thread.
 */
final class BackgroundThreads implements ThreadFactory {
    private static final int NICEST = 19;

    private final String name;

    /** Makes threads of this name. */
    BackgroundThreads(String name) {
        this.name = name;
    }

    @Override
    public Thread newThread(Runnable work) {
        return Thread.ofPlatform().daemon().name(name).unstarted(() -> {
            Libc.standBack(NICEST);
            work.run();
        });
    }

    /** Begins to do something in one. */
    Thread start(Runnable work) {
        Thread thread = newThread(work);
        thread.start();
        return thread;
    }
}
