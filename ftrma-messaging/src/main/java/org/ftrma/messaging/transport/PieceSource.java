package org.ftrma.messaging.transport;

import java.lang.foreign.MemorySegment;

/** Memory of another rank from which this one pulls pieces of long messages. Data thread only. */
public interface PieceSource {
    /** Begins to read the first bytes of a piece. */
    void get(long place, MemorySegment destination, long offset, long length);

    /** What was begun is read when this returns. */
    void complete();

    /** The piece was read. */
    void release(long place);
}
