package org.ftrma;

/**
 * Found by {@link java.util.ServiceLoader}: connects {@link org.ftrma.Ftrma#run} to the job that this process belongs
 * to.
 */
public interface JobRuntime {
    /** Whether this process (thread) was started as a rank. */
    boolean available();

    /** Runs the program as this process's rank; returns when the whole job is done. */
    void run(String[] args, Program program);
}
