package org.ftrma.ucx;

import java.util.ArrayList;
import java.util.List;
import org.ftrma.ucp.Libc;

/**
 * Faults pages of shared memory in while the owner of the memory works with it already, in the order in which the
 * memory was allocated. A page that is not there yet costs its first user more, and nothing else. Any thread; each
 * piece of memory gets a short-lived daemon thread.
 */
final class BackgroundPages implements AutoCloseable {
    /** Short enough that nobody waits long for the end; each is a wait for all processors. */
    private static final long PIECE_BYTES = 16 * HugePages.BYTES;

    private final Object advising = new Object();
    /** Memory that may be advised about, {address, bytes}; guarded by {@link #advising}. */
    private final List<long[]> wanted = new ArrayList<>();
    private volatile boolean closed;
    private Thread last;

    /** New memory to be faulted in, until {@link #forget}. */
    synchronized void add(long address, long bytes) {
        long[] memory = {address, bytes};
        synchronized (advising) {
            wanted.add(memory);
        }
        Thread before = last;
        last = Thread.ofPlatform().daemon().name("ftrma-pages").unstarted(() -> populate(before, memory));
        last.start();
    }

    /** Memory that is about to be unmapped: it is not touched any more. Returns when that is so. */
    void forget(long address, long bytes) {
        synchronized (advising) {
            wanted.removeIf(memory -> memory[0] >= address && memory[0] < address + bytes);
        }
    }

    private void populate(Thread before, long[] memory) {
        try {
            if (before != null) {
                before.join();
            }
        } catch (InterruptedException e) {
            return;
        }
        long end = memory[0] + memory[1];
        long next;
        for (long at = memory[0]; at < end && !closed; at = next) {
            next = Math.min(end, at + PIECE_BYTES & -HugePages.BYTES);
            synchronized (advising) {
                if (!wanted.contains(memory)) {
                    return;
                }
                HugePages.make(at, next - at);
                if (Libc.madvise(at, next - at, Libc.MADV_POPULATE_WRITE) != 0) {
                    break; // an older kernel, or no memory: pages come one by one
                }
            }
        }
        synchronized (advising) {
            wanted.remove(memory);
        }
    }

    /** Whether memory is still being faulted in. */
    synchronized boolean isRunning() {
        return last != null && last.isAlive();
    }

    /** Returns when no page is touched any more. */
    @Override
    public void close() {
        closed = true;
        Thread running;
        synchronized (this) {
            running = last;
        }
        boolean interrupted = false;
        while (running != null && running.isAlive()) {
            try {
                running.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
