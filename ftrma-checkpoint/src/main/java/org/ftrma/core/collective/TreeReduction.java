package org.ftrma.core.collective;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.core.session.ControlDescriptor;
import org.ftrma.spi.Elements;

/**
 * Combines what all ranks contribute in two barriers. In the first one it goes up a binomial tree to the last rank: who
 * is needed there combines in round r what rank p - 2^r has of up to 2^r ranks with what itself has of those that
 * follow. In the second one the result comes back: each rank reads it once, of who has it. Lower ranks are always on
 * the left, and the tree follows from the number of ranks alone, so all get the same bits, whoever combined them.
 *
 * <p>A buffer has places of equal size: the own contribution, what was combined after each round, and the result in the
 * last one. Data thread only; allocates nothing.
 */
final class TreeReduction implements RoundCallback {
    private final CollectiveBuffers buffers;
    private final int rank;
    private final int ranks;
    private final int rounds;
    private final long place;
    private final MemorySegment scratch;
    private final RoundCallback result = new RoundCallback() {
        @Override
        public void begin(long barrier) {
            if (rank == ranks - 1 && !isCombined) {
                combineAll();
            }
        }

        @Override
        public void received(long barrier, int round, int from) {
            int distance = (rank + 1) % ranks; // from the last rank, which has it
            if (distance != 0 && round == 31 - Integer.numberOfLeadingZeros(distance)
                && !buffers.readGathered(from, barrier, round, rounds * place, buffers.own(), at(rounds), length)) {
                combineAll();
            }
        }
    };
    private AtomicOp op;
    private DataType type;
    private long length;
    /** Whether this rank took part in the first barrier. */
    private boolean isCombined;

    TreeReduction(CollectiveBuffers buffers, int rank, int ranks, int rounds, Arena arena) {
        this.buffers = buffers;
        this.rank = rank;
        this.ranks = ranks;
        this.rounds = rounds;
        this.place = ControlDescriptor.BUFFER_BYTES / (rounds + 1) & ~15L;
        this.scratch = arena.allocate(ControlDescriptor.BUFFER_BYTES, 64);
    }

    /** Bytes that fit at a time. */
    long longest() {
        return place;
    }

    /** What is to be combined in the next barrier; this rank's own was contributed. */
    TreeReduction of(AtomicOp newOp, DataType newType, long bytes) {
        op = newOp;
        type = newType;
        length = bytes;
        isCombined = false;
        return this;
    }

    /** What moves in the barrier after that: the result. */
    RoundCallback result() {
        return result;
    }

    /** Where in the own region the result is after the second barrier. */
    long resultOffset() {
        return at(rounds);
    }

    MemorySegment memory() {
        return buffers.own();
    }

    /** As both barriers would, out of what each rank contributed. */
    void combineAll() {
        combine(rounds, ranks - 1, 0);
        MemorySegment.copy(scratch, 0, buffers.own(), at(rounds), length);
    }

    private long at(int number) {
        return buffers.offset() + number * place;
    }

    @Override
    public void begin(long barrier) {
        isCombined = true;
    }

    @Override
    public void received(long barrier, int round, int from) {
        if ((ranks - 1 - rank) % (2 << round) != 0) {
            return; // nobody asks this rank for more
        }
        MemorySegment own = buffers.own();
        if (from > rank) {
            MemorySegment.copy(own, at(round), own, at(round + 1), length); // there are none before
            return;
        }
        if (!buffers.readGathered(from, barrier, round, round * place, scratch, 0, length)) {
            combine(round, from, 0);
        }
        combine(scratch, 0, own, at(round), own, at(round + 1));
    }

    /** What a rank has after so many rounds, out of contributions, into a place of the scratch memory. */
    private void combine(int level, int last, long to) {
        if (level == 0) {
            buffers.readContribution(last, scratch, to, length);
            return;
        }
        int before = last - (1 << level - 1);
        combine(level - 1, last, to);
        if (before >= 0) {
            combine(level - 1, before, to + place);
            combine(scratch, to + place, scratch, to, scratch, to);
        }
    }

    private void combine(MemorySegment left, long leftOffset, MemorySegment right, long rightOffset,
        MemorySegment destination, long offset) {
        Elements.combine(op, type, left, leftOffset, right, rightOffset, destination, offset, length);
    }
}
