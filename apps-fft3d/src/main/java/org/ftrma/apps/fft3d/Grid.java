package org.ftrma.apps.fft3d;

/**
 * How the field of nx * ny * nz complex numbers lies on a grid of R * C ranks (rank = row * C + column), and where each
 * element is. Immutable.
 *
 * <pre>
 * stage   local  this rank's part                        layout (fastest last)
 * X       x      y in row's 1/R,  z in column's 1/C      [z][y block][x][re, im][y in block]
 * Y       y      x in row's 1/R,  z in column's 1/C      [z][x block][y][re, im][x in block]
 * Z       z      x in row's 1/R,  y in column's 1/C      [y][x block][z][re, im][x in block]
 * </pre>
 *
 * R = 1 is the slab decomposition (stages X and Y are both local), R = C = 1 the case of one rank, all else are
 * pencils. Blocks have {@link LaneKernels#LANES} elements, or fewer where the rank's part is narrower; a row of a block
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
    /** Block widths, and blocks per rank. */
    final int bx;
    final int by;
    final int nxb;
    final int nyb;

    Grid(int nx, int ny, int nz, int gridRows, int gridColumns, int rank) {
        check("nx", nx, gridRows, "grid rows");
        check("ny", ny, gridRows, "grid rows");
        check("ny", ny, gridColumns, "grid columns");
        check("nz", nz, gridColumns, "grid columns");
        this.nx = nx;
        this.ny = ny;
        this.nz = nz;
        this.gridRows = gridRows;
        this.gridColumns = gridColumns;
        this.row = rank / gridColumns;
        this.column = rank % gridColumns;
        this.nxr = nx / gridRows;
        this.nyr = ny / gridRows;
        this.nzc = nz / gridColumns;
        this.nyc = ny / gridColumns;
        this.bx = Math.min(LaneKernels.LANES, nxr);
        this.by = Math.min(LaneKernels.LANES, nyr);
        this.nxb = nxr / bx;
        this.nyb = nyr / by;
    }

    private static void check(String what, int size, int parts, String unit) {
        if (parts < 1 || Integer.bitCount(size) != 1 || Integer.bitCount(parts) != 1 || parts > size) {
            throw new IllegalArgumentException(what + "=" + size + " cannot be divided among " + parts + " " + unit
                + ": both must be powers of two, and each part at least 1");
        }
    }

    /** Slabs while there are planes enough, then pencils with as few rows as possible. */
    static Grid of(int nx, int ny, int nz, int ranks, int rank) {
        int columns = Math.min(ranks, Math.min(ny, nz));
        return new Grid(nx, ny, nz, ranks / columns, columns, rank);
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

    /** Elements in the whole field. */
    long points() {
        return (long) nx * ny * nz;
    }

    /** Bytes of one rank's part, the same in every stage. */
    long localBytes() {
        return points() / ranks() * 2 * Double.BYTES;
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
