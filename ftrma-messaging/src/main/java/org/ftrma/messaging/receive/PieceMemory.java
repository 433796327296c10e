package org.ftrma.messaging.receive;

import org.ftrma.messaging.transport.PieceSource;

/** Memory in which senders keep long messages for their receivers to pull. Data thread only. */
public interface PieceMemory {
    /** The key of this rank's. */
    byte[] key();

    /** Whether a piece of so many bytes may lie at that place of a peer. */
    boolean mayHavePiece(long place, long bytes);

    /** Opens a peer's. */
    PieceSource open(int peer);
}
