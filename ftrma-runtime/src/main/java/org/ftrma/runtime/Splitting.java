package org.ftrma.runtime;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.ftrma.MisuseException;
import org.ftrma.core.control.Blob;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.session.Contributions;
import org.ftrma.core.session.Exchanges;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.ProgramPhase;

/**
 * Splits the ranks of a job: each tells color and key. The coordinator keeps that, so a process that takes a lost
 * rank's place finds it there. Data thread only.
 */
final class Splitting {
    private record Entry(int rank, long color, long key) {
    }

    private Splitting() {
    }

    /** The ranks of the same color, in the order of their keys; null for color -1. */
    static int[] split(Inbox inbox, ProgramPhase phase, Exchanges exchanges, int ranks, int color, int key) {
        inbox.checkThread();
        phase.requireAllocation("split", "of the job's ranks");
        if (color < -1) {
            throw new MisuseException("split: color=" + color + ": must be at least 0, or -1 for none");
        }
        exchanges.recordCall("split");
        inbox.place("in split()");
        Contributions told = exchanges.of(ControlMessage.Scope.COMPUTING, Blob.longs(new long[] {color, key}));
        if (color < 0) {
            return null;
        }
        told.fetch(ranks);
        List<Entry> same = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            long[] one = Blob.longs(told.of(rank));
            if (one[0] == color) {
                same.add(new Entry(rank, one[0], one[1]));
            }
        }
        same.sort(Comparator.comparingLong(Entry::key).thenComparingInt(Entry::rank));
        return same.stream().mapToInt(Entry::rank).toArray();
    }
}
