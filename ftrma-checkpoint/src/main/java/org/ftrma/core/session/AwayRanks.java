package org.ftrma.core.session;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntConsumer;
import org.ftrma.PeerLostException;

/**
 * Computing ranks that are being recovered while this member runs on, or is recovered itself: nobody accesses them
 * until they are back. Two that are recovered at the same time never wait for each other while they replay. What this
 * member tells of itself to each of them has a place in its control region, which is found by the rank that it is for.
 * Data thread only.
 */
public final class AwayRanks {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private final Session session;
    private final BitSet away = new BitSet();
    /** These, and those that can be accessed while they do again what they had done. */
    private final BitSet recovering = new BitSet();
    /** What this member does before it waits for one of them, while it replays; null: it does not. */
    private IntConsumer beforeWaiting;
    /** Whose places are where, by place: rank + 1; 0: nobody's yet. */
    private final int[] places = new int[ControlDescriptor.MAX_AWAY];
    /** By rank: where it has what it tells this member, from 1; -1: nowhere; 0: that was not looked at. */
    private final int[] found;

    AwayRanks(Session session) {
        this.session = session;
        this.found = new int[session.ranks];
    }

    /**
     * A new view. Who joins a running one knows the ranks that are away there.
     */
    void enterView() {
        away.clear();
        recovering.clear();
        beforeWaiting = null;
        Arrays.fill(places, 0);
        Arrays.fill(found, 0);
        for (int rank = 0; rank < session.ranks && session.inbox.recovery() > 0; rank++) {
            away.set(rank, rank != session.member && session.inbox.isMissing(rank));
            recovering.set(rank, away.get(rank));
        }
    }

    void lost(int member) {
        away.set(member);
        recovering.set(member);
        if (member < session.ranks) {
            found[member] = 0;
            if (session.isComputing()) {
                takePlace(member);
            }
        }
    }

    /** There is one: the coordinator does not let more ranks be away at the same time. */
    private void takePlace(int member) {
        int place = place(member);
        for (int i = 0; i < places.length && place < 0; i++) {
            place = places[i] == 0 || !away.get(places[i] - 1) ? i : -1;
        }
        if (place < 0) {
            throw new IllegalStateException("ranks " + away + " are away: more than " + places.length);
        }
        places[place] = member + 1;
        WORD.setRelease(session.controlMemory(), ControlDescriptor.tellsOffset(place), member + 1L);
    }

    private int place(int member) {
        for (int i = 0; i < places.length; i++) {
            if (places[i] == member + 1) {
                return i;
            }
        }
        return -1;
    }

    /** It can be accessed, and is not back yet. */
    void resumes(int member) {
        away.clear(member);
    }

    void back(int member) {
        away.clear(member);
        recovering.clear(member);
    }

    /** Whether a rank is being recovered, and is not accessed. */
    public boolean has(int rank) {
        return away.get(rank);
    }

    /** Whether any is being recovered. */
    public boolean isAny() {
        return !recovering.isEmpty();
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

    /** Whether this member replays. */
    boolean isReplaying() {
        return beforeWaiting != null;
    }

    void waitsFor(int peer) {
        if (beforeWaiting != null && away.get(peer)) {
            beforeWaiting.accept(peer);
        }
    }

    /** Where this member tells a lost rank of a window's lock, in its control region. */
    public long heldOffset(int lost, int window) {
        return ControlDescriptor.heldOffset(place(lost), window);
    }

    /**
     * A word of another rank's control region, for a member that replays; 0 if that rank is away, or is lost meanwhile:
     * then it has not accessed this one, and this one has not accessed it.
     */
    public long word(int rank, long offset) {
        IntConsumer before = beforeWaiting;
        leaveOut();
        try {
            return away.get(rank) ? 0 : session.control(rank).getLong(offset);
        } catch (PeerAwayException e) {
            return 0;
        } catch (PeerLostException e) {
            heardOf(e);
            return 0;
        } finally {
            beforeWaiting = before;
        }
    }

    /** A rank was lost in an access of this member, which replays: from now on it is away, or all go back. */
    public void heardOf(PeerLostException loss) {
        if (!session.survivor.isPossible()) {
            throw loss;
        }
        session.inbox.drain();
        if (!away.get(loss.peer())) {
            throw loss;
        }
    }

    /** What a rank told this one, when this one was lost, of what it holds of a window's lock here; 0: nothing. */
    public long heldBy(int rank, int window) {
        if (found[rank] == 0) {
            int at = -1;
            for (int i = 0; i < places.length && at < 0 && !away.get(rank); i++) {
                at = word(rank, ControlDescriptor.tellsOffset(i)) == session.member + 1 ? i + 1 : -1;
            }
            if (away.get(rank)) {
                return 0;
            }
            found[rank] = at;
        }
        return found[rank] < 0 ? 0 : word(rank, ControlDescriptor.heldOffset(found[rank] - 1, window));
    }
}
