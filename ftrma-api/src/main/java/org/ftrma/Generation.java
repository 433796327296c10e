package org.ftrma;

/**
 * A committed coordinated checkpoint: all ranks can go back to it, and no failure that the job survives goes back
 * behind it.
 *
 * @param number from 1 on; of each number one is committed, also in a job that goes on from the newest one on disk
 * @param step the step after which it was taken
 */
public record Generation(long number, long step) {
}
