package org.ftrma.rank;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;

/**
 * Makes the threads of the common pool, on which parallel streams of a program run: each finds the classes that the
 * thread finds which needed it, so those of the program. The JDK's own would find the library's alone. Named on the
 * command line of a rank; any thread.
 */
public final class ProgramThreads implements ForkJoinPool.ForkJoinWorkerThreadFactory {
    /** Made by the pool. */
    public ProgramThreads() {
        // there is nothing to set
    }

    @Override
    public ForkJoinWorkerThread newThread(ForkJoinPool pool) {
        ForkJoinWorkerThread thread = new Worker(pool);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        return thread;
    }

    private static final class Worker extends ForkJoinWorkerThread {
        Worker(ForkJoinPool pool) {
            super(pool);
        }
    }
}
