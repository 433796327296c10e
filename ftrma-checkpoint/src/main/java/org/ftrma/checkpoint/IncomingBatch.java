package org.ftrma.checkpoint;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.ftrma.DataType;

/**
 * What others did to a lost rank's windows between two of its synchronizations, to be done again (Algorithms 2 and 3 of the paper). Accesses of one
 * rank keep their order; those of different ranks are ordered by the lock acquisitions (SC) they were made under. What is left unordered must not
 * overlap. Atomic updates need no order: along one location their old and new values form one path from the value that is there
 * (design 6.6), whose end is the location's value. One recovery, one thread; allocates.
 */
final class IncomingBatch {
    /** Why the batch cannot be applied. */
    static final class ConflictException extends Exception {
        private static final long serialVersionUID = 1L;
        private final FallbackReason reason;

        ConflictException(FallbackReason reason, String message) {
            super(message);
            this.reason = reason;
        }

        FallbackReason reason() {
            return reason;
        }
    }

    /** The updates of one location. */
    private static final class Location {
        private final DataType type;
        private int source;
        private long last;
        /** How often each value was arrived at, less how often it was left. */
        private final Map<Long, Integer> balance = new HashMap<>();

        Location(DataType type, int source) {
            this.type = type;
            this.source = source;
        }
    }

    private static final int SEVERAL = -1;
    private final List<ArrayDeque<Incoming>> puts = new ArrayList<>();
    private final Map<Integer, TreeMap<Long, Location>> atomics = new HashMap<>();
    private final Set<Fault> faults;
    private long records;

    IncomingBatch(int ranks, Set<Fault> faults) {
        this.faults = faults;
        for (int rank = 0; rank < ranks; rank++) {
            puts.add(new ArrayDeque<>());
        }
    }

    boolean isEmpty() {
        return records == 0;
    }

    long records() {
        return records;
    }

    /** Adds an access, after the earlier ones of the same rank. */
    void add(Incoming access) throws ConflictException {
        if (access.isPut()) {
            records++;
            puts.get(access.source()).add(access);
        } else {
            addTransition(access.source(), access.window(), access.type(), access.offset(), access.old(), access.updated());
        }
    }

    /** An atomic update of a location from one value to another. */
    void addTransition(int source, int window, DataType type, long offset, long old, long updated) throws ConflictException {
        TreeMap<Long, Location> locations = atomics.computeIfAbsent(window, w -> new TreeMap<>());
        Location location = locations.computeIfAbsent(offset, o -> new Location(type, source));
        if (location.type != type) {
            throw new ConflictException(FallbackReason.UNORDERED_CONFLICT, "atomic accesses of types " + location.type + " and " + type + " at offset "
                + offset + " of window " + window);
        }
        location.source = location.source == source ? source : SEVERAL;
        location.last = updated;
        location.balance.merge(old, -1, Integer::sum);
        location.balance.merge(updated, 1, Integer::sum);
        records++;
    }

    /**
     * Does it all.
     *
     * @param window gives a window's memory by its number
     * @param own what the lost rank itself put there meanwhile, which is done already
     */
    void apply(java.util.function.IntFunction<MemorySegment> window, List<Incoming> own) throws ConflictException {
        if (!faults.contains(Fault.CONFLICT_IGNORED)) {
            checkConflicts(own);
        }
        applyPuts(window);
        for (Map.Entry<Integer, TreeMap<Long, Location>> one : atomics.entrySet()) {
            MemorySegment memory = window.apply(one.getKey());
            for (Map.Entry<Long, Location> location : one.getValue().entrySet()) {
                if (faults.contains(Fault.PATH_IGNORED)) {
                    Collectives.setBits(location.getValue().type, memory, location.getKey(), location.getValue().last);
                } else {
                    settle(memory, one.getKey(), location.getKey(), location.getValue());
                }
            }
        }
    }

    private static void settle(MemorySegment memory, int window, long offset, Location location) throws ConflictException {
        long present = Collectives.bits(location.type, memory, offset);
        if (!location.balance.containsKey(present)) {
            throw lost(window, offset, present);
        }
        location.balance.merge(present, 1, Integer::sum);
        long end = present;
        boolean found = false;
        for (Map.Entry<Long, Integer> value : location.balance.entrySet()) {
            if (value.getValue() == 1 && !found) {
                found = true;
                end = value.getKey();
            } else if (value.getValue() != 0) {
                throw lost(window, offset, present);
            }
        }
        if (!found) {
            throw lost(window, offset, present);
        }
        Collectives.setBits(location.type, memory, offset, end);
    }

    private static ConflictException lost(int window, long offset, long present) {
        return new ConflictException(FallbackReason.LOG_GAP, "the logged atomic updates at offset " + offset + " of window " + window
            + " do not form a path from the value " + present);
    }

    /** The order of puts: each source's own, and acquisition by acquisition of each window's lock. */
    private void applyPuts(java.util.function.IntFunction<MemorySegment> window) throws ConflictException {
        Remaining remaining = new Remaining();
        int left = 0;
        for (ArrayDeque<Incoming> queue : puts) {
            left += queue.size();
            queue.forEach(remaining::add);
        }
        while (left > 0) {
            int done = 0;
            for (ArrayDeque<Incoming> queue : puts) {
                while (!queue.isEmpty() && remaining.allows(queue.peek())) {
                    Incoming put = queue.poll();
                    MemorySegment.copy(put.data(), 0, window.apply(put.window()), put.offset(), put.length());
                    remaining.remove(put);
                    done++;
                }
            }
            if (done == 0) {
                throw new ConflictException(FallbackReason.UNORDERED_CONFLICT, "the acquisitions of several windows' locks order puts in a circle");
            }
            left -= done;
        }
    }

    /** Puts under locks that are still to be done: how many, by window and acquisition. */
    private static final class Remaining {
        private final Map<Integer, TreeMap<Long, Integer>> shared = new HashMap<>();
        private final Map<Integer, TreeMap<Long, Integer>> exclusive = new HashMap<>();

        private TreeMap<Long, Integer> counts(Incoming put) {
            return (put.shared() ? shared : exclusive).computeIfAbsent(put.window(), w -> new TreeMap<>());
        }

        void add(Incoming put) {
            if (put.sc() > 0) {
                counts(put).merge(put.sc(), 1, Integer::sum);
            }
        }

        void remove(Incoming put) {
            if (put.sc() > 0 && counts(put).merge(put.sc(), -1, Integer::sum) == 0) {
                counts(put).remove(put.sc());
            }
        }

        /** Whether the put waits for none of an earlier acquisition, unless both are shared. */
        boolean allows(Incoming put) {
            return put.sc() == 0 || isFirst(exclusive, put) && (put.shared() || isFirst(shared, put));
        }

        private static boolean isFirst(Map<Integer, TreeMap<Long, Integer>> all, Incoming put) {
            TreeMap<Long, Integer> counts = all.get(put.window());
            return counts == null || counts.isEmpty() || counts.firstKey() >= put.sc();
        }
    }

    private void checkConflicts(List<Incoming> own) throws ConflictException {
        List<Incoming> all = new ArrayList<>(own);
        puts.forEach(all::addAll);
        all.sort(Comparator.comparingInt(Incoming::window).thenComparingLong(Incoming::offset));
        List<Incoming> open = new ArrayList<>();
        for (Incoming put : all) {
            open.removeIf(earlier -> earlier.window() != put.window() || earlier.end() <= put.offset());
            for (Incoming earlier : open) {
                boolean otherPhase = (earlier.isDone() || put.isDone()) && earlier.gnc() != put.gnc();
                boolean ordered = otherPhase || earlier.source() == put.source() || earlier.isOrderedByLocks(put);
                if (!ordered) {
                    throw new ConflictException(FallbackReason.UNORDERED_CONFLICT, earlier + " and " + put);
                }
            }
            open.add(put);
            checkAtomics(put);
        }
        for (Map.Entry<Integer, TreeMap<Long, Location>> one : atomics.entrySet()) {
            long end = Long.MIN_VALUE;
            for (Map.Entry<Long, Location> location : one.getValue().entrySet()) {
                if (location.getKey() < end) {
                    throw new ConflictException(FallbackReason.UNORDERED_CONFLICT, "atomic accesses of different width at offset " + location.getKey()
                        + " of window " + one.getKey());
                }
                end = location.getKey() + location.getValue().type.bytes();
            }
        }
    }

    private void checkAtomics(Incoming put) throws ConflictException {
        TreeMap<Long, Location> locations = atomics.get(put.window());
        if (locations == null) {
            return;
        }
        Long at = locations.lowerKey(put.end());
        if (at != null && at + locations.get(at).type.bytes() > put.offset() && !(put.isDone() && locations.get(at).source == put.source())) {
            throw new ConflictException(FallbackReason.UNORDERED_CONFLICT, put + " and an atomic access at offset " + at);
        }
    }
}
