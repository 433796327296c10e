package org.ftrma.rma.log;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/** Surroundings of a log. */
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

    /** Whether gets that were under way from a rank have ended with its last loss, and did not arrive. */
    default boolean wasCutOff(int rank) {
        return false;
    }

    /**
     * Issues gets from a rank once more, when it is back, and returns when they have arrived. Losses may be heard of
     * before.
     */
    default void getAgain(int rank, Consumer<GetAgain> gets) {
        throw new IllegalStateException("rank=" + rank + ": nothing that was under way from it has ended");
    }

    /** One get that is issued once more. */
    @FunctionalInterface
    interface GetAgain {
        /** As {@link org.ftrma.Window#get}, from that window. */
        void get(int window, MemorySegment destination, long destinationOffset, long offset, long length);
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
