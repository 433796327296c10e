package org.ftrma.rma.log;

/** Counts of accesses to one rank at cuts, for {@link IdlePeers}. Data thread only. */
final class CutCounts {
    /** No number of accesses. */
    static final long UNKNOWN = -1;
    /** At the last cut that counts, the one before it, and the newest one, which may not. */
    private long atLast = UNKNOWN;
    private long atBefore = UNKNOWN;
    private long atNewest = UNKNOWN;

    void cut(long accesses) {
        atNewest = accesses;
    }

    /** The newest cut counts. */
    void committed() {
        atBefore = atLast;
        atLast = atNewest;
    }

    /** Whether there were as many at the last cut but one that counts. */
    boolean wereAlready(long accesses) {
        return atBefore != UNKNOWN && accesses == atBefore;
    }

    /** The rank is to be found idle by cuts from now on. */
    void forget() {
        atLast = UNKNOWN;
        atBefore = UNKNOWN;
        atNewest = UNKNOWN;
    }
}
