package org.ftrma.core.image;

import java.lang.foreign.MemorySegment;
import org.ftrma.WindowKind;

/** Memory of one rank that images have to do with: a window's part at this rank. Data thread. */
public interface ProtectedMemory {
    /** The name that the program gave it. */
    String name();

    /** Its size here. */
    long bytes();

    /** The size of the largest part of a rank: each image has room for that, of which smaller parts leave the rest. */
    default long largestBytes() {
        return bytes();
    }

    /** What that part's rank exposes for it. */
    default long largestRegionBytes() {
        return largestBytes();
    }

    /** Its sizes at all ranks, in words: others are described otherwise. */
    default String sizes() {
        return bytes() + " bytes";
    }

    /** The memory; the same one as long as the process lives. */
    MemorySegment memory();

    /** Whether it is part of images. */
    WindowKind kind();
}
