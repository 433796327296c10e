package org.ftrma.testkit;

import java.util.BitSet;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.options.JobOptions;

/** Members of one job that are lost at a time, and whether these were ever more than a group survives. */
final class SimLosses {
    private final JobOptions options;
    private final BitSet down = new BitSet();
    /** Computing ranks that were lost and of which it was not said that they are back. */
    private final BitSet away = new BitSet();
    private boolean beyondRepair;

    SimLosses(JobOptions options) {
        this.options = options;
    }

    /** A member's process is gone, whether its coordinator knows it or not. */
    void lost(int member, IntUnaryOperator groupOf) {
        down.set(member);
        int group = groupOf.applyAsInt(member);
        long lost = down.stream().filter(other -> groupOf.applyAsInt(other) == group).count();
        beyondRepair |= lost > options.losses();
    }

    /** {@code isOver}: whether the process that plays a member has ended. */
    void happened(JobEvent event, IntPredicate isOver) {
        if (event instanceof JobEvent.MemberLost lost && lost.member() < options.ranks()) {
            away.set(lost.member());
        } else if (event instanceof JobEvent.MembersMoved moved) {
            moved.members().forEach(down::clear);
        } else if (event instanceof JobEvent.Recovered recovered) {
            away.clear(recovered.member());
            if (!isOver.test(recovered.member())) {
                down.clear(recovered.member());
            }
        }
    }

    BitSet away() {
        return away;
    }

    boolean areBeyondRepair() {
        return beyondRepair;
    }
}
