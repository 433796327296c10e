package org.ftrma.core.collective;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.BitSet;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.MisuseException;
import org.ftrma.PeerLostException;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.session.ControlDescriptor;
import org.ftrma.core.session.Session;
import org.ftrma.spi.Elements;
import org.ftrma.spi.RemoteMemory;

/**
 * Barrier, broadcast, reductions and gathers over the control regions. The barrier is a dissemination barrier whose
 * signals are the number of the barrier, and a fingerprint of the collective it belongs to, by which ranks that call
 * different ones find that before any data moves. Each flag has one writer, and sending a signal again does no harm.
 * There are two sets of flags for even and odd numbers, since a signal is certain to have landed only when the next
 * barrier is passed. Data moves through two buffers in turn: a buffer is written again only after the barrier of the
 * next collective, when all have read it.
 *
 * <p>A rank that recovers passes the barriers that it had passed before without a word ({@link CollectiveReplay}), and
 * takes results from others' logs. Data thread only; nothing is allocated.
 */
public final class Collectives implements CheckpointedState {
    /** Keeps results of collectives for ranks that recover. */
    public interface ResultLog {
        /** The result of the barrier of that number: one piece of it. */
        void append(long number, int piece, MemorySegment data, long offset, long length);
    }

    private static final VarHandle FLAG = ValueLayout.JAVA_LONG.varHandle();
    private static final int GATHER_BYTES = 256 << 10;

    private final Session session;
    private final int rank;
    private final int ranks;
    private final int rounds;
    private final MemorySegment scratch;
    private final MemorySegment one;
    private final MemorySegment oneResult;
    private MemorySegment own;
    private final RemoteMemory[] signals;
    private final CollectiveCall call = new CollectiveCall();
    private ResultLog log;
    private CollectiveReplay replay = CollectiveReplay.NONE;
    /** Who was lost when this process went on, and may have sent signals that were lost with the one before it. */
    private final BitSet toPull = new BitSet();
    private long barriers;
    private long collectives;
    private long buffer;
    /**
     * Whether images hold what this rank contributed to the last collective: they are taken while others may not have
     * read it.
     */
    private final boolean keepsContribution;
    /** Bytes of that. */
    private long contributed;

    public Collectives(Session session, Arena arena) {
        this.session = session;
        this.rank = session.member;
        this.ranks = session.ranks;
        this.keepsContribution = session.options.hasDemandCheckpoints();
        this.rounds = ranks == 1 ? 0 : 32 - Integer.numberOfLeadingZeros(ranks - 1);
        this.scratch = arena.allocate(GATHER_BYTES, 64);
        this.one = arena.allocate(8, 8);
        this.oneResult = arena.allocate(8, 8);
        this.signals = new RemoteMemory[rounds];
    }

    /** To be called in each view, after the session was opened. */
    public void open() {
        own = session.controlMemory();
        barriers = 0;
        collectives = 0;
        contributed = 0;
        replay = CollectiveReplay.NONE;
        toPull.clear();
        Arrays.fill(signals, null);
    }

    @Override
    public int imageBytes() {
        return 24 + (keepsContribution ? ControlDescriptor.BUFFER_BYTES : 0);
    }

    @Override
    public long save(MemorySegment image, long offset) {
        long kept = keepsContribution && collectives > 0 ? contributed : 0;
        image.set(ValueLayout.JAVA_LONG, offset, barriers);
        image.set(ValueLayout.JAVA_LONG, offset + 8, collectives);
        image.set(ValueLayout.JAVA_LONG, offset + 16, kept);
        if (kept > 0) {
            // what follows a contribution that ends in the middle of a word
            image.set(ValueLayout.JAVA_LONG, offset + 16 + (kept + 7 & -8), 0);
            MemorySegment.copy(own, ControlDescriptor.bufferOffset(collectives - 1), image, offset + 24, kept);
        }
        return 24 + (kept + 7 & -8);
    }

    @Override
    public void restore(MemorySegment image, long offset, long length) {
        CheckpointedState.require(length >= 24, "the counters of collectives have " + length + " bytes");
        long kept = image.get(ValueLayout.JAVA_LONG, offset + 16);
        CheckpointedState.require(kept >= 0 && kept <= ControlDescriptor.BUFFER_BYTES && length == 24 + (kept + 7 & -8),
            "a contribution of " + kept + " bytes in " + length);
        barriers = image.get(ValueLayout.JAVA_LONG, offset);
        collectives = image.get(ValueLayout.JAVA_LONG, offset + 8);
        contributed = kept;
        if (contributed > 0) {
            MemorySegment.copy(image, offset + 24, own, ControlDescriptor.bufferOffset(collectives - 1), contributed);
        }
        // What these were is not in the image: nobody compares them.
        sent(ControlDescriptor.signal(Math.max(0, barriers - 1), 0));
        sent(ControlDescriptor.signal(barriers, 0));
    }

    public void logTo(ResultLog results) {
        log = results;
    }

    /** {@link CollectiveReplay#NONE}: the recovery is over. */
    public void replayWith(CollectiveReplay ongoing) {
        replay = ongoing;
    }

    /** A rank was lost: its memory is reached anew once it is back. */
    public void lost(int peer) {
        for (int round = 0; round < rounds; round++) {
            if (peerOf(round) == peer) {
                signals[round] = null;
            }
        }
    }

    /** Barriers entered, those of collectives included: the GNC of the paper. */
    public long entered() {
        return barriers;
    }

    public int rounds() {
        return rounds;
    }

    private int peerOf(int round) {
        return (int) ((rank + (1L << round)) % ranks);
    }

    /** A barrier of its own: of the program, or, as GSYNC, the end of a fence. */
    public void barrier(CollectiveCall.Kind kind) {
        call.set(kind, 0, 0);
        barrier();
    }

    private void barrier() {
        long number = ++barriers;
        long signal = ControlDescriptor.signal(number, call.fingerprint());
        call.tell(own, number);
        if (replay.passesBarrier(number)) {
            if (replay.remembersSignals()) {
                sent(signal);
            }
            return;
        }
        for (int round = 0; round < rounds; round++) {
            FLAG.setRelease(own, ControlDescriptor.sentOffset(number, round), signal);
            RemoteMemory to = signals[round];
            if (to == null) {
                to = session.control(peerOf(round));
                signals[round] = to;
            }
            long offset = ControlDescriptor.barrierOffset(number, round);
            signal(to, offset, signal);
            long got = (long) FLAG.getAcquire(own, offset);
            if (got != signal) {
                await(offset, number, (int) ((rank - (1L << round) + ranks) % ranks));
            }
        }
        completeSignals();
    }

    /** Where this rank may be replaced alone, nothing that it does after a barrier is seen before its signals are. */
    private void completeSignals() {
        for (int round = 0; round < rounds && session.survivor.isPossible(); round++) {
            if (!session.paths.isImmediate(peerOf(round))) {
                session.survivor.flush(peerOf(round));
            }
        }
    }

    /** Who is lost is told by what this rank remembers. */
    private void signal(RemoteMemory to, long offset, long signal) {
        try {
            to.signal(offset, signal);
        } catch (PeerLostException e) {
            if (!session.survivor.isPossible()) {
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
    public void pullSignals() {
        for (int round = 0; round < rounds; round++) {
            int from = (int) ((rank - (1L << round) + ranks) % ranks);
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
            for (long parity = 0; parity < 2 && (rank - (1L << round) + ranks) % ranks == from; parity++) {
                long sent = session.away.word(from, ControlDescriptor.sentOffset(parity, round));
                raise(ControlDescriptor.barrierOffset(parity, round), sent);
                isDone &= !session.away.has(from);
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
        session.waiter.begin(call.awaited(), from);
        long got = (long) FLAG.getAcquire(own, offset);
        while (ControlDescriptor.number(got) < number) {
            if (toPull.get(from) && !session.away.has(from)) {
                pull(from);
                session.waiter.begin(call.awaited(), from);
            }
            long returned = session.inbox.returnedAfter(from); // all its signals have landed then
            session.fabric.progress();
            session.waiter.turn();
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
        session.inbox.giveUp();
        return new MisuseException("rank " + from + " has finished: its program returned after step " + step + "; rank "
            + rank + " waits for it in "
            + call + ", collective " + number
            + " of the job: all ranks must call the same collectives, in the same number of steps");
    }

    private MisuseException mismatch(int from, long number, long fingerprint) {
        String other = told(from, number);
        session.inbox.giveUp();
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
            RemoteMemory control = session.control(from);
            long at = ControlDescriptor.calledOffset(number);
            return control.getLong(at) == number ? CollectiveCall.describe(control.getLong(at + 8),
                control.getLong(at + 16)) : null;
        } catch (PeerLostException e) {
            session.inbox.forgetLoss();
            return null;
        }
    }

    /**
     * Whether the result of the barrier just entered must come from a log; else all buffers still hold what was
     * contributed.
     */
    private boolean fromLog() {
        return replay.resultIsLogged(barriers);
    }

    private void keep(int piece, MemorySegment data, long offset, long length) {
        if (log != null) {
            log.append(barriers, piece, data, offset, length);
        }
    }

    public void broadcast(MemorySegment data, int root) {
        if (root < 0 || root >= ranks) {
            throw new MisuseException("root=" + root + ": must be 0 to " + (ranks - 1));
        }
        long bytes = data.byteSize();
        call.set(CollectiveCall.Kind.BROADCAST, root, bytes);
        for (long at = 0; at < bytes; at += ControlDescriptor.BUFFER_BYTES) {
            long length = Math.min(bytes - at, ControlDescriptor.BUFFER_BYTES);
            long buffer = ControlDescriptor.bufferOffset(collectives++);
            contributed = 0;
            if (rank == root) {
                MemorySegment.copy(data, at, own, buffer, length);
                contributed = length;
            }
            barrier();
            if (rank != root) {
                boolean logged = fromLog();
                if (!logged) {
                    getContribution(root, data, at, buffer, length);
                    awaitContribution(root, data, at, buffer, length);
                }
                if (logged || fromLog()) {
                    replay.result(barriers, 0, data, at, length);
                }
            }
            keep(0, data, at, length);
        }
    }

    public void allGather(MemorySegment source, MemorySegment destination) {
        long bytes = source.byteSize();
        if (destination.byteSize() != bytes * ranks) {
            throw new MisuseException("destination=" + destination.byteSize() + " bytes: must be ranks * source = "
                + bytes * ranks);
        }
        call.set(CollectiveCall.Kind.ALL_GATHER, 0, bytes);
        for (long at = 0; at < bytes; at += ControlDescriptor.BUFFER_BYTES) {
            long length = Math.min(bytes - at, ControlDescriptor.BUFFER_BYTES);
            gather(source, at, length);
            boolean logged = fromLog();
            for (int r = 0; r < ranks && !logged; r++) {
                collect(r, source, at, length, destination, r * bytes + at);
            }
            settle(logged, length, destination, at, bytes);
            logged = logged || fromLog();
            for (int r = 0; r < ranks; r++) {
                if (logged) {
                    replay.result(barriers, r, destination, r * bytes + at, length);
                }
                keep(r, destination, r * bytes + at, length);
            }
        }
    }

    /** Contributes bytes [at, at + length) of source; when it returns, all have contributed theirs. */
    private void gather(MemorySegment source, long at, long length) {
        session.meetAll();
        buffer = ControlDescriptor.bufferOffset(collectives++);
        MemorySegment.copy(source, at, own, buffer, length);
        contributed = length;
        barrier();
    }

    private void collect(int r, MemorySegment source, long at, long length, MemorySegment destination, long offset) {
        if (r == rank) {
            MemorySegment.copy(source, at, destination, offset, length);
        } else {
            getContribution(r, destination, offset, buffer, length);
        }
    }

    /** A rank that is lost has contributed again when it is back: that is waited for when all others are read. */
    private void getContribution(int r, MemorySegment destination, long offset, long from, long length) {
        try {
            session.control(r).get(destination, offset, from, length);
        } catch (PeerLostException e) {
            if (!session.survivor.isPossible()) {
                throw e;
            }
        }
    }

    private void awaitContribution(int r, MemorySegment destination, long offset, long from, long length) {
        while (true) {
            try {
                session.fabric.flush(r);
                return;
            } catch (PeerLostException e) {
                session.survivor.awaitBack(e);
                getContribution(r, destination, offset, from, length);
            }
        }
    }

    private void settle(boolean logged, long length, MemorySegment destination, long first, long stride) {
        for (int r = 0; r < ranks && !logged; r++) {
            if (r != rank) {
                awaitContribution(r, destination, first + r * stride, buffer, length);
            }
        }
    }

    public void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        Reductions.check("allReduce", op, type);
        long bytes = source.byteSize();
        if (destination.byteSize() != bytes || bytes % type.bytes() != 0) {
            throw new MisuseException("source=" + bytes + " destination=" + destination.byteSize()
                + " bytes: must be equal and a multiple of "
                + type.bytes());
        }
        call.set(CollectiveCall.Kind.ALL_REDUCE, op, type, 0, bytes);
        long chunk = Math.max(8, Math.min(ControlDescriptor.BUFFER_BYTES, GATHER_BYTES / ranks) & ~7L);
        for (long at = 0; at < bytes; at += chunk) {
            long length = Math.min(bytes - at, chunk);
            gather(source, at, length);
            boolean logged = fromLog();
            if (!logged) {
                for (int r = 0; r < ranks; r++) {
                    collect(r, source, at, length, scratch, r * chunk);
                }
                settle(false, length, scratch, 0, chunk);
                reduce(op, type, length, chunk, destination, at);
            }
            if (logged || fromLog()) {
                replay.result(barriers, 0, destination, at, length);
            }
            keep(0, destination, at, length);
        }
    }

    private void reduce(AtomicOp op, DataType type, long length, long chunk, MemorySegment destination, long at) {
        for (long i = 0; i < length; i += type.bytes()) {
            long value = Elements.read(type, scratch, i);
            for (int r = 1; r < ranks; r++) {
                value = op.apply(type, value, Elements.read(type, scratch, r * chunk + i));
            }
            Elements.write(type, destination, at + i, value);
        }
    }

    public long allReduceOne(AtomicOp op, DataType type, long bits) {
        one.set(ValueLayout.JAVA_LONG, 0, bits);
        allReduce(op, type, one, oneResult);
        return oneResult.get(ValueLayout.JAVA_LONG, 0);
    }
}
