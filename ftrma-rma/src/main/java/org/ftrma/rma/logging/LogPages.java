package org.ftrma.rma.logging;

import org.ftrma.options.Interval;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.MemoryRegion;

/** Pages of its log region that a process will probably use: they come ahead, once. The rank's thread only. */
final class LogPages {
    /**
     * A guess at what a rank's logs will hold between two images, in the bytes that it protects; and in percent of
     * where they are found to run low.
     */
    private static final long EXPECTED_IMAGES = 40;
    private static final long EXPECTED_PERCENT = 120;

    private final Fabric fabric;
    private final JobOptions options;
    private long expectedBytes;
    private boolean come;

    LogPages(Fabric fabric, JobOptions options) {
        this.fabric = fabric;
        this.options = options;
    }

    /** What the program protects, in bytes. */
    void expect(long protectedBytes) {
        expectedBytes = Math.min(expectedImages() * protectedBytes,
            options.logBudgetBytes() / 100 * options.logLowPercent() * EXPECTED_PERCENT / 100);
    }

    /** Steps that log as much as their images hold: not many more than come between two checkpoints. */
    private long expectedImages() {
        return options.interval() instanceof Interval.EverySteps every
            ? Math.min(EXPECTED_IMAGES, 2 * every.steps()) : EXPECTED_IMAGES;
    }

    /** They begin to come, unless they did before. */
    void take(MemoryRegion region) {
        if (!come && expectedBytes > 0) {
            come = true;
            fabric.prefault(region, expectedBytes);
        }
    }
}
