package org.ftrma.rma.window;

import java.util.function.Supplier;
import org.ftrma.Comparison;
import org.ftrma.core.session.Waiter;
import org.ftrma.spi.Fabric;

/** Cells of a rank's own part of a window, in which it waits for signals. Data thread only; allocates nothing. */
final class OwnCells implements Supplier<String> {
    private final WindowImpl window;
    private final Fabric fabric;
    private final Waiter waiter;
    private final int member;
    private long offset;
    private Comparison comparison;
    private long value;
    private long found;

    OwnCells(WindowImpl window, Fabric fabric, Waiter waiter, int member) {
        this.fabric = fabric;
        this.waiter = waiter;
        this.member = member;
        this.window = window;
    }

    /** What is in a cell now: what was completed before that came there is seen, too. */
    long read(long at) {
        return window.parts.present(member).getLong(at);
    }

    /** Returns what is in a cell when the comparison holds of it. */
    long await(long at, Comparison how, long with) {
        found = read(at);
        if (how.holds(found, with)) {
            return found;
        }
        offset = at;
        comparison = how;
        value = with;
        long deadline = waiter.deadlineFromNow();
        for (int turn = 0; !how.holds(found, with); turn++) {
            fabric.progress();
            waiter.outerTurn(this, turn, deadline);
            found = read(at);
        }
        return found;
    }

    /** What is waited for, for a message. */
    @Override
    public String get() {
        return "waitUntil(offset=" + offset + ", " + comparison + ", " + value + ") in window=" + window.name()
            + ", where " + found + " is: no signal of that kind came";
    }
}
