package org.ftrma.ucp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Tells which of many descriptors can be read ({@code epoll}), and sleeps until one can. A descriptor is told once, and
 * then not until it is watched again. One thread, but for {@link #wake}; allocates nothing in {@link #poll} and
 * {@link #await}.
 *
 * <pre>
 *  struct epoll_event: events (u32), data (u64), packed on x86-64 alone
 * </pre>
 */
@SuppressWarnings("restricted")
public final class EventPoll implements AutoCloseable {
    private static final int MOST_AT_ONCE = 64;
    private static final int EPOLLIN = 1;
    private static final int EPOLLONESHOT = 1 << 30;
    private static final int EPOLL_CTL_ADD = 1;
    private static final int EPOLL_CTL_DEL = 2;
    private static final int EPOLL_CTL_MOD = 3;
    private static final int CLOEXEC = 0x80000;
    private static final int NONBLOCK = 0x800;
    private static final boolean PACKED = System.getProperty("os.arch").equals("amd64");
    private static final long DATA_OFFSET = PACKED ? 4 : 8;
    private static final long EVENT_BYTES = PACKED ? 12 : 16;
    /** The token of what {@link #wake} writes to. */
    private static final long WAKE = -1;

    private static final CFunction EPOLL_CREATE = CFunction.ofLibc("epoll_create1");
    private static final CFunction EPOLL_CTL = CFunction.ofLibc("epoll_ctl");
    private static final CFunction EVENTFD = CFunction.ofLibc("eventfd");
    private static final CFunction READ = CFunction.ofLibc("read");
    private static final CFunction WRITE = CFunction.ofLibc("write");
    private static final CFunction CLOSE = CFunction.ofLibc("close");
    private static final MethodHandle EPOLL_WAIT = Linker.nativeLinker().downcallHandle(
        Linker.nativeLinker().defaultLookup().findOrThrow("epoll_wait"),
        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT));

    private final Arena arena = Arena.ofShared();
    private final MemorySegment events = arena.allocate(MOST_AT_ONCE * EVENT_BYTES, 8);
    private final MemorySegment word = arena.allocate(JAVA_LONG);
    private final int poll;
    private final int waker;
    private boolean closed;

    /** Opens it, with nothing to watch. */
    public EventPoll() {
        poll = (int) EPOLL_CREATE.call(CLOEXEC);
        waker = (int) EVENTFD.call(0, CLOEXEC | NONBLOCK);
        word.set(JAVA_LONG, 0, 1);
        if (poll < 0 || waker < 0) {
            close();
            throw new IllegalStateException("epoll_create1 or eventfd failed: too many open files (ulimit -n)?");
        }
        control(EPOLL_CTL_ADD, waker, EPOLLIN, WAKE);
    }

    private void control(int operation, int descriptor, int interest, long token) {
        try (Arena temporary = Arena.ofConfined()) {
            MemorySegment event = temporary.allocate(EVENT_BYTES, 8);
            event.set(JAVA_INT_UNALIGNED, 0, interest);
            event.set(JAVA_LONG_UNALIGNED, DATA_OFFSET, token);
            int error = EPOLL_CTL.errorOf(poll, operation, descriptor, event.address());
            if (error != 0) {
                throw new IllegalStateException("epoll_ctl operation=" + operation + " descriptor=" + descriptor
                    + ": error " + error);
            }
        }
    }

    /** Watches a descriptor from now on. The token is not negative. */
    public void add(int descriptor, long token) {
        control(EPOLL_CTL_ADD, descriptor, EPOLLIN | EPOLLONESHOT, token);
    }

    /** Watches again what was told. */
    public void watchAgain(int descriptor, long token) {
        control(EPOLL_CTL_MOD, descriptor, EPOLLIN | EPOLLONESHOT, token);
    }

    /** Stops watching; before the descriptor is closed. */
    public void remove(int descriptor) {
        control(EPOLL_CTL_DEL, descriptor, 0, 0);
    }

    /** How many descriptors can be read now, {@link #token} by {@code token}. */
    public int poll() {
        return wait(0);
    }

    /** As {@link #poll}; sleeps until there is one, or until {@link #wake}. Returns 0 also for no reason. */
    public int await() {
        return wait(-1);
    }

    private int wait(int timeoutMillis) {
        try {
            return (int) EPOLL_WAIT.invokeExact(poll, events.address(), MOST_AT_ONCE, timeoutMillis);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /** What can be read, by its place in what was told last; negative: only that {@link #wake} was called. */
    public long token(int place) {
        long token = events.get(JAVA_LONG_UNALIGNED, place * EVENT_BYTES + DATA_OFFSET);
        if (token == WAKE) {
            try (Arena temporary = Arena.ofConfined()) {
                READ.call(waker, temporary.allocate(JAVA_LONG).address(), Long.BYTES);
            }
        }
        return token;
    }

    /** Ends the present {@link #await}, or the next. Any thread. */
    public synchronized void wake() {
        if (!closed) {
            WRITE.call(waker, word.address(), Long.BYTES);
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            CLOSE.call(poll);
            CLOSE.call(waker);
            arena.close();
        }
    }
}
