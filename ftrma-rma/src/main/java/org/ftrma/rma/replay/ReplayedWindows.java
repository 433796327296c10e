package org.ftrma.rma.replay;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.ftrma.DataType;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.spi.Elements;

/**
 * A lost rank's windows while its program runs again: what it does there itself is in their memory at once, in program
 * order; what others did is done again where the lost rank may first have seen it (Algorithms 2 and 3 of the paper).
 * Accesses to the same bytes, one of them a put, must have an order, by a barrier or by locks ({@link LockOrder}).
 * Atomic updates of a location ({@link ReplayedLocation}) need none. One recovery, one thread; allocates.
 */
final class ReplayedWindows {
    /** Why all ranks must go back. */
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

    private final int self;
    private final LockOrder order;
    private final IntFunction<MemorySegment> memory;
    private final IntPredicate isScratch;
    private final Map<Integer, TouchedBytes> touched = new HashMap<>();
    /** By window and offset: where there were atomic updates since the last barrier or put. */
    private final Map<Integer, TreeMap<Long, ReplayedLocation>> locations = new HashMap<>();
    /** Those of them whose updates do not form a path yet, as far as was looked. */
    private final Set<ReplayedLocation> open = new LinkedHashSet<>();

    ReplayedWindows(int self, LockOrder order, IntFunction<MemorySegment> memory, IntPredicate isScratch) {
        this.self = self;
        this.order = order;
        this.memory = memory;
        this.isScratch = isScratch;
    }

    /**
     * Does what others did: by source, in program order. All of it came before what the lost rank does next. The queues
     * are empty afterwards.
     */
    void apply(List<ArrayDeque<Incoming>> accesses) throws ConflictException {
        int left = accesses.stream().mapToInt(ArrayDeque::size).sum();
        while (left > 0) {
            int before = left;
            for (ArrayDeque<Incoming> queue : accesses) {
                while (!queue.isEmpty() && isNext(queue.peek(), accesses)) {
                    apply(queue.poll());
                    left--;
                }
            }
            if (left == before) {
                throw new ConflictException(FallbackReason.LOG_GAP,
                    "the logged lock acquisitions order accesses in a circle");
            }
        }
        open.removeIf(location -> location.settles(memory.apply(location.window())));
    }

    /** Whether none of what is left came before the access. */
    private boolean isNext(Incoming access, List<ArrayDeque<Incoming>> left) {
        if (order.isEmpty()) {
            return true;
        }
        long[] before = order.before(access.source(), access.lockEvents());
        for (ArrayDeque<Incoming> queue : left) {
            Incoming other = queue.peek();
            if (other != null && other.source() != access.source()
                && other.lockEvents() < order.of(before, other.source())) {
                return false;
            }
        }
        return true;
    }

    private void apply(Incoming access) throws ConflictException {
        Incoming.Update update = access.update();
        touch(access.window(), update == null ? null : update.type(), access.source(), access.offset(),
            access.length(), access.lockEvents());
        MemorySegment window = memory.apply(access.window());
        if (access.isPut()) {
            overwrite(access.window(), access.offset(), access.length(), "a put of rank " + access.source());
            MemorySegment.copy(access.data(), 0, window, access.offset(), access.length());
        } else {
            update(access.window(), access.source(), access.offset(), update);
        }
    }

    /** Before the lost rank puts to its own window, after so many lock events. */
    void ownPut(int window, long offset, long length, long lockEvents) throws ConflictException {
        if (length > 0) {
            touch(window, null, self, offset, length, lockEvents);
            overwrite(window, offset, length, "a put of this rank");
        }
    }

    /** An atomic update of the lost rank in its own window, whose outcome is known. */
    void ownUpdate(int window, long offset, Incoming.Update update, long lockEvents) throws ConflictException {
        touch(window, update.type(), self, offset, update.type().bytes(), lockEvents);
        update(window, self, offset, update);
    }

    /** A barrier: all that was done before it is there. Also before a rank goes live. */
    void endPhase() throws ConflictException {
        for (ReplayedLocation location : open) {
            location.end(memory.apply(location.window()));
        }
        open.clear();
        locations.clear();
        touched.clear();
    }

    private void touch(int window, DataType type, int source, long offset, long length, long lockEvents)
        throws ConflictException {
        if (length == 0) {
            return;
        }
        long[] before = order.before(source, lockEvents);
        touched.computeIfAbsent(window, w -> new TouchedBytes(w, this::advice))
            .touch(type, source, offset, length, lockEvents, rank -> order.of(before, rank));
    }

    /** What would have ordered two ranks. A cell that both update by atomics is most often a lock of their own. */
    private String advice(int one, int other) {
        for (TreeMap<Long, ReplayedLocation> all : locations.values()) {
            for (ReplayedLocation location : all.values()) {
                if (location.isUpdatedBy(one, other)) {
                    return "; both update [" + location.offset() + ", " + location.end() + ") of window "
                        + location.window() + " by atomics, of which no log has the order: if that is a lock, "
                        + "Window.lock in its place orders what its holders do";
                }
            }
        }
        return "; a gsync, Window.lock or a signal between them is an order, atomics are none";
    }

    /** Bytes get other values whatever they were: what is known of atomic updates there must be complete. */
    private void overwrite(int window, long offset, long length, String by) throws ConflictException {
        for (ReplayedLocation location : overlapping(window, offset, length)) {
            finish(location, by);
        }
    }

    private void finish(ReplayedLocation location, String by) throws ConflictException {
        location.finish(memory.apply(location.window()), by);
        locations.get(location.window()).remove(location.offset());
        open.remove(location);
    }

    private List<ReplayedLocation> overlapping(int window, long offset, long length) {
        TreeMap<Long, ReplayedLocation> all = locations.get(window);
        if (all == null || all.isEmpty()) {
            return List.of();
        }
        List<ReplayedLocation> found = new ArrayList<>();
        Iterator<ReplayedLocation> candidates = all.subMap(offset - Long.BYTES + 1, true, offset + length, false)
            .values().iterator();
        candidates.forEachRemaining(location -> {
            if (location.end() > offset) {
                found.add(location);
            }
        });
        return found;
    }

    private void update(int window, int source, long offset, Incoming.Update update) throws ConflictException {
        DataType type = update.type();
        MemorySegment segment = memory.apply(window);
        ReplayedLocation location = null;
        for (ReplayedLocation there : overlapping(window, offset, type.bytes())) {
            if (there.isOf(type, offset) && there.isAsShown(segment)) {
                location = there;
            } else {
                // Another type, or this rank wrote there directly.
                finish(there, "another use");
            }
        }
        if (location == null) {
            long present = Elements.read(type, segment, offset);
            location = new ReplayedLocation(window, type, offset, present, isScratch.test(window));
            locations.computeIfAbsent(window, w -> new TreeMap<>()).put(offset, location);
        }
        location.add(source, update.defines(), update.old(), update.updated());
        open.add(location);
        if (source == self) {
            location.show(segment, update.updated()); // R14
        }
    }
}
