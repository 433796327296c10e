package org.ftrma.core.checkpoint;

/** Participant in coordinated checkpoints, called at a cut. Data thread. */
public interface CutListener {
    /** Whether {@link #needsCut} may ever be so: the same at all ranks, for they ask each other then. */
    default boolean mayNeedCut() {
        return true;
    }

    /** Whether this rank needs a checkpoint soon, for its logs run out of memory. */
    boolean needsCut();

    /** The ranks will copy now: the last moment to complete the own state. */
    void beforeCopy();

    /** This rank alone will copy now, for a demand checkpoint: as {@link #beforeCopy}, and nobody waits for it. */
    default void beforeDemandCopy() { }

    /** The image of this generation holds all that was logged before now. */
    void copied(long generation);

    /** Whether this rank is behind the others and replays. */
    boolean replaying();
}
