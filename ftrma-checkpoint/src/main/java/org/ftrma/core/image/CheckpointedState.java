package org.ftrma.core.image;

import java.lang.foreign.MemorySegment;
import org.ftrma.FtrmaException;

/** State of the library itself that belongs to an image: lock state, counters. Data thread. */
public interface CheckpointedState {
    /** The most bytes that {@link #save} writes: a multiple of 8, the same on every rank. */
    int imageBytes();

    /**
     * Writes the state: what there is, and nothing for ranks that this one has nothing to do with. Returns the bytes
     * that it took, a multiple of 8.
     */
    long save(MemorySegment image, long offset);

    /** Takes the state over that {@link #save} wrote in so many bytes. */
    void restore(MemorySegment image, long offset, long length);

    /**
     * Writes the state of a job that goes on at a cut and has done nothing itself so far: all ranks write the same
     * numbers. Before the first step. Returns the bytes that it took, as {@link #save}.
     */
    default long saveUnused(MemorySegment image, long offset) {
        return save(image, offset);
    }

    /** Tells what of the state is lost where a job goes on without it: nothing, unless it says so. */
    default void tell(ResidualState remainder) { }

    /** Refuses what no {@link #save} wrote. */
    static void require(boolean sound, String what) {
        if (!sound) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "the header of an image is malformed: " + what);
        }
    }
}
