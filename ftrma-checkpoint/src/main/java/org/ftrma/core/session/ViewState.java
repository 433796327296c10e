package org.ftrma.core.session;

/**
 * State of a member in the newest view that it was told of. {@link #machine} has the table of all changes that there
 * are. What the coordinator has said of the view is told beside it: see {@link ViewAnnouncement}.
 */
public enum ViewState {
    /** The process plays no member: it waits until it is given one. */
    WAITING(false),
    /**
     * The member was told of a view and has not entered it. Whatever its program calls leaves by Unwind; there is
     * nothing to leave at the start.
     */
    TOLD(false),
    /**
     * The member is in the view: it meets the others, its program allocates, and its state is made, or restored. A
     * checksum rank makes its parity anew if it lacks one.
     */
    ENTERED(true),
    /** The member has its state, has said so, and waits until the coordinator says that all may go. */
    READY(true),
    /**
     * The member runs: a computing rank its program, or a replay of it; a checksum rank makes parities. Who depends on
     * nobody runs without the coordinator's word.
     */
    RUNNING(true),
    /**
     * The member has found something wrong that it cannot right (a peer is lost, a replay is impossible), and waits for
     * the coordinator's word on it.
     */
    AWAITING_WORD(true),
    /** The coordinator has found that the program does what it may not: whatever it calls throws that. */
    REFUSED(true),
    /** The coordinator has said that the job is over. */
    ENDED(false);

    private static final String NAME = "view";
    private final boolean isInView;

    ViewState(boolean isInView) {
        this.isInView = isInView;
    }

    /** Whether the member has entered the newest view that it was told of. */
    public boolean isInView() {
        return isInView;
    }

    /** A machine that waits for a member to play, and allows the changes that there are. */
    static StateMachine<ViewState> machine(StateListener listener) {
        return new StateMachine<>(NAME, WAITING, listener)
            .allow(WAITING, TOLD, ENDED)
            .allow(TOLD, TOLD, ENTERED, ENDED)
            .allow(ENTERED, READY, AWAITING_WORD, REFUSED, TOLD, ENDED)
            // a program that does not let a loss pass comes to its start once more
            .allow(READY, RUNNING, READY, AWAITING_WORD, REFUSED, TOLD, ENDED)
            .allow(RUNNING, READY, AWAITING_WORD, REFUSED, TOLD, ENDED)
            .allow(AWAITING_WORD, ENTERED, READY, RUNNING, REFUSED, TOLD, ENDED)
            .allow(REFUSED, TOLD, ENDED);
    }
}
