package org.ftrma.core.checkpoint;

import org.ftrma.core.session.Inbox;
import org.ftrma.options.Interval;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Clock;
import org.ftrma.xor.DalyInterval;

/**
 * Says at which step boundaries this rank takes a checkpoint that nobody needs ({@code --independent}): the independent
 * checkpoints of message logging. Ranks take turns, so that the checksum ranks have one image at a time. Data thread
 * only.
 */
final class OwnSchedule {
    private static final double SMOOTHING = 0.3;

    private final Clock clock;
    private final Inbox inbox;
    private final JobOptions options;
    private final int member;
    private final Interval interval;
    private long nextNanos;
    private double costNanos;

    OwnSchedule(Clock clock, Inbox inbox, JobOptions options, int member) {
        this.clock = clock;
        this.inbox = inbox;
        this.options = options;
        this.member = member;
        this.interval = options.independent();
    }

    /** To be called in each view; what a checkpoint costs is guessed from the size of an image, until one was taken. */
    void open(long imageBytes) {
        costNanos = costNanos == 0 ? CutSchedule.guessedCostNanos(imageBytes) : costNanos;
        long nanos = intervalNanos();
        long share = nanos / options.ranks() * (member + 1);
        nextNanos = nanos == Long.MAX_VALUE ? nanos : clock.nanoTime() + share;
    }

    /**
     * Whether it is time.
     *
     * @param isCut whether all ranks have just taken one
     */
    boolean due(long step, boolean isCut) {
        if (interval instanceof Interval.EverySteps every) {
            return !isCut && (step + every.steps() * member / options.ranks()) % every.steps() == 0;
        }
        if (nextNanos == Long.MAX_VALUE || clock.nanoTime() - nextNanos < 0) {
            return false;
        }
        nextNanos = clock.nanoTime() + intervalNanos();
        return !isCut;
    }

    private long intervalNanos() {
        return switch (interval) {
            case Interval.EveryTime every -> every.nanos();
            case Interval.Daly daly -> DalyInterval.nanos((long) costNanos + inbox.parityNanos(),
                options.mtbfNanos());
            default -> Long.MAX_VALUE;
        };
    }

    /** This rank was kept from its program for so long. */
    void taken(long nanos) {
        costNanos += SMOOTHING * (nanos - costNanos);
    }
}
