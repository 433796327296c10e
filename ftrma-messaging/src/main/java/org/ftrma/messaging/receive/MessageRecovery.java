package org.ftrma.messaging.receive;

import java.util.function.ObjLongConsumer;

/**
 * Steps at which a message protocol does its work: views, images, replays, and calls of the program. A protocol
 * overrides those that it needs; a rank without any channel has none. Data thread only.
 */
public interface MessageRecovery {
    /** The recovery of a rank that has no channel yet. */
    MessageRecovery NONE = new MessageRecovery() { };

    /** The program is about to be entered in a new view: nothing was sent, and nothing counts that is. */
    default void enterView() {
        // nothing depends on the view
    }

    /** Images are restored, and nobody goes on before all ranks have them. */
    default void restored() {
        // nothing is to be agreed on
    }

    /** All ranks hold their state, or this one does, which replaces a lost one. */
    default void start(long step) {
        // what an image had is there, and lanes are empty: nobody has sent anything yet
    }

    /** Whether this rank does again what others have seen. */
    default boolean replaying() {
        return false;
    }

    /** A rank that replays may have done all again that others have seen. */
    default void goLiveIfCaughtUp() {
        // nobody replays
    }

    /** Between accesses: what was put off is done. */
    default void settle() {
        // nothing was
    }

    /** Why no image can be taken now; empty: one can. */
    default String obstacle() {
        return "";
    }

    /** All ranks stand at a cut, and copy next. */
    default void beforeCopy() {
        // the own state is complete
    }

    /** This rank alone copies next. */
    default void beforeDemandCopy() {
        // no rank takes an image alone
    }

    /** The image of this generation is complete. */
    default void copied(long generation) {
        // nothing is trimmed
    }

    /** Whether others may need something of this rank while it waits for the coordinator, or has returned. */
    default boolean servesOthers() {
        return false;
    }

    /** Whether something is to be pushed to a rank that is there. */
    default boolean hasUnpushed() {
        return false;
    }

    /** Whether something may come of a rank whose program has returned. */
    default boolean mayStillSend() {
        return false;
    }

    /** The program has returned. */
    default void finish() {
        // nothing is left to do
    }

    /** Reports what was logged, as numbers of the job's result. */
    default void report(ObjLongConsumer<String> reports) {
        // nothing was
    }
}
