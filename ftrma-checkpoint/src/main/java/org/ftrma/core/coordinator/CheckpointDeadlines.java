package org.ftrma.core.coordinator;

/**
 * Deadlines of the parts of a checkpoint, by the size of what is copied and read, after which the checkpoint is given
 * up: the job never waits for one for ever, nor ends because of one (design 6.2). Each part that took too long has
 * twice the time from then on, so a slow machine gets its checkpoints; a checksum rank that is late twice in a row is
 * taken for lost. Times in nanoseconds. Coordinator's thread.
 */
final class CheckpointDeadlines {
    /** Slower than memory and loopback connections on a machine that is shared by many. */
    static final long BYTES_PER_SECOND = 32L << 20;
    private static final int MISSES = 2;
    private static final int MAX_DOUBLINGS = 6;
    private static final double MAX_NANOS = Long.MAX_VALUE / 4.0;

    private final long cutNanos;
    private final long recoveryNanos;
    private final int[] misses;
    private long parityBytes;
    private int largestGroup = 1;
    private int copyDoublings;
    private int parityDoublings;

    /**
     * @param cutNanos what a small checkpoint may take
     * @param recoveryNanos what a small recovery may take
     */
    CheckpointDeadlines(long cutNanos, long recoveryNanos, int checksums) {
        this.cutNanos = cutNanos;
        this.recoveryNanos = recoveryNanos;
        this.misses = new int[checksums];
    }

    /** What a parity takes, and with that an image, and of how many images it is made; at most. */
    void sizes(long bytes, int members) {
        parityBytes = bytes;
        largestGroup = members;
    }

    /** For all ranks to arrive at a cut. */
    long arrivalNanos() {
        return cutNanos;
    }

    /** For each rank to copy its state. */
    long copyNanos() {
        return grown(cutNanos, parityBytes, copyDoublings);
    }

    /** For a parity to be made, or changed. */
    long parityNanos() {
        return grown(cutNanos, (double) parityBytes * largestGroup, parityDoublings);
    }

    /** For a checksum rank that was replaced to make its parity anew. */
    long rebuildNanos() {
        return grown(recoveryNanos, (double) parityBytes * largestGroup, parityDoublings);
    }

    private static long grown(long nanos, double bytes, int doublings) {
        return (long) Math.min(MAX_NANOS, (nanos + 1e9 * bytes / BYTES_PER_SECOND) * (1L << doublings)); // C21
    }

    /** A rank has not copied in time. */
    void copyMissed() {
        copyDoublings = Math.min(MAX_DOUBLINGS, copyDoublings + 1);
    }

    /** A parity was not made in time. */
    void parityMissed() {
        parityDoublings = Math.min(MAX_DOUBLINGS, parityDoublings + 1);
    }

    /** It was this checksum rank's. Returns whether it is to be replaced. */
    boolean wasLate(int checksum) {
        misses[checksum] = (misses[checksum] + 1) % MISSES;
        return misses[checksum] == 0;
    }

    /** A parity was made in time, or the checksum rank is another process now. */
    void forgive(int checksum) {
        misses[checksum] = 0;
    }
}
