package org.ftrma.messaging.unlogged;

import org.ftrma.core.session.Session;
import org.ftrma.messaging.collective.CollectiveSplit;
import org.ftrma.messaging.protocol.MessageProtocol;
import org.ftrma.messaging.protocol.MessagingContext;
import org.ftrma.messaging.receive.MessageDeterminants;
import org.ftrma.messaging.receive.PieceMemory;
import org.ftrma.messaging.receive.ReceiveSequence;
import org.ftrma.messaging.receive.Receiver;
import org.ftrma.messaging.send.OutboxSender;
import org.ftrma.messaging.send.ReleaseGate;
import org.ftrma.messaging.transport.Outbox;
import org.ftrma.messaging.transport.OutboxDescriptor;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.MemoryRegion;

/** Protocol that logs no messages: after a loss all ranks go back to those that images have. Data thread only. */
public final class UnloggedProtocol implements MessageProtocol {
    private final Outbox outbox;
    private final Receiver receiver;
    private final Parts parts;

    /** Sends the messages of a rank. */
    public UnloggedProtocol(MessagingContext context) {
        Session session = context.session();
        Fabric fabric = context.fabric();
        JobOptions options = context.options();
        int slots = slots(options);
        MemoryRegion region = fabric.exposeLazily(OutboxDescriptor.bytes(slots));
        this.outbox = new Outbox(region.segment(), slots);
        PieceMemory pieces = new OutboxPieces(fabric, context.peers(), region, slots);
        ReleaseGate gate = new ReleaseGate.Open();
        MessageDeterminants determinants = new MessageDeterminants.Free();
        this.receiver = context.receiver(pieces, gate, new ReceiveSequence.EachOnce(), determinants);
        this.parts = new Parts(
            new OutboxSender(context.peers(), outbox, session.ranks, options.eagerBytes(), context.staging()), receiver,
            determinants, gate, pieces, new CollectiveSplit(fabric, context::allocate),
            new ChannelState(context, outbox, slots, options.unexpectedBytes() + session.ranks * options.laneBytes()));
    }

    private static int slots(JobOptions options) {
        return (int) Math.max(2, options.outboxBytes() / OutboxDescriptor.SLOT);
    }

    /** Bytes that it takes. */
    public static long bytes(JobOptions options) {
        return OutboxDescriptor.bytes(slots(options));
    }

    /** The memory that it takes, for error messages. */
    public static String memory(JobOptions options) {
        return options.outboxBytes() + " bytes for long messages (--outbox)";
    }

    @Override
    public Parts parts() {
        return parts;
    }

    /** What others have sent has landed, and nobody sends until all have copied. */
    @Override
    public void beforeCopy() {
        receiver.poll(false, true);
        outbox.reclaim();
    }
}
