package org.ftrma.core.session;

import java.util.function.BooleanSupplier;
import org.ftrma.spi.Clock;

/**
 * What a member does for others while it waits for the coordinator, and how long it pauses where there is nothing to
 * do. Data thread only.
 */
final class OtherWork {
    /** Turns until a member that looks often takes its longest pauses. */
    private static final int OFTEN_TURNS = 1 << 14;

    private BooleanSupplier work = () -> false;
    private boolean looksOften;
    private int idleTurns;

    /** {@code often}: others wait for it while no control frame tells of it. */
    void is(BooleanSupplier newWork, boolean often) {
        work = newWork;
        looksOften = often;
    }

    /** Does some; returns whether there is more. */
    boolean run() {
        return work.getAsBoolean();
    }

    /** The turn of a wait that is as long as the next pause. */
    int pause(boolean isBusy, boolean areAccessesServed) {
        idleTurns = isBusy ? 0 : Math.min(idleTurns + 1, OFTEN_TURNS);
        return isBusy || looksOften ? idleTurns : areAccessesServed ? Clock.IDLE : Waiter.ASLEEP;
    }
}
