package org.ftrma.core.protocol;

import java.util.List;
import org.ftrma.core.checkpoint.CutListener;
import org.ftrma.core.image.CheckpointedState;

/**
 * Protocol that makes one kind of communication of a job recoverable: the accesses of its windows, say. A job may have
 * several, which know nothing of each other; {@link RecoveryProtocols} tells each of them what happens. One is there
 * for all views of a job. In each view its methods are called in the order in which they stand here, down to {@link
 * #start}. What happens to other members it hears as a {@link org.ftrma.core.session.MembershipListener}, if it
 * registers as one. Data thread only.
 */
public interface RecoveryProtocol extends CutListener {
    /** What images have of it. */
    default List<CheckpointedState> imageParts() {
        return List.of();
    }

    /** The program is about to be entered in a new view. */
    void enterView();

    /** All is allocated that is protected: so many bytes. */
    default void expect(long protectedBytes) { }

    /** The initialization is over. The members exchange something before {@link #restored}. */
    default void initialized() { }

    /** All members hold their state, or are about to. */
    default void restored() { }

    /** All go on from this step. */
    void start(long step);

    /** The program begins a gsync. */
    default void gsyncBegins() { }

    /** In a gsync all accesses are complete: epochs close at all targets. */
    default void gsyncFlushed() { }

    /** A collective is over, of the newest number. */
    default void collectiveOver(boolean isGsync) { }

    /** The program computes, and lets what is under way go on. */
    default void progress() { }

    /** The program has returned, and its accesses are complete. */
    default void finish() { }

    /** What the rank reports when the program has returned and all is complete. */
    default void report(Reports reports) { }

    /** Takes a number that becomes part of the job's result. */
    @FunctionalInterface
    interface Reports {
        void add(String key, long value);
    }
}
