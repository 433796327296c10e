package org.ftrma.apps.fft3d;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class InitialFieldTest {
    private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(46);

    @Test
    void jumpsEqualStepsOneByOne() {
        BigInteger x = BigInteger.valueOf(314_159_265);
        for (int k = 1; k <= 5000; k++) {
            x = x.multiply(BigInteger.valueOf(1_220_703_125)).mod(MODULUS);
            assertEquals(x.longValueExact(), Lcg46.stateAfter(k), "after " + k + " steps");
        }
        BigInteger far = BigInteger.valueOf(1_220_703_125).modPow(BigInteger.valueOf(1L << 40 | 12345), MODULUS);
        assertEquals(far.longValueExact(), Lcg46.power(1L << 40 | 12345));
    }

    @Test
    void everyRankGeneratesItsPartOfTheOneSequence() {
        int nx = 16;
        int ny = 128;
        int nz = 4;
        double[] sequence = new double[2 * nx * ny * nz];
        BigInteger x = BigInteger.valueOf(314_159_265);
        for (int k = 0; k < sequence.length; k++) {
            x = x.multiply(BigInteger.valueOf(1_220_703_125)).mod(MODULUS);
            sequence[k] = x.doubleValue() / MODULUS.doubleValue();
        }
        for (int[] shape : new int[][] {{1, 1}, {1, 4}, {2, 2}, {4, 1}, {8, 2}, {1, 3}, {2, 3}}) {
            for (int rank = 0; rank < shape[0] * shape[1]; rank++) {
                Grid grid = new Grid(nx, ny, nz, shape[0], shape[1], rank);
                InitialField field = new InitialField(grid);
                double[][] rows = new double[nx][LaneKernels.ROW];
                for (int z = 0; z < grid.nzc; z++) {
                    for (int yb = 0; yb < grid.nyb; yb++) {
                        field.fill(rows, z, yb);
                        for (int i = 0; i < nx * grid.by; i++) {
                            int y = grid.row * grid.nyr + yb * grid.by + i / nx;
                            int e = i % nx + nx * (y + ny * (grid.firstZ[grid.column] + z));
                            assertEquals(sequence[2 * e], rows[i % nx][i / nx]);
                            assertEquals(sequence[2 * e + 1], rows[i % nx][i / nx + LaneKernels.LANES]);
                        }
                    }
                }
            }
        }
    }
}
