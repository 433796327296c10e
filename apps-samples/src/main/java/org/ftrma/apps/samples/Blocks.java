package org.ftrma.apps.samples;

/**
 * A field of cells cut into one block for each rank of a grid. Blocks differ by at most one row and one column.
 * Immutable; any thread.
 *
 * @param rows rows of the field
 * @param columns columns of the field
 * @param gridRows rows of the grid of ranks
 * @param gridColumns columns of the grid of ranks
 */
record Blocks(int rows, int columns, int gridRows, int gridColumns) {
    static final int NONE = -1;

    int firstRow(int rank) {
        return begin(rows, gridRows, rank / gridColumns);
    }

    int rowsOf(int rank) {
        return begin(rows, gridRows, rank / gridColumns + 1) - firstRow(rank);
    }

    int firstColumn(int rank) {
        return begin(columns, gridColumns, rank % gridColumns);
    }

    int columnsOf(int rank) {
        return begin(columns, gridColumns, rank % gridColumns + 1) - firstColumn(rank);
    }

    int mostRows() {
        return (rows + gridRows - 1) / gridRows;
    }

    int mostColumns() {
        return (columns + gridColumns - 1) / gridColumns;
    }

    private static int begin(int cells, int parts, int part) {
        return (int) ((long) cells * part / parts);
    }

    /** The part that has a cell: the last that begins there or before. */
    private static int part(int cells, int parts, int cell) {
        return (int) (((cell + 1L) * parts - 1) / cells);
    }

    /** The rank that has a cell of the field. */
    int rankOf(int row, int column) {
        return part(rows, gridRows, row) * gridColumns + part(columns, gridColumns, column);
    }

    /** Where that rank has it, by rows. */
    long indexOf(int row, int column) {
        int rank = rankOf(row, column);
        return (long) (row - firstRow(rank)) * columnsOf(rank) + column - firstColumn(rank);
    }

    /** How many cells of that row, this one and those behind it, are in its rank's block. */
    int columnsFrom(int row, int column) {
        int rank = rankOf(row, column);
        return firstColumn(rank) + columnsOf(rank) - column;
    }

    /** The rank above, or NONE at the edge of the field. */
    int north(int rank) {
        return rank < gridColumns ? NONE : rank - gridColumns;
    }

    int south(int rank) {
        return rank / gridColumns == gridRows - 1 ? NONE : rank + gridColumns;
    }

    int west(int rank) {
        return rank % gridColumns == 0 ? NONE : rank - 1;
    }

    int east(int rank) {
        return rank % gridColumns == gridColumns - 1 ? NONE : rank + 1;
    }
}
