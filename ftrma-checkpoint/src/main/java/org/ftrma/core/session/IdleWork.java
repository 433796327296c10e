package org.ftrma.core.session;

import java.util.function.BooleanSupplier;
import org.ftrma.spi.Clock;
import org.ftrma.spi.Fabric;

/**
 * Work of a member for others while it waits for the coordinator, and its pauses when there is nothing to do. Data
 * thread only.
 */
public final class IdleWork {
    /** Turns until a member that looks often takes its longest pauses. */
    private static final int OFTEN_TURNS = 1 << 14;

    private final Fabric fabric;
    private final Clock clock;
    private final Waiter waiter;
    private final PeerPaths paths;
    private BooleanSupplier work = () -> false;
    private boolean looksOften;
    private int idleTurns;

    IdleWork(Fabric fabric, Clock clock, Waiter waiter, PeerPaths paths) {
        this.fabric = fabric;
        this.clock = clock;
        this.waiter = waiter;
        this.paths = paths;
    }

    /** Sets the work of a member that control frames wake; it returns whether there is more to do. */
    public void is(BooleanSupplier newWork) {
        work = newWork;
    }

    /** Sets the work of a member that others wait for while no control frame tells of it: it looks often. */
    public void isOften(BooleanSupplier newWork) {
        work = newWork;
        looksOften = true;
    }

    /** Works, and waits for the coordinator without a deadline of its own: the coordinator has one. */
    public void await(String what, BooleanSupplier isOver) {
        await(Long.MAX_VALUE, what, isOver);
    }

    /** Works, and waits for the coordinator for so long. */
    public void await(long nanos, String what, BooleanSupplier isOver) {
        waiter.await(nanos, what, isOver, () -> {
            if (work.getAsBoolean()) {
                waiter.stayAwake();
            }
            return false;
        });
    }

    /**
     * One turn of a member that is only there for others: where the fabric needs no help with their accesses, nothing
     * but a control frame wakes it.
     */
    public void serveOrSleep() {
        boolean isBusy = fabric.progress() > 0 || work.getAsBoolean();
        idleTurns = isBusy ? 0 : Math.min(idleTurns + 1, OFTEN_TURNS);
        clock.relax(isBusy || looksOften ? idleTurns : paths.areImmediate() ? Clock.IDLE : Waiter.ASLEEP);
    }
}
