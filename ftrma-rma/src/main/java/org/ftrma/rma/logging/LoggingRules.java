package org.ftrma.rma.logging;

import java.util.function.Supplier;
import org.ftrma.rma.log.AccessLog;
import org.ftrma.rma.log.Coverage;
import org.ftrma.rma.log.LogMarks;

/**
 * The rules of access logging that a rank keeps, as it must: tests break one at a time, to show that it is found.
 * Immutable; any thread.
 */
public class LoggingRules {
    /** The rules as they must be. */
    public LoggingRules() {
        // there is nothing to set
    }

    /** Whether logs are emptied when all ranks go back. */
    public boolean emptiesLogsOfEarlierViews() {
        return true;
    }

    /**
     * The last epoch whose puts a replacement does not send again, given the last one that its target knows to be
     * closed.
     */
    public long lastEpochNotSentAgain(long closed) {
        return closed;
    }

    /**
     * How far from each rank its buddy is.
     *
     * @param apart the least distance at which no rank is on one node with its buddy, or as few as can be
     */
    public int buddyDistance(int apart) {
        return apart;
    }

    /** Whether a replacement that begins with a demand image tells that earlier results of collectives are lost. */
    public boolean tellsLostCollectives() {
        return true;
    }

    /** Whether a replacement makes its lock words anew of what the others hold. */
    public boolean rebuildsLocks() {
        return true;
    }

    /** What is dropped of the logs when a generation counts, given where they stood at its image. */
    public LogMarks trimmedTo(LogMarks atImage, AccessLog log) {
        return atImage;
    }

    /**
     * Whether a rank is given up, and is not accessed before its keys were asked for again.
     *
     * @param isIdle whether it was not accessed between the last two cuts that count, and since
     */
    public boolean isLeftAlone(boolean isIdle) {
        return isIdle;
    }

    /** Whether others hold their atomic updates while an image is copied alone. */
    public boolean holdsUpdates() {
        return true;
    }

    /** What a demand image claims to include, of what was read before the copy. */
    public Coverage claimed(Coverage read) {
        return read;
    }

    /**
     * What a demand image says that it includes, given what was read before the copy, and what would be read after it.
     */
    public Coverage covered(Coverage beforeCopy, Supplier<Coverage> afterCopy) {
        return beforeCopy;
    }
}
