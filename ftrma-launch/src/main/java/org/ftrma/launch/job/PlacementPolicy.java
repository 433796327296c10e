package org.ftrma.launch.job;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.ftrma.core.coordinator.JobEvent;

/** Chooses the hosts of the processes of a job, and the members that they play. The job's thread only. */
interface PlacementPolicy {
    /** All processes are on one host. */
    PlacementPolicy ONE_HOST = new PlacementPolicy() {
    };

    /** Whether there is a host for one more process; what keeps it from having one, for people; null: nothing. */
    default String whyNoHost() {
        return null;
    }

    /** Of members that have no process, the one that a process which has joined is to play. */
    default int memberFor(int process, List<Integer> candidates) {
        return candidates.getFirst();
    }

    /** Of processes that wait, the first to come first, the one that is to play a member. */
    default int spareFor(int member, Collection<Integer> idle) {
        return idle.iterator().next();
    }

    /** Whether all hosts that were lost on purpose are there again, or will not be. */
    default boolean areHostsBack() {
        return true;
    }

    /** A member whose host can be lost with all that is there, that one if it is; -1: none. */
    default int memberWhoseHostMayGo(int drawn) {
        return -1;
    }

    /** A member on whose host there are as many others of its group as the group survives losing. */
    default int memberBesideAMate() {
        throw new IllegalStateException("all are on one host");
    }

    /** The host of a member is lost on purpose, and comes back. */
    default void loseHostOf(int member) {
        throw new IllegalStateException("all are on one host");
    }

    /** A process plays a member now; tells people what that puts at risk. */
    default void assigned(JobEvent.Assigned assigned, Consumer<String> notes) {
        // on one host all is at risk at any time
    }

    /** A process has joined. */
    default void joined(int process) {
        // nobody keeps an account
    }

    /** A process has ended; whether that is the job's fault rather than its host's, where it had not joined. */
    default boolean ended(int process, boolean hadJoined) {
        return true;
    }
}
