package org.ftrma.launch.inject;

import org.ftrma.launch.inject.InjectedFailure.Action;

/** What a {@link FaultInjector} can do to a job. The job's thread. */
public interface FaultTargets {
    /** See {@link org.ftrma.core.coordinator.Coordinator#watch}. */
    void watch(int member, long step);

    /** See {@link org.ftrma.core.coordinator.Coordinator#release}. */
    void release(int member, long step);

    /** Whether the member has a process, so that it can be hit. */
    boolean present(int member);

    /** Whether every group holds its redundancy. */
    boolean whole();

    /** Hits the member's process from outside. */
    void hit(int member, Action action);

    /** Tells people. */
    void say(String text);
}
