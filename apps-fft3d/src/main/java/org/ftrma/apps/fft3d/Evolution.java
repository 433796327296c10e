package org.ftrma.apps.fft3d;

import java.util.Arrays;

/**
 * The factor by which one time step multiplies the spectrum at the frequencies kx, ky, kz: exp(-4 alpha pi^2 (kx^2 +
 * ky^2 + kz^2)), as a product of three one-dimensional tables (a table of all points would cost as much memory traffic
 * as the spectrum's real parts). Immutable; any thread.
 */
final class Evolution {
    private static final double ALPHA = 1.0e-6;

    /** With zeros behind, for the lanes of a block that is narrower than a row. */
    final double[] x;
    final double[] y;
    final double[] z;

    Evolution(Grid grid) {
        x = Arrays.copyOf(factors(grid.nx), grid.nx + LaneKernels.LANES);
        y = factors(grid.ny);
        z = factors(grid.nz);
    }

    /** Index i stands for the frequency i below n / 2, else for i - n. */
    private static double[] factors(int n) {
        double[] table = new double[n];
        for (int i = 0; i < n; i++) {
            double k = i < n / 2 ? i : i - n;
            table[i] = Math.exp(-4 * ALPHA * Math.PI * Math.PI * k * k);
        }
        return table;
    }
}
