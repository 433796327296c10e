package org.ftrma.core.checkpoint;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.ftrma.DataType;
import org.ftrma.PeerLostException;
import org.ftrma.core.session.ControlDescriptor;
import org.ftrma.core.session.ControlRegions;
import org.ftrma.core.session.PeerAwayException;
import org.ftrma.core.session.PeerFailureHandling;
import org.ftrma.core.session.PeerTable;
import org.ftrma.core.session.RecoveringRanks;
import org.ftrma.spi.RemoteMemory;

/**
 * Agreement of ranks on a step to cut at (design 6.2): one word at rank 0 holds that step and the last boundary that
 * any rank has reached, and both are only changed together by compare-and-swap. So the step is above all boundaries
 * that were passed, and whoever reaches it sees it.
 *
 * <p>Each rank remembers what it saw there and what it reached. A new rank 0 makes the word of that. What ranks had
 * reached that are recovered at the same time, and what it had reached itself, it does not know: beside the word it
 * says who they are, and nobody asks for a cut until they have told. Data thread only.
 */
final class CutWord {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle PLACE = ValueLayout.JAVA_INT.varHandle();

    private final RecoveringRanks away;
    private final PeerTable peers;
    private final ControlRegions controls;
    private final PeerFailureHandling survivor;
    private final int member;
    private final int ranks;

    CutWord(RecoveringRanks away, PeerTable peers, ControlRegions controls, PeerFailureHandling survivor, int member,
        int ranks) {
        this.away = away;
        this.peers = peers;
        this.controls = controls;
        this.survivor = survivor;
        this.member = member;
        this.ranks = ranks;
    }

    /**
     * Whether all cut at this boundary.
     *
     * @param lastCut where they cut last
     * @param wanted whether this rank asks for a cut, at a boundary that no rank has passed yet
     * @param replaying whether this rank is behind the others: then it asks for nothing
     */
    boolean isCut(long step, long lastCut, boolean wanted, boolean replaying) {
        while (true) {
            try {
                return replaying && away.has(0) ? isSeen(step, lastCut)
                    : agree(step, lastCut, wanted, replaying);
            } catch (PeerLostException e) {
                if (replaying) {
                    peers.requireAway(e);
                } else {
                    survivor.awaitBack(e); // its word is made of what all remember, this rank included
                }
            }
        }
    }

    private boolean agree(long step, long lastCut, boolean wanted, boolean replaying) {
        RemoteMemory home = controls.of(0);
        if (!replaying && isBehind()) {
            reach(home, step, lastCut, false);
            tell(home);
        }
        return reach(home, step, lastCut, wanted && !replaying && isKnown(home));
    }

    private boolean reach(RemoteMemory home, long step, long lastCut, boolean asks) {
        while (true) {
            long word = home.getLong(ControlDescriptor.CUT_OFFSET);
            long cut = ControlDescriptor.cutStep(word);
            long last = ControlDescriptor.lastBoundary(word);
            if (asks && cut <= lastCut) {
                cut = Math.max(last, step - 1) + 1; // C2
            }
            long updated = ControlDescriptor.cutWord(cut, Math.max(last, step));
            remember(cut, step);
            if (updated == word || home.compareAndSwap(DataType.INT64, ControlDescriptor.CUT_OFFSET, word, updated)
                == word) {
                return cut == step && cut > lastCut;
            }
        }
    }

    /** Rank 0 is away while this rank replays: a cut that was agreed on has been seen by others. */
    private boolean isSeen(long step, long lastCut) {
        long cut = 0;
        for (int rank = 1; rank < ranks; rank++) {
            if (rank != member) {
                cut = Math.max(cut, ControlDescriptor.cutStep(controls.word(rank,
                    ControlDescriptor.CUT_SEEN_OFFSET)));
            }
        }
        remember(cut, step);
        return cut > lastCut && cut == step;
    }

    /** Whether the word has what each rank has reached. */
    private static boolean isKnown(RemoteMemory home) {
        long places = 0;
        for (int place = 0; place < ControlDescriptor.MAX_AWAY; place += 2) {
            places |= home.getLong(ControlDescriptor.CUT_UNKNOWN_OFFSET + 4L * place);
        }
        return places == 0;
    }

    /** From now on the word has what this rank has reached, and its predecessor. */
    private void tell(RemoteMemory home) {
        for (int place = 0; place < ControlDescriptor.MAX_AWAY; place++) {
            home.compareAndSwap(DataType.INT32, ControlDescriptor.CUT_UNKNOWN_OFFSET + 4L * place, member + 1,
                0);
        }
        WORD.setRelease(controls.own(), ControlDescriptor.CUT_BEHIND_OFFSET, 0);
    }

    private boolean isBehind() {
        return (long) WORD.getAcquire(controls.own(), ControlDescriptor.CUT_BEHIND_OFFSET) != 0;
    }

    void remember(long cut, long step) {
        MemorySegment own = controls.own();
        long seen = ControlDescriptor.cutStep((long) WORD.getAcquire(own, ControlDescriptor.CUT_SEEN_OFFSET));
        WORD.setRelease(own, ControlDescriptor.CUT_SEEN_OFFSET, ControlDescriptor.cutWord(Math.max(cut, seen), step));
    }

    /** This process takes the place of a lost one in a running view, and nobody has reached it yet. */
    void joins() {
        WORD.setRelease(controls.own(), ControlDescriptor.CUT_BEHIND_OFFSET, 1);
        if (member == 0) {
            rebuild();
        }
    }

    /** A new rank 0: the word is made of what the others have seen and reached. Before they can reach it. */
    private void rebuild() {
        try {
            controls.openAll();
        } catch (PeerAwayException e) {
            // it was lost meanwhile, and is left out
        }
        MemorySegment own = controls.own();
        long cut = 0;
        long last = 0;
        int unknown = 0;
        for (int rank = 0; rank < ranks; rank++) {
            boolean isBehind = rank == 0 || controls.word(rank, ControlDescriptor.CUT_BEHIND_OFFSET) != 0;
            long word = rank == 0 ? 0 : controls.word(rank, ControlDescriptor.CUT_SEEN_OFFSET);
            cut = Math.max(cut, ControlDescriptor.cutStep(word));
            last = Math.max(last, ControlDescriptor.lastBoundary(word));
            if (isBehind || away.has(rank)) {
                if (unknown == ControlDescriptor.MAX_AWAY) {
                    throw new IllegalStateException("more than " + unknown + " ranks are away");
                }
                PLACE.setRelease(own, ControlDescriptor.CUT_UNKNOWN_OFFSET + 4L * unknown++, rank + 1);
            }
        }
        WORD.setRelease(own, ControlDescriptor.CUT_OFFSET, ControlDescriptor.cutWord(cut, last));
    }
}
