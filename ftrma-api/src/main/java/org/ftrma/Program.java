package org.ftrma;

/**
 * A resilient program; see {@link Ftrma#run}. It may be entered several times: once at start, and again after each
 * rollback.
 */
@FunctionalInterface
public interface Program {
    /**
     * Runs on the rank's data thread.
     *
     * @param job the rank's view of the job, the same object at every entry
     * @throws Exception ends the job with exit code 1 and this exception's message
     */
    void run(Job job) throws Exception;
}
