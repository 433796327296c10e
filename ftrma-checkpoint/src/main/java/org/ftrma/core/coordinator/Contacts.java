package org.ftrma.core.coordinator;

import java.util.Arrays;
import java.util.BitSet;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.options.JobOptions;

/**
 * Pairs of computing ranks that may have accessed each other since their images. Whoever accesses another one's windows
 * or logs opens them first, with keys that it asks the coordinator for; the access is made when the answer is there. So
 * a rank that never asked in this view has accessed nothing, and what it never did is in no log. A rank that has left
 * another one alone since a cut that counts says so, and asks again before it accesses that: what it did before is in
 * the images of both, and frames of one process come in their order. Coordinator's thread.
 */
final class Contacts {
    private final int ranks;
    /** Whether what one rank did at another one is in a log that only one of them has. */
    private final boolean areNeeded;
    /** How far from each rank its buddy is; 0 where nothing is recovered out of logs. */
    private final int buddyDistance;
    /** By rank: those whose keys it has asked for; null: none. */
    private final BitSet[] asked;

    Contacts(JobOptions options) {
        ranks = options.ranks();
        areNeeded = !options.protocol().logsMessages();
        buddyDistance = options.protocol().recoversLocally() ? JobGroups.buddyDistance(options) : 0;
        asked = new BitSet[ranks];
    }

    /** A new view: nothing is open. */
    void clear() {
        Arrays.fill(asked, null);
    }

    /**
     * A member is about to be told keys. Who is being recovered, and asks for those of many at once, only reads their
     * logs; and each has the addresses and control regions of all.
     *
     * @param isRecovered whether the member is being recovered
     */
    void asks(Member member, ControlMessage.Ask m, boolean isRecovered) {
        boolean isAccess = m.scope() == ControlMessage.Scope.COMPUTING.ordinal() && !(isRecovered && m.count() > 1);
        if (isAccess && member.number < ranks) {
            if (asked[member.number] == null) {
                asked[member.number] = new BitSet();
            }
            asked[member.number].set(m.member(), Math.min(ranks, m.member() + m.count()));
        }
    }

    /** A member has closed what it had opened of these ranks. */
    void renounces(Member member, ControlMessage.Renounced m) {
        if (member.number < ranks && asked[member.number] != null) {
            asked[member.number].andNot(BitSet.valueOf(m.ranks()));
        }
    }

    /**
     * Whether the logs of two ranks may be needed by each other: what one did at the other, or keeps for it as its
     * buddy.
     */
    boolean areBetween(int one, int other) {
        return areNeeded && areBetweenInLogs(one, other);
    }

    /** What there is between two ranks, in words; null: nothing. */
    String between(int one, int other) {
        if (!areBetween(one, other)) {
            return null;
        }
        if (!hasAsked(one, other) && !hasAsked(other, one)) {
            int keeper = isBuddy(one, other) ? other : one;
            return "rank " + keeper + " kept what only the memory of rank " + (one + other - keeper)
                + " had besides, and both are lost";
        }
        int by = hasAsked(one, other) ? one : other;
        return "rank " + by + " had accessed rank " + (one + other - by) + " since the last checkpoints, and what both "
            + "had logged of that is lost with them";
    }

    private boolean areBetweenInLogs(int one, int other) {
        return hasAsked(one, other) || hasAsked(other, one) || isBuddy(one, other)
            || isBuddy(other, one);
    }

    private boolean hasAsked(int by, int of) {
        return asked[by] != null && asked[by].get(of);
    }

    private boolean isBuddy(int of, int buddy) {
        return (of + buddyDistance) % ranks == buddy;
    }
}
