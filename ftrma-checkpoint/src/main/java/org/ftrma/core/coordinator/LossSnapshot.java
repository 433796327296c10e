package org.ftrma.core.coordinator;

import org.ftrma.options.Protocol;

/**
 * All that {@link LossPolicy} looks at when a member was lost: how things stand right after the loss. Immutable.
 *
 * @param protocol what there is to recover from; NONE without checksum ranks
 * @param isChecksum whether the lost member is a checksum rank
 * @param lostOfGroup members of its group that lack their part of the committed generation, itself included
 * @param losses how many of these a group can rebuild
 * @param isRunning whether all members run, or else start or go back
 * @param hasGeneration whether a coordinated checkpoint was committed
 * @param halfParity whose demand image is half in the parities of its group
 * @param waiting whose earlier loss waits for the end of a demand checkpoint
 * @param recovery which computing ranks are being recovered while the others run on, or will be, since they were lost
 *     together with it
 * @param leavesTooFew whether a mate that makes its part anew would have too few others left to read
 */
record LossSnapshot(Protocol protocol, boolean isChecksum, int lostOfGroup, int losses, boolean isRunning,
    boolean hasGeneration, HalfParity halfParity, Waiting waiting, Recovery recovery,
    boolean leavesTooFew) {

    /**
     * Whose demand image is being taken into the parities of the lost member's group, in place, once that is lost.
     */
    public enum HalfParity {
        /** Nobody's: all parities of the group are whole. */
        NONE,
        /** That of the lost member. */
        OF_THE_LOST,
        /** That of a mate. */
        OF_A_MATE
    }

    /** Whose loss waits. */
    public enum Waiting {
        /** Nobody's. */
        NOBODY,
        /** That of a mate of the lost member. */
        A_MATE,
        /** That of a member of another group. */
        ANOTHER
    }

    /** Which computing ranks are being recovered while the others run on, or were lost at the same time. */
    public enum Recovery {
        /** None. */
        NONE,
        /** The lost member itself: its replacement was lost. */
        OF_THE_LOST,
        /**
         * Others, of other groups, none of which has accessed the lost member or was accessed by it in this view, or
         * keeps anything for it; perhaps the lost member, too.
         */
        OF_STRANGERS,
        /** Another one, whose logs the lost member may need, or that may need those of the lost member. */
        OF_ANOTHER
    }

    /** Whether the replacement can make its parity anew while all others run on. */
    public boolean isBesideTheRun() {
        return isChecksum && isRunning && !protocol.logsAtChecksum();
    }
}
