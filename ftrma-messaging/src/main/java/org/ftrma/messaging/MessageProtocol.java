package org.ftrma.messaging;

import org.ftrma.core.image.CheckpointedState;
import org.ftrma.messaging.transport.PieceSource;
import org.ftrma.spi.RemoteMemory;

/**
 * What becomes of messages when a rank is lost: nothing but what images have of them, or they are logged. Chosen when
 * the job begins. Data thread only.
 */
interface MessageProtocol {
    /** The sending half. */
    Sender sender();

    /** What the receiving half remembers. */
    Intake intake();

    /** What calls tell. */
    Outcomes outcomes();

    /** What images have. */
    CheckpointedState state();

    /** The key of the memory that long messages lie in. */
    byte[] key();

    /** That memory of a peer. */
    PieceSource pieces(int peer, RemoteMemory memory);

    /** Whether a piece of so many bytes may lie at that place of a peer. */
    boolean mayHavePiece(long place, long bytes);

    /** Something leaves the rank that is no message: what it may depend on is stable before. */
    void release();

    /** All ranks have arrived at a cut. */
    void beforeCopy();

    /** The ranks of a channel, by number, with the same color; null for color -1. */
    ChannelImpl split(ChannelImpl parent, int[] members, int color, int key);

    /** Between accesses: what was put off is done. */
    default void settle() {
        // nothing was
    }

    /** A rank that replays may have done all again that others have seen. */
    default void goLiveIfCaughtUp() {
        // nobody replays
    }

    /** Whether something may come of a rank whose program has returned. */
    default boolean mayStillSend() {
        return false;
    }
}
