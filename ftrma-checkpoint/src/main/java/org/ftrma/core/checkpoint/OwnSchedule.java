package org.ftrma.core.checkpoint;

import org.ftrma.core.session.Session;
import org.ftrma.options.Interval;
import org.ftrma.xor.DalyInterval;

/**
 * Says at which step boundaries this rank takes a checkpoint that nobody needs ({@code --independent}): the independent
 * checkpoints of message logging. Ranks take turns, so that the checksum ranks have one image at a time. Data thread
 * only.
 */
final class OwnSchedule {
    private static final double SMOOTHING = 0.3;

    private final Session session;
    private final Interval interval;
    private long nextNanos;
    private double costNanos;

    OwnSchedule(Session session) {
        this.session = session;
        this.interval = session.options.independent();
    }

    /** To be called in each view; what a checkpoint costs is guessed from the size of an image, until one was taken. */
    void open(long imageBytes) {
        costNanos = costNanos == 0 ? CutSchedule.guessedCostNanos(imageBytes) : costNanos;
        long nanos = intervalNanos();
        long share = nanos / session.ranks * (session.member + 1);
        nextNanos = nanos == Long.MAX_VALUE ? nanos : session.clock.nanoTime() + share;
    }

    /**
     * Whether it is time.
     *
     * @param isCut whether all ranks have just taken one
     */
    boolean due(long step, boolean isCut) {
        if (interval instanceof Interval.EverySteps every) {
            return !isCut && (step + every.steps() * session.member / session.ranks) % every.steps() == 0;
        }
        if (nextNanos == Long.MAX_VALUE || session.clock.nanoTime() - nextNanos < 0) {
            return false;
        }
        nextNanos = session.clock.nanoTime() + intervalNanos();
        return !isCut;
    }

    private long intervalNanos() {
        return switch (interval) {
            case Interval.EveryTime every -> every.nanos();
            case Interval.Daly daly -> DalyInterval.nanos((long) costNanos + session.inbox.parityNanos(),
                session.options.mtbfNanos());
            default -> Long.MAX_VALUE;
        };
    }

    /** This rank was kept from its program for so long. */
    void taken(long nanos) {
        costNanos += SMOOTHING * (nanos - costNanos);
    }
}
