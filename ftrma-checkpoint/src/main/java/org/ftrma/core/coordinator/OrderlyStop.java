package org.ftrma.core.coordinator;

/**
 * The end that somebody outside wants of a job before its program has come to its own, without a loss of work: a cut at
 * the next boundary, which goes to disk, however many generations do. Where that is given up (a rank is lost, the disk
 * is full) another one is asked for. Coordinator's thread.
 */
final class OrderlyStop {
    private static final int MAX_FAILURES = 5;
    private final CutRequests requests;
    private final FlushArbiter flushes;
    /** The request of a cut, 0: the job is to go on. */
    private long request;
    /** The generation that serves it and goes to disk, 0: not yet. */
    private long generation;
    private int failures;

    OrderlyStop(CutRequests requests, FlushArbiter flushes) {
        this.requests = requests;
        this.flushes = flushes;
    }

    /** From now on. */
    void begin() {
        if (request == 0) {
            request = requests.request();
        }
    }

    /**
     * A generation is committed.
     *
     * @return whether it is the one that must go to disk
     */
    boolean committed(long newGeneration) {
        boolean isIt = request > 0 && generation == 0 && requests.isServed(request);
        if (isIt) {
            generation = newGeneration;
        }
        return isIt;
    }

    /** Looks at how far the disk is. */
    void look() {
        if (generation > 0 && !isDone() && flushes.isIdle() && failure() == null) {
            failures += flushes.failedByLoss() ? 0 : 1;
            generation = 0;
            request = requests.request();
        }
    }

    /** Whether the job may end. */
    boolean isDone() {
        return generation > 0 && flushes.named() != null && flushes.named().generation() >= generation;
    }

    /** Why nothing will come of it, or null. */
    String failure() {
        return failures < MAX_FAILURES ? null : flushes.failure();
    }

    /** Where it ended, for people. */
    String text() {
        FlushArbiter.Cut cut = flushes.named();
        return "stopped after step " + cut.step() + ": generation " + cut.generation() + " is on disk as "
            + flushes.name();
    }
}
