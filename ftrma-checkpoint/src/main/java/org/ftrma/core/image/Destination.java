package org.ftrma.core.image;

import java.lang.foreign.MemorySegment;

/** Destination of what is combined out of images and parities. Data thread. */
public interface Destination {
    /** The memory for the copied part, with the offset of its first byte. */
    MemorySegment copied();

    long copiedOffset();

    /** How many bytes of the header may be other than zero, whole blocks. */
    long usedHeader();

    /** Makes all of the header zero that is beyond so many bytes: these may be written now. */
    void beginHeader(long bytes);

    /** The memory for rotating segment j, with the offset of its first byte. */
    MemorySegment rotating(int j);

    long rotatingOffset(int j);
}
