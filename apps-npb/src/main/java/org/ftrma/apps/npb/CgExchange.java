package org.ftrma.apps.npb;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.Channel;

/**
 * CG's communication by messages to named ranks: sums along a row of the grid, in as many rounds as its length has
 * bits; in each of them pairs swap and add. So all ranks of a row get the same bits, and all ranks of a column, which
 * add the same numbers in the same order, too. Data thread only; allocates nothing in calls.
 */
final class CgExchange {
    private static final int SUM = 1;
    private static final int HALF = 2;
    private static final int PIECE = 3;
    private static final int TRANSPOSE = 4;

    private final Channel world;
    private final CgGrid grid;
    private final MemorySegment send;
    private final MemorySegment sent;
    private final MemorySegment received;
    private final MemorySegment half;
    private final MemorySegment piece;

    CgExchange(Channel world, CgGrid grid) {
        this.world = world;
        this.grid = grid;
        send = room();
        MemorySegment room = room();
        int summed = grid.summedPiece();
        sent = send.asSlice(0, bytes(summed));
        received = room.asSlice(0, bytes(summed));
        half = send.asSlice(0, bytes(summed ^ 1));
        piece = room.asSlice(0, bytes(grid.column()));
    }

    private MemorySegment room() {
        return Arena.ofAuto().allocate((long) grid.longest() * Double.BYTES, Long.BYTES * 8);
    }

    private long bytes(int ofPiece) {
        return ofPiece < grid.columns() ? (long) grid.length(ofPiece) * Double.BYTES : 0;
    }

    /** A sum over the rank's row of the grid, which has all pieces. */
    double sum(double share) {
        double sum = share;
        for (int bit = 1; bit < grid.columns(); bit <<= 1) {
            int partner = grid.rank() ^ bit;
            world.sendDouble(sum, partner, SUM);
            sum += world.recvDouble(partner, SUM);
        }
        return sum;
    }

    /**
     * Adds up the products of a row's ranks and gives each rank its piece of the sum.
     *
     * @param products one element for each row of the rank's block; changed
     * @param result receives the rank's piece
     */
    void addUp(double[] products, double[] result) {
        int summed = grid.summedPiece();
        int from = grid.begin(summed) - grid.firstRow();
        int bit = 1;
        if (grid.isWide()) {
            int other = grid.begin(summed ^ 1) - grid.firstRow();
            swap(half, products, other, grid.rank() ^ 1, HALF);
            add(products, from, grid.length(summed));
            bit = 2;
        }
        for (; bit < grid.columns(); bit <<= 1) {
            swap(sent, products, from, grid.rank() ^ bit, PIECE);
            add(products, from, grid.length(summed));
        }
        if (grid.transposed() == grid.rank()) {
            System.arraycopy(products, from, result, 0, grid.length(summed));
        } else {
            store(products, from, sent);
            world.sendrecv(sent, grid.transposed(), TRANSPOSE, piece, grid.transposed(), TRANSPOSE);
            load(piece, result);
        }
    }

    private void swap(MemorySegment source, double[] products, int from, int partner, int tag) {
        store(products, from, source);
        world.sendrecv(source, partner, tag, received, partner, tag);
    }

    private void add(double[] products, int from, int length) {
        for (int i = 0; i < length; i++) {
            products[from + i] += received.getAtIndex(JAVA_DOUBLE, i);
        }
    }

    private static void store(double[] vector, int from, MemorySegment memory) {
        MemorySegment.copy(MemorySegment.ofArray(vector), (long) from * Double.BYTES, memory, 0, memory.byteSize());
    }

    private static void load(MemorySegment memory, double[] vector) {
        MemorySegment.copy(memory, 0, MemorySegment.ofArray(vector), 0, memory.byteSize());
    }
}
