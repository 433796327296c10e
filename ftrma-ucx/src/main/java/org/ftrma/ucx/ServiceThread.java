package org.ftrma.ucx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.ftrma.FtrmaException;
import org.ftrma.ucp.EventPoll;
import org.ftrma.ucp.FatalErrorGuard;
import org.ftrma.ucp.Ucp;
import org.ftrma.ucp.UcsStatus;

/**
 * The thread that progresses all service workers of a fabric: transports such as tcp carry accesses out in software at
 * the target, which must not depend on what the target's program does.
 *
 * <p>Those to which something came lately are progressed by turns; the others are armed, and one look tells whether
 * something came to any of them, however many there are. When nothing came for a while it sleeps.
 *
 * <p>Where UCX cannot go on within one worker (see {@link FatalErrorGuard}), that one and the thread are lost, and
 * another thread takes over the rest. {@link #add}, {@link #release} and {@link #close}: any thread, of which one at a
 * time releases a worker.
 */
class ServiceThread implements AutoCloseable {
    /**
     * How long a worker is progressed after the last access before it is armed: longer than a round trip over loopback,
     * so that a peer's next access of a series does not pay for waking the thread, and short enough to leave the core
     * to computing threads.
     */
    private static final long POLL_NANOS = 50_000;
    /** For so long the thread does not even yield: the next access of a series is due. */
    private static final long EAGER_NANOS = 20_000;
    private static final int POLLS_PER_CLOCK = 16;
    /** Where what came may be waited for by a thread that needs this very core, it gets it after each look. */
    private static final int POLLS_BEFORE_GIVING_WAY = 1;
    /** In so many turns one looks for what came to workers that are armed. */
    private static final int POLLS_PER_LOOK = 4;
    private static final long JOIN_SECONDS = 10;

    private final long eagerNanos;
    private final int pollsPerClock;
    private final EventPoll events = new EventPoll();
    /** Workers to add, or where they were added already, to release. */
    private final ConcurrentLinkedQueue<ServiceWorker> told = new ConcurrentLinkedQueue<>();
    private volatile boolean asked;
    private volatile boolean stop;
    private volatile Throwable failure;
    private volatile Thread thread;

    // Of the service thread, or of the one that takes over.
    private final Map<Long, ServiceWorker> workers = new HashMap<>();
    private final List<ServiceWorker> active = new ArrayList<>();
    private long lastToken;
    /** The worker within which the thread is. */
    private ServiceWorker current;

    /** @param givesWay whether others may need its core while it polls: it yields whenever nothing has come */
    ServiceThread(boolean givesWay) {
        eagerNanos = givesWay ? 0 : EAGER_NANOS;
        pollsPerClock = givesWay ? POLLS_BEFORE_GIVING_WAY : POLLS_PER_CLOCK;
        thread = start();
    }

    private Thread start() {
        Thread started = Thread.ofPlatform().daemon(true).name("ftrma-ucx-service").unstarted(this::run);
        started.start();
        return started;
    }

    private void run() {
        FatalErrorGuard.survive(this::takeOver);
        try {
            if (current != null) {
                leave(current); // the thread before is in there for ever
                current = null;
            }
            serve();
        } catch (RuntimeException | Error t) {
            failure = t;
        }
    }

    /** Called within UCX, on the thread that is lost. */
    final void takeOver(String place) {
        current.markLost(place);
        thread = start();
    }

    private void serve() {
        for (int turn = 1; !stop; turn++) {
            if (asked) {
                obey();
            }
            if (active.isEmpty()) {
                wake(events.await());
                continue;
            }
            progressActive();
            if (turn % POLLS_PER_LOOK == 0 && active.size() < workers.size()) {
                wake(events.poll());
            }
            if (turn % pollsPerClock == 0) {
                rest(System.nanoTime());
            }
        }
    }

    private void progressActive() {
        for (int i = 0; i < active.size(); i++) {
            current = active.get(i);
            if (progress(current) != 0) {
                current.idleSince = 0;
            }
        }
        current = null;
    }

    /** Does the work of one worker; returns how much. */
    int progress(ServiceWorker worker) {
        return Ucp.workerProgress(worker.handle());
    }

    /** Something came to these. */
    private void wake(int count) {
        for (int i = 0; i < count; i++) {
            long token = events.token(i);
            ServiceWorker worker = token < 0 ? null : workers.get(token);
            if (worker != null && !active.contains(worker)) {
                worker.idleSince = 0;
                active.add(worker);
            }
        }
    }

    /** Workers that are idle are armed; where all are nearly so, others may have the core. */
    private void rest(long now) {
        boolean eager = false;
        for (int i = active.size() - 1; i >= 0; i--) {
            ServiceWorker worker = active.get(i);
            if (worker.idleSince == 0) {
                worker.idleSince = now;
            }
            eager |= now - worker.idleSince <= eagerNanos;
            if (now - worker.idleSince > POLL_NANOS && arm(worker)) {
                active.remove(i);
            }
        }
        if (!eager) {
            Thread.yield();
        }
    }

    /** Whether nothing is left to do there. */
    private boolean arm(ServiceWorker worker) {
        current = worker;
        byte status = Ucp.workerArm(worker.handle());
        current = null;
        if (status != UcsStatus.UCS_OK) {
            return false; // an error, too, only means that there may be something to do
        }
        events.watchAgain(worker.events(), worker.token);
        return true;
    }

    private void obey() {
        asked = false;
        for (ServiceWorker worker = told.poll(); worker != null; worker = told.poll()) {
            if (worker.token == 0) {
                worker.token = ++lastToken;
                workers.put(worker.token, worker);
                active.add(worker);
                events.add(worker.events(), worker.token);
            } else {
                leave(worker);
                worker.markReleased();
            }
        }
    }

    private void leave(ServiceWorker worker) {
        if (workers.remove(worker.token) != null) {
            active.removeIf(one -> one == worker);
            events.remove(worker.events());
        }
    }

    private void tell(ServiceWorker worker) {
        told.add(worker);
        asked = true;
        events.wake();
    }

    /** From now on this one is served, too. */
    void add(ServiceWorker worker) {
        tell(worker);
    }

    /** When this returns the worker is not served any more: it may be destroyed, unless it is lost. */
    void release(ServiceWorker worker) {
        if (worker.lost() == null) {
            tell(worker);
            worker.awaitReleased(() -> failure == null);
        }
    }

    /** Ends the thread; all workers were released. */
    @Override
    public void close() {
        stop = true;
        boolean interrupted = false;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(JOIN_SECONDS);
        while (thread.isAlive()) {
            events.wake();
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
        events.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "the UCX service thread failed", failure);
        }
    }
}
