package org.ftrma.apps.npb;

import org.ftrma.MisuseException;

/**
 * Grid of CG's ranks, with as many columns as rows, or twice as many, by rows; and the place of one rank in it. Vectors
 * are cut into as many pieces as there are columns; a rank of column c holds piece c, as all others of its column do.
 * The rows of the matrix are cut into as many blocks as the grid has rows: of one piece, or of two where there are
 * twice as many columns. Immutable; any thread.
 *
 * @param n rows of the matrix
 */
record CgGrid(int n, int rows, int columns, int rank) {
    static CgGrid of(CgClass problem, int ranks, int rank) {
        if (Integer.bitCount(ranks) != 1) {
            throw new MisuseException("--ranks=" + ranks + ": NAS CG needs a power of two: 1, 2, 4, 8 and so on");
        }
        int log = Integer.numberOfTrailingZeros(ranks);
        int columns = 1 << (log + 1) / 2;
        if (columns > problem.na()) {
            throw new MisuseException("--ranks=" + ranks + ": class " + problem.name() + " has " + problem.na()
                + " rows, which is too few for a grid of ranks with " + columns
                + " columns; use fewer ranks or a larger --class");
        }
        return new CgGrid(problem.na(), 1 << log / 2, columns, rank);
    }

    int row() {
        return rank / columns;
    }

    int column() {
        return rank % columns;
    }

    /** Whether a block of rows is two pieces. */
    boolean isWide() {
        return columns != rows;
    }

    /** Where a piece begins; the one after the last piece: where it ends. */
    int begin(int piece) {
        return (int) ((long) n * piece / columns);
    }

    int length(int piece) {
        return begin(piece + 1) - begin(piece);
    }

    /** The same on all ranks. */
    int longest() {
        return (n + columns - 1) / columns;
    }

    /** The first piece of this rank's block of rows. */
    int firstPieceOfRows() {
        return isWide() ? 2 * row() : row();
    }

    int firstRow() {
        return begin(firstPieceOfRows());
    }

    int endRow() {
        return begin(firstPieceOfRows() + (isWide() ? 2 : 1));
    }

    /** Of the pieces of the own rows the one that this rank adds up and sends on. */
    int summedPiece() {
        return firstPieceOfRows() + (isWide() ? column() % 2 : 0);
    }

    /** The rank whose summed piece is the piece of this one, and the other way round. */
    int transposed() {
        return isWide() ? column() / 2 * columns + 2 * row() + column() % 2 : column() * columns + row();
    }
}
