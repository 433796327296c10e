package org.ftrma.messaging.unlogged;

import org.ftrma.core.checkpoint.UpdateGate;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.session.Session;
import org.ftrma.messaging.collective.CollectiveSplit;
import org.ftrma.messaging.collective.SplitExchange;
import org.ftrma.messaging.protocol.MessageProtocol;
import org.ftrma.messaging.protocol.MessagingContext;
import org.ftrma.messaging.receive.MessageDeterminants;
import org.ftrma.messaging.receive.PieceMemory;
import org.ftrma.messaging.receive.ReceiveSequence;
import org.ftrma.messaging.receive.Receiver;
import org.ftrma.messaging.send.OutboxSender;
import org.ftrma.messaging.send.ReleaseGate;
import org.ftrma.messaging.send.Sender;
import org.ftrma.messaging.transport.Outbox;
import org.ftrma.messaging.transport.OutboxDescriptor;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.MemoryRegion;

/** Protocol that logs no messages: after a loss all ranks go back to those that images have. Data thread only. */
public final class UnloggedProtocol implements MessageProtocol {
    private final MessagingContext context;
    private final Fabric fabric;
    private final Outbox outbox;
    private final ReleaseGate gate = new ReleaseGate.Open();
    private final MessageDeterminants determinants = new MessageDeterminants.Free();
    private final PieceMemory pieces;
    private final Receiver receiver;
    private final Sender sender;
    private final CheckpointedState state;

    /** Sends the messages of a rank. */
    public UnloggedProtocol(MessagingContext context) {
        Session session = context.session();
        JobOptions options = session.options;
        int slots = slots(options);
        this.fabric = session.fabric;
        MemoryRegion region = fabric.exposeLazily(OutboxDescriptor.bytes(slots));
        this.context = context;
        this.outbox = new Outbox(region.segment(), slots);
        this.pieces = new OutboxPieces(fabric, context.peers(), region, slots);
        this.receiver = context.receiver(pieces, gate, new ReceiveSequence.EachOnce(), determinants);
        this.sender = new OutboxSender(context.peers(), outbox, session.ranks, options.eagerBytes(),
            context.staging());
        this.state = new ChannelState(context, outbox, slots,
            options.unexpectedBytes() + session.ranks * options.laneBytes());
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
    public Sender sender() {
        return sender;
    }

    @Override
    public Receiver receiver() {
        return receiver;
    }

    @Override
    public MessageDeterminants determinants() {
        return determinants;
    }

    @Override
    public ReleaseGate gate() {
        return gate;
    }

    @Override
    public PieceMemory pieces() {
        return pieces;
    }

    @Override
    public SplitExchange splits() {
        return new CollectiveSplit(fabric, context::allocate);
    }

    @Override
    public CheckpointedState state() {
        return state;
    }

    @Override
    public UpdateGate updates() {
        return null;
    }

    /** What others have sent has landed, and nobody sends until all have copied. */
    @Override
    public void beforeCopy() {
        receiver.poll(false, true);
        outbox.reclaim();
    }
}
