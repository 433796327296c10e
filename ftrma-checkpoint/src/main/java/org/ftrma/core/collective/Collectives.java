package org.ftrma.core.collective;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.DeadlineException;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.session.ControlDescriptor;
import org.ftrma.core.session.ControlRegions;
import org.ftrma.core.session.Session;
import org.ftrma.core.session.Waiter;
import org.ftrma.spi.Elements;

/**
 * Barrier, broadcast, reductions and gathers over the control regions. In a small job each rank reads what every other
 * one contributed, after one barrier; in a larger one data moves in the rounds of barriers ({@link TreeGather},
 * {@link TreeReduction}), so that a rank reads from log2 of the ranks. Where that is many times more data than fits, a
 * gather reads from every rank all the same.
 *
 * <p>A rank that recovers takes results from others' logs; while these may be behind, what all contributed is still in
 * place, and it is collected of every rank. Data thread only; nothing is allocated.
 */
public final class Collectives implements CheckpointedState {
    /** Keeps results of collectives for ranks that recover. */
    public interface ResultLog {
        /** The result of the barrier of that number: one piece of it. */
        void append(long number, int piece, MemorySegment data, long offset, long length);
    }

    private static final int GATHER_BYTES = 256 << 10;

    private final Waiter waiter;
    private final ControlRegions controls;
    private final int rank;
    private final int ranks;
    private final Barrier barrier;
    private final CollectiveCall call;
    private final CollectiveBuffers buffers;
    private final TreeGather tree;
    private final TreeReduction reduction;
    private final boolean isDirect;
    private final MemorySegment scratch;
    private final MemorySegment one;
    private final MemorySegment oneResult;
    private ResultLog log;
    /** What was said of the first one that ended without its result; null: none did. */
    private String refused;

    public Collectives(Session session, Arena arena) {
        this.waiter = session.waiter;
        this.controls = session.controls;
        this.rank = session.member;
        this.ranks = session.ranks;
        this.barrier = new Barrier(session);
        this.call = barrier.call();
        this.buffers = new CollectiveBuffers(session.fabric, controls, session.survivor,
            session.options.hasDemandCheckpoints(), rank, barrier.trust());
        this.isDirect = ranks <= session.options.directCollectives();
        this.tree = new TreeGather(buffers, rank, ranks);
        this.reduction = isDirect ? null : new TreeReduction(buffers, rank, ranks, barrier.rounds(), arena);
        this.scratch = isDirect ? arena.allocate(GATHER_BYTES, 64) : null;
        this.one = arena.allocate(8, 8);
        this.oneResult = arena.allocate(8, 8);
    }

    /** To be called in each view, after the session was opened. */
    public void open() {
        refused = null;
        barrier.open(controls.own());
        buffers.open(controls.own());
    }

    @Override
    public int imageBytes() {
        return 8 + buffers.imageBytes();
    }

    @Override
    public long save(MemorySegment image, long offset) {
        image.set(ValueLayout.JAVA_LONG, offset, refused == null ? barrier.entered() : ~barrier.entered());
        return 8 + buffers.save(image, offset + 8);
    }

    @Override
    public void restore(MemorySegment image, long offset, long length) {
        CheckpointedState.require(length >= 24, "the counters of collectives have " + length + " bytes");
        buffers.restore(image, offset + 8, length - 8);
        long number = image.get(ValueLayout.JAVA_LONG, offset);
        refused = number < 0 ? "it was called before the image that this rank has gone back to" : null;
        barrier.restore(number < 0 ? ~number : number);
    }

    public void logTo(ResultLog results) {
        log = results;
    }

    /** {@link CollectiveReplay#NONE}: the recovery is over. */
    public void replayWith(CollectiveReplay ongoing) {
        barrier.replayWith(ongoing);
    }

    /** A rank was lost: its memory is reached anew once it is back. */
    public void lost(int peer) {
        barrier.lost(peer);
    }

    /** Barriers entered, those of collectives included: the GNC of the paper. */
    public long entered() {
        return barrier.entered();
    }

    public int rounds() {
        return barrier.rounds();
    }

    /**
     * A replacement fetches the signals that were sent to the process before it, which their senders remember. Those of
     * a rank that is being recovered, too, are fetched when that is back, and waited for.
     */
    public void pullSignals() {
        barrier.pullSignals();
    }

    /** A barrier of its own: of the program, or, as GSYNC, the end of a fence. */
    public void barrier(CollectiveCall.Kind kind) {
        call.set(kind, 0, 0);
        requireNoneRefused();
        try {
            barrier.pass(RoundCallback.NONE);
        } catch (DeadlineException | MisuseException e) {
            refuse(e);
            throw e;
        }
    }

    /**
     * The first one ended without its result: others may have seen that this rank was in it, so none of this rank's
     * later ones would be the same as theirs.
     */
    private void refuse(FtrmaException why) {
        refused = why.getMessage();
        waiter.untold(); // a replay passes what all entered
    }

    private void requireNoneRefused() {
        if (refused != null) {
            throw new MisuseException(call + ": an earlier collective of the job was refused: " + refused);
        }
    }

    /**
     * Whether the result of the barrier just entered must come from a log; else all buffers still hold what was
     * contributed.
     */
    private boolean fromLog() {
        return barrier.replay().resultIsLogged(barrier.entered());
    }

    private void fromLog(int piece, MemorySegment destination, long offset, long length) {
        barrier.replay().result(barrier.entered(), piece, destination, offset, length);
    }

    private void keep(int piece, MemorySegment data, long offset, long length) {
        if (log != null) {
            log.append(barrier.entered(), piece, data, offset, length);
        }
    }

    public void broadcast(MemorySegment data, int root) {
        if (root < 0 || root >= ranks) {
            throw new MisuseException("root=" + root + ": must be 0 to " + (ranks - 1));
        }
        long bytes = data.byteSize();
        call.set(CollectiveCall.Kind.BROADCAST, root, bytes);
        requireNoneRefused();
        try {
            broadcast(data, root, bytes);
        } catch (DeadlineException | MisuseException e) {
            refuse(e);
            throw e;
        }
    }

    private void broadcast(MemorySegment data, int root, long bytes) {
        for (long at = 0; at < bytes; at += ControlDescriptor.BUFFER_BYTES) {
            long length = Math.min(bytes - at, ControlDescriptor.BUFFER_BYTES);
            buffers.next();
            if (rank == root) {
                buffers.contribute(data, at, length);
            }
            barrier.pass(RoundCallback.NONE);
            if (rank != root) {
                boolean logged = fromLog();
                if (!logged) {
                    buffers.readContribution(root, data, at, length);
                }
                if (logged || fromLog()) {
                    fromLog(0, data, at, length);
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
        requireNoneRefused();
        try {
            allGather(source, destination, bytes);
        } catch (DeadlineException | MisuseException e) {
            refuse(e);
            throw e;
        }
    }

    private void allGather(MemorySegment source, MemorySegment destination, long bytes) {
        long longest = tree.longest();
        boolean alongTree = !isDirect && longest > 0 && (bytes + longest - 1) / longest * barrier.rounds() < ranks;
        long chunk = alongTree ? longest : ControlDescriptor.BUFFER_BYTES;
        for (long at = 0; at < bytes; at += chunk) {
            long length = Math.min(bytes - at, chunk);
            RoundCallback rounds = alongTree ? tree.of(length) : RoundCallback.NONE;
            boolean isGathered = contribute(source, at, length, rounds) && alongTree;
            boolean logged = fromLog();
            if (!logged && isGathered) {
                for (int r = 0; r < ranks; r++) {
                    MemorySegment.copy(tree.memory(), tree.offsetOf(r), destination, r * bytes + at, length);
                }
            } else if (!logged) {
                collect(source, at, length, destination, at, bytes);
            }
            logged = logged || fromLog();
            for (int r = 0; r < ranks; r++) {
                if (logged) {
                    fromLog(r, destination, r * bytes + at, length);
                }
                keep(r, destination, r * bytes + at, length);
            }
        }
    }

    /**
     * Contributes bytes [at, at + length) of source; when it returns, all have contributed theirs, and where it returns
     * true the data has moved.
     */
    private boolean contribute(MemorySegment source, long at, long length, RoundCallback data) {
        if (data == RoundCallback.NONE) {
            controls.openAll();
        }
        buffers.next();
        buffers.contribute(source, at, length);
        return barrier.pass(data);
    }

    /** What every rank contributed, into pieces at a distance from each other: from all at the same time. */
    private void collect(MemorySegment source, long at, long length, MemorySegment destination, long first,
        long stride) {
        for (int r = 0; r < ranks; r++) {
            if (r == rank) {
                MemorySegment.copy(source, at, destination, first + r * stride, length);
            } else {
                buffers.read(r, 0, destination, first + r * stride, length);
            }
        }
        for (int r = 0; r < ranks; r++) {
            if (r != rank) {
                buffers.await(r, destination, first + r * stride, length);
            }
        }
    }

    public void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        Reductions.check("allReduce", op, type);
        long bytes = source.byteSize();
        int each = op.elementBytes(type);
        if (destination.byteSize() != bytes || bytes % each != 0) {
            throw new MisuseException("source=" + bytes + " destination=" + destination.byteSize()
                + " bytes: must be equal and a multiple of "
                + each + (op.hasIndex() ? ", of pairs of a value and an index" : ""));
        }
        call.set(CollectiveCall.Kind.ALL_REDUCE, op, type, 0, bytes);
        requireNoneRefused();
        try {
            allReduce(op, type, source, destination, bytes);
        } catch (DeadlineException | MisuseException e) {
            refuse(e);
            throw e;
        }
    }

    private void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination, long bytes) {
        boolean isSmall = bytes <= tree.longest();
        long chunk = isDirect ? Math.max(16, Math.min(ControlDescriptor.BUFFER_BYTES, GATHER_BYTES / ranks) & ~15L)
            : isSmall ? tree.longest() : reduction.longest();
        for (long at = 0; at < bytes; at += chunk) {
            long length = Math.min(bytes - at, chunk);
            if (isDirect) {
                reduceDirectly(op, type, source, destination, at, length, chunk);
            } else if (isSmall) {
                reduceSmall(op, type, source, destination, length);
            } else {
                reduceAlongTree(op, type, source, destination, at, length);
            }
            keep(0, destination, at, length);
        }
    }

    private void reduceDirectly(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination, long at,
        long length, long chunk) {
        contribute(source, at, length, RoundCallback.NONE);
        boolean logged = fromLog();
        if (!logged) {
            collect(source, at, length, scratch, 0, chunk);
            reduce(op, type, length, chunk, destination, at);
        }
        if (logged || fromLog()) {
            fromLog(0, destination, at, length);
        }
    }

    /** All contributions fit into one buffer: each rank gathers and combines them, in the order of ranks. */
    private void reduceSmall(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination, long length) {
        boolean isGathered = contribute(source, 0, length, tree.of(length));
        boolean logged = fromLog();
        if (!logged) {
            MemorySegment gathered = tree.memory();
            for (int r = 0; r < ranks && !isGathered; r++) {
                buffers.readContribution(r, gathered, tree.offsetOf(r), length);
            }
            MemorySegment.copy(gathered, tree.offsetOf(0), destination, 0, length);
            for (int r = 1; r < ranks; r++) {
                Elements.combine(op, type, destination, 0, gathered, tree.offsetOf(r), destination, 0, length);
            }
        }
        if (logged || fromLog()) {
            fromLog(0, destination, 0, length);
        }
    }

    private void reduceAlongTree(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination, long at,
        long length) {
        contribute(source, at, length, reduction.of(op, type, length));
        boolean isHere = barrier.pass(reduction.result());
        boolean logged = fromLog();
        if (!logged) {
            if (!isHere) {
                reduction.combineAll();
            }
            MemorySegment.copy(reduction.memory(), reduction.resultOffset(), destination, at, length);
        }
        if (logged || fromLog()) {
            fromLog(0, destination, at, length);
        }
    }

    private void reduce(AtomicOp op, DataType type, long length, long stride,
        MemorySegment destination, long at) {
        MemorySegment.copy(scratch, 0, destination, at, length);
        for (int r = 1; r < ranks; r++) {
            Elements.combine(op, type, destination, at, scratch, r * stride, destination, at, length);
        }
    }

    public long allReduceOne(AtomicOp op, DataType type, long bits) {
        Reductions.checkSingle("allReduce", op, type);
        one.set(ValueLayout.JAVA_LONG, 0, bits);
        allReduce(op, type, one, oneResult);
        return oneResult.get(ValueLayout.JAVA_LONG, 0);
    }
}
