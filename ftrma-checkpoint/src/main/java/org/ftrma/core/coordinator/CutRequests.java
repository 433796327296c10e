package org.ftrma.core.coordinator;

/**
 * Cuts that somebody outside asks for, besides those that are due: which requests there are, and which generation
 * serves them. A request is served by the first generation of which the ranks copy their state after it; one may serve
 * many. Rank 0 is told, and sees that the next boundary which no rank has passed is a cut, as it does for a cut by its
 * clock. What is given up, by a loss say, is asked for again. Coordinator's thread.
 */
final class CutRequests {
    private long asked;
    /** The newest request that the generation which is copied or pending serves; 0: none. */
    private long underWay;
    private long served;
    private boolean isTold;

    /** One request more; returns its number, from 1. */
    long request() {
        return ++asked;
    }

    /** Whether rank 0 is to be told now; it is to be told once. */
    boolean takeTelling() {
        boolean must = !isTold && asked > Math.max(served, underWay);
        isTold |= must;
        return must;
    }

    /** Whether this request, and with it all before, is served. */
    boolean isServed(long request) {
        return request <= served;
    }

    /** The ranks copy now. */
    void copies() {
        underWay = asked; // C35
        isTold = false;
    }

    /** The generation is committed. Returns whether that serves a request. */
    boolean committed() {
        boolean serves = underWay > served;
        served = Math.max(served, underWay);
        underWay = 0;
        return serves;
    }

    /** The newest request that the generation which is copied or pending serves; 0: none. */
    long underWay() {
        return underWay;
    }

    /** The newest request that is served. */
    long served() {
        return served;
    }

    /** The generation is given up: whoever asked for it goes on waiting. */
    void abandoned() {
        underWay = 0;
        isTold = false;
    }

    /** Rank 0 is another process, or begins anew. */
    void forgotten() {
        isTold = false;
    }
}
