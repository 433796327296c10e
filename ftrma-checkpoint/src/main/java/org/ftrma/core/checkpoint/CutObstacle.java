package org.ftrma.core.checkpoint;

/** Reason that keeps a rank from taking an image at a step boundary. Data thread. */
@FunctionalInterface
public interface CutObstacle {
    /**
     * What is in the way at this boundary, for people; empty if nothing is. The Locks scheme cuts only where no rank
     * holds an exclusive lock (LC = 0), for the program may have half done what that guards; shared ones are part of
     * the image.
     */
    String now();
}
