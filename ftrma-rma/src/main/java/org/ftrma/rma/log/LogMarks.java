package org.ftrma.rma.log;

import java.util.Arrays;

/**
 * Ends of the logs of one rank at a moment, by the log: an image of that moment includes what is before these marks. 0:
 * there was no log, or nothing in it. The data thread of that rank only.
 */
public final class LogMarks {
    private static final long LOST = -1;

    private final long[] puts;
    private final long[] results;
    private long ownResults;
    private long collectives;
    private long locks;

    /** No log of any rank. */
    LogMarks(int ranks) {
        this.puts = new long[ranks];
        this.results = new long[ranks];
    }

    void puts(int target, long mark) {
        puts[target] = mark;
    }

    void results(int keeper, long mark) {
        results[keeper] = mark;
    }

    void ownResults(long mark) {
        ownResults = mark;
    }

    void collectives(long mark) {
        collectives = mark;
    }

    void locks(long mark) {
        locks = mark;
    }

    /** In the log of puts to a rank. */
    long puts(int target) {
        return puts[target];
    }

    /** In the results that a rank keeps. */
    public long results(int keeper) {
        return results[keeper];
    }

    /** In the results that the buddy keeps since no other rank does. */
    public long ownResults() {
        return ownResults;
    }

    /** In the results of collectives. */
    long collectives() {
        return collectives;
    }

    /** In the log of locks. */
    long locks() {
        return locks;
    }

    /** The results that a rank keeps are lost, with those of after the mark. */
    void lose(int keeper) {
        results[keeper] = LOST;
    }

    /** So are those that the buddy keeps. */
    void loseOwnResults() {
        ownResults = LOST;
    }

    /** Whether the log was lost, since the marks were taken, that had this rank's results. */
    boolean isLost(int keeper) {
        return results[keeper] == LOST;
    }

    /** Whether the buddy's log was. */
    boolean areOwnResultsLost() {
        return ownResults == LOST;
    }

    @Override
    public String toString() {
        return "puts " + Arrays.toString(puts) + " results " + Arrays.toString(results) + " own results " + ownResults
            + " collectives " + collectives + " locks " + locks;
    }
}
