package org.ftrma.check.race;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ftrma.FtrmaException;

/**
 * Vector clocks of all ranks, derived from the recorded synchronizations. All ranks compute the same ones from the same
 * synchronizations. Arrays are never changed once they are stored. Data thread only.
 */
final class Clocks {
    private final int ranks;
    /** By rank: the clock of each segment that may still be asked for. */
    private final List<TreeMap<Integer, long[]>> segments = new ArrayList<>();
    private final Map<Sync.Place, long[]> released = new HashMap<>();
    private final Map<Sync.Place, long[]> releasedShared = new HashMap<>();

    Clocks(int ranks) {
        this.ranks = ranks;
        for (int rank = 0; rank < ranks; rank++) {
            segments.add(new TreeMap<>());
            segments.get(rank).put(0, new long[ranks]);
        }
    }

    /** The clock of a segment of a rank. */
    long[] of(int rank, int segment) {
        return segments.get(rank).floorEntry(segment).getValue();
    }

    /** Forgets what was before a segment of a rank. */
    void forget(int rank, int before) {
        segments.get(rank).headMap(segments.get(rank).floorKey(before), false).clear();
    }

    /** All ranks met: each knows all operations that all had begun. */
    void join(long[] operations, int[] newSegments) {
        for (int rank = 0; rank < ranks; rank++) {
            segments.get(rank).put(newSegments[rank], operations);
        }
        released.clear();
        releasedShared.clear();
    }

    /**
     * Follows the synchronizations of all ranks: by rank, in the order of the program; at each target, in that of the
     * tickets.
     */
    void follow(List<List<Sync>> syncs) {
        List<List<Long>> tickets = new ArrayList<>();
        int left = 0;
        for (int target = 0; target < ranks; target++) {
            tickets.add(new ArrayList<>());
        }
        for (List<Sync> one : syncs) {
            one.forEach(sync -> tickets.get(sync.target).add(sync.ticket));
            left += one.size();
        }
        tickets.forEach(list -> list.sort(null));
        int[] nextTicket = new int[ranks];
        int[] next = new int[ranks];
        while (left > 0) {
            int before = left;
            for (int rank = 0; rank < ranks; rank++) {
                List<Sync> own = syncs.get(rank);
                while (next[rank] < own.size() && tickets.get(own.get(next[rank]).target)
                    .get(nextTicket[own.get(next[rank]).target])
                    == own.get(next[rank]).ticket) {
                    Sync sync = own.get(next[rank]++);
                    nextTicket[sync.target]++;
                    follow(rank, sync);
                    left--;
                }
            }
            if (left == before) {
                throw new FtrmaException(FtrmaException.Category.FATAL,
                    "--check-races: the tickets of " + left + " synchronizations are in a circle");
            }
        }
    }

    private void follow(int rank, Sync sync) {
        long[] known = of(rank, sync.segment);
        long[] clock = known;
        for (Sync.Place place : sync.places()) {
            switch (sync.how) {
                case ACQUIRE -> clock = joined(joined(clock, released.get(place)), releasedShared.get(place));
                case ACQUIRE_SHARED -> clock = joined(clock, released.get(place));
                case RELEASE -> release(released, place, rank, sync.operation, clock);
                case RELEASE_SHARED -> release(releasedShared, place, rank, sync.operation, clock);
                case UPDATE -> {
                    clock = joined(clock, released.get(place));
                    release(released, place, rank, sync.operation, clock);
                }
            }
        }
        if (clock != known) {
            segments.get(rank).put(sync.segment, clock);
        }
    }

    private static void release(Map<Sync.Place, long[]> clocks, Sync.Place place, int rank, long operation,
        long[] clock) {
        long[] now = clock.clone();
        now[rank] = operation;
        clocks.merge(place, now, Clocks::joined);
    }

    /** The larger of both in each place; the first array itself if it is that. */
    private static long[] joined(long[] one, long[] other) {
        long[] result = one;
        for (int i = 0; other != null && i < one.length; i++) {
            if (other[i] > one[i]) {
                result = result == one ? one.clone() : result;
                result[i] = other[i];
            }
        }
        return result;
    }
}
