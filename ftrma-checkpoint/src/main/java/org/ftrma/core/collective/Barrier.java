package org.ftrma.core.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.BitSet;
import org.ftrma.MisuseException;
import org.ftrma.PeerLostException;
import org.ftrma.core.session.ControlDescriptor;
import org.ftrma.core.session.ControlRegions;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.PeerFailureHandling;
import org.ftrma.core.session.PeerPaths;
import org.ftrma.core.session.RecoveringRanks;
import org.ftrma.core.session.Session;
import org.ftrma.core.session.Waiter;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.RemoteMemory;

/**
 * Dissemination barrier, in whose rounds the data of a collective may move ({@link RoundCallback}). Its signals are the
 * number of the barrier, and a fingerprint of the collective it belongs to, by which ranks that call different ones
 * find that before any data moves. Each flag has one writer, and sending a signal again does no harm. There are two
 * sets of flags for even and odd numbers, since a signal is certain to have landed only when the next barrier is
 * passed.
 *
 * <p>A rank that recovers passes the barriers that it had passed before without a word ({@link CollectiveReplay}). Data
 * thread only; nothing is allocated.
 */
final class Barrier {
    private static final VarHandle FLAG = ValueLayout.JAVA_LONG.varHandle();

    private final Fabric fabric;
    private final Inbox inbox;
    private final Waiter waiter;
    private final PeerPaths paths;
    private final RecoveringRanks away;
    private final ControlRegions controls;
    private final PeerFailureHandling survivor;
    private final int rank;
    private final int ranks;
    private final int rounds;
    private final GatheredDataValidity trust;
    private final RemoteMemory[] signals;
    private final CollectiveCall call = new CollectiveCall();
    private CollectiveReplay replay = CollectiveReplay.NONE;
    /** Who was lost when this process went on, and may have sent signals that were lost with the one before it. */
    private final BitSet toPull = new BitSet();
    private MemorySegment own;
    private long entered;

    Barrier(Session session) {
        this.fabric = session.fabric;
        this.inbox = session.inbox;
        this.waiter = session.waiter;
        this.paths = session.paths;
        this.away = session.away;
        this.controls = session.controls;
        this.survivor = session.survivor;
        this.rank = session.member;
        this.ranks = session.ranks;
        this.rounds = ranks == 1 ? 0 : 32 - Integer.numberOfLeadingZeros(ranks - 1);
        this.trust = new GatheredDataValidity(rounds);
        this.signals = new RemoteMemory[rounds];
    }

    /** In a new view: the region is a new one. */
    void open(MemorySegment control) {
        own = control;
        entered = 0;
        replay = CollectiveReplay.NONE;
        trust.open();
        toPull.clear();
        Arrays.fill(signals, null);
    }

    /** An image is restored that was taken after so many. What they were is not in it: nobody compares them. */
    void restore(long number) {
        entered = number;
        sent(ControlDescriptor.signal(Math.max(0, number - 1), 0));
        sent(ControlDescriptor.signal(number, 0));
    }

    /** The collective that the next barriers belong to. */
    CollectiveCall call() {
        return call;
    }

    /** Whose gathered data may be read. */
    GatheredDataValidity trust() {
        return trust;
    }

    /** {@link CollectiveReplay#NONE}: the recovery is over. */
    void replayWith(CollectiveReplay ongoing) {
        replay = ongoing;
        trust.replays(ongoing != CollectiveReplay.NONE, entered);
    }

    CollectiveReplay replay() {
        return replay;
    }

    /** A rank was lost: its memory is reached anew once it is back. */
    void lost(int peer) {
        for (int round = 0; round < rounds; round++) {
            if (to(round) == peer) {
                signals[round] = null;
            }
            if (from(round) == peer) {
                trust.lost(round, entered);
            }
        }
    }

    /** Those of collectives included. */
    long entered() {
        return entered;
    }

    int rounds() {
        return rounds;
    }

    private int to(int round) {
        return (int) ((rank + (1L << round)) % ranks);
    }

    private int from(int round) {
        return (int) ((rank - (1L << round) + ranks) % ranks);
    }

    /** Whether this rank met the others; if not, it passed the barrier again, and nothing moved. */
    boolean pass(RoundCallback data) {
        long number = ++entered;
        long signal = ControlDescriptor.signal(number, call.fingerprint());
        call.tell(own, number);
        if (replay.passesBarrier(number)) {
            sent(signal); // its predecessor had: a rank that is replaced, too, must find that here
            return false;
        }
        data.begin(number);
        for (int round = 0; round < rounds; round++) {
            FLAG.setRelease(own, ControlDescriptor.sentOffset(number, round), signal);
            RemoteMemory to = signals[round];
            if (to == null) {
                to = controls.of(to(round));
                signals[round] = to;
            }
            long offset = ControlDescriptor.barrierOffset(number, round);
            signal(to, offset, signal);
            long got = (long) FLAG.getAcquire(own, offset);
            if (got != signal) {
                await(offset, number, from(round));
            }
            data.received(number, round, from(round));
        }
        completeSignals();
        return true;
    }

    /** Where this rank may be replaced alone, nothing that it does after a barrier is seen before its signals are. */
    private void completeSignals() {
        for (int round = 0; round < rounds && survivor.isPossible(); round++) {
            if (!paths.isImmediate(to(round))) {
                survivor.flush(to(round));
            }
        }
    }

    /** Who is lost is told by what this rank remembers. */
    private void signal(RemoteMemory to, long offset, long signal) {
        try {
            to.signal(offset, signal);
        } catch (PeerLostException e) {
            if (!survivor.isPossible()) {
                throw e;
            }
        }
    }

    /**
     * The predecessor of this process sent all signals of a barrier: another replacement that missed them must find
     * that here.
     */
    private void sent(long signal) {
        for (int round = 0; round < rounds; round++) {
            FLAG.setRelease(own, ControlDescriptor.sentOffset(ControlDescriptor.number(signal), round), signal);
        }
    }

    /**
     * A replacement fetches the signals that were sent to the process before it, which their senders remember. Those of
     * a rank that is being recovered, too, are fetched when that is back, and waited for.
     */
    void pullSignals() {
        for (int round = 0; round < rounds; round++) {
            int from = from(round);
            if (from != rank) {
                toPull.set(from);
            }
        }
        for (int from = toPull.nextSetBit(0); from >= 0; from = toPull.nextSetBit(from + 1)) {
            pull(from);
        }
    }

    /** The sender may be about to write a later one in place of what it remembers. */
    private void pull(int from) {
        boolean isDone = true;
        for (int round = 0; round < rounds; round++) {
            for (long parity = 0; parity < 2 && from(round) == from; parity++) {
                long sent = controls.word(from, ControlDescriptor.sentOffset(parity, round));
                raise(ControlDescriptor.barrierOffset(parity, round), sent);
                isDone &= !away.has(from);
            }
        }
        toPull.set(from, !isDone);
    }

    private void raise(long offset, long signal) {
        long known = (long) FLAG.getAcquire(own, offset);
        while (ControlDescriptor.number(known) < ControlDescriptor.number(signal)
            && !FLAG.compareAndSet(own, offset, known, signal)) {
            known = (long) FLAG.getAcquire(own, offset);
        }
    }

    private void await(long offset, long number, int from) {
        waiter.begin(call.awaited(), from);
        long got = (long) FLAG.getAcquire(own, offset);
        while (ControlDescriptor.number(got) < number) {
            if (toPull.get(from) && !away.has(from)) { // R34
                pull(from);
                waiter.begin(call.awaited(), from);
            }
            long returned = inbox.returnedAfter(from); // all its signals have landed then
            fabric.progress();
            waiter.turn();
            got = (long) FLAG.getAcquire(own, offset);
            if (returned >= 0 && ControlDescriptor.number(got) < number) {
                throw abandoned(from, number, returned);
            }
        }
        long fingerprint = ControlDescriptor.fingerprint(got);
        if (fingerprint != call.fingerprint() && fingerprint != 0 && ControlDescriptor.number(got) == number) {
            throw mismatch(from, number, fingerprint);
        }
    }

    private MisuseException abandoned(int from, long number, long step) {
        return new MisuseException("rank " + from + " has finished: its program returned after step " + step + "; rank "
            + rank + " waits for it in "
            + call + ", collective " + number
            + " of the job: all ranks must call the same collectives, in the same number of steps");
    }

    private MisuseException mismatch(int from, long number, long fingerprint) {
        String other = told(from, number);
        return new MisuseException("collective " + number + " of the job: rank " + rank + " calls " + call + ", rank "
            + from + " calls "
            + (other != null ? other : call.describeOther(fingerprint))
            + ": all ranks must call the same collectives in the same order, of the same size, root, operation and "
            + "type");
    }

    /**
     * What another rank calls, or null if it has ended since. It cannot have got as far as the collective after next,
     * for which it needs this rank.
     */
    private String told(int from, long number) {
        try {
            RemoteMemory control = controls.of(from);
            long at = ControlDescriptor.calledOffset(number);
            return control.getLong(at) == number ? CollectiveCall.describe(control.getLong(at + 8),
                control.getLong(at + 16)) : null;
        } catch (PeerLostException e) {
            inbox.forgetLoss();
            return null;
        }
    }
}
