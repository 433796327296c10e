package org.ftrma.rma.log;

/** What the log needs of its surroundings. */
@FunctionalInterface
public interface LogHome {
    /**
     * A rank's log region. Where it must be opened, first or anew after the rank was replaced, losses may be heard
     * of before this returns.
     */
    LogRegion region(int rank);

    /** Whether a rank is lost and not yet replaced. */
    default boolean isAway(int rank) {
        return false;
    }

    /** Whether a window is in no image. */
    default boolean isScratch(int window) {
        return false;
    }

    /**
     * Completes this rank's accesses to another one. No loss is heard of where all regions are mapped: a log is in
     * the middle of a change.
     */
    default void flush(int rank) {
        region(rank).flush();
    }
}
