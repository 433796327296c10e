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
import org.ftrma.FtrmaException;
import org.ftrma.rank.control.MachineClock;

/**
 * The JDK's HTTP server on the loopback address, with a bound for all that strangers could make large: connections,
 * requests under way, the bytes of a request, and the time that each takes. Whoever is over a bound is cut off. Any
 * thread.
 */
final class PageServer implements AutoCloseable {
    /** Of all, also those that have said nothing yet: more than are under way, so that these keep nobody out. */
    static final int MOST_CONNECTIONS = 512;
    /** Under way at a time, with streams. */
    static final int MOST_REQUESTS = 128;
    /** Of the request's line and its headers together. */
    static final int MOST_HEADER_BYTES = 16 << 10;
    /** From the first byte of a request to the last one of its answer, and for each part of a stream. */
    static final long LONGEST_NANOS = 10_000_000_000L;
    private static final int BACKLOG = 64;

    static {
        // The JDK has them for all its servers of a process, which is the page's own.
        System.setProperty("jdk.httpserver.maxConnections", "" + MOST_CONNECTIONS);
        System.setProperty("sun.net.httpserver.maxReqHeaderSize", "" + MOST_HEADER_BYTES);
        // Who says nothing for so many seconds is cut off; looked for every so many milliseconds.
        System.setProperty("sun.net.httpserver.idleInterval", "2");
        System.setProperty("sun.net.httpserver.clockTick", "500");
        System.setProperty("sun.net.httpserver.drainAmount", "" + PageHandler.MOST_BODY_BYTES);
        // Else each answer may wait for the system of the client, for 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;
    private final MachineClock clock;
    private final Semaphore free = new Semaphore(MOST_REQUESTS);
    private final ExecutorService workers = Executors.newCachedThreadPool(
        Thread.ofPlatform().daemon().name("ftrma-web").factory());
    /** When each request under way has to be over. */
    private final Map<Thread, Long> deadlines = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    /**
     * Listens.
     *
     * @param port 0: any that is free
     * @throws IOException nothing can listen there
     */
    PageServer(int port, MachineClock clock) throws IOException {
        this.clock = clock;
        server = HttpServer.create(new InetSocketAddress(address(), port), BACKLOG);
        server.setExecutor(this::execute);
    }

    /** Where it listens: other machines do not reach it. */
    static InetAddress address() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    /** The error of a port at which nothing can listen, as the value of an option. */
    static FtrmaException cannotListen(String option, int port, IOException e) {
        return new FtrmaException(FtrmaException.Category.SETUP, option + "=" + port + ": cannot listen at 127.0.0.1:"
            + port + ": " + e.getMessage() + "; name another port, or 0 for any that is free", e);
    }

    /** Answers from now on. Once. */
    void start(HttpHandler handler) {
        server.createContext("/", handler);
        server.start();
    }

    /** Its port. */
    int port() {
        return server.getAddress().getPort();
    }

    /**
     * One request, from its first byte on. Where there are too many the server closes the connection. The server's own
     * thread, which does not wait.
     */
    private void execute(Runnable request) {
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
            prolong();
            request.run();
        } finally {
            deadlines.remove(Thread.currentThread());
            free.release();
        }
    }

    /** The request that this thread answers may take so long from now on. */
    void prolong() {
        deadlines.put(Thread.currentThread(), clock.nanoTime() + LONGEST_NANOS);
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
