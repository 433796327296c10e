package org.ftrma.core.coordinator;

import java.util.HashMap;
import java.util.Map;

/**
 * Ranks that have given a demand checkpoint up because their copy was too slow. Each copy keeps others' updates
 * waiting, so such a rank is left alone for a while, twice as long after each further one, until one of its checkpoints
 * counts.
 * Coordinator's thread.
 */
final class SlowCopies {
    private static final int MOST_DOUBLINGS = 6;

    private record Pause(long endNanos, int doublings) {
    }

    private final long shortestNanos;
    private final Map<Integer, Pause> pauses = new HashMap<>();
    private long now;

    /** @param shortestNanos how long a rank is left alone after the first one */
    SlowCopies(long shortestNanos) {
        this.shortestNanos = shortestNanos;
    }

    void onTick(long nanos) {
        now = nanos;
    }

    /** Its copy was too slow; returns how long it is left alone. */
    long add(int rank) {
        Pause last = pauses.get(rank);
        int doublings = last == null ? 0 : Math.min(last.doublings() + 1, MOST_DOUBLINGS);
        long nanos = shortestNanos << doublings;
        pauses.put(rank, new Pause(now + nanos, doublings));
        return nanos;
    }

    boolean leavesAlone(int rank) {
        Pause pause = pauses.get(rank);
        return pause != null && now - pause.endNanos() < 0;
    }

    /** One of its checkpoints counts. */
    void forget(int rank) {
        pauses.remove(rank);
    }

    void forgetAll() {
        pauses.clear();
    }
}
