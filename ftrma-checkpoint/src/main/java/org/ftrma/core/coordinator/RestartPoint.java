package org.ftrma.core.coordinator;

/**
 * A generation on disk that a job starts from, as after a rollback to it.
 *
 * @param generation its number: checkpoints are counted on from there
 * @param step its step
 * @param view the view it was committed in; those of the new job are above it, so that what images say of logs is
 *     never taken for the new ones
 * @param timeline the timeline it belongs to; those of the new job are above it
 * @param place where the ranks' {@link org.ftrma.spi.ImageStore} finds the images
 */
public record RestartPoint(long generation, long step, int view, int timeline, String place) {
    /** Refuses numbers that no job has. */
    public RestartPoint {
        if (generation < 1 || step < 0 || view < 1 || view == Integer.MAX_VALUE || timeline < 1
            || timeline == Integer.MAX_VALUE) {
            throw new IllegalArgumentException("generation=" + generation + " step=" + step + " view=" + view
                + " timeline=" + timeline);
        }
    }
}
