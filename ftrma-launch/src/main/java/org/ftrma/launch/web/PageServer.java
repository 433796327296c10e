package org.ftrma.launch.web;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

/**
 * The JDK's HTTP server on the loopback address, with a bound for all that strangers could make large: connections,
 * requests under way, the bytes of a request, and the time that each takes. Whoever is over a bound is cut off. All
 * threads are daemons, and stand back behind the ranks; where they have used more processor time than there is for
 * them, the next request is taken later. Any thread.
 */
final class PageServer implements AutoCloseable {
    /** Of all, also those that have said nothing yet: more than are under way, so that these keep nobody out. */
    static final int MOST_CONNECTIONS = 512;
    /** Under way at a time, with streams: they may wait for processor time. */
    static final int MOST_REQUESTS = 128;
    /** Of the request's line and its headers together. */
    static final int MOST_HEADER_BYTES = 16 << 10;
    /** From the first byte of a request to the last one of its answer, and for each part of a stream. */
    static final long LONGEST_NANOS = 10_000_000_000L;
    private static final int BACKLOG = 64;

    static {
        // The JDK has them for all its servers of a process; one who has set them keeps them.
        set("jdk.httpserver.maxConnections", MOST_CONNECTIONS);
        set("sun.net.httpserver.maxReqHeaderSize", MOST_HEADER_BYTES);
        // Who says nothing for so many seconds is cut off; looked for every so many milliseconds.
        set("sun.net.httpserver.idleInterval", 2);
        set("sun.net.httpserver.clockTick", 500);
        set("sun.net.httpserver.drainAmount", PageHandler.MOST_BODY_BYTES);
        set("sun.net.httpserver.nodelay", true); // else each answer may wait for the client's system, for 40 ms
    }

    private final HttpServer server;
    private final ProcessorBudget budget;
    private final Semaphore free = new Semaphore(MOST_REQUESTS);
    private final ExecutorService workers = Executors.newCachedThreadPool(new BackgroundThreads("ftrma-web"));
    /** When each request under way has to be over. */
    private final Map<Thread, Long> deadlines = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    /**
     * Listens.
     *
     * @param port 0: any that is free
     * @param budget of all threads of the page
     * @throws IOException nothing can listen there
     */
    PageServer(int port, ProcessorBudget budget) throws IOException {
        this.budget = budget;
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
        // Its thread is a daemon in the background where the one that starts it is.
        Thread starter = new BackgroundThreads("ftrma-web-start").start(server::start);
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

    /**
     * One request, from its first byte on. Where there are too many the server closes the connection. The server's own
     * thread, which does not wait: it takes one new connection for each row of requests.
     */
    private void execute(Runnable request) {
        budget.charge();
        if (isClosed || !free.tryAcquire()) {
            throw new RejectedExecutionException("more than " + MOST_REQUESTS + " requests are under way");
        }
        try {
            workers.execute(() -> run(request));
        } catch (Throwable e) {
            free.release();
            throw e;
        }
    }

    private void run(Runnable request) {
        try {
            budget.begin();
            try {
                prolong();
                request.run();
            } finally {
                deadlines.remove(Thread.currentThread());
                budget.end();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the page is closed, and all its connections are
        } finally {
            free.release();
        }
    }

    /** The request that this thread answers may take so long from now on. */
    void prolong() {
        deadlines.put(Thread.currentThread(), System.nanoTime() + LONGEST_NANOS);
    }

    /** Cuts off who takes too long: to ask, or to take the answer. To be called now and then. */
    void cutOff(long nowNanos) {
        deadlines.keySet().forEach(thread -> deadlines.computeIfPresent(thread, (it, deadline) -> {
            if (nowNanos - deadline > 0) {
                it.interrupt(); // its channel is closed by that; of no later request, since this one is not over yet
            }
            return deadline;
        }));
    }

    /** Requests under way. */
    int requests() {
        return MOST_REQUESTS - free.availablePermits();
    }

    /** Nobody is answered any more. */
    @Override
    public void close() {
        isClosed = true;
        workers.shutdownNow();
        server.stop(0);
    }
}
