package org.ftrma.check.race;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.ftrma.check.race.Access.Kind;
import org.ftrma.check.race.Sync.How;

/**
 * What one rank does: its accesses, its synchronizations, and its counters, until they are told to the others. Data
 * thread only.
 */
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

    private Access access(Kind kind, int width, int window, int target, long sc, long offset, long block, long stride,
        long count) {
        return new Access(new Access.Place(rank, kind, width, window, offset, block, stride, count), target,
            new Access.Moment(step.getAsLong(), epochs[target] + 1, flushes, sc, collectives), operations, segment);
    }

    /**
     * An access that is complete later: when what was issued to rank {@code on} is, or, {@code untilLocal}, is locally.
     *
     * @return null if it has no bytes
     */
    Access issued(Kind kind, int window, int target, long sc, long offset, long block, long stride, long count, int on,
        boolean untilLocal) {
        return issued(kind, 0, window, target, sc, offset, block, stride, count, on, untilLocal);
    }

    private Access issued(Kind kind, int width, int window, int target, long sc, long offset, long block, long stride,
        long count, int on,
        boolean untilLocal) {
        if (block == 0 || count == 0) {
            return null;
        }
        Access access = access(kind, width, window, target, sc, offset, block, stride, count);
        pending.add(new Pending(access, on, untilLocal));
        return access;
    }

    /**
     * An atomic access of the cells of so many blocks, complete later as {@link #issued}: a synchronization too. It has
     * a segment of its own.
     *
     * @return null if it has no bytes
     */
    Access atomic(How how, int width, int window, int target, long sc, long offset, long block, long stride, long count,
        long ticket,
        boolean untilLocal) {
        for (long i = 0; i < count && block > 0; i++) {
            sync(how, target, window, width, offset + i * stride, block, ticket);
        }
        Kind kind = how == How.ACQUIRE ? Kind.ATOMIC_READ : Kind.ATOMIC;
        return issued(kind, width, window, target, sc, offset, block, stride, count, target, untilLocal);
    }

    /** A blocking atomic update of one cell. */
    void update(int width, int window, int target, long sc, long offset, long ticket) {
        sync(How.UPDATE, target, window, width, offset, width, ticket);
        complete(access(Kind.ATOMIC, width, window, target, sc, offset, width, width, 1));
    }

    /**
     * A blocking atomic read, or one of 8 aligned bytes, which is as good as that. The same again and again is polling,
     * and is one.
     */
    void read(Kind kind, int width, int window, int target, long sc, long offset, long ticket, long value) {
        if (lastRead != null && lastRead.end + 1 == operations && lastRead.place.kind() == kind
            && lastRead.place.width() == width
            && lastRead.target == target && lastRead.place.window() == window && lastRead.place.offset() == offset
            && lastValue == value) {
            lastAcquire.ticket = ticket;
            lastRead.end = operations;
            return;
        }
        sync(How.ACQUIRE, target, window, kind == Kind.GET_LONG ? Sync.ANY : width, offset, width, ticket);
        lastAcquire = syncs.getLast();
        lastRead = access(kind, width, window, target, sc, offset, width, width, 1);
        lastValue = value;
        complete(lastRead);
    }

    /** A read of 8 bytes anywhere, complete at once. */
    void read(int window, int target, long sc, long offset) {
        complete(access(Kind.GET, 0, window, target, sc, offset, 8, 8, 1));
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
