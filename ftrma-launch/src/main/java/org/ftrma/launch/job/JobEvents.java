package org.ftrma.launch.job;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.launch.record.JobObserver;
import org.ftrma.rank.control.MachineClock;

/**
 * The queue of events of a job, and its observers, which may add more events.. The job's thread only.
 */
final class JobEvents {
    private final MachineClock clock;
    private final List<JobObserver> observers = new ArrayList<>();
    private final ArrayDeque<JobEvent> events = new ArrayDeque<>();

    JobEvents(MachineClock clock) {
        this.clock = clock;
    }

    /** Hears after all others. */
    void addLast(JobObserver observer) {
        observers.add(observer);
    }

    /** Hears before the last one. */
    void add(JobObserver observer) {
        observers.add(observers.size() - 1, observer);
    }

    /** Something has happened. */
    void happened(JobEvent event) {
        events.add(event);
    }

    /** Tells what has happened. */
    void pump() {
        for (JobEvent event = events.poll(); event != null; event = events.poll()) {
            long now = clock.nanoTime();
            for (JobObserver observer : observers) {
                observer.event(event, now);
            }
        }
    }

    /** Tells that the job goes on. */
    void alive(long nowNanos) {
        for (JobObserver observer : observers) {
            observer.alive(nowNanos);
        }
    }

    /** What is on its way does not matter any more. */
    void clear() {
        events.clear();
    }
}
