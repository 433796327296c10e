package org.ftrma.launch.web;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.ftrma.launch.journal.JobFolder;
import org.ftrma.launch.journal.JobView;
import org.ftrma.launch.journal.LoggedEvent;
import org.ftrma.launch.watch.JobStatus;

/**
 * What there is to see of a job, as it is now. One thread of its own reads it from the job's folder while somebody
 * looks, and leaves processor time for those; all others share what it has read. Any thread.
 */
final class LiveJob implements AutoCloseable {
    private static final long TICK_NANOS = 100_000_000;
    private static final long LEAST_PERIOD_NANOS = 200_000_000;
    /** So long after somebody has looked nobody looks any more. */
    private static final long LOOKING_NANOS = 3_000_000_000L;
    private static final JSON JSON_TEXT = JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES);

    private final JobView job;
    private final Supplier<CheckpointRequests.Told> checkpoint;
    private final Consumer<String> notes;
    private final ProcessorBudget budget;
    private final RecentEvents recent = new RecentEvents();
    private final JobTotals totals = new JobTotals();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread thread;
    private volatile Snapshot latest;
    private volatile long lookedNanos;
    private volatile long periodNanos = LEAST_PERIOD_NANOS;
    private volatile boolean isOver;
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
     * Begins to read.
     *
     * @param checkpoint what became of the last one that was asked for here
     * @param notes is told, once, what goes wrong
     * @param budget of all threads of the page
     * @param tick is called now and then, with the time
     * @throws IOException the job's folder cannot be read
     */
    LiveJob(JobFolder folder, Supplier<CheckpointRequests.Told> checkpoint, Consumer<String> notes,
        ProcessorBudget budget, LongConsumer tick) throws IOException {
        this.job = new JobView(folder);
        this.checkpoint = checkpoint;
        this.notes = notes;
        this.budget = budget;
        take(job.events());
        latest = read();
        lookedNanos = System.nanoTime();
        thread = new BackgroundThreads("ftrma-web-read").start(() -> run(tick));
    }

    private void take(List<LoggedEvent> events) {
        for (LoggedEvent event : events) {
            recent.add(event);
            totals.add(event);
        }
        job.forgetEvents();
    }

    private void run(LongConsumer tick) {
        while (!isClosed) {
            long now = System.nanoTime();
            tick.accept(now);
            if (!isBroken && !latest.isLast() && (isOver || now - latest.atNanos() >= periodNanos
                && now - lookedNanos < LOOKING_NANOS)) {
                renew();
            }
            LockSupport.parkNanos(this, TICK_NANOS);
        }
    }

    private void renew() {
        try {
            budget.begin();
            publish(readOn());
            periodNanos = Math.max(LEAST_PERIOD_NANOS, budget.periodNanos(budget.end()));
        } catch (InterruptedException e) {
            isClosed = true; // nobody does this
            publish(latest);
        }
    }

    private Snapshot readOn() {
        try {
            take(job.refresh());
            return read();
        } catch (IOException | RuntimeException e) {
            isBroken = true;
            notes.accept("the job's page is not kept up to date any more: " + e + "; the job goes on");
            return new Snapshot(System.nanoTime(), latest.status(), latest.events(), latest.metrics(), true);
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

    private Snapshot read() throws IOException {
        long now = System.nanoTime();
        boolean isLast = isOver;
        JobStatus status = new JobStatus(job);
        Map<String, Object> map = new LinkedHashMap<>(status.map());
        map.put("command", job.facts().command());
        map.put("startedMicros", job.facts().startedMicros());
        map.put("jobClockMicros", job.lastMicros());
        map.put("message", job.result() == null ? null : job.result().get("message"));
        map.put("eventsNotShown", recent.dropped() + job.leftOut());
        map.put("checkpointRequest", Map.of("state", checkpoint.get().state(), "text", checkpoint.get().text()));
        map.put("isLast", isLast);
        return new Snapshot(now, json(map), recent.all(),
            new JobMetrics(job, status.members(), totals.sums(), budget).text().getBytes(StandardCharsets.UTF_8),
            isLast);
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
        long now = System.nanoTime();
        lookedNanos = now;
        if (known.isLast() || now - known.atNanos() < 2 * periodNanos) {
            return known;
        }
        LockSupport.unpark(thread);
        return after(known, LOOKING_NANOS);
    }

    /** The last one that was read. */
    Snapshot latest() {
        return latest;
    }

    /** The one that follows this one; if none comes for so long, this one. */
    Snapshot after(Snapshot known, long nanos) throws InterruptedException {
        lookedNanos = System.nanoTime();
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

    /** The job is over: reads it once more, if that takes no longer than this. */
    void ended(long nanos) {
        isOver = true;
        LockSupport.unpark(thread);
        long until = System.nanoTime() + nanos;
        lock.lock();
        try {
            while (!latest.isLast() && until - System.nanoTime() > 0) {
                changed.await(until - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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
        LockSupport.unpark(thread);
    }
}
