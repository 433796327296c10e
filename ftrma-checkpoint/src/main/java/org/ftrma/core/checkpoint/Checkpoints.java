package org.ftrma.core.checkpoint;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.ftrma.core.image.ProtectedMemory;
import org.ftrma.core.image.RotatingImpl;

/**
 * Checkpoints as a job asks for them: {@link CoordinatedCheckpoints} takes them, and {@link Unprotected} takes none.
 * One for all views of a job, chosen when it begins. Data thread only.
 */
public interface Checkpoints {
    /**
     * Tells checksum ranks and spares early what memory they will need, as far as it is known now. Of rank 0 alone, for
     * all: windows and protected segments have the same size everywhere.
     */
    void announce(List<? extends ProtectedMemory> windows, List<MemorySegment> locals,
        List<RotatingImpl> rotatingSegments);

    /** What the program says of its state: before {@link #open}. */
    void declare(DeclaredState all);

    /**
     * Sets up images and parity with the others, and restores the committed generation; at generation 0 the state stays
     * as the program made it.
     *
     * @return the step to go on from
     */
    long open(List<? extends ProtectedMemory> windows, List<MemorySegment> locals, List<RotatingImpl> rotatingSegments);

    /** Returns when all are ready to go on. */
    void meet();

    /** All ranks are about to begin the first step: the first image is what replay starts from. */
    void atStart();

    /** The program, on all ranks in the same step, asks for a checkpoint at the end of that step. */
    void askedFor();

    /** To be called at every step boundary but the last: takes a checkpoint where one is due. */
    void atBoundary(long step);

    /** How many buffers a rotating segment has. */
    int rotatingBuffers();
}
