package org.ftrma.messaging;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.messaging.transport.SendLog;

/**
 * What images have of logged messages: what was received so far, and the log of what was sent. A message that was sent
 * and not received is nowhere but in its sender's log; a receiver that goes back is sent it again.
 *
 * <pre>
 *   0 clock   8 contexts   16 by context: collectives so far
 *   what was received
 *   the send log
 * </pre>
 *
 * <p>Data thread only.
 */
final class LoggedState implements CheckpointedState {
    private static final int MOST_CONTEXTS = 1 << 12;
    private final Messages messages;
    private final LoggedOutcomes outcomes;
    private final CountedIntake intake;
    private final SendLog log;
    private final MessageRules rules;
    private final long imageBytes;

    LoggedState(Messages messages, LoggedOutcomes outcomes, CountedIntake intake, SendLog log, long logBytes,
        MessageRules rules) {
        this.messages = messages;
        this.outcomes = outcomes;
        this.intake = intake;
        this.log = log;
        this.rules = rules;
        this.imageBytes = 16 + 8 * MOST_CONTEXTS + CountedIntake.imageBytes(messages.session.ranks)
            + SendLog.imageBytes(messages.session.ranks, logBytes);
    }

    /** Why an image cannot be taken now; empty: it can. */
    String obstacle() {
        return messages.channels().size() > MOST_CONTEXTS ? "there are more than " + MOST_CONTEXTS + " channels"
            : intake.fitsImage() ? "" : "too many messages were received before older ones of the same source";
    }

    @Override
    public int imageBytes() {
        return Math.toIntExact(imageBytes);
    }

    @Override
    public long save(MemorySegment image, long offset) {
        image.set(ValueLayout.JAVA_LONG, offset, outcomes.clock());
        image.set(ValueLayout.JAVA_LONG, offset + 8, messages.channels().size());
        long at = offset + 16;
        for (ChannelImpl channel : messages.channels()) {
            image.set(ValueLayout.JAVA_LONG, at, channel.collectives());
            at += 8;
        }
        at += intake.save(image, at);
        at += rules.logIsInImage() ? log.save(image, at) : log.saveNumbers(image, at);
        return at - offset;
    }

    @Override
    public void restore(MemorySegment image, long offset, long length) {
        long end = offset + length;
        CheckpointedState.require(length >= 16, "messages have " + length + " bytes");
        outcomes.clock(image.get(ValueLayout.JAVA_LONG, offset));
        long count = image.get(ValueLayout.JAVA_LONG, offset + 8);
        CheckpointedState.require(count == messages.channels().size(), "there were " + count + " channels, and are "
            + messages.channels().size());
        long at = offset + 16;
        CheckpointedState.require(at + 8 * count <= end, count + " channels in " + length + " bytes");
        for (ChannelImpl channel : messages.channels()) {
            channel.collectives((int) image.get(ValueLayout.JAVA_LONG, at));
            at += 8;
        }
        at += intake.restore(image, at, end);
        long read = log.restore(image, at, end);
        CheckpointedState.require(read > 0 && at + read == end, "its send log ends at " + (at + read) + " of " + end);
    }
}
