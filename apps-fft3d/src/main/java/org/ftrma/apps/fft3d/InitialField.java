package org.ftrma.apps.fft3d;

/**
 * The random initial field: element e = x + nx * (y + ny * z) is made of the random numbers 2e + 1 and 2e + 2. One
 * generator per lane, each put to the start of its own line by a jump, so that neighbouring lines are generated
 * together; a lane without a line delivers zeros, by the state zero. One thread.
 */
final class InitialField {
    private final Grid grid;
    private final long lineJump;
    private final long[] states = new long[LaneKernels.LANES];

    InitialField(Grid grid) {
        this.grid = grid;
        this.lineJump = Lcg46.power(2L * grid.nx);
    }

    /**
     * Fills {@code rows[0]} to {@code rows[nx - 1]} with the lines of block {@code yb} of this rank's plane {@code z}.
     */
    void fill(double[][] rows, int z, int yb) {
        long line = (long) (grid.firstZ[grid.column] + z) * grid.ny + grid.row * grid.nyr + (long) yb * grid.by;
        states[0] = Lcg46.stateAfter(2 * grid.nx * line);
        for (int j = 1; j < grid.by; j++) {
            states[j] = states[j - 1] * lineJump & Lcg46.MASK;
        }
        for (int x = 0; x < grid.nx; x++) {
            LaneKernels.random(states, rows[x]);
        }
    }
}
