package org.ftrma.checkpoint;

import org.ftrma.DataType;
import org.ftrma.options.Interval;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.xor.DalyInterval;

/**
 * Says at which step boundaries all ranks cut. Intervals in steps are known to all. For intervals in time rank 0 decides by its clock, ahead of every
 * rank (design 6.2): one word at rank 0 holds the step to cut at and the last boundary that any rank has reached, and both are only
 * changed together by
 * compare-and-swap; so the step that rank 0 sets is above all boundaries that were passed, and whoever reaches it sees it. Data thread only.
 */
final class CutSchedule {
    private static final double BYTES_PER_NANO = 4;
    private static final double SMOOTHING = 0.3;

    private final Session session;
    private final Interval interval;
    private long nextStep;
    private long lastCut;
    private long lastCutNanos;
    private double costNanos;

    CutSchedule(Session session, long imageBytes) {
        this.session = session;
        this.interval = session.options.interval();
        this.costNanos = 1_000_000 + imageBytes / BYTES_PER_NANO;
    }

    /** To be called in each view, when its first step is known. */
    void open(long restoredStep) {
        lastCut = 0;
        lastCutNanos = session.clock.nanoTime();
        nextStep = interval instanceof Interval.EverySteps every ? restoredStep + every.steps() : 0;
    }

    /** Whether all ranks cut at this boundary. */
    boolean due(long step) {
        return switch (interval) {
            case Interval.Never never -> false;
            case Interval.EverySteps every -> step >= nextStep;
            case Interval.EveryTime every -> agreed(step, every.nanos());
            case Interval.Daly daly -> agreed(step, dalyNanos());
        };
    }

    private long dalyNanos() {
        return DalyInterval.nanos((long) costNanos, session.options.mtbfNanos());
    }

    private boolean agreed(long step, long intervalNanos) {
        RemoteMemory home = session.control(0);
        boolean wanted = session.member == 0 && session.clock.nanoTime() - lastCutNanos >= intervalNanos;
        while (true) {
            long word = home.getLong(ControlDescriptor.CUT_OFFSET);
            long cut = ControlDescriptor.cutStep(word);
            long last = ControlDescriptor.lastBoundary(word);
            if (wanted && cut <= lastCut) {
                cut = Math.max(last, step - 1) + 1;
            }
            long updated = ControlDescriptor.cutWord(cut, Math.max(last, step));
            if (updated == word || home.compareAndSwap(DataType.INT64, ControlDescriptor.CUT_OFFSET, word, updated) == word) {
                return cut == step && cut > lastCut;
            }
        }
    }

    /** All copied at this step; this rank was kept from its program for so long. */
    void taken(long step, long blockedNanos) {
        costNanos += SMOOTHING * (blockedNanos - costNanos);
        lastCut = step;
        lastCutNanos = session.clock.nanoTime();
        nextStep = interval instanceof Interval.EverySteps every ? step + every.steps() : 0;
    }

    /** The cut at this step was given up. */
    void abandoned(long step, boolean retryNext) {
        lastCut = step;
        if (!retryNext) {
            lastCutNanos = session.clock.nanoTime();
        }
        nextStep = interval instanceof Interval.EverySteps every ? step + (retryNext ? 1 : every.steps()) : 0;
    }
}
