package org.ftrma.messaging.unlogged;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.image.ResidualState;
import org.ftrma.messaging.collective.CollectiveCounts;
import org.ftrma.messaging.match.Contexts;
import org.ftrma.messaging.match.Incoming;
import org.ftrma.messaging.match.UnexpectedStore;
import org.ftrma.messaging.protocol.MessagingContext;
import org.ftrma.messaging.transport.Outbox;

/**
 * Saves and restores messages that were sent and not received when an image is taken. A message that came in one frame
 * is in the image of its receiver. One that lies in its sender's outbox stays there: the sender's image has the outbox,
 * and the receiver's has where in it the pieces are.
 *
 * <pre>
 *   the collectives of its channels
 *   messages
 *   each: source * 2^32 + context   tag * 2^32 + pieces (0: it is here)   bytes   call of a collective, 0: none
 *         its bytes, whole words; or of each piece: slot, bytes
 *   the outbox
 * </pre>
 *
 * <p>Data thread only.
 */
final class ChannelState implements CheckpointedState {
    private static final long ENTRY = 32;
    private final CollectiveCounts counts;
    private final Contexts contexts;
    private final UnexpectedStore store;
    private final Outbox outbox;
    private final int ranks;
    private final long imageBytes;

    ChannelState(MessagingContext context, Outbox outbox, int slots, long mostInLanes) {
        this.counts = context.counts();
        this.contexts = context.contexts();
        this.store = context.store();
        this.outbox = outbox;
        this.ranks = context.session().ranks;
        this.imageBytes = CollectiveCounts.imageBytes() + 8 + (mostInLanes + 7 & -8) + Outbox.imageBytes(slots);
    }

    @Override
    public int imageBytes() {
        return Math.toIntExact(imageBytes);
    }

    @Override
    public long save(MemorySegment image, long offset) {
        long messagesAt = offset + counts.save(image, offset);
        long at = messagesAt + 8;
        long count = 0;
        for (int context = 0; context < contexts.count(); context++) {
            for (Incoming one = contexts.of(context).firstCome(); one != null; one = one.next()) {
                at += save(one, image, at);
                count++;
            }
        }
        image.set(ValueLayout.JAVA_LONG, messagesAt, count);
        return at + outbox.save(image, at) - offset;
    }

    /** All that was sent has come. */
    @Override
    public void tell(ResidualState remainder) {
        remainder.messages(contexts.messages(), 0);
    }

    private long save(Incoming message, MemorySegment image, long offset) {
        int pieces = message.isWhole() ? 0 : message.pieces();
        image.set(ValueLayout.JAVA_LONG, offset, (long) message.source() << 32 | message.context());
        image.set(ValueLayout.JAVA_LONG, offset + 8, (long) message.tag() << 32 | pieces);
        image.set(ValueLayout.JAVA_LONG, offset + 16, message.total());
        image.set(ValueLayout.JAVA_LONG, offset + 24, message.call());
        long at = offset + ENTRY;
        if (message.isWhole()) {
            at += Outbox.copyPadded(store.payload(message), store.payloadAt(message), image, at, message.total());
        }
        for (int i = 0; i < pieces; i++) {
            image.set(ValueLayout.JAVA_LONG, at, message.slot(i));
            image.set(ValueLayout.JAVA_LONG, at + 8, message.pieceBytes(i));
            at += 16;
        }
        return at - offset;
    }

    @Override
    public void restore(MemorySegment image, long offset, long length) {
        long end = offset + length;
        long messagesAt = offset + counts.restore(image, offset, end);
        CheckpointedState.require(messagesAt + 8 <= end, "what was in transit has " + (end - messagesAt) + " bytes");
        long count = image.get(ValueLayout.JAVA_LONG, messagesAt);
        CheckpointedState.require(count >= 0 && count <= length / ENTRY, count + " messages in " + length + " bytes");
        long at = messagesAt + 8;
        for (long i = 0; i < count; i++) {
            at += restoreMessage(image, at, end);
        }
        long read = outbox.restore(image, at, end);
        CheckpointedState.require(read > 0 && at + read == end, "its outbox ends at " + (at + read) + " of " + end);
    }

    private long restoreMessage(MemorySegment image, long offset, long end) {
        CheckpointedState.require(offset + ENTRY <= end, "a message begins at its end");
        long where = image.get(ValueLayout.JAVA_LONG, offset);
        long kind = image.get(ValueLayout.JAVA_LONG, offset + 8);
        long total = image.get(ValueLayout.JAVA_LONG, offset + 16);
        long call = image.get(ValueLayout.JAVA_LONG, offset + 24);
        int source = (int) (where >>> 32);
        long pieces = kind & 0xffff_ffffL;
        long at = offset + ENTRY;
        long bytes = pieces == 0 ? total + 7 & -8 : 16 * pieces;
        CheckpointedState.require(source >= 0 && source < ranks && total >= 0 && bytes >= 0 && at + bytes <= end,
            "a message of " + total + " bytes in " + pieces + " pieces of rank " + source);
        Incoming message = store.begin(source, 0, (int) where, (int) (kind >>> 32), call, total);
        if (pieces == 0) {
            store.keep(message, image, at);
        }
        contexts.of((int) where).come(message);
        for (long i = 0; i < pieces; i++) {
            message.addPiece(image.getAtIndex(ValueLayout.JAVA_LONG, at / 8 + 2 * i),
                image.getAtIndex(ValueLayout.JAVA_LONG, at / 8 + 2 * i + 1));
        }
        return at + bytes - offset;
    }
}
