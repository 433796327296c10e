package org.ftrma.launch.web;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.ftrma.MisuseException;

/**
 * The processor time of all threads of a page together, so that the ranks do not feel it whatever is asked: a
 * hundredth of one core. Where all ranks wait for the slowest, what one of them loses all of them do, on a machine of
 * any size. What comes in 20 s may be used at once, so that a person at the page, its first load and a scrape do not
 * wait. When more was used than there is, who begins something waits; nobody is refused.
 *
 * <p>Each charges what its own thread has used, as the system counts it. What threads of the virtual machine use for
 * them (compilers, the collector) is not counted. Any thread.
 */
final class ProcessorBudget implements AutoCloseable {
    /** One of so many nanoseconds of one core. */
    static final int PART = 100;
    /** A property of the launcher's virtual machine with another part than that. */
    static final String PART_PROPERTY = "ftrma.page.part";
    private static final int LEAST_PART = 1_000_000;
    /** May be used at once after a time in which nothing was. */
    static final long BURST_NANOS = 200_000_000;
    /** Nobody whose turn it is waits longer, however much is owed. */
    static final long LONGEST_WAIT_NANOS = 1_000_000_000;
    /** What each is thought to use until it is known, so that many who begin at a time do not all find the same. */
    static final long AHEAD_NANOS = 200_000;

    /** Where more than half is used, all but one of so many parts are for those who wait. */
    private static final int SCARCE = 4;

    private final Time time;
    private final int part;
    private final long burstNanos;
    private final TokenBucket bucket;
    /** Held by the one whose turn is next, while it waits; the others stand in a row. */
    private final ReentrantLock turn = new ReentrantLock(true);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closing = lock.newCondition();
    /** Of each thread, what it has been charged with. */
    private final ThreadLocal<long[]> charged = ThreadLocal.withInitial(() -> new long[1]);
    private long usedNanos;
    private long waitedNanos;
    private boolean isClosed;

    /** The clocks, and how time passes. */
    interface Time {
        /** In nanoseconds. */
        long now();

        /** Processor time of the calling thread since it was started, in nanoseconds. */
        long used();

        /** Waits for so many nanoseconds, or until it is signalled. */
        void await(Condition condition, long nanos) throws InterruptedException;
    }

    /** The system's. */
    private static final class SystemTime implements Time {
        private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

        @Override
        public long now() {
            return System.nanoTime();
        }

        @Override
        public long used() {
            return threads.getCurrentThreadCpuTime();
        }

        @Override
        public void await(Condition condition, long nanos) throws InterruptedException {
            condition.await(nanos, TimeUnit.NANOSECONDS);
        }
    }

    /**
     * A page's.
     *
     * @throws MisuseException the property names no part
     */
    ProcessorBudget() {
        this(part(System.getProperty(PART_PROPERTY)), BURST_NANOS);
    }

    /** As the property says, which may be null. */
    static int part(String property) {
        if (property == null) {
            return PART;
        }
        if (!property.matches("[0-9]{1,7}") || Integer.parseInt(property) < 1
            || Integer.parseInt(property) > LEAST_PART) {
            throw new MisuseException("-D" + PART_PROPERTY + "=" + property + ": the page has one of so many parts of "
                + "a core; name a number from 1 to " + LEAST_PART);
        }
        return Integer.parseInt(property);
    }

    /** Another one: one of so many nanoseconds of one core, and so much at once. */
    ProcessorBudget(int part, long burstNanos) {
        this(part, burstNanos, new SystemTime());
    }

    /** By another clock. */
    ProcessorBudget(int part, long burstNanos, Time time) {
        this.time = time;
        this.part = part;
        this.burstNanos = burstNanos;
        bucket = new TokenBucket(part, burstNanos, time.now());
    }

    /**
     * So long after something that took this processor time it is to be done again, by one who does it for all.
     *
     * @param usedNanos what it took
     */
    long periodNanos(long usedNanos) {
        lock.lock();
        try {
            return usedNanos * part * (bucket.left(time.now()) < burstNanos / 2 ? SCARCE : 1);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The calling thread is about to do something: waits for its turn, and then until what was used so far is paid for.
     * To be followed by {@link #end}.
     */
    void begin() throws InterruptedException {
        long asked = time.now();
        turn.lockInterruptibly();
        try {
            await(asked);
        } finally {
            turn.unlock();
        }
    }

    private void await(long asked) throws InterruptedException {
        lock.lock();
        try {
            chargeThread();
            long begun = time.now();
            long now = begun;
            long left = bucket.untilPaid(now);
            while (left > 0 && now - begun < LONGEST_WAIT_NANOS && !isClosed) {
                time.await(closing, Math.min(left, LONGEST_WAIT_NANOS - (now - begun)));
                now = time.now();
                left = bucket.untilPaid(now); // another one may have used more meanwhile
            }
            waitedNanos += now - asked;
            bucket.take(AHEAD_NANOS, now);
        } finally {
            lock.unlock();
        }
    }

    /** It is done. Returns the processor time that the calling thread has used since it was charged last. */
    long end() {
        lock.lock();
        try {
            bucket.take(-AHEAD_NANOS, time.now());
            return chargeThread();
        } finally {
            lock.unlock();
        }
    }

    /** The calling thread, which does not wait, has used something. */
    void charge() {
        lock.lock();
        try {
            chargeThread();
        } finally {
            lock.unlock();
        }
    }

    private long chargeThread() {
        long[] known = charged.get();
        long all = time.used();
        long more = Math.max(0, all - known[0]);
        known[0] = all;
        usedNanos += more;
        bucket.take(more, time.now());
        return more;
    }

    /** What all threads have used so far. */
    long usedNanos() {
        lock.lock();
        try {
            return usedNanos;
        } finally {
            lock.unlock();
        }
    }

    /** How long they have waited for it. */
    long waitedNanos() {
        lock.lock();
        try {
            return waitedNanos;
        } finally {
            lock.unlock();
        }
    }

    /** Nobody waits any more. */
    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            closing.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
