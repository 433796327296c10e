package org.ftrma.messaging.protocol;

import org.ftrma.core.checkpoint.UpdateGate;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.messaging.collective.SplitExchange;
import org.ftrma.messaging.receive.MessageDeterminants;
import org.ftrma.messaging.receive.MessageRecovery;
import org.ftrma.messaging.receive.PieceMemory;
import org.ftrma.messaging.receive.Receiver;
import org.ftrma.messaging.send.ReleaseGate;
import org.ftrma.messaging.send.Sender;

/**
 * Protocol that makes a rank's messages recoverable: it provides parts, and does the steps of {@link MessageRecovery}.
 * One for all views of a job, chosen by its name. It hears of losses and commits as a
 * {@link org.ftrma.core.session.MembershipListener}, if it registers as one. Data thread only.
 */
public interface MessageProtocol extends MessageRecovery {
    /**
     * Parts of a rank that depend on its protocol.
     *
     * @param sender the sending half
     * @param receiver the receiving half, with the sequence of what it receives
     * @param determinants what becomes of nondeterministic outcomes
     * @param gate what is done before something leaves the rank
     * @param pieces the memory that long messages lie in
     * @param splits how the ranks of a channel agree on its split
     * @param state messages in images
     */
    record Parts(Sender sender, Receiver receiver, MessageDeterminants determinants, ReleaseGate gate,
        PieceMemory pieces, SplitExchange splits, CheckpointedState state) {
    }

    /** The parts: always the same ones. */
    Parts parts();

    /** What checkpoints of this rank alone go through; null: it takes none. */
    default UpdateGate updates() {
        return null;
    }
}
