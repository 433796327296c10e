package org.ftrma.messaging;

import org.ftrma.core.image.CheckpointedState;
import org.ftrma.messaging.transport.Outbox;
import org.ftrma.messaging.transport.OutboxDescriptor;
import org.ftrma.messaging.transport.PeerOutbox;
import org.ftrma.messaging.transport.PieceSource;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;

/** Messages of a job that logs none: after a loss all go back to what images have of them. Data thread only. */
final class UnloggedMessages implements MessageProtocol {
    private final Messages messages;
    private final MemoryRegion region;
    private final int slots;
    private final Outbox outbox;
    private final OutboxSender sender;
    private final Intake intake = new Intake.Unlogged();
    private final Outcomes outcomes = new Outcomes.Free();

    UnloggedMessages(Messages messages) {
        this.messages = messages;
        this.slots = slots(messages.session.options.outboxBytes());
        this.region = messages.session.fabric.exposeLazily(OutboxDescriptor.bytes(slots));
        this.outbox = new Outbox(region.segment(), slots);
        this.sender = new OutboxSender(messages, outbox, messages.session.ranks,
            messages.session.options.eagerBytes(), messages.staging());
    }

    private static int slots(long outboxBytes) {
        return (int) Math.max(2, outboxBytes / OutboxDescriptor.SLOT);
    }

    /** Bytes that it takes. */
    static long bytes(long outboxBytes) {
        return OutboxDescriptor.bytes(slots(outboxBytes));
    }

    @Override
    public Sender sender() {
        return sender;
    }

    @Override
    public Intake intake() {
        return intake;
    }

    @Override
    public Outcomes outcomes() {
        return outcomes;
    }

    @Override
    public CheckpointedState state() {
        return new InTransit(messages, outbox, slots,
            messages.session.options.unexpectedBytes() + messages.session.ranks * messages.laneBytes());
    }

    @Override
    public byte[] key() {
        return region.key();
    }

    @Override
    public PieceSource pieces(int peer, RemoteMemory memory) {
        return new PeerOutbox(messages.session.fabric, peer, memory, slots);
    }

    @Override
    public boolean mayHavePiece(long place, long bytes) {
        return place >= 0 && place < slots && bytes >= 0 && bytes <= OutboxDescriptor.SLOT;
    }

    @Override
    public void release() {
        // nothing is to be stable
    }

    /** What they have sent has landed, and nobody sends until all have copied. */
    @Override
    public void beforeCopy() {
        messages.receiver().poll(false, true);
        outbox.reclaim();
    }

    @Override
    public ChannelImpl split(ChannelImpl parent, int[] members, int color, int key) {
        return Splits.split(messages, parent, members, color, key);
    }
}
