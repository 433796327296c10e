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
 * Protocol that makes a rank's messages recoverable: it provides the parts below, and does the steps of
 * {@link MessageRecovery}. One for all views of a job, chosen by its name. Data thread only.
 *
 * <p>A send goes through its {@link Sender}, a delivery through the receiver and the sequence that the protocol gave to
 * that, a nondeterministic outcome through its determinants, and what leaves the rank through its gate. Losses, commits
 * and trims it hears of as a {@link org.ftrma.core.session.MembershipListener}, if it registers as one.
 */
public interface MessageProtocol extends MessageRecovery {
    /** The sending half. */
    Sender sender();

    /** The receiving half. */
    Receiver receiver();

    /** What becomes of nondeterministic outcomes. */
    MessageDeterminants determinants();

    /** What is done before something leaves the rank. */
    ReleaseGate gate();

    /** The memory that long messages lie in. */
    PieceMemory pieces();

    /** How the ranks of a channel agree on its split. */
    SplitExchange splits();

    /** What images have of messages. */
    CheckpointedState state();

    /** What checkpoints of this rank alone go through; null: it takes none. */
    UpdateGate updates();
}
