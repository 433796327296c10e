package org.ftrma.ucx;

import org.ftrma.ucp.Libc;

/**
 * Faults pages in while the owner of the memory works with it already, in the order in which the memory was allocated. A page that is not there yet
 * costs its first user more, and nothing else. Any thread; each piece of memory gets a short-lived daemon thread.
 */
final class BackgroundPages implements AutoCloseable {
    /** Short enough that nobody waits long for the end; each is a wait for all processors. */
    private static final long PIECE_BYTES = 32 << 20;

    private volatile boolean closed;
    private Thread last;

    /** New memory to be faulted in. If it is unmapped meanwhile, the kernel refuses, and that is all. */
    synchronized void add(long address, long bytes) {
        Thread before = last;
        last = Thread.ofPlatform().daemon().name("ftrma-pages").unstarted(() -> populate(before, address, bytes));
        last.start();
    }

    private void populate(Thread before, long address, long bytes) {
        try {
            if (before != null) {
                before.join();
            }
        } catch (InterruptedException e) {
            return;
        }
        for (long at = 0; at < bytes && !closed; at += PIECE_BYTES) {
            long piece = Math.min(PIECE_BYTES, bytes - at);
            HugePages.make(address + at, piece);
            if (Libc.madvise(address + at, piece, Libc.MADV_POPULATE_WRITE) != 0) {
                return; // an older kernel, or no memory: pages come one by one
            }
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
