package org.ftrma.messaging;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.image.Remainder;
import org.ftrma.messaging.transport.SendLog;

/**
 * What images have of logged messages: what was received so far, and the log of what was sent. A message that was sent
 * and not received is nowhere but in its sender's log; a receiver that goes back is sent it again.
 *
 * <pre>
 *   0 clock
 *   the collectives of its channels
 *   what was received
 *   the send log
 * </pre>
 *
 * <p>Data thread only.
 */
final class LoggedState implements CheckpointedState {
    private final Messages messages;
    private final LoggedOutcomes outcomes;
    private final CountedIntake intake;
    private final SendLog log;
    private final long imageBytes;

    LoggedState(Messages messages, LoggedOutcomes outcomes, CountedIntake intake, SendLog log, long logBytes) {
        this.messages = messages;
        this.outcomes = outcomes;
        this.intake = intake;
        this.log = log;
        this.imageBytes = Long.BYTES + CollectiveCounts.imageBytes() + CountedIntake.imageBytes(messages.session.ranks)
            + SendLog.imageBytes(messages.session.ranks, logBytes);
    }

    /** Why an image cannot be taken now; empty: it can. */
    String obstacle() {
        return intake.fitsImage() ? "" : "too many messages were received before older ones of the same source";
    }

    @Override
    public int imageBytes() {
        return Math.toIntExact(imageBytes);
    }

    @Override
    public long save(MemorySegment image, long offset) {
        image.set(ValueLayout.JAVA_LONG, offset, outcomes.clock());
        long at = offset + Long.BYTES;
        at += CollectiveCounts.save(messages.channels(), image, at);
        at += intake.save(image, at);
        at += log.save(image, at); // what no image of its target covers is nowhere else once this rank is lost
        return at - offset;
    }

    @Override
    public void tell(Remainder remainder) {
        long sent = 0;
        for (int target = 0; target < messages.session.ranks; target++) {
            sent += log.sent(target);
        }
        remainder.messages(sent, intake.received());
    }

    @Override
    public void restore(MemorySegment image, long offset, long length) {
        long end = offset + length;
        CheckpointedState.require(length >= Long.BYTES, "messages have " + length + " bytes");
        outcomes.clock(image.get(ValueLayout.JAVA_LONG, offset));
        long at = offset + Long.BYTES;
        at += CollectiveCounts.restore(messages.channels(), image, at, end);
        at += intake.restore(image, at, end);
        long read = log.restore(image, at, end);
        CheckpointedState.require(read > 0 && at + read == end, "its send log ends at " + (at + read) + " of " + end);
    }
}
