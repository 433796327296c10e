package org.ftrma.core.coordinator;

import java.util.EnumSet;
import java.util.Set;

/**
 * States in the life of a member, as far as its coordinator knows. {@link #next} is the table of all changes that there
 * are. Whether a member holds its part of the committed generation, and whether its process is being killed, is told
 * beside it: see {@link Member}.
 */
public enum MemberState {
    /** The first process that is to play the member is on its way. */
    EXPECTED(false, false),
    /** The member's process is dead, or could not be started, and no other one has taken its place. */
    LOST(false, false),
    /** A process plays the member from now on, and has yet to come to the present view. */
    JOINING(true, false),
    /**
     * The member was in an earlier view, was told to leave that, and has yet to come to the present one: its program
     * may still compute.
     */
    LEAVING(true, false),
    /**
     * The member has come to the present view, holds its part of the committed generation, and makes its state of
     * that.
     */
    RESTORING(true, true),
    /**
     * The member has come to the present view, and makes its part of the committed generation anew from those of
     * others.
     */
    REBUILDING(true, true),
    /**
     * The member has its state in the present view, and waits until it may go. Where nothing is protected, it does
     * not wait.
     */
    READY(true, true),
    /** The member was lost while the others ran on, has its image again, and repeats what it had done since. */
    REPLAYING(true, true),
    /** The member was told to go: a computing rank runs its program, a checksum rank makes parities. */
    RUNNING(true, true),
    /** The member's program has returned; its process still serves the others. */
    FINISHED(true, true);

    private final boolean isPlayed;
    private final boolean isInView;

    MemberState(boolean isPlayed, boolean isInView) {
        this.isPlayed = isPlayed;
        this.isInView = isInView;
    }

    /** Whether a process plays the member. */
    public boolean isPlayed() {
        return isPlayed;
    }

    /** Whether the member has come to the present view. */
    public boolean isInView() {
        return isInView;
    }

    /** Whether the member has its state in the present view. */
    public boolean hasRestored() {
        return this == READY || this == REPLAYING || this == RUNNING || this == FINISHED;
    }

    /** The states that may follow this one. */
    public Set<MemberState> next() {
        return switch (this) {
            case EXPECTED -> EnumSet.of(JOINING, LOST);
            case LOST -> EnumSet.of(JOINING);
            case JOINING, LEAVING -> EnumSet.of(RESTORING, REBUILDING, LOST);
            case RESTORING, REBUILDING -> EnumSet.of(READY, LEAVING, LOST);
            case READY -> EnumSet.of(RUNNING, REPLAYING, FINISHED, LEAVING, LOST);
            case REPLAYING -> EnumSet.of(RUNNING, LEAVING, LOST);
            case RUNNING -> EnumSet.of(FINISHED, LEAVING, LOST);
            case FINISHED -> EnumSet.of(LEAVING, LOST);
        };
    }
}
