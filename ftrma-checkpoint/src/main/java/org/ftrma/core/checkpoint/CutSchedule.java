package org.ftrma.core.checkpoint;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.session.Inbox;
import org.ftrma.options.Interval;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Clock;
import org.ftrma.xor.DalyInterval;

/**
 * Says at which step boundaries all ranks cut. Intervals in steps are known to all, and so is where the program asks
 * for a cut, which all ranks do in the same step. For intervals in time rank 0 decides by its clock; all agree by
 * {@link CutWord}. Data thread only.
 */
final class CutSchedule implements CheckpointedState {
    private static final double BYTES_PER_NANO = 4;
    private static final double SMOOTHING = 0.3;

    private final Clock clock;
    private final Inbox inbox;
    private final JobOptions options;
    private final int member;
    private final CutWord word;
    private final Interval interval;
    private final boolean mayBeNeeded;
    private long nextStep;
    /** Whether the program asks for a cut at the next boundary. */
    private boolean isAskedFor;
    private long lastCut;
    private long lastCutNanos;
    /** After how many intervals the next cut is due: more than one where ranks did not come to the last ones. */
    private int pause = 1;
    /** For how long a cut keeps this rank from its program. */
    private double costNanos;
    /** What the restored image says of {@link #lastCut} and {@link #nextStep}. */
    private long imageLastCut;
    private long imageNextStep;

    /**
     * The schedule of a rank.
     *
     * @param mayBeNeeded whether any rank may ever need a cut of its own accord, or be told to see that one comes
     */
    CutSchedule(CutWord word, Clock clock, Inbox inbox, JobOptions options, int member, boolean mayBeNeeded) {
        this.clock = clock;
        this.inbox = inbox;
        this.options = options;
        this.member = member;
        this.mayBeNeeded = mayBeNeeded;
        this.word = word;
        this.interval = options.interval();
    }

    @Override
    public int imageBytes() {
        return 16;
    }

    @Override
    public long save(MemorySegment image, long offset) {
        image.set(ValueLayout.JAVA_LONG, offset, lastCut);
        image.set(ValueLayout.JAVA_LONG, offset + 8, nextStep);
        return 16;
    }

    @Override
    public void restore(MemorySegment image, long offset, long length) {
        CheckpointedState.require(length == 16, "the schedule of checkpoints has " + length + " bytes");
        imageLastCut = image.get(ValueLayout.JAVA_LONG, offset);
        imageNextStep = image.get(ValueLayout.JAVA_LONG, offset + 8);
    }

    /** What a checkpoint costs is guessed from the size of an image, until one was taken. */
    void guessCost(long imageBytes) {
        costNanos = costNanos == 0 ? guessedCostNanos(imageBytes) : costNanos;
    }

    static double guessedCostNanos(long imageBytes) {
        return 1_000_000 + imageBytes / BYTES_PER_NANO;
    }

    /** As {@link #open}, from an image between two cuts: the next cut is where it would have been. */
    void reopen(long restoredStep) {
        open(restoredStep);
        lastCut = imageLastCut;
        nextStep = imageNextStep; // C3
        word.remember(0, restoredStep);
    }

    /**
     * To be called in each view, when its first step is known. Cuts are asked for by steps, by rank 0's clock, where
     * log memory runs low, or by somebody outside.
     */
    void open(long restoredStep) {
        lastCut = restoredStep;
        lastCutNanos = clock.nanoTime();
        pause = 1;
        isAskedFor = false;
        nextStep = interval instanceof Interval.EverySteps every ? restoredStep + every.steps() : 0;
    }

    /** This process takes the place of a lost one in a running view. */
    void joins() {
        word.joins();
    }

    /** The program, on all ranks in the same step, asks for a cut at the end of that step. */
    void askedFor() {
        isAskedFor = true;
    }

    /**
     * Whether all ranks cut at this boundary.
     *
     * @param needed whether this rank asks for a cut, at a boundary that no rank has passed yet
     * @param replaying whether this rank is behind the others: then it asks for nothing
     */
    boolean due(long step, boolean needed, boolean replaying) {
        boolean stepsOver = isAskedFor || nextStep > 0 && step >= nextStep; // C37
        isAskedFor = false;
        boolean timeOver = member == 0 && clock.nanoTime() - lastCutNanos >= pausedNanos(); // C1
        return intervalNanos() == Long.MAX_VALUE && !mayBeNeeded
            ? stepsOver : word.isCut(step, lastCut, needed || timeOver, replaying) || stepsOver;
    }

    /** Whether this rank may ask for a cut that it needs: not soon after one to which ranks did not come. */
    boolean mayAsk() {
        return pause == 1
            || clock.nanoTime() - lastCutNanos >= pause * (double) options.cutDeadlineNanos();
    }

    private long pausedNanos() {
        return (long) (pause * (double) intervalNanos());
    }

    private long intervalNanos() {
        return switch (interval) {
            case Interval.EveryTime every -> every.nanos();
            case Interval.Daly daly -> dalyNanos();
            default -> Long.MAX_VALUE;
        };
    }

    private long dalyNanos() {
        return DalyInterval.nanos((long) costNanos + inbox.parityNanos(), options.mtbfNanos());
    }

    /** All copied at this step; this rank was kept from its program for so long. */
    void taken(long step, long blockedNanos) {
        costNanos += SMOOTHING * (blockedNanos - costNanos);
        lastCut = step;
        lastCutNanos = clock.nanoTime();
        pause = 1;
        nextStep = interval instanceof Interval.EverySteps every ? step + every.steps() : 0;
    }

    /** The cut at this step was given up. */
    void abandoned(long step, ControlMessage.CutAbandon why) {
        lastCut = step;
        if (why.retryNext()) {
            nextStep = step + 1;
            return;
        }
        lastCutNanos = clock.nanoTime();
        pause = why.intervals();
        nextStep = interval instanceof Interval.EverySteps every ? step + pause * every.steps() : 0;
    }
}
