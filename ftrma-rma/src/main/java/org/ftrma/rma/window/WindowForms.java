package org.ftrma.rma.window;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Request;
import org.ftrma.Window;
import org.ftrma.core.session.PeerFailureHandling;
import org.ftrma.core.session.Session;

/**
 * Forms of a window's accesses that are made of others: of arrays, which are copied by way of a buffer, since the heap
 * is out of reach of the network; and requests of atomic accesses, which are complete when they return. Nothing but
 * views is allocated once a target's buffer is large enough. Data thread only; hot path.
 */
abstract class WindowForms implements Window {
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    final PeerFailureHandling survivor;
    final int member;
    final RequestPool requests;
    final StagingRing staging;
    final WindowArguments arguments;
    private final SharedView[] views;
    private MemorySegment buffer;
    private long at;

    WindowForms(Session session, String name, WindowSizes sizes) {
        this.survivor = session.survivor;
        this.member = session.member;
        this.requests = new RequestPool(session.fabric, session.inbox, session.waiter, survivor);
        this.staging = new StagingRing(session.paths, survivor, session.ranks);
        this.arguments = new WindowArguments(name, sizes, session.options.protocol(), member);
        this.views = new SharedView[session.ranks];
    }

    /** Refuses what is no part of a target's window, or may not be accessed now. */
    abstract void checkRange(int target, long offset, long length);

    /** Takes a piece of the buffer for elements that go to a place in the window, or come from there. */
    private void take(int target, long offset, long length) {
        checkRange(target, offset, length);
        at = staging.take(target, length);
        buffer = staging.buffer(target);
    }

    @Override
    public final void put(double[] source, int from, int count, int target, long offset) {
        arguments.checkArray(source == null ? -1 : source.length, from, count, WindowArguments.SOURCE);
        take(target, offset, (long) count * Double.BYTES);
        MemorySegment.copy(source, from, buffer, DOUBLE, at, count);
        put(buffer, at, target, offset, (long) count * Double.BYTES);
    }

    @Override
    public final void put(long[] source, int from, int count, int target, long offset) {
        arguments.checkArray(source == null ? -1 : source.length, from, count, WindowArguments.SOURCE);
        take(target, offset, (long) count * Long.BYTES);
        MemorySegment.copy(source, from, buffer, LONG, at, count);
        put(buffer, at, target, offset, (long) count * Long.BYTES);
    }

    @Override
    public final void put(int[] source, int from, int count, int target, long offset) {
        arguments.checkArray(source == null ? -1 : source.length, from, count, WindowArguments.SOURCE);
        take(target, offset, (long) count * Integer.BYTES);
        MemorySegment.copy(source, from, buffer, INT, at, count);
        put(buffer, at, target, offset, (long) count * Integer.BYTES);
    }

    /** A target's part as it is, in memory of this process; null: there is none. */
    abstract MemorySegment inPlace(int target);

    @Override
    public final MemorySegment shared(int target, long offset, long length) {
        checkRange(target, offset, length);
        MemorySegment part = inPlace(target);
        SharedView view = views[target] == null ? views[target] = new SharedView() : views[target];
        if (part != null) {
            return view.of(part, offset, length);
        }
        get(view.toCopy(offset, length), 0, target, offset, length);
        flushLocal(target);
        return view.copy(offset, length);
    }

    @Override
    public final void flushLocalAll() {
        for (int target = 0; target < views.length; target++) {
            flushLocal(target);
        }
    }

    private void fetch(int target, long offset, long length) {
        take(target, offset, length);
        get(buffer, at, target, offset, length);
        flushLocal(target);
    }

    @Override
    public final void get(double[] destination, int from, int count, int target, long offset) {
        arguments.checkArray(destination == null ? -1 : destination.length, from, count, WindowArguments.DESTINATION);
        fetch(target, offset, (long) count * Double.BYTES);
        MemorySegment.copy(buffer, DOUBLE, at, destination, from, count);
    }

    @Override
    public final void get(long[] destination, int from, int count, int target, long offset) {
        arguments.checkArray(destination == null ? -1 : destination.length, from, count, WindowArguments.DESTINATION);
        fetch(target, offset, (long) count * Long.BYTES);
        MemorySegment.copy(buffer, LONG, at, destination, from, count);
    }

    @Override
    public final void get(int[] destination, int from, int count, int target, long offset) {
        arguments.checkArray(destination == null ? -1 : destination.length, from, count, WindowArguments.DESTINATION);
        fetch(target, offset, (long) count * Integer.BYTES);
        MemorySegment.copy(buffer, INT, at, destination, from, count);
    }

    @Override
    public final Request raccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset, int target,
        long offset, long count) {
        accumulate(op, type, source, sourceOffset, target, offset, count);
        return requests.of(0, target);
    }

    @Override
    public final Request rgetAccumulate(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        MemorySegment result, long resultOffset,
        int target, long offset, long count) {
        getAccumulate(op, type, source, sourceOffset, result, resultOffset, target, offset, count);
        return requests.of(0, target);
    }

    @Override
    public final Request raccumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        long sourceStride, int target,
        long offset, long stride, long blockElements, long count) {
        accumulateStrided(op, type, source, sourceOffset, sourceStride, target, offset, stride, blockElements, count);
        return requests.of(0, target);
    }

    @Override
    public final Request rgetAccumulateStrided(AtomicOp op, DataType type, MemorySegment source, long sourceOffset,
        long sourceStride,
        MemorySegment result, long resultOffset, long resultStride, int target, long offset, long stride,
        long blockElements, long count) {
        getAccumulateStrided(op, type, source, sourceOffset, sourceStride, result, resultOffset, resultStride, target,
            offset, stride, blockElements,
            count);
        return requests.of(0, target);
    }
}
