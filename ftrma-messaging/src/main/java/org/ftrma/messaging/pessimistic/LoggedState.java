package org.ftrma.messaging.pessimistic;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.image.ResidualState;
import org.ftrma.messaging.collective.CollectiveCounts;
import org.ftrma.messaging.receive.DuplicateFilter;
import org.ftrma.messaging.transport.SendLog;

/**
 * Logged messages in images: the numbers of those that were received, and the log of those that were sent. A message
 * that was sent and not received is nowhere but in its sender's log; a receiver that goes back is sent it again.
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
    private final int ranks;
    private final LoggedDeterminants determinants;
    private final CollectiveCounts counts;
    private final DuplicateFilter received;
    private final SendLog log;
    private final long imageBytes;

    LoggedState(int ranks, LoggedDeterminants determinants, CollectiveCounts counts, DuplicateFilter received,
        SendLog log, long logBytes) {
        this.ranks = ranks;
        this.determinants = determinants;
        this.counts = counts;
        this.received = received;
        this.log = log;
        this.imageBytes = Long.BYTES + CollectiveCounts.imageBytes() + DuplicateFilter.imageBytes(ranks)
            + SendLog.imageBytes(ranks, logBytes);
    }

    /** Why an image cannot be taken now; empty: it can. */
    String obstacle() {
        return received.fitsImage() ? "" : "too many messages were received before older ones of the same source";
    }

    @Override
    public int imageBytes() {
        return Math.toIntExact(imageBytes);
    }

    @Override
    public long save(MemorySegment image, long offset) {
        image.set(ValueLayout.JAVA_LONG, offset, determinants.clock());
        long at = offset + Long.BYTES;
        at += counts.save(image, at);
        at += received.save(image, at);
        at += log.save(image, at); // what no image of its target covers is nowhere else once this rank is lost
        return at - offset;
    }

    @Override
    public void tell(ResidualState remainder) {
        long sent = 0;
        for (int target = 0; target < ranks; target++) {
            sent += log.sent(target);
        }
        remainder.messages(sent, received.received());
    }

    @Override
    public void restore(MemorySegment image, long offset, long length) {
        long end = offset + length;
        CheckpointedState.require(length >= Long.BYTES, "messages have " + length + " bytes");
        determinants.clock(image.get(ValueLayout.JAVA_LONG, offset));
        long at = offset + Long.BYTES;
        at += counts.restore(image, at, end);
        at += received.restore(image, at, end);
        long read = log.restore(image, at, end);
        CheckpointedState.require(read > 0 && at + read == end, "its send log ends at " + (at + read) + " of " + end);
    }
}
