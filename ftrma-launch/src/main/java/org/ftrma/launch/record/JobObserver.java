package org.ftrma.launch.record;

import org.ftrma.core.coordinator.JobEvent;

/**
 * Hears what happens in a running job, on the job's thread, after the coordinator has finished the call in which it
 * happened.
 */
public interface JobObserver {
    /** One event, in order. */
    void event(JobEvent event, long nowNanos);

    /** The job goes on; many times a second. */
    default void alive(long nowNanos) {
        // only who tells others that it does needs it
    }
}
