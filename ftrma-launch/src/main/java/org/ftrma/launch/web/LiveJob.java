package org.ftrma.launch.web;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.ftrma.launch.journal.JobView;
import org.ftrma.launch.journal.LoggedEvent;
import org.ftrma.launch.watch.JobStatus;
import org.ftrma.rank.control.MachineClock;

/**
 * A job as it is now. The page's main thread reads it from the job's folder while somebody looks; all others share what
 * it has read. Any thread.
 */
final class LiveJob implements AutoCloseable {
    private static final long TICK_NANOS = 100_000_000;
    private static final long LEAST_PERIOD_NANOS = 200_000_000;
    /** Reading takes one of so many nanoseconds. */
    private static final int READING = 20;
    /** While nobody looks: of a launcher on another host its signs of life are read. */
    private static final long IDLE_PERIOD_NANOS = 5_000_000_000L;
    /** So long after somebody has looked nobody looks any more. */
    private static final long LOOKING_NANOS = 3_000_000_000L;
    private static final JSON JSON_TEXT = JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES);

    private final JobView job;
    private final MachineClock clock;
    private final Supplier<CheckpointRequests.Told> checkpoint;
    private final Consumer<String> notes;
    private final RecentEvents recent = new RecentEvents();
    private final JobTotals totals = new JobTotals();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile Thread reader;
    private volatile Snapshot latest;
    private volatile long lookedNanos;
    private volatile long periodNanos = LEAST_PERIOD_NANOS;
    private volatile boolean isClosed;
    private boolean isBroken;

    /**
     * The job at one moment. Immutable.
     *
     * @param atNanos when it was read
     * @param status an object of JSON
     * @param events those that are told to who comes new, in their order
     * @param metrics in the OpenMetrics format
     * @param isLast whether the job is over, so that none follows
     */
    record Snapshot(long atNanos, byte[] status, List<LoggedEvent> events, byte[] metrics, boolean isLast) {
        /** Those events that have come since the one of that number. */
        List<LoggedEvent> eventsSince(long number) {
            int first = events.size();
            while (first > 0 && events.get(first - 1).number() > number) {
                first--;
            }
            return events.subList(first, events.size());
        }
    }

    /**
     * Reads it a first time.
     *
     * @param job nobody else reads it
     * @param checkpoint the last one that was asked for here
     * @param notes is told, once, what goes wrong
     * @throws IOException the job's folder cannot be read
     */
    LiveJob(JobView job, Supplier<CheckpointRequests.Told> checkpoint, Consumer<String> notes,
        MachineClock clock) throws IOException {
        this.clock = clock;
        this.job = job;
        this.checkpoint = checkpoint;
        this.notes = notes;
        take(job.events());
        latest = read(false);
        lookedNanos = clock.nanoTime();
    }

    private void take(List<LoggedEvent> events) {
        for (LoggedEvent event : events) {
            recent.add(event);
            totals.add(event);
        }
        job.forgetEvents();
    }

    /**
     * Reads while somebody looks, until the job is over and its end is read.
     *
     * @param tick is called now and then, with the time
     */
    void run(LongConsumer tick) {
        reader = Thread.currentThread();
        boolean isOver = false;
        while (!isOver && !isClosed) {
            long now = clock.nanoTime();
            tick.accept(now);
            isOver = job.isOver();
            long period = now - lookedNanos < LOOKING_NANOS ? periodNanos : IDLE_PERIOD_NANOS;
            if (!isBroken && (isOver || now - latest.atNanos() >= period)) {
                publish(readOn(isOver));
                periodNanos = Math.max(LEAST_PERIOD_NANOS, READING * (latest.atNanos() - now));
            }
            if (!isOver) {
                LockSupport.parkNanos(this, TICK_NANOS);
            }
        }
    }

    private Snapshot readOn(boolean isLast) {
        try {
            take(job.refresh());
            return read(isLast);
        } catch (IOException | RuntimeException e) {
            isBroken = true;
            notes.accept("the job's page is not kept up to date any more: " + e + "; the job goes on");
            return new Snapshot(clock.nanoTime(), latest.status(), latest.events(), latest.metrics(), true);
        }
    }

    private void publish(Snapshot next) {
        lock.lock();
        try {
            latest = next;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private Snapshot read(boolean isLast) throws IOException {
        JobStatus status = new JobStatus(job);
        Map<String, Object> map = new LinkedHashMap<>(status.map());
        map.put("command", job.facts().command());
        map.put("startedMicros", job.facts().startedMicros());
        map.put("jobClockMicros", job.lastMicros());
        map.put("message", job.result() == null ? null : job.result().get("message"));
        map.put("eventsNotShown", recent.dropped() + job.leftOut());
        map.put("checkpointRequest", Map.of("state", checkpoint.get().state(), "text", checkpoint.get().text()));
        map.put("isLast", isLast);
        return new Snapshot(clock.nanoTime(), json(map), recent.all(),
            new JobMetrics(job, status.members(), totals.sums()).text().getBytes(StandardCharsets.UTF_8), isLast);
    }

    /** As text. */
    static byte[] json(Object object) {
        try {
            return JSON_TEXT.asBytes(object);
        } catch (IOException e) {
            throw new IllegalStateException("writing JSON failed", e);
        }
    }

    /** As it is now, or was a moment ago. */
    Snapshot now() throws InterruptedException {
        Snapshot known = latest;
        long now = clock.nanoTime();
        lookedNanos = now;
        if (known.isLast() || now - known.atNanos() < 2 * periodNanos) {
            return known;
        }
        LockSupport.unpark(reader);
        return after(known, LOOKING_NANOS);
    }

    /** The last one that was read. */
    Snapshot latest() {
        return latest;
    }

    /** The one that follows this one; if none comes for so long, this one. */
    Snapshot after(Snapshot known, long nanos) throws InterruptedException {
        lookedNanos = clock.nanoTime();
        lock.lock();
        try {
            long left = nanos;
            while (latest == known && left > 0 && !isClosed) {
                left = changed.awaitNanos(left);
            }
            return latest;
        } finally {
            lock.unlock();
        }
    }

    /** Whether nothing is read any more. */
    boolean isClosed() {
        return isClosed;
    }

    /** Nothing is read any more. */
    @Override
    public void close() {
        isClosed = true;
        publish(latest);
        LockSupport.unpark(reader);
    }
}
