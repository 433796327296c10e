package org.ftrma.core.parity;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.ftrma.FtrmaException;
import org.ftrma.xor.XorCode;

/**
 * The XOR of memory ranges that two threads make together: each takes the next piece that nobody has taken, so that
 * neither waits for the other one longer than for a piece, and one that gets no processor takes none. Used once: by the
 * data thread, and a thread of the executor.
 */
final class SharedEncoding {
    private static final long MOST_WAIT_NANOS = 60_000_000_000L;
    private static final int NOT_BEGUN = 0;
    private static final int BEGUN = 1;
    private static final int OVER = 2;

    private final MemorySegment[] sources;
    private final long[] offsets;
    private final MemorySegment destination;
    private final long destinationOffset;
    private final long length;
    private final long pieceBytes;
    private final AtomicLong next = new AtomicLong();
    /** Of the other thread. */
    private final AtomicInteger state = new AtomicInteger(NOT_BEGUN);
    private final Thread caller = Thread.currentThread();
    /** Why the other thread ended early; written before it is over. */
    private Throwable failure;

    /** As {@link XorCode#encode}, in pieces; the arrays are not changed meanwhile. */
    SharedEncoding(MemorySegment[] sources, long[] offsets, MemorySegment destination, long destinationOffset,
        long length, long pieceBytes) {
        this.sources = sources;
        this.offsets = offsets;
        this.destination = destination;
        this.destinationOffset = destinationOffset;
        this.length = length;
        this.pieceBytes = pieceBytes;
    }

    /**
     * Returns when all is made, or throws what {@code between} or a piece throws; no memory is touched afterwards.
     *
     * @param between run by the calling thread after each piece of its own
     */
    void run(Executor helper, Runnable between) {
        try {
            helper.execute(this::help);
        } catch (RejectedExecutionException e) {
            state.set(OVER);
        }
        try {
            work(between);
        } finally {
            next.set(length);
            awaitHelper(); // C26
        }
        if (failure != null) { // C26
            throw new FtrmaException(FtrmaException.Category.FATAL, "the second thread of a parity failed: " + failure,
                failure);
        }
    }

    private void work(Runnable between) {
        long[] at = new long[offsets.length];
        for (long start = next.getAndAdd(pieceBytes); start < length; start = next.getAndAdd(pieceBytes)) {
            for (int i = 0; i < at.length; i++) {
                at[i] = offsets[i] + start;
            }
            XorCode.encode(sources, at, destination, destinationOffset + start, Math.min(pieceBytes, length - start));
            between.run();
        }
    }

    private void help() {
        if (!state.compareAndSet(NOT_BEGUN, BEGUN)) {
            return;
        }
        try {
            work(() -> { });
        } catch (Throwable t) {
            failure = t;
            next.set(length);
        } finally {
            state.set(OVER);
            LockSupport.unpark(caller);
        }
    }

    /** One that has not begun never does. */
    private void awaitHelper() {
        if (state.compareAndSet(NOT_BEGUN, OVER)) {
            return;
        }
        long end = System.nanoTime() + MOST_WAIT_NANOS;
        boolean interrupted = false;
        while (state.get() != OVER) {
            if (System.nanoTime() - end > 0) {
                throw new FtrmaException(FtrmaException.Category.FATAL, "waited " + MOST_WAIT_NANOS / 1_000_000
                    + " ms for the second thread of a parity");
            }
            LockSupport.parkNanos(this, 1_000_000);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            caller.interrupt();
        }
    }
}
