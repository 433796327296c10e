package org.ftrma.core.coordinator;

import java.util.BitSet;

/**
 * One recovery of a computing rank while the others run on: who has confirmed that it leaves the lost rank alone.
 * Coordinator's thread.
 */
final class LocalRecovery {
    final int number;
    final int member;
    /** Whether the replacement holds its state, and can be accessed. */
    boolean isResumed;
    private final BitSet unseen;
    /** Members that may be connected to the lost rank. */
    private final BitSet connected;
    private boolean asked;
    private boolean restored;
    /** The last step that the replacement is known to have begun; -1: none. */
    private long reached = -1;

    LocalRecovery(int number, int member, BitSet survivors, BitSet connected) {
        this.connected = connected;
        this.number = number;
        this.member = member;
        this.unseen = survivors;
    }

    /** A survivor confirmed; returns whether the replacement may read the logs now. */
    boolean seen(int survivor, int recovery) {
        if (recovery != number || !unseen.get(survivor)) {
            return false;
        }
        unseen.clear(survivor);
        return ready();
    }

    /** A member has cut off the lost rank, or is gone itself. */
    void cutOffBy(int other) {
        connected.clear(other);
    }

    /** The replacement wants to be told when all have. */
    void asks() {
        asked = true;
    }

    /** Whether it is to be told now: once. */
    boolean takeLeftAlone() {
        boolean isTold = asked && connected.isEmpty();
        asked &= !isTold;
        return isTold;
    }

    /** The replacement has begun a step; returns whether it had not got as far before. */
    boolean reaches(long step) {
        boolean isFurther = step > reached;
        reached = Math.max(reached, step);
        return isFurther;
    }

    /** The replacement holds its image; returns whether it may read the logs now. */
    boolean restored() {
        restored = true;
        return ready();
    }

    private boolean ready() {
        return restored && unseen.isEmpty();
    }

    /** What it waits for, for a message. */
    String missing() {
        return asked ? "members " + connected + " have not cut off the lost rank"
            : !restored ? "the replacement has not restored its image"
            : unseen.isEmpty() ? "the replacement still replays" : "no answer of ranks " + unseen;
    }
}
