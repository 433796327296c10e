package org.ftrma.core.image;

import java.lang.foreign.MemorySegment;
import org.ftrma.WindowKind;

/** Memory of one rank that images have to do with: a window's part at this rank. Data thread. */
public interface ProtectedMemory {
    /** The name that the program gave it. */
    String name();

    /** Its size. */
    long bytes();

    /** The memory; the same one as long as the process lives. */
    MemorySegment memory();

    /** Whether it is part of images. */
    WindowKind kind();
}
