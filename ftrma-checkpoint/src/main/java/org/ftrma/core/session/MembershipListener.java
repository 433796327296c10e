package org.ftrma.core.session;

import org.ftrma.core.control.ControlMessage;
import org.ftrma.spi.Holes;

/**
 * Listener for losses, returns and checkpoints of other members while this one runs on. All that listen are told, in
 * the order in which they began to: the parts of the {@link Session} first. Called on the data thread between accesses,
 * or in a wait.
 */
public interface MembershipListener {
    /**
     * A computing rank was lost. When all have returned, its memory is not accessed any more, and what was logged for
     * it is complete.
     */
    default void lost(int member, int recovery) { }

    /** A checksum rank was lost: what was to be encoded is given up, and its parities cannot be read. */
    default void checksumLost(int member) { }

    /** Addresses by which members let each other in. */
    default void addressing(ControlMessage.OfAccess m) { }

    /** A rank that is being recovered can be accessed; it does again what it had done. */
    default void resumed(int member) { }

    /** The rank can be accessed again; who asks is told what its new process contributed to exchanges. */
    default void opened(int member) { }

    /** Parities will take so many bytes, with such holes. */
    default void provision(long parityBytes, Holes holes) { }

    /** A rank has a region that may be mapped already. */
    default void regionKey(ControlMessage.RegionKey m) { }

    /** A generation was committed. */
    default void committed(long generation) { }

    /** A demand checkpoint was given up. */
    default void demandAbandoned(ControlMessage.DemandAbandoned m) { }

    /** A demand checkpoint was committed, perhaps of this member. */
    default void demandCommitted(ControlMessage.DemandCommitted m) { }
}
