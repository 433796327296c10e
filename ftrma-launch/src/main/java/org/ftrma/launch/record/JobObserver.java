package org.ftrma.launch.record;

import org.ftrma.core.coordinator.JobEvent;

/**
 * Hears what happens in a running job, on the job's thread, after the coordinator has finished the call in which it
 * happened.
 */
@FunctionalInterface
public interface JobObserver {
    /** One event, in order. */
    void event(JobEvent event, long nowNanos);
}
