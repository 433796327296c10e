package org.ftrma.launch.web;

import java.util.NoSuchElementException;
import java.util.concurrent.ThreadFactory;
import org.ftrma.ucp.CFunction;

/**
 * Makes the threads of a page: daemons to which the kernel gives what the ranks leave, and next to nothing where they
 * leave none. On Linux each thread has a nice value of its own; at the greatest one it weighs a seventieth of a thread
 * of a rank. It is not made to weigh less (SCHED_IDLE): one that a garbage collection of the launcher has to wait for
 * is run again within a fifth of a second so, and otherwise within a whole one. Any thread.
 */
final class BackgroundThreads implements ThreadFactory {
    private static final int PRIO_PROCESS = 0;
    private static final int THIS_THREAD = 0;
    private static final int NICEST = 19;

    private final String name;

    /** Makes threads of this name. */
    BackgroundThreads(String name) {
        this.name = name;
    }

    @Override
    public Thread newThread(Runnable work) {
        return Thread.ofPlatform().daemon().name(name).unstarted(() -> {
            stepBack();
            work.run();
        });
    }

    /** Begins to do something in one. */
    Thread start(Runnable work) {
        Thread thread = newThread(work);
        thread.start();
        return thread;
    }

    /** The calling thread, and those that it starts. Where the system refuses, it goes on as before. */
    private static void stepBack() {
        try {
            CFunction.ofLibc("setpriority").call(PRIO_PROCESS, THIS_THREAD, NICEST);
        } catch (NoSuchElementException e) {
            Thread.onSpinWait(); // no such system: the page is served all the same
        }
    }
}
