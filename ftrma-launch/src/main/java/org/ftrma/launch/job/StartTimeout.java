package org.ftrma.launch.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * Tells which processes are late to join. How long a start takes depends on how many start at a time and on what else
 * the machine does, so nobody is late as long as others still join, and the time without that is longer the more are
 * missing for each core. The job's thread only.
 */
final class StartTimeout {
    private static final int MOST_NAMED = 8;

    private final long timeoutNanos;
    private final int cores;
    /** Processes that have not joined, by number, and since when. */
    private final Map<Integer, Long> missing = new TreeMap<>();
    private int joined;
    private long lastJoinNanos;

    /**
     * For one job.
     *
     * @param timeoutNanos the time for one process on a core of its own
     */
    StartTimeout(long timeoutNanos, int cores) {
        this.timeoutNanos = timeoutNanos;
        this.cores = cores;
    }

    void started(int process, long nowNanos) {
        missing.put(process, nowNanos);
    }

    void joined(int process, long nowNanos) {
        if (missing.remove(process) != null) {
            joined++;
            lastJoinNanos = nowNanos;
        }
    }

    /** It has ended, or was given up. */
    void gone(int process) {
        missing.remove(process);
    }

    /** The time without a join after which those that are missing now are late. */
    long limitNanos() {
        return limitNanos(timeoutNanos, missing.size(), cores);
    }

    /** The time for so many processes that start at a time. */
    static long limitNanos(long timeoutNanos, int processes, int cores) {
        long rounds = Math.max(1, (processes + cores - 1) / cores);
        return timeoutNanos > Long.MAX_VALUE / rounds ? Long.MAX_VALUE : timeoutNanos * rounds;
    }

    List<Integer> late(long nowNanos) {
        long limit = limitNanos();
        List<Integer> late = new ArrayList<>();
        missing.forEach((process, started) -> {
            long since = joined == 0 || lastJoinNanos - started < 0 ? started : lastJoinNanos;
            if (nowNanos - since > limit) {
                late.add(process);
            }
        });
        return late;
    }

    /** Whether all that were started have joined. */
    boolean isComplete() {
        return missing.isEmpty();
    }

    /** Who has joined and who has not, for messages; empty if nobody is missing. */
    String describe(IntFunction<String> description) {
        if (missing.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder().append(joined).append(" of ").append(joined + missing.size())
            .append(" processes have joined; not ");
        List<Integer> named = missing.keySet().stream().limit(MOST_NAMED).toList();
        for (int i = 0; i < named.size(); i++) {
            text.append(i == 0 ? "" : ", ").append(description.apply(named.get(i)));
        }
        return missing.size() > MOST_NAMED ? text.append(", and ").append(missing.size() - MOST_NAMED).append(" more")
            .toString() : text.toString();
    }
}
