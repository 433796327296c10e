package org.ftrma;

import java.lang.foreign.MemorySegment;

/**
 * Protected local state that the program double-buffers anyway: a step reads {@link #current} and writes all of
 * {@link #next}, then calls {@link #advance}. A checkpoint keeps the current buffer as the image without copying it.
 * Data thread only.
 */
public interface RotatingSegment {
    /** The state, to be read. Zeros before the first {@link #advance}. Fetch it anew in every step. */
    MemorySegment current();

    /**
     * The buffer to write, of undefined contents. Fetch it anew in every step; the program must write all of it before
     * it advances.
     */
    MemorySegment next();

    /** Makes {@link #next} the current state. At most once in a step, or in initialize. */
    void advance();
}
