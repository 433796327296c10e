package org.ftrma.launch.inject;

import org.ftrma.launch.inject.InjectedFailure.Action;

/** The targets in a job that a {@link FaultInjector} can injure. The job's thread. */
public interface FaultTargets {
    /** See {@link org.ftrma.core.coordinator.Coordinator#watch}. */
    void watch(int member, long step);

    /** See {@link org.ftrma.core.coordinator.Coordinator#release}. */
    void release(int member, long step);

    /** Whether the member has a process, so that it can be hit. */
    boolean present(int member);

    /** Whether every group holds its redundancy. */
    boolean whole();

    /** Whether all hosts that were lost on purpose are there again, or will not be. */
    default boolean areHostsBack() {
        return true;
    }

    /** Who was hit, and how. */
    record Hit(int member, Action action) {
    }

    /**
     * Hits the member's process from outside, or its host. Where no host may be lost a process is killed in its place.
     *
     * @return who was hit: another one where the member's host must not be lost
     */
    Hit hit(int member, Action action);

    /** Tells people. */
    void say(String text);
}
