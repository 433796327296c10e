package org.ftrma.launch.web;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The JDK's HTTP server on the loopback address, with a bound for all that strangers could make large: connections,
 * requests under way, the bytes of a request, and the time that each takes. Whoever is over a bound is cut off. All
 * threads are daemons. Any thread.
 */
final class PageServer implements AutoCloseable {
    /** Of all, also those that have said nothing yet. */
    static final int MOST_CONNECTIONS = 128;
    /** Under way at a time, with streams. */
    static final int MOST_REQUESTS = 64;
    /** Of the request's line and its headers together. */
    static final int MOST_HEADER_BYTES = 16 << 10;
    /** From the first byte of a request to the last one of its answer, and for each part of a stream. */
    static final long LONGEST_NANOS = 10_000_000_000L;
    /** In the long run no more requests than one in so long are answered: the cores are the ranks'. */
    static final long PACE_NANOS = 4_000_000;
    /** So many at once are answered without waiting. */
    private static final int BURST = 50;
    private static final int BACKLOG = 64;

    static {
        // The JDK has them for all its servers of a process; one who has set them keeps them.
        set("jdk.httpserver.maxConnections", MOST_CONNECTIONS);
        set("sun.net.httpserver.maxReqHeaderSize", MOST_HEADER_BYTES);
        set("sun.net.httpserver.idleInterval", 10);
        set("sun.net.httpserver.drainAmount", PageHandler.MOST_BODY_BYTES);
        set("sun.net.httpserver.nodelay", true); // else each answer may wait for the client's system, for 40 ms
    }

    private final HttpServer server;
    private final Semaphore free = new Semaphore(MOST_REQUESTS);
    /** When each request under way has to be over. */
    private final Map<Thread, Long> deadlines = new ConcurrentHashMap<>();
    private final long paceNanos;
    /** When the next request is due, if all come at once. */
    private final AtomicLong dueNanos = new AtomicLong(System.nanoTime());
    private volatile boolean isClosed;

    /**
     * Listens.
     *
     * @param port 0: any that is free
     * @param paceNanos the time for each request, in the long run
     * @throws IOException nothing can listen there
     */
    PageServer(int port, long paceNanos) throws IOException {
        this.paceNanos = paceNanos;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port),
            BACKLOG);
        server.setExecutor(this::execute);
    }

    private static void set(String property, Object value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value.toString());
        }
    }

    /** Answers from now on. Once. */
    void start(HttpHandler handler) {
        server.createContext("/", handler);
        // Its thread is a daemon where the one that starts it is.
        Thread starter = Thread.ofPlatform().daemon().name("ftrma-web-start").start(server::start);
        boolean isInterrupted = false;
        while (starter.isAlive()) {
            try {
                starter.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Where it listens. */
    int port() {
        return server.getAddress().getPort();
    }

    /** One request, from its first byte on. Where there are too many the server closes the connection. */
    private void execute(Runnable request) {
        if (isClosed || !free.tryAcquire()) {
            throw new RejectedExecutionException("more than " + MOST_REQUESTS + " requests are under way");
        }
        try {
            Thread.ofVirtual().name("ftrma-web").start(() -> run(request));
        } catch (Throwable e) {
            free.release();
            throw e;
        }
    }

    private void run(Runnable request) {
        try {
            prolong();
            awaitTurn();
            request.run();
        } finally {
            deadlines.remove(Thread.currentThread());
            free.release();
        }
    }

    private void awaitTurn() {
        long now = System.nanoTime();
        long due = dueNanos.updateAndGet(last -> Math.max(last - now, -BURST * paceNanos) + now + paceNanos);
        for (long left = due - now; left > 0 && !Thread.currentThread().isInterrupted();
            left = due - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    /** The request that this thread answers may take so long from now on. */
    void prolong() {
        deadlines.put(Thread.currentThread(), System.nanoTime() + LONGEST_NANOS);
    }

    /** Cuts off who takes too long: to ask, or to take the answer. To be called now and then. */
    void cutOff(long nowNanos) {
        deadlines.forEach((thread, deadline) -> {
            if (nowNanos - deadline > 0) {
                thread.interrupt(); // its channel is closed by that
            }
        });
    }

    /** Requests under way. */
    int requests() {
        return MOST_REQUESTS - free.availablePermits();
    }

    /** Nobody is answered any more. */
    @Override
    public void close() {
        isClosed = true;
        deadlines.keySet().forEach(Thread::interrupt);
        server.stop(0);
    }
}
