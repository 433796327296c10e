package org.ftrma.apps.fft3d;

/**
 * Layout of the field of nx * ny * nz complex numbers on a grid of R * C ranks (rank = row * C + column). Immutable.
 *
 * <pre>
 * stage   local  this rank's part                        layout (fastest last)
 * X       x      y in row's 1/R,  z in column's part     [z][y block][x][re, im][y in block]
 * Y       y      x in row's 1/R,  z in column's part     [z][x block][y][re, im][x in block]
 * Z       z      x in row's 1/R,  y in column's part     [y][x block][z][re, im][x in block]
 * </pre>
 *
 * R = 1 is the slab decomposition (stages X and Y are both local), R = C = 1 the case of one rank, all else are
 * pencils. R is a power of two, as the sides are; C is any number up to ny and nz: column c has z from floor(nz c / C)
 * to floor(nz (c + 1) / C) - 1, and y likewise, so that the parts of two columns differ by one plane at most. A part is
 * the outermost index of every layout: where an element lies at another rank does not depend on how many planes that
 * one has. Blocks have {@link LaneKernels#LANES} elements, or fewer where the row's part is narrower; a row of a block
 * is a contiguous run of 1 KiB, and the unit of every exchange. Offsets are in doubles.
 */
final class Grid {
    final int nx;
    final int ny;
    final int nz;
    final int gridRows;
    final int gridColumns;
    final int row;
    final int column;
    /** x in stages Y and Z; y in stage X. */
    final int nxr;
    final int nyr;
    /** z in stages X and Y; y in stage Z. */
    final int nzc;
    final int nyc;
    /** Where the parts of all columns begin, and behind them nz and ny: do not change. */
    final int[] firstZ;
    final int[] firstY;
    /** Block widths, and blocks per rank. */
    final int bx;
    final int by;
    final int nxb;
    final int nyb;

    Grid(int nx, int ny, int nz, int gridRows, int gridColumns, int rank) {
        checkSide("nx", nx);
        checkSide("ny", ny);
        checkSide("nz", nz);
        if (Integer.bitCount(gridRows) != 1 || gridRows > Math.min(nx, ny)) {
            throw new IllegalArgumentException("a field of " + nx + "x" + ny + "x" + nz + " cannot have " + gridRows
                + " grid rows: must be a power of two up to " + Math.min(nx, ny));
        }
        if (gridColumns < 1 || gridColumns > Math.min(ny, nz)) {
            throw new IllegalArgumentException("a field of " + nx + "x" + ny + "x" + nz + " cannot have " + gridColumns
                + " grid columns: must be 1 to " + Math.min(ny, nz));
        }
        this.nx = nx;
        this.ny = ny;
        this.nz = nz;
        this.gridRows = gridRows;
        this.gridColumns = gridColumns;
        this.row = rank / gridColumns;
        this.column = rank % gridColumns;
        this.nxr = nx / gridRows;
        this.nyr = ny / gridRows;
        this.firstZ = parts(nz, gridColumns);
        this.firstY = parts(ny, gridColumns);
        this.nzc = columnZ(column);
        this.nyc = columnY(column);
        this.bx = Math.min(LaneKernels.LANES, nxr);
        this.by = Math.min(LaneKernels.LANES, nyr);
        this.nxb = nxr / bx;
        this.nyb = nyr / by;
    }

    private static void checkSide(String what, int size) {
        if (Integer.bitCount(size) != 1) {
            throw new IllegalArgumentException(what + "=" + size + ": must be a power of two");
        }
    }

    private static int[] parts(int size, int columns) {
        int[] first = new int[columns + 1];
        for (int c = 0; c <= columns; c++) {
            first[c] = (int) ((long) size * c / columns);
        }
        return first;
    }

    /** Slabs while there are planes enough, then pencils with as few rows as possible ({@link #rowsFor}). */
    static Grid of(int nx, int ny, int nz, int ranks, int rank) {
        int rows = rowsFor(nx, ny, nz, ranks);
        if (rows == 0) {
            throw new IllegalArgumentException("a field of " + nx + "x" + ny + "x" + nz + " cannot be divided among "
                + ranks + " ranks");
        }
        return new Grid(nx, ny, nz, rows, ranks / rows, rank);
    }

    /** The least number of rows with which so many ranks are a grid; 0 if there is none. */
    static int rowsFor(int nx, int ny, int nz, int ranks) {
        int rows = 1;
        while (ranks > 0 && ranks % rows == 0 && rows <= Math.min(nx, ny)) {
            if (ranks / rows <= Math.min(ny, nz)) {
                return rows;
            }
            rows *= 2;
        }
        return 0;
    }

    boolean isSlab() {
        return gridRows == 1;
    }

    int ranks() {
        return gridRows * gridColumns;
    }

    int rankAt(int atRow, int atColumn) {
        return atRow * gridColumns + atColumn;
    }

    /** Planes z of a column in stages X and Y. */
    int columnZ(int atColumn) {
        return firstZ[atColumn + 1] - firstZ[atColumn];
    }

    /** Planes y of a column in stage Z. */
    int columnY(int atColumn) {
        return firstY[atColumn + 1] - firstY[atColumn];
    }

    /** Elements in the whole field. */
    long points() {
        return (long) nx * ny * nz;
    }

    /** Bytes of the largest part that any rank has in any stage: scratch memory has one size on all ranks. */
    long areaBytes() {
        long elements = (long) nxr * Math.max((long) ny * Math.ceilDiv(nz, gridColumns),
            (long) nz * Math.ceilDiv(ny, gridColumns));
        return elements * 2 * Double.BYTES;
    }

    /** Bytes of the largest part that any rank has in stage Z, that of the spectrum. */
    long spectrumBytes() {
        return (long) nxr * nz * Math.ceilDiv(ny, gridColumns) * 2 * Double.BYTES;
    }

    /** Bytes of this rank's part in stage Z: {@link #spectrumBytes}, or those of one plane less. */
    long ownSpectrumBytes() {
        return (long) nxr * nz * nyc * 2 * Double.BYTES;
    }

    /** Stage X: the row of block (z, yb) at x. */
    long offsetX(int z, int yb, int x) {
        return (((long) z * nyb + yb) * nx + x) * 2 * by;
    }

    /** Stage Y: the row of block (z, xb) at y. */
    long offsetY(int z, int xb, int y) {
        return (((long) z * nxb + xb) * ny + y) * 2 * bx;
    }

    /** Stage Z: the row of block (y, xb) at z. */
    long offsetZ(int y, int xb, int z) {
        return (((long) y * nxb + xb) * nz + z) * 2 * bx;
    }
}
