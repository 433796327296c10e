package org.ftrma.runtime;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.ftrma.MisuseException;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.session.Activity;
import org.ftrma.core.session.IdleWork;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.PeerFailureHandling;
import org.ftrma.core.session.ProgramPhase;
import org.ftrma.core.session.Session;
import org.ftrma.core.session.StateListener;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Clock;

/**
 * The resilient loop of one entry of the program: {@link org.ftrma.Job#steps}, or, where their number is not known
 * ahead, {@link org.ftrma.Job#nextStep}. Step 0 is what comes before it. Data thread only.
 */
final class StepLoop implements Iterator<Long> {
    /** More steps than a job can have: the word by which ranks agree on a cut has room for no more. */
    private static final long MOST_STEPS = Integer.MAX_VALUE - 1L;
    private static final long ANNOUNCE_NANOS = 50_000_000;
    /** Steps may be far shorter. */
    private static final long PUBLISH_NANOS = 1_000_000;

    private final Clock clock;
    private final Inbox inbox;
    private final IdleWork idle;
    private final JobOptions options;
    private final PeerFailureHandling survivor;
    private final Activity activity;
    private final ProgramPhase phase;
    private final StateListener states;
    private final JobImpl job;
    private long iterations;
    /** Whether the program does not say how many there are. */
    private boolean isOpen;
    private long step;
    private boolean handedOut;
    private boolean begun;
    private boolean inStep;
    private long stepBegan;
    private long announced;
    private long published;
    private long averageNanos;
    /** Watched steps that have ended, and for which this rank was not held yet: a recovery needed it. */
    private final ArrayDeque<Long> ended = new ArrayDeque<>();

    StepLoop(Session session, JobImpl job) {
        this.clock = session.clock;
        this.inbox = session.inbox;
        this.idle = session.idle;
        this.options = session.options;
        this.survivor = session.survivor;
        this.activity = session.activity;
        this.phase = session.phase;
        this.states = session.states;
        this.job = job;
    }

    /** The program calls {@link org.ftrma.Job#steps}. */
    void iterate(long count) {
        if (count < 0 || count > MOST_STEPS) {
            throw new MisuseException("iterations=" + count + ": must be 0 to " + MOST_STEPS);
        }
        phase.loop("steps");
        iterations = count;
    }

    /** The program calls {@link org.ftrma.Job#nextStep}, which says no number of steps. */
    private void open() {
        phase.loop("nextStep");
        iterations = MOST_STEPS;
        isOpen = true;
    }

    /** In words that are the same on all ranks. */
    String describe() {
        return isOpen ? "a loop of steps without a number, by nextStep()" : "the loop over " + iterations + " steps";
    }

    /** The loop of a program is gone through once: checkpoints were taken between its steps. */
    StepLoop handOut() {
        if (handedOut) {
            throw new MisuseException("steps: this loop has been iterated already; a program goes through its steps "
                + "once");
        }
        handedOut = true;
        return this;
    }

    long step() {
        return step;
    }

    /** Whether a step is being run, or the program has broken out of it. */
    boolean isInStep() {
        return inStep;
    }

    /** Tells the coordinator of step 0, if it watches it. */
    void announceStart() {
        enter();
        stepBegan = clock.nanoTime();
        if (inbox.watched(0)) {
            announce();
        }
    }

    private void enter() {
        states.step(step);
        activity.step(step);
    }

    private void announce() {
        announced = stepBegan;
        inbox.send(new ControlMessage.StepBegun(inbox.view(), step, isOpen ? 0 : iterations,
            averageNanos));
    }

    @Override
    public boolean hasNext() {
        phase.requireNotTelling("steps");
        inbox.drainIfReady();
        if (inStep) {
            job.stepEnds(step);
        }
        try {
            goOn();
        } catch (RuntimeException | Error e) {
            survivor.cannotGoOn(e); // others are in it, or were
            throw e;
        }
        return step < iterations;
    }

    private void goOn() {
        if (!begun) {
            begun = true;
            noteWatched();
            if (!inbox.followsLoss()) {
                holdIfWatched();
            }
            inbox.place("in steps()");
            step = job.beginSteps();
            if (step > iterations) {
                throw new MisuseException("steps: iterations=" + iterations + ", and the restored state is that of "
                    + "step " + step + ": there is no going back; ask for " + step + " steps at least");
            }
            enter();
            holdIfWatched();
        } else if (inStep) {
            inStep = false;
            endStep();
        }
    }

    private void endStep() {
        long nanos = clock.nanoTime() - stepBegan;
        averageNanos = averageNanos == 0 ? nanos : averageNanos + (nanos - averageNanos) / 4;
        noteWatched();
        holdIfWatched();
        if (step < iterations) {
            job.atBoundary(step);
        }
    }

    /** Ends the step being run, if there is one, and begins the next; returns false where there is none. */
    boolean advance() {
        if (!isOpen) {
            open();
        }
        if (!hasNext()) {
            return false;
        }
        begin();
        return true;
    }

    @Override
    public Long next() {
        if (inStep || !begun) {
            hasNext();
        }
        if (step >= iterations) {
            throw new NoSuchElementException("all " + iterations + " steps are done");
        }
        begin();
        return step;
    }

    private void begin() {
        step++;
        enter();
        inStep = true;
        job.stepBegins();
        stepBegan = clock.nanoTime();
        if (stepBegan - published >= PUBLISH_NANOS) {
            published = stepBegan;
            job.publish();
        }
        if (inbox.watched(step) || stepBegan - announced >= ANNOUNCE_NANOS || step == iterations) {
            announce();
        }
    }

    /** The program returned: what it broke out of, if it did, was its last step. */
    void end() {
        if (inStep) {
            inStep = false;
            noteWatched();
        }
        holdIfWatched();
    }

    private void noteWatched() {
        inbox.drain();
        if (inbox.watched(step)) {
            ended.add(step);
        }
    }

    /**
     * At the end of a watched step this rank waits until the coordinator releases it (or kills it): how a failure is
     * put into a certain step. A rank that replays is not held, since the failure waits until that is over: it is held
     * as soon as it is back.
     */
    private void holdIfWatched() {
        while (!ended.isEmpty() && !job.isReplaying()) { // R29
            hold(ended.poll());
        }
    }

    private void hold(long watched) {
        if (!inbox.watched(watched)) {
            return;
        }
        inbox.send(new ControlMessage.Held(inbox.view(), watched));
        idle.await(options.recoveryDeadlineNanos(), "release at the end of a watched step",
            () -> !inbox.watched(watched));
    }
}
