package org.ftrma.check.race;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.ftrma.check.layer.Extent;
import org.ftrma.check.race.Access.Kind;
import org.ftrma.check.race.Sync.How;

/** Accesses, synchronizations and counters of one rank, until they are sent to the others. Data thread only. */
final class Trace {
    /** An access under way. */
    private record Pending(Access access, int on, boolean untilLocal) {
    }

    private final int rank;
    private final LongSupplier step;
    private final long[] epochs;
    private final List<Pending> pending = new ArrayList<>();
    private List<Access> done = new ArrayList<>();
    private List<Sync> syncs = new ArrayList<>();
    private long operations;
    private int segment;
    private long flushes;
    private long collectives;
    private Access lastRead;
    private Sync lastAcquire;
    private long lastValue;

    Trace(int rank, int ranks, LongSupplier step) {
        this.rank = rank;
        this.step = step;
        this.epochs = new long[ranks];
    }

    /** A call begins: what it does has its number. */
    void call() {
        operations++;
    }

    private Access access(Kind kind, int width, Part part, Extent extent) {
        return new Access(new Access.Place(rank, kind, width, part.window(), extent), part.target(),
            new Access.Moment(step.getAsLong(), epochs[part.target()] + 1, flushes, part.sc(), collectives),
            operations, segment);
    }

    /**
     * An access that is complete later: when what was issued to rank {@code on} is, or, {@code untilLocal}, is locally.
     *
     * @return null if it has no bytes
     */
    Access issued(Kind kind, Part part, Extent extent, int on, boolean untilLocal) {
        return issued(kind, 0, part, extent, on, untilLocal);
    }

    private Access issued(Kind kind, int width, Part part, Extent extent, int on, boolean untilLocal) {
        if (extent.isEmpty()) {
            return null;
        }
        Access access = access(kind, width, part, extent);
        pending.add(new Pending(access, on, untilLocal));
        return access;
    }

    /**
     * An atomic access of the cells of so many blocks, complete later as {@link #issued}: a synchronization too. It has
     * a segment of its own.
     *
     * @return null if it has no bytes
     */
    Access atomic(How how, int width, Part part, Extent extent, long ticket, boolean untilLocal) {
        for (long i = 0; i < extent.count() && extent.block() > 0; i++) {
            sync(how, part.target(), part.window(), width, extent.begin(i), extent.block(), ticket);
        }
        Kind kind = how == How.ACQUIRE ? Kind.ATOMIC_READ : Kind.ATOMIC;
        return issued(kind, width, part, extent, part.target(), untilLocal);
    }

    /** A blocking atomic update of one cell. */
    void update(int width, Part part, long offset, long ticket) {
        sync(How.UPDATE, part.target(), part.window(), width, offset, width, ticket);
        complete(access(Kind.ATOMIC, width, part, Extent.of(offset, width)));
    }

    /**
     * A blocking atomic read, or one of 8 aligned bytes, which is as good as that. The same again and again is polling,
     * and is one.
     */
    void read(Kind kind, int width, Part part, long offset, long ticket, long value) {
        if (lastRead != null && lastRead.end + 1 == operations && lastRead.place.kind() == kind
            && lastRead.place.width() == width && lastRead.target == part.target()
            && lastRead.place.window() == part.window() && lastRead.place.extent().offset() == offset
            && lastValue == value) {
            lastAcquire.ticket = ticket;
            lastRead.end = operations;
            return;
        }
        int cells = kind == Kind.GET_LONG ? Sync.ANY : width;
        sync(How.ACQUIRE, part.target(), part.window(), cells, offset, width, ticket);
        lastAcquire = syncs.getLast();
        lastRead = access(kind, width, part, Extent.of(offset, width));
        lastValue = value;
        complete(lastRead);
    }

    /** A read of some bytes anywhere, complete at once. */
    void read(Part part, long offset, long bytes) {
        complete(access(Kind.GET, 0, part, Extent.of(offset, bytes)));
    }

    private void complete(Access access) {
        access.end = operations;
        done.add(access);
    }

    /** A lock is taken or given back. */
    void lock(How how, int target, int window, long ticket) {
        sync(how, target, window, Sync.LOCK, 0, 0, ticket);
    }

    private void sync(How how, int target, int window, int width, long offset, long length, long ticket) {
        segment++;
        syncs.add(new Sync(how, target, window, width, offset, length, operations, segment, ticket));
    }

    /** A request of that access (null: of none) is complete. */
    void answered(Access one) {
        complete(pending -> pending.access == one);
    }

    /** What was issued to a target (-1: all) is complete locally: results are there, sources may be reused. */
    void arrived(int target) {
        complete(p -> p.untilLocal && (target < 0 || p.on == target));
    }

    /** What was issued to a target (-1: all) is complete; its epoch is closed. */
    void flushed(int target) {
        complete(p -> target < 0 || p.on == target);
        flushes++;
        for (int other = 0; other < epochs.length; other++) {
            epochs[other] += target < 0 || target == other ? 1 : 0;
        }
    }

    private void complete(Predicate<Pending> which) {
        Iterator<Pending> all = pending.iterator();
        while (all.hasNext()) {
            Pending one = all.next();
            if (which.test(one)) {
                complete(one.access);
                all.remove();
            }
        }
    }

    /** A collective ended: what all did before comes before what all do after it. */
    void collective() {
        collectives++;
        met();
    }

    /** As a collective, but none of the program's. */
    void met() {
        segment++;
    }

    long operations() {
        return operations;
    }

    int segment() {
        return segment;
    }

    boolean hasPending() {
        return !pending.isEmpty();
    }

    /** The first segment out of which an access is still to be told. */
    int floor() {
        int floor = segment;
        for (Pending one : pending) {
            floor = Math.min(floor, one.access.segment);
        }
        return floor;
    }

    /** The accesses that were completed since the last call. */
    List<Access> takeDone() {
        List<Access> taken = done;
        done = new ArrayList<>();
        lastRead = null;
        return taken;
    }

    /** The synchronizations since the last call. */
    List<Sync> takeSyncs() {
        List<Sync> taken = syncs;
        syncs = new ArrayList<>();
        return taken;
    }
}
