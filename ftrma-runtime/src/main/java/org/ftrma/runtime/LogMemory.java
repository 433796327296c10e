package org.ftrma.runtime;

import org.ftrma.options.JobOptions;
import org.ftrma.rma.logging.LogRegions;

/**
 * The memory that a rank's access log takes, for a process that may become that rank: one that replays logs again what
 * its predecessor did, and pages that are not there yet would take as long as what is written to them. Any thread.
 *
 * @param regionBytes of its region; 0: nothing is logged
 * @param replayBytes how much of its beginning a replay will probably use
 */
public record LogMemory(long regionBytes, long replayBytes) {
    private static final long MOST_REPLAY_BYTES = 512L << 20;
    private static final LogMemory NONE = new LogMemory(0, 0);

    /**
     * That of a rank of a job.
     *
     * @param exposedBytes what it exposes besides; a replay is taken to log no more than that
     */
    public static LogMemory of(JobOptions options, long exposedBytes) {
        if (!options.protocol().logsPuts() || !options.protocol().recoversLocally()) {
            return NONE;
        }
        long region = LogRegions.layout(options).regionBytes();
        return new LogMemory(region, Math.min(Math.min(region, exposedBytes), MOST_REPLAY_BYTES));
    }
}
