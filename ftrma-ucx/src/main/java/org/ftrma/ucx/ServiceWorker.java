package org.ftrma.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.ftrma.FtrmaException;
import org.ftrma.ucp.FatalErrorGuard;
import org.ftrma.ucp.Ucp;
import org.ftrma.ucp.UcsStatus;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpWorker;

/**
 * A worker that others' accesses arrive at, with a listening socket of its own. Opened by any thread, then progressed
 * by the {@link ServiceThread} alone until that has let go of it.
 *
 * <p>It is destroyed by a thread made for that: UCX may find then that it cannot go on (UCX 1.13 does where an answer
 * to a peer that connects is still on its way), which only such a thread survives; and others are served meanwhile.
 */
final class ServiceWorker {
    private static final long DEADLINE_SECONDS = 10;

    private final UcpWorker worker;
    private final long handle;
    private final int events;
    private final byte[] address;
    /** Of the service thread: since when nothing came, 0: something did just now. */
    long idleSince;
    /** Of the service thread: how its events are told apart. */
    long token;
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile String lost;

    ServiceWorker(UcpContext context) {
        try {
            worker = context.newWorker(new OneThreadAtATime());
        } catch (UcxException e) {
            throw UcxRuntime.setupFailed("UCX service worker", e);
        }
        handle = worker.getNativeId();
        address = UcxRuntime.bytes(worker.getAddress());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment descriptor = arena.allocate(ValueLayout.JAVA_INT);
            byte status = Ucp.workerGetEfd(handle, descriptor);
            if (status != UcsStatus.UCS_OK) {
                worker.close();
                throw new FtrmaException(FtrmaException.Category.SETUP,
                    "UCX service worker has no event descriptor: " + UcxRuntime.describe(status));
            }
            events = descriptor.get(ValueLayout.JAVA_INT, 0);
        }
    }

    byte[] address() {
        return address;
    }

    long handle() {
        return handle;
    }

    /** The descriptor that can be read when there is something to progress. */
    int events() {
        return events;
    }

    /**
     * What made UCX give up this worker, or null. Nothing arrives here any more; the thread that was in it rests there
     * for ever.
     */
    String lost() {
        return lost;
    }

    void markLost(String place) {
        lost = place;
    }

    /** The service thread does not touch it any more. */
    void markReleased() {
        released.countDown();
    }

    /** Waits for {@link #markReleased}, or until the worker is lost. */
    void awaitReleased(BooleanSupplier isServed) {
        await("released by the UCX service thread", () -> released.await(10, TimeUnit.MILLISECONDS)
            || !isServed.getAsBoolean());
    }

    /**
     * Ends the worker, which was released: what arrives later has nowhere to go. A lost worker is left as it is: nobody
     * carries out what comes to it.
     */
    void destroy() {
        if (lost != null) {
            return;
        }
        Thread thread = Thread.ofPlatform().daemon(true).name("ftrma-ucx-closing").unstarted(() -> {
            FatalErrorGuard.survive(this::markLost);
            worker.close();
        });
        thread.start();
        await("closed", () -> {
            thread.join(10);
            return !thread.isAlive();
        });
    }

    /** Something that is tried for a while. */
    @FunctionalInterface
    private interface Attempt {
        boolean succeeds() throws InterruptedException;
    }

    private void await(String what, Attempt attempt) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        boolean interrupted = false;
        boolean done = false;
        while (!done && lost == null) {
            try {
                done = attempt.succeeds();
            } catch (InterruptedException e) {
                interrupted = true;
            }
            if (!done && System.nanoTime() > deadline) {
                throw new FtrmaException(FtrmaException.Category.FATAL,
                    "a UCX service worker was not " + what + " within " + DEADLINE_SECONDS + " s");
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
