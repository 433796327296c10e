package org.ftrma.core.session;

import java.util.BitSet;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * Computing ranks that are being recovered while this member runs on, or is recovered itself: nobody accesses them
 * until they are back. Two that are recovered at the same time never wait for each other while they replay. Data thread
 * only.
 */
public final class RecoveringRanks implements MembershipListener {
    private final Inbox inbox;
    private final int member;
    private final int ranks;
    private final BitSet away = new BitSet();
    /** These, and those that can be accessed while they do again what they had done. */
    private final BitSet recovering = new BitSet();
    /** What this member does before it waits for one of them, while it replays; null: it does not. */
    private IntConsumer beforeWaiting;
    private int losses;

    RecoveringRanks(Inbox inbox, int member, int ranks) {
        this.inbox = inbox;
        this.member = member;
        this.ranks = ranks;
    }

    /** A new view. Who joins a running one knows the ranks that are away there. */
    void enterView() {
        away.clear();
        recovering.clear();
        beforeWaiting = null;
        for (int rank = 0; rank < ranks && inbox.recovery() > 0; rank++) {
            away.set(rank, rank != member && inbox.isMissing(rank));
            recovering.set(rank, away.get(rank));
        }
    }

    @Override
    public void lost(int peer, int recovery) {
        away.set(peer);
        recovering.set(peer);
        losses++;
    }

    @Override
    public void checksumLost(int peer) {
        losses++;
    }

    @Override
    public void resumed(int peer) {
        away.clear(peer);
    }

    @Override
    public void opened(int peer) {
        if (peer >= ranks) {
            losses++; // the one before it may have been connected to after its loss
        }
        away.clear(peer);
        recovering.clear(peer);
    }

    /** Whether a rank is being recovered, and is not accessed. */
    public boolean has(int rank) {
        return away.get(rank);
    }

    /** Whether any is being recovered: deadlines do not run meanwhile. */
    public boolean isAny() {
        return !recovering.isEmpty();
    }

    /** How many members were lost in this process's life so far while the others ran on. */
    public int losses() {
        return losses;
    }

    /** Whether a member cannot be read in this view, or could not when this process joined it. */
    public boolean isMissing(int peer) {
        return away.get(peer) || inbox.isMissing(peer);
    }

    /** All of them. */
    BitSet all() {
        return (BitSet) away.clone();
    }

    /** The first one from there on, or -1. */
    int next(int from) {
        return away.nextSetBit(from);
    }

    /**
     * This member replays from now on: it does not wait for a rank that is away before that was called, which may end
     * the replay, or give it up. Null: it does not replay any more.
     */
    public void replayWith(IntConsumer before) {
        beforeWaiting = before;
    }

    /** Nothing that waits for a rank that is away waits: a {@link PeerAwayException} ends it. */
    public void leaveOut() {
        beforeWaiting = rank -> {
            throw new PeerAwayException(rank);
        };
    }

    /** Calls that, and leaves out meanwhile whom it would wait for. */
    long leavingOut(LongSupplier access) {
        IntConsumer before = beforeWaiting;
        leaveOut();
        try {
            return access.getAsLong();
        } finally {
            beforeWaiting = before;
        }
    }

    /** Whether this member replays. */
    boolean isReplaying() {
        return beforeWaiting != null;
    }

    void waitsFor(int peer) {
        if (beforeWaiting != null && away.get(peer)) {
            beforeWaiting.accept(peer);
        }
    }
}
