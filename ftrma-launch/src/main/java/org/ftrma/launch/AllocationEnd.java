package org.ftrma.launch;

import java.io.PrintStream;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.launch.hosts.SlurmAllocation;
import org.ftrma.launch.hosts.SlurmClient;
import org.ftrma.launch.record.JobObserver;
import org.ftrma.options.Units;

/**
 * Stops a job on disk before the time of its allocation of Slurm is over: so long before that there is all of
 * {@code --drain-timeout} for that, and what the longest flush has taken besides, but not more than half of the time
 * that it has. Slurm is asked seldom, by a thread of its own: the nearer the end the more often, since others may move
 * it. Any thread.
 */
final class AllocationEnd implements JobObserver, AutoCloseable {
    private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(15);
    /** A job that has not yet run cannot stop. */
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long CLOSE_SECONDS = 5;

    private final String allocation;
    private final Supplier<OptionalLong> nanosLeft;
    private final long drainNanos;
    private final Predicate<String> stop;
    private final PrintStream notes;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile long flushNanos;
    private Thread thread;

    /**
     * That of one job.
     *
     * @param allocation its number
     * @param nanosLeft asks how much time is left, may take a while; empty: no limit is known
     * @param drainNanos so long the job may take to stop
     * @param stop stops it for a reason; false: it cannot now
     */
    AllocationEnd(String allocation, Supplier<OptionalLong> nanosLeft, long drainNanos, Predicate<String> stop,
        PrintStream notes) {
        this.allocation = allocation;
        this.nanosLeft = nanosLeft;
        this.drainNanos = drainNanos;
        this.stop = stop;
        this.notes = notes;
    }

    /** That of the allocation in which this process is, by an environment; null: it is in none. */
    static AllocationEnd of(Map<String, String> environment, long drainNanos, Predicate<String> stop,
        PrintStream notes) {
        String number = SlurmAllocation.number(environment);
        SlurmClient client = new SlurmClient(note -> notes.println("ftrma: " + note));
        return number == null ? null : new AllocationEnd(number, () -> client.nanosLeft(number), drainNanos, stop,
            notes);
    }

    @Override
    public void event(JobEvent event, long nowNanos) {
        if (event instanceof JobEvent.Flushed flushed) {
            flushNanos = Math.max(flushNanos, flushed.nanos());
        }
    }

    /** Begins to look. Once. */
    void watch() {
        thread = Thread.ofPlatform().daemon().name("ftrma-allocation").start(this::look);
    }

    private void look() {
        long longest = 0;
        try {
            for (long wait = 0; !over.await(wait, TimeUnit.NANOSECONDS);) {
                OptionalLong left = nanosLeft.get();
                wait = MOST_NANOS;
                if (left.isPresent()) {
                    if (longest == 0 && left.getAsLong() / 2 < drainNanos) {
                        tellShort(left.getAsLong());
                    }
                    longest = Math.max(longest, left.getAsLong());
                    long until = left.getAsLong() - Math.min(drainNanos + flushNanos, longest / 2);
                    if (until <= 0) {
                        stop("allocation " + allocation + " ends in " + TimeUnit.NANOSECONDS.toSeconds(left.getAsLong())
                            + "s");
                        return;
                    }
                    wait = Math.min(until, Math.clamp(until / 2, LEAST_NANOS, MOST_NANOS));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tellShort(long left) {
        notes.println("ftrma: allocation " + allocation + " ends in " + Units.time(left) + ", and --drain-timeout="
            + Units.time(drainNanos) + " is more than half of that: the job stops on disk when half of it is over");
    }

    private void stop(String why) throws InterruptedException {
        while (!stop.test(why) && !over.await(AGAIN_NANOS, TimeUnit.NANOSECONDS)) {
            continue; // it does as soon as it can
        }
    }

    /** The job is over. */
    @Override
    public void close() {
        over.countDown();
        if (thread == null) {
            return;
        }
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
