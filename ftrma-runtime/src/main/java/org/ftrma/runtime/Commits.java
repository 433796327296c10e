package org.ftrma.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.ftrma.Generation;
import org.ftrma.core.protocol.RecoveryProtocol;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.ProgramPhase;

/**
 * Tells the program of committed generations, between its steps: each at most once in a process. At a cut it does so
 * when all have arrived, before this rank copies its state: the next generation cannot be committed before that, so
 * that none is left out. Data thread only.
 */
final class Commits implements RecoveryProtocol {
    private final Inbox inbox;
    private final ProgramPhase phase;
    private final Consumer<Boolean> accesses;
    private final List<Consumer<Generation>> actions = new ArrayList<>();
    /** The newest generation that this process was told of. */
    private long told;

    /** @param accesses allows the program its accesses, or takes that back */
    Commits(Inbox inbox, ProgramPhase phase, Consumer<Boolean> accesses) {
        this.inbox = inbox;
        this.phase = phase;
        this.accesses = accesses;
    }

    /** One action more of this entry of the program. */
    void add(Consumer<Generation> action) {
        inbox.checkThread();
        ProgramCollectives.requireGiven(action, "onCommit", "action");
        phase.requirePreparation("onCommit");
        actions.add(action);
    }

    /** To be called at each step boundary, and where the program has returned. */
    void tell() {
        long generation = inbox.generation();
        if (generation > told) {
            told = generation;
            if (!actions.isEmpty()) {
                tell(new Generation(generation, inbox.generationStep()));
            }
        }
    }

    private void tell(Generation generation) {
        phase.telling(true);
        accesses.accept(false);
        try {
            actions.forEach(action -> action.accept(generation));
        } finally {
            accesses.accept(true);
            phase.telling(false);
        }
    }

    @Override
    public void enterView() {
        actions.clear();
    }

    @Override
    public void start(long step) {
        // the program is told once it may begin
    }

    @Override
    public boolean mayNeedCut() {
        return false;
    }

    @Override
    public boolean needsCut() {
        return false;
    }

    @Override
    public void beforeCopy() {
        tell(); // C36
    }

    @Override
    public void copied(long generation) {
        // what is copied is not committed yet
    }

    @Override
    public boolean replaying() {
        return false;
    }
}
