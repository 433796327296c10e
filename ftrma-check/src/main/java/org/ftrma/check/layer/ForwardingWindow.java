package org.ftrma.check.layer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.Request;
import org.ftrma.Window;
import org.ftrma.WindowKind;

/**
 * A layer over a window. It hands on what is no access; every access and synchronization is left to the layer, so that
 * a new one cannot pass it by. Data thread only.
 */
public abstract class ForwardingWindow implements Window {
    /** The request of an access that was complete when it returned. */
    protected static final Request DONE = new Request() {
        @Override
        public boolean test() {
            return true;
        }

        @Override
        public void await() {
            // It is complete.
        }
    };

    /** What the layer lies over. */
    protected final Window window;

    protected ForwardingWindow(Window window) {
        this.window = window;
    }

    @Override
    public final String name() {
        return window.name();
    }

    @Override
    public final long bytes() {
        return window.bytes();
    }

    @Override
    public final long bytes(int rank) {
        return window.bytes(rank);
    }

    @Override
    public final WindowKind kind() {
        return window.kind();
    }

    @Override
    public final MemorySegment memory() {
        return window.memory();
    }

    @Override
    public final MemorySegment stage(int target, long length) {
        return window.stage(target, length);
    }

    /** A copy: so it is watched as any get. */
    @Override
    public final MemorySegment shared(int target, long offset, long length) {
        window.shared(target, offset, length); // wrong arguments are refused
        MemorySegment copy = Arena.ofAuto().allocate(length, Long.BYTES);
        get(copy, 0, target, offset, length);
        flushLocal(target);
        return copy.asReadOnly();
    }

    @Override
    public final void prefetch(int target, long offset) {
        window.prefetch(target, offset);
    }
}
