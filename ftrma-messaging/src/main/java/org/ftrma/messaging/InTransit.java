package org.ftrma.messaging;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.image.Remainder;
import org.ftrma.messaging.transport.Outbox;

/**
 * What images have of messages that were sent and not received when they were taken. A message that came in one frame
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
final class InTransit implements CheckpointedState {
    private static final long ENTRY = 32;
    private final Messages messages;
    private final Receiver receiver;
    private final Outbox outbox;
    private final int ranks;
    private final long imageBytes;

    InTransit(Messages messages, Outbox outbox, int slots, long mostInLanes) {
        this.messages = messages;
        this.receiver = messages.receiver();
        this.outbox = outbox;
        this.ranks = messages.session.ranks;
        this.imageBytes = CollectiveCounts.imageBytes() + 8 + (mostInLanes + 7 & -8) + Outbox.imageBytes(slots);
    }

    @Override
    public int imageBytes() {
        return Math.toIntExact(imageBytes);
    }

    @Override
    public long save(MemorySegment image, long offset) {
        long messagesAt = offset + CollectiveCounts.save(messages.channels(), image, offset);
        long at = messagesAt + 8;
        long count = 0;
        for (int context = 0; context < receiver.contexts().count(); context++) {
            for (Incoming one = receiver.context(context).firstCome(); one != null; one = one.next) {
                at += save(one, image, at);
                count++;
            }
        }
        image.set(ValueLayout.JAVA_LONG, messagesAt, count);
        return at + outbox.save(image, at) - offset;
    }

    /** All that was sent has come. */
    @Override
    public void tell(Remainder remainder) {
        remainder.messages(receiver.contexts().messages(), 0);
    }

    private long save(Incoming message, MemorySegment image, long offset) {
        int pieces = message.place >= 0 ? 0 : message.pieces();
        image.set(ValueLayout.JAVA_LONG, offset, (long) message.source << 32 | message.context);
        image.set(ValueLayout.JAVA_LONG, offset + 8, (long) message.tag << 32 | pieces);
        image.set(ValueLayout.JAVA_LONG, offset + 16, message.total);
        image.set(ValueLayout.JAVA_LONG, offset + 24, message.call);
        long at = offset + ENTRY;
        if (message.place >= 0) {
            PayloadStore store = receiver.store();
            at += Outbox.copyPadded(store.memory(message.place), store.offset(message.place), image, at,
                message.total);
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
        long messagesAt = offset + CollectiveCounts.restore(messages.channels(), image, offset, end);
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
        Incoming message = receiver.restored(source, (int) where, (int) (kind >>> 32), call, total,
            pieces == 0);
        if (pieces == 0) {
            PayloadStore store = receiver.store();
            MemorySegment.copy(image, at, store.memory(message.place), store.offset(message.place), total);
        }
        for (long i = 0; i < pieces; i++) {
            message.addPiece(image.getAtIndex(ValueLayout.JAVA_LONG, at / 8 + 2 * i),
                image.getAtIndex(ValueLayout.JAVA_LONG, at / 8 + 2 * i + 1));
        }
        return at + bytes - offset;
    }
}
