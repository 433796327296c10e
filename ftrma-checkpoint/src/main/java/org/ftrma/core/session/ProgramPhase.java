package org.ftrma.core.session;

import org.ftrma.MisuseException;

/**
 * Phase of a program between its entry and its end, and what it may do there. A program is entered again over restored
 * state, and a replacement enters it while the others run on: what it does outside of {@code initialize} and the loop
 * is done again then. Data thread only.
 */
public final class ProgramPhase {
    /** What the program is at. */
    public enum State {
        /** From the entry on: windows and segments are allocated. */
        ALLOCATING,
        /** Inside what was handed to initialize. */
        INITIALIZING,
        /** From the begin of the first step on, until the program returns. */
        RUNNING,
        /** The program has returned. */
        ENDED,
        /** It was not entered yet. */
        NOT_BEGUN,
        /** Between two steps, inside of what was handed to onCommit. */
        TELLING
    }

    private static final String NAME = "program";

    private static final String FIX =
        ": a program does it again at every entry, over restored state; do it in what is handed to job.initialize(),"
        + " or in the loop over job.steps() or by job.nextStep(), or after it";

    private final StateMachine<State> state;
    private boolean hasLoop;
    private String loopBy = "steps";

    /** Of a program that was not entered yet; the listener hears of its states. */
    public ProgramPhase(StateListener listener) {
        state = new StateMachine<>(NAME, State.NOT_BEGUN, listener)
            .allow(State.NOT_BEGUN, State.ALLOCATING)
            .allow(State.ENDED, State.ALLOCATING)
            // a program that was thrown out of its allocations is entered anew
            .allow(State.ALLOCATING, State.ALLOCATING, State.INITIALIZING, State.RUNNING)
            .allow(State.INITIALIZING, State.ALLOCATING)
            .allow(State.RUNNING, State.ALLOCATING, State.ENDED, State.TELLING)
            .allow(State.TELLING, State.RUNNING);
    }

    /** The program is entered, for the first time or anew. */
    public void enter() {
        state.become(State.ALLOCATING);
        hasLoop = false;
    }

    /** Whether the program is inside of what it handed to initialize. */
    public boolean isInitializing() {
        return state.is(State.INITIALIZING);
    }

    /** What was handed to initialize begins, or is left. */
    public void initializing(boolean begins) {
        state.become(begins ? State.INITIALIZING : State.ALLOCATING);
    }

    /** The program asks for its loop, by that call. */
    public void loop(String call) {
        if (hasLoop || state.is(State.RUNNING)) {
            throw new MisuseException(call + ": a program has one resilient loop, and " + loopBy
                + "() was called before");
        }
        if (!state.is(State.ALLOCATING)) {
            throw new MisuseException(call + ": " + where() + "; call it after initialize");
        }
        hasLoop = true;
        loopBy = call;
    }

    public boolean hasLoop() {
        return hasLoop;
    }

    /** The first step begins. */
    public void running() {
        state.become(State.RUNNING);
    }

    /** What was handed to onCommit begins, or is left. */
    public void telling(boolean begins) {
        state.become(begins ? State.TELLING : State.RUNNING);
    }

    /** The program goes to its next step, and not from inside of what it has handed to onCommit. */
    public void requireNotTelling(String call) {
        if (state.is(State.TELLING)) {
            throw refused(call);
        }
    }

    /** The program has returned. */
    public void ended() {
        state.become(State.ENDED);
    }

    public boolean isRunning() {
        return state.is(State.RUNNING);
    }

    /** Accesses, locks and collectives may take place now. */
    public boolean allowsAccess() {
        return state.is(State.INITIALIZING) || state.is(State.RUNNING);
    }

    /** What is protected was restored, or is what the program begins with. */
    public boolean hasState() {
        return !state.is(State.ALLOCATING) && !state.is(State.NOT_BEGUN);
    }

    /** Refuses a collective where it may not be. */
    public void requireAccess(String call) {
        if (!allowsAccess()) {
            throw refused(call);
        }
    }

    /** An access, lock or collective that {@link #allowsAccess} does not allow. */
    public MisuseException refused(String call) {
        return new MisuseException(call + " " + where() + (isClosed() ? ": its windows are closed"
            : state.is(State.TELLING) ? ": when that is called depends on the moment, and no other rank waits for it;"
            + " only write, print or report there what the program has kept" : FIX));
    }

    public void requireAllocation(String what, String name) {
        if (!state.is(State.ALLOCATING) || hasLoop) {
            throw new MisuseException(what + " " + name + " is allocated "
                + (state.is(State.ALLOCATING) ? "after steps()" : where())
                + ": allocate before steps(), outside of initialize");
        }
    }

    /** Refuses a call that says what is to be done later, unless the program allocates. */
    public void requirePreparation(String call) {
        if (!state.is(State.ALLOCATING) || hasLoop) {
            throw new MisuseException(call + " " + (state.is(State.ALLOCATING) ? "after steps()" : where())
                + ": call it before steps(), outside of initialize");
        }
    }

    public void requireInitialization() {
        if (hasLoop || state.is(State.RUNNING) || isClosed()) {
            throw new MisuseException("initialize: call it before steps()");
        }
    }

    private boolean isClosed() {
        return state.is(State.ENDED) || state.is(State.NOT_BEGUN);
    }

    private String where() {
        return switch (state.now()) {
            case ALLOCATING -> "before the first step, outside of initialize";
            case INITIALIZING -> "inside of initialize";
            case RUNNING -> "after the first step has begun";
            case ENDED -> "after the program has returned";
            case NOT_BEGUN -> "before the program is entered";
            case TELLING -> "inside of onCommit";
        };
    }
}
