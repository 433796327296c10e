package org.ftrma.apps.fft3d;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * One rank's share of the checksum: the sum of those of the 1024 elements (j mod nx, 3j mod ny, 5j mod nz), j =
 * 1..1024, that it holds after an inverse transform, divided by nx * ny * nz. The shares of all ranks add up to the
 * checksum. Immutable; any thread.
 */
final class FieldChecksum {
    private static final int ELEMENTS = 1024;

    private final long[] offsets;
    private final int imaginary;
    private final double scale;

    FieldChecksum(Grid grid) {
        long[] mine = new long[ELEMENTS];
        int count = 0;
        for (int j = 1; j <= ELEMENTS; j++) {
            int z = 5 * j % grid.nz - grid.firstZ[grid.column];
            int y = 3 * j % grid.ny - grid.row * grid.nyr;
            if (z >= 0 && z < grid.nzc && y >= 0 && y < grid.nyr) {
                mine[count++] = grid.offsetX(z, y / grid.by, j % grid.nx) + y % grid.by;
            }
        }
        this.offsets = Arrays.copyOf(mine, count);
        this.imaginary = grid.by;
        this.scale = 1.0 / grid.points();
    }

    /**
     * The share, from a field in the layout of stage X: real part in {@code share[0]}, imaginary in {@code share[1]}.
     */
    void of(MemorySegment field, double[] share) {
        double re = 0;
        double im = 0;
        for (long offset : offsets) {
            re += field.getAtIndex(ValueLayout.JAVA_DOUBLE, offset);
            im += field.getAtIndex(ValueLayout.JAVA_DOUBLE, offset + imaginary);
        }
        share[0] = re * scale;
        share[1] = im * scale;
    }
}
