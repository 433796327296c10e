package org.ftrma.core.coordinator;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;

/**
 * The processes of a job that play no member: spares that wait, and those that are on their way. Coordinator's
 * thread.
 */
final class ProcessSupply {
    private final CoordinatorHost host;
    private final MemberTable members;
    private final int spares;
    /** Spares that wait, the first to come first. */
    final Deque<Integer> idle = new ArrayDeque<>();
    /** First processes, numbered 0 up to members + spares, that have neither joined nor ended yet. */
    private final BitSet initial = new BitSet();
    private int ordered;

    ProcessSupply(CoordinatorHost host, MemberTable members, int spares) {
        this.host = host;
        this.members = members;
        this.spares = spares;
        initial.set(0, members.size() + spares);
    }

    void noLongerComing(int process) {
        if (process >= 0 && process < members.size() + spares) {
            initial.clear(process);
        } else {
            ordered = Math.max(0, ordered - 1);
        }
    }

    /** Orders processes until every member without one can count on one that is on its way. */
    void orderForMembers() {
        long lacking = members.all().stream().filter(member -> !member.isPlayed()).count();
        for (long coming = ordered + initial.cardinality(); coming < lacking; coming++) {
            order();
        }
    }

    /** Orders processes until there are as many spares as there should be. */
    void replenish() {
        for (int missing = spares - idle.size() - ordered - initial.cardinality(); missing > 0; missing--) {
            order();
        }
    }

    private void order() {
        ordered++;
        host.startProcess();
    }
}
