package org.ftrma.checkpoint;

import org.ftrma.checkpoint.control.Message;
import org.ftrma.spi.Holes;

/** What happens to other members while this one runs on. Called on the data thread between accesses, or in a wait. */
interface PeerEvents {
    PeerEvents NONE = new PeerEvents() {
        @Override
        public void lost(int member, int recovery) {
            // nobody listens
        }

        @Override
        public void opened(int member) {
            // nobody listens
        }

        @Override
        public void committed(long generation) {
            // nobody listens
        }

    };

    /** A computing rank was lost. When this returns, its memory is not accessed any more, and what was logged for it is complete. */
    void lost(int member, int recovery);

    /** A checksum rank was lost: what was to be encoded is given up, and its parities cannot be read. */
    default void checksumLost(int member) {
        // only who makes or reads parities is concerned
    }

    /** The rank can be accessed again; who asks is told what its new process contributed to exchanges. */
    void opened(int member);

    /** Parities will take so many bytes, with such holes. */
    default void provision(long parityBytes, Holes holes) {
        // only checksum ranks have something to prepare
    }

    /** A rank has a region that may be mapped already. */
    default void regionKey(Message.RegionKey m) {
        // only checksum ranks read so much
    }

    /** A generation was committed. */
    void committed(long generation);

    /** A demand checkpoint was given up. */
    default void demandAbandoned(Message.DemandAbandoned m) {
        // nothing
    }

    /** A demand checkpoint was committed, perhaps of this member. */
    default void demandCommitted(Message.DemandCommitted m) {
        // nothing
    }
}
