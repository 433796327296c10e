package org.ftrma.check.race;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.ftrma.AtomicOp;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.check.layer.Extent;

/**
 * The accesses to this rank's windows that later ones may conflict with. At each collective of the program and at each
 * end of a step the ranks tell each other what they did; each looks at what was done to its own windows. Data thread
 * only.
 */
final class History {
    private static final int HEADER = 5;
    private static final int MAX_TOLD = 5;

    /** Bytes of an access. */
    private record Span(Access access, int group, long begin, long end, boolean old) {
    }

    private final Job job;
    private final Trace trace;
    private final Clocks clocks;
    private final IntFunction<String> names;
    private List<Access> kept = new ArrayList<>();

    /** {@code names}: of windows, by their numbers. */
    History(Job job, Trace trace, IntFunction<String> names) {
        this.job = job;
        this.trace = trace;
        this.clocks = new Clocks(job.ranks());
        this.names = names;
    }

    /**
     * Collective. Takes what all did since the last call, and throws if accesses to this rank race.
     *
     * @param met whether it is the program that brought all ranks together here, so that what was before comes before
     *     what follows
     */
    void examine(boolean met) {
        int ranks = job.ranks();
        List<Sync> ownSyncs = trace.takeSyncs();
        List<Access> ownAccesses = trace.takeDone();
        long words = HEADER + (long) ownSyncs.size() * Sync.WORDS + (long) ownAccesses.size() * Access.WORDS;
        long most = job.allReduce(AtomicOp.MAX, words);
        List<List<Sync>> syncs = new ArrayList<>();
        List<Access> fresh = new ArrayList<>();
        long[] operations = new long[ranks];
        int[] segments = new int[ranks];
        int[] floors = new int[ranks];
        boolean[] pending = new boolean[ranks];
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment all = arena.allocate(most * 8 * ranks, 8);
            job.allGather(told(arena, most, ownSyncs, ownAccesses), all);
            for (int rank = 0; rank < ranks; rank++) {
                MemorySegment part = all.asSlice(rank * most * 8, most * 8);
                operations[rank] = part.getAtIndex(ValueLayout.JAVA_LONG, 0);
                long places = part.getAtIndex(ValueLayout.JAVA_LONG, 1);
                segments[rank] = (int) (places >>> 32);
                floors[rank] = (int) places;
                pending[rank] = part.getAtIndex(ValueLayout.JAVA_LONG, 2) != 0;
                long count = part.getAtIndex(ValueLayout.JAVA_LONG, 3);
                List<Sync> of = new ArrayList<>();
                long at = HEADER * 8;
                for (long i = 0; i < count; i++, at += Sync.WORDS * 8) {
                    of.add(Sync.decode(part, at));
                }
                syncs.add(of);
                count = part.getAtIndex(ValueLayout.JAVA_LONG, 4);
                for (long i = 0; i < count; i++, at += Access.WORDS * 8) {
                    Access access = Access.decode(rank, part, at);
                    if (access.target == job.rank()) {
                        fresh.add(access);
                    }
                }
            }
        }
        clocks.follow(syncs);
        if (met) {
            clocks.join(operations, segments);
        }
        fresh.forEach(access -> access.clock = clocks.of(access.place.source(), access.segment));
        judge(fresh);
        kept.addAll(fresh);
        forget(floors, pending);
    }

    private MemorySegment told(Arena arena, long most, List<Sync> syncs, List<Access> accesses) {
        MemorySegment told = arena.allocate(most * 8, 8);
        told.setAtIndex(ValueLayout.JAVA_LONG, 0, trace.operations());
        told.setAtIndex(ValueLayout.JAVA_LONG, 1, (long) trace.segment() << 32 | trace.floor());
        told.setAtIndex(ValueLayout.JAVA_LONG, 2, trace.hasPending() ? 1 : 0);
        told.setAtIndex(ValueLayout.JAVA_LONG, 3, syncs.size());
        told.setAtIndex(ValueLayout.JAVA_LONG, 4, accesses.size());
        long at = HEADER * 8;
        for (Sync sync : syncs) {
            sync.encode(told, at);
            at += Sync.WORDS * 8;
        }
        for (Access access : accesses) {
            access.encode(told, at);
            at += Access.WORDS * 8;
        }
        return told;
    }

    private static void spans(List<Access> accesses, boolean old, List<Span> spans) {
        for (Access access : accesses) {
            Extent extent = access.place.extent();
            for (long i = 0; i < extent.count(); i++) {
                long begin = extent.begin(i);
                spans.add(new Span(access, access.group(), begin, begin + extent.block(), old));
            }
        }
    }

    private void judge(List<Access> fresh) {
        if (fresh.isEmpty()) {
            return;
        }
        List<Span> spans = new ArrayList<>();
        spans(kept, true, spans);
        spans(fresh, false, spans);
        spans.sort(Comparator.comparingInt((Span span) -> span.access.place.window()).thenComparingLong(Span::begin));
        List<List<Span>> open = new ArrayList<>();
        for (int group = 0; group < Access.GROUPS; group++) {
            open.add(new ArrayList<>());
        }
        Map<String, String> races = new LinkedHashMap<>();
        for (Span span : spans) {
            for (int group = 0; group < Access.GROUPS; group++) {
                if (Access.conflict(group, span.group)) {
                    open.get(group).removeIf(earlier -> earlier.access.place.window() != span.access.place.window()
                        || earlier.end <= span.begin);
                    open.get(group).forEach(earlier -> judge(earlier, span, races));
                }
            }
            open.get(span.group).add(span);
        }
        if (!races.isEmpty()) {
            throw new MisuseException("--check-races: rank " + job.rank()
                + " was accessed so that nothing orders it, and the result depends on "
                + "chance:" + String.join("", races.values().stream().limit(MAX_TOLD).toList())
                + (races.size() > MAX_TOLD ? "\n  and " + (races.size() - MAX_TOLD) + " more kinds" : ""));
        }
    }

    private void judge(Span one, Span other, Map<String, String> races) {
        Access a = one.access;
        Access b = other.access;
        boolean sameCall = a.place.source() == b.place.source() && a.start == b.start;
        if (one.old && other.old || sameCall || Access.ordered(a, b)) {
            return;
        }
        Access first = a.place.source() < b.place.source() || a.place.source() == b.place.source() && a.start < b.start
            ? a : b;
        Access second = first == a ? b : a;
        String range = "\n  window " + names.apply(a.place.window()) + " bytes " + Math.max(one.begin, other.begin)
            + " to "
            + (Math.min(one.end, other.end) - 1);
        races.putIfAbsent(first.place.source() + " " + second.place.source() + " " + first.place.kind() + " "
            + second.place.kind() + " "
            + a.place.window(), range + ": " + first.describe() + " and " + second.describe());
    }

    /**
     * Drops what no access to come can conflict with: all ranks know that it is complete, also where they issued what
     * is still under way.
     */
    private void forget(int[] floors, boolean[] pending) {
        boolean underWay = false;
        for (boolean one : pending) {
            underWay |= one;
        }
        kept.removeIf(access -> !pending[access.place.source()] && knownToAll(access, floors));
        if (!underWay) {
            // What is ordered after the newest of equal accesses is ordered after all of them, and nothing to come is
            // ordered before any.
            Map<Access.Place, Access> newest = new LinkedHashMap<>();
            kept.forEach(access -> newest.merge(access.place, access, (x, y) -> x.end > y.end ? x : y));
            kept = new ArrayList<>(newest.values());
        }
        for (int rank = 0; rank < floors.length; rank++) {
            clocks.forget(rank, floors[rank]);
        }
    }

    private boolean knownToAll(Access access, int[] floors) {
        for (int rank = 0; rank < floors.length; rank++) {
            if (rank != access.place.source() && clocks.of(rank, floors[rank])[access.place.source()] < access.end) {
                return false;
            }
        }
        return true;
    }
}
