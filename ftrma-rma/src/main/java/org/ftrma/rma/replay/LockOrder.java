package org.ftrma.rma.replay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.ftrma.rma.log.SeenSignals;

/**
 * The order that locks give to what ranks do between two barriers: what a rank did before it gave a lock back comes
 * before what the next holder does, whichever windows and ranks they access. It is made of the ranks' lock events: each
 * rank counts the locks that it takes and gives back, and an access carries that count. Shared locks are held at the
 * same time: whoever holds one comes after the exclusive holders before it only.
 *
 * <p>"Before" is a vector: of each rank, the number of the last event that came before. An access of that rank with a
 * lower count came before, too; no other one did, as far as locks say. One recovery, one thread; allocates.
 */
final class LockOrder {
    private static final long NEVER = Long.MAX_VALUE;
    private static final long[] NOTHING = {};

    private record Lock(int window, int home) {
    }

    /** One time that a rank held a lock. */
    private static final class Holding {
        private final int rank;
        private long released = NEVER;

        Holding(int rank) {
            this.rank = rank;
        }
    }

    /** Who held a lock, by the number of the acquisition (SC). */
    private static final class Holdings {
        private final NavigableMap<Long, Holding> exclusive = new TreeMap<>();
        private final NavigableMap<Long, Holding> shared = new TreeMap<>();

        Holding of(long number, boolean isShared, int rank) {
            return (isShared ? shared : exclusive).computeIfAbsent(number, n -> new Holding(rank));
        }
    }

    /** An acquisition as an event of its rank. */
    private static final class Taken {
        private final int rank;
        private final long event;
        private final Holdings lock;
        private final long number;
        private final boolean shared;
        private final List<Seen> signals;
        /** What came before it; null: not known yet. */
        private long[] before;

        /** A wait, which saw signals. */
        Taken(int rank, long event, List<Seen> signals) {
            this(rank, event, new Holdings(), 0, true, signals);
        }

        Taken(int rank, long event, Holdings lock, long number, boolean shared, List<Seen> signals) {
            this.rank = rank;
            this.event = event;
            this.signals = signals;
            this.lock = lock;
            this.number = number;
            this.shared = shared;
        }

        /**
         * The last exclusive holder before it; who came before that one came before that one's acquisition, too. Null:
         * none is known.
         */
        private Map.Entry<Long, Holding> exclusiveBefore() {
            return lock.exclusive.lowerEntry(number);
        }

        /** Who else must have given the lock back before: shared holders since the last exclusive one. */
        private Iterable<Holding> sharedBefore() {
            Map.Entry<Long, Holding> last = exclusiveBefore();
            return shared ? List.of() : lock.shared.subMap(last == null ? 0 : last.getKey(), false, number, false)
                .values();
        }
    }

    /** A signal that a wait had seen. */
    private record Seen(int rank, long event) {
    }

    private final Map<Lock, Holdings> locks = new HashMap<>();
    private final Map<Integer, NavigableMap<Long, Taken>> taken = new HashMap<>();
    /** Places in vectors, of ranks that gave locks back, from 1. */
    private final int[] places;
    private int used;
    /** By rank: its last event by which it gave a lock back. */
    private final long[] lastReleases;
    private boolean incomplete;

    LockOrder(int ranks) {
        places = new int[ranks];
        lastReleases = new long[ranks];
    }

    /** A barrier orders all that was before it. */
    void endPhase() {
        locks.clear();
        taken.clear();
        Arrays.fill(places, 0);
        Arrays.fill(lastReleases, 0);
        used = 0;
        incomplete = false;
    }

    /** Whether no rank took a lock. */
    boolean isEmpty() {
        return taken.isEmpty();
    }

    /** Whether it turned out that events of a holder are missing. */
    boolean isIncomplete() {
        return incomplete;
    }

    /** A rank's event of that number was that it got a lock. */
    void take(int rank, int window, int home, long number, boolean shared, long event) {
        Holdings lock = holdings(window, home);
        lock.of(number, shared, rank);
        taken.computeIfAbsent(rank, r -> new TreeMap<>())
            .put(event, new Taken(rank, event, lock, number, shared, List.of()));
    }

    /** A rank's event of that number was that it gave a lock back. It may have got it before the last barrier. */
    void release(int rank, int window, int home, long number, boolean shared, long event) {
        holdings(window, home).of(number, shared, rank).released = event;
        signal(rank, event);
    }

    /** A rank's event of that number was that it signalled another one: what it did before may be seen. */
    void signal(int rank, long event) {
        if (places[rank] == 0) {
            places[rank] = ++used;
        }
        lastReleases[rank] = Math.max(lastReleases[rank], event);
    }

    /** A rank's event of that number was that it saw signals. */
    void see(int rank, SeenSignals seen, long event) {
        List<Seen> signals = new ArrayList<>();
        for (int i = 0; i < seen.count(); i++) {
            signal(seen.rank(i), seen.event(i));
            signals.add(new Seen(seen.rank(i), seen.event(i)));
        }
        taken.computeIfAbsent(rank, r -> new TreeMap<>()).put(event, new Taken(rank, event, signals));
    }

    /** Whether what a rank did after so many events may come before what others did, as far as locks say. */
    boolean mayComeBefore(int rank, long events) {
        return events < lastReleases[rank];
    }

    private Holdings holdings(int window, int home) {
        return locks.computeIfAbsent(new Lock(window, home), lock -> new Holdings());
    }

    /**
     * What came before that which a rank does after so many events of its own. All events that came before must have
     * been told.
     */
    long[] before(int rank, long events) {
        Taken last = last(rank, events);
        return last == null ? NOTHING : before(last);
    }

    /** The last event of a rank that came before: what it did after fewer events came before, too. */
    long of(long[] before, int rank) {
        int place = places[rank];
        return place == 0 || place > before.length ? 0 : before[place - 1];
    }

    /** The last acquisition among a rank's first so many events, or null. */
    private Taken last(int rank, long events) {
        NavigableMap<Long, Taken> all = taken.get(rank);
        Map.Entry<Long, Taken> last = all == null ? null : all.floorEntry(events);
        return last == null ? null : last.getValue();
    }

    /** Without recursion: chains of holders are as long as a run. */
    private long[] before(Taken wanted) {
        ArrayDeque<Taken> open = new ArrayDeque<>();
        open.push(wanted);
        while (!open.isEmpty()) {
            Taken next = open.peek();
            if (next.before != null || !asks(next, open)) {
                open.pop();
                if (next.before == null) {
                    next.before = join(next);
                }
            }
        }
        return wanted.before;
    }

    /** Puts what must be known before this acquisition on top of it; false if all is known. */
    private boolean asks(Taken one, ArrayDeque<Taken> open) {
        int waiting = open.size();
        ask(last(one.rank, one.event - 1), open);
        Map.Entry<Long, Holding> exclusive = one.exclusiveBefore();
        if (exclusive != null) {
            ask(exclusive.getValue(), one, open);
        }
        for (Holding holding : one.sharedBefore()) {
            ask(holding, one, open);
        }
        for (Seen seen : one.signals) {
            ask(last(seen.rank, seen.event), open);
        }
        return open.size() > waiting;
    }

    private void ask(Holding holding, Taken by, ArrayDeque<Taken> open) {
        if (holding.rank != by.rank && holding.released != NEVER) {
            ask(last(holding.rank, holding.released), open);
        }
    }

    private static void ask(Taken one, ArrayDeque<Taken> open) {
        if (one != null && one.before == null) {
            open.push(one);
        }
    }

    private long[] join(Taken one) {
        long[] before = new long[used];
        Taken previous = last(one.rank, one.event - 1);
        if (previous != null) {
            raise(before, previous.before);
        }
        Map.Entry<Long, Holding> exclusive = one.exclusiveBefore();
        if (exclusive != null) {
            raise(before, exclusive.getValue(), one);
        }
        for (Holding holding : one.sharedBefore()) {
            raise(before, holding, one);
        }
        for (Seen seen : one.signals) {
            raise(before, seen.rank, seen.event);
        }
        return before;
    }

    private void raise(long[] before, Holding holding, Taken by) {
        if (holding.rank == by.rank) {
            return; // what a rank did itself is in the order of its events
        }
        if (holding.released == NEVER) {
            incomplete = true;
            return;
        }
        raise(before, holding.rank, holding.released);
    }

    /** What a rank did up to an event came before. */
    private void raise(long[] before, int rank, long event) {
        Taken last = last(rank, event);
        if (last != null) {
            raise(before, last.before);
        }
        int place = places[rank] - 1;
        before[place] = Math.max(before[place], event);
    }

    private static void raise(long[] before, long[] by) {
        for (int i = 0; i < by.length; i++) {
            before[i] = Math.max(before[i], by[i]);
        }
    }
}
