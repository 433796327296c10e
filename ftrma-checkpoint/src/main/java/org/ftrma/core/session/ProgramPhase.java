package org.ftrma.core.session;

import org.ftrma.MisuseException;

/**
 * Where a program is between its entry and its end, and what it may do there. A program is entered again over restored
 * state, and a replacement enters it while the others run on: what it does outside of {@code initialize} and the loop
 * is done again then. Data thread only.
 */
public final class ProgramPhase {
    private enum State {
        /** From the entry on: windows and segments are allocated. */
        ALLOCATING,
        /** Inside what was handed to initialize. */
        INITIALIZING,
        /** From the begin of the first step on, until the program returns. */
        RUNNING,
        /** The program has returned. */
        ENDED
    }

    private static final String FIX =
        ": a program does it again at every entry, over restored state; do it in what is handed to job.initialize(),"
        + " or in the loop over job.steps() or after it";

    private State state = State.ENDED;
    private boolean hasLoop;

    public void enter() {
        state = State.ALLOCATING;
        hasLoop = false;
    }

    /** Whether the program is inside of what it handed to initialize. */
    public boolean isInitializing() {
        return state == State.INITIALIZING;
    }

    public void initializing(boolean begins) {
        state = begins ? State.INITIALIZING : State.ALLOCATING;
    }

    /** The loop was handed out. */
    public void loop() {
        if (hasLoop || state == State.RUNNING) {
            throw new MisuseException("steps: a program has one resilient loop, and steps() was called before");
        }
        if (state != State.ALLOCATING) {
            throw new MisuseException("steps: " + where() + "; call it after initialize");
        }
        hasLoop = true;
    }

    public boolean hasLoop() {
        return hasLoop;
    }

    public void running() {
        state = State.RUNNING;
    }

    public void ended() {
        state = State.ENDED;
    }

    public boolean isRunning() {
        return state == State.RUNNING;
    }

    /** Accesses, locks and collectives may take place now. */
    public boolean allowsAccess() {
        return state == State.INITIALIZING || state == State.RUNNING;
    }

    /** Refuses a collective where it may not be. */
    public void requireAccess(String call) {
        if (!allowsAccess()) {
            throw refused(call);
        }
    }

    /** An access, lock or collective that {@link #allowsAccess} does not allow. */
    public MisuseException refused(String call) {
        return new MisuseException(call + " " + where() + (state == State.ENDED ? ": its windows are closed" : FIX));
    }

    public void requireAllocation(String what, String name) {
        if (state != State.ALLOCATING || hasLoop) {
            throw new MisuseException(what + " " + name + " is allocated "
                + (state == State.ALLOCATING ? "after steps()" : where())
                + ": allocate before steps(), outside of initialize");
        }
    }

    public void requireInitialization() {
        if (hasLoop || state == State.RUNNING || state == State.ENDED) {
            throw new MisuseException("initialize: call it before steps()");
        }
    }

    private String where() {
        return switch (state) {
            case ALLOCATING -> "before the first step, outside of initialize";
            case INITIALIZING -> "inside of initialize";
            case RUNNING -> "after the first step has begun";
            case ENDED -> "after the program has returned";
        };
    }
}
