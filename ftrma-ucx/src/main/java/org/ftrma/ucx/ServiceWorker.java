package org.ftrma.ucx;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.ftrma.FtrmaException;
import org.ftrma.ucp.FatalErrorGuard;
import org.ftrma.ucp.Ucp;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;

/**
 * The worker that others' accesses arrive at, and the thread that owns it: transports such as tcp carry accesses out in
 * software at the target, which must not depend on what the target's program does. Opened and closed by the data
 * thread; only the service thread touches the worker, and destroys it: UCX may find then that it cannot go on (UCX 1.13
 * does where an answer to a peer that connects is still on its way), which only this thread survives.
 */
final class ServiceWorker implements AutoCloseable {
    /**
     * How long the thread polls after the last access before it sleeps: longer than a round trip over loopback, so that
     * a peer's next access of a series does not pay for waking it, and short enough to leave the core to computing
     * threads.
     */
    private static final long POLL_NANOS = 50_000;
    /** For so long it does not even yield: the next access of a series is due. */
    private static final long EAGER_NANOS = 20_000;
    private static final int POLLS_PER_CLOCK = 16;
    private static final long JOIN_SECONDS = 10;

    private final UcpWorker worker;
    private final long handle;
    private final byte[] address;
    private final Thread thread;
    private volatile boolean stop;
    /** The worker is not to be signalled any more. */
    private boolean leaving;
    private volatile Throwable failure;
    private volatile String lost;

    ServiceWorker(UcpContext context) {
        try {
            worker = context.newWorker(new UcpWorkerParams());
        } catch (UcxException e) {
            throw UcxRuntime.setupFailed("UCX service worker", e);
        }
        handle = worker.getNativeId();
        address = UcxRuntime.bytes(worker.getAddress());
        thread = Thread.ofPlatform().daemon(true).name("ftrma-ucx-service").unstarted(this::serve);
        thread.start();
    }

    byte[] address() {
        return address;
    }

    long handle() {
        return handle;
    }

    private void serve() {
        FatalErrorGuard.survive(place -> lost = place);
        try {
            while (!stop) {
                if (!pollForAWhile()) {
                    Ucp.workerWait(handle); // an error, too, only means that there may be something to do
                }
            }
        } catch (RuntimeException | Error t) {
            failure = t;
        }
        while (!stop) {
            LockSupport.park(this);
        }
        leave();
        worker.close();
    }

    private synchronized void leave() {
        leaving = true;
    }

    /** The thread may have been about to sleep. */
    private synchronized void wake() {
        if (!leaving) {
            Ucp.workerSignal(handle);
        }
        LockSupport.unpark(thread);
    }

    /** Whether something came, or the thread is to end. */
    private boolean pollForAWhile() {
        long start = 0;
        for (int turn = 1; !stop; turn++) {
            if (Ucp.workerProgress(handle) != 0) {
                return true;
            }
            if (turn % POLLS_PER_CLOCK == 0) {
                long now = System.nanoTime();
                if (start == 0) {
                    start = now;
                } else if (now - start > POLL_NANOS) {
                    return false;
                } else if (now - start > EAGER_NANOS) {
                    Thread.yield();
                }
            }
        }
        return true;
    }

    /**
     * What made UCX give up this worker, or null. Nothing arrives here any more; its thread rests inside UCX for ever.
     */
    String lost() {
        return lost;
    }

    /** Ends the worker and its thread: what arrives later has nowhere to go. A lost worker is left as it is. */
    @Override
    public void close() {
        stop = true;
        boolean interrupted = false;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(JOIN_SECONDS);
        while (thread.isAlive() && lost == null) {
            wake();
            try {
                thread.join(10);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            if (System.nanoTime() > deadline) {
                throw new FtrmaException(FtrmaException.Category.FATAL,
                    "the UCX service thread did not end within " + JOIN_SECONDS + " s");
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (lost == null && failure != null) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "the UCX service thread failed", failure);
        }
    }
}
