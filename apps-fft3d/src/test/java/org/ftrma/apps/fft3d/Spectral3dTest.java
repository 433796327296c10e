package org.ftrma.apps.fft3d;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("long")
class Spectral3dTest {
    @ParameterizedTest
    @CsvSource({"1,1", "1,2", "1,4", "1,8", "2,1", "2,2", "4,2", "8,1", "2,4", "1,3", "1,5", "1,6", "1,7",
        "1,33", "2,3"})
    void classSVerifiesOnEveryGrid(int rows, int columns) {
        FtClass s = FtClass.all().get("S");
        List<FtClass.Complex> got = VirtualRanks.run(s.nx(), s.ny(), s.nz(), s.iterations(), rows, columns).checksums();
        assertEquals(s.iterations(), got.size());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment checksums = segment(arena, got);
            double error = Verification.largestError(s, checksums, got.size());
            assertTrue(Verification.passes(error), "error=" + error);
            for (int i = 0; i < 2 * got.size(); i++) {
                double right = checksums.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
                for (double wrong : new double[] {right * (1 + 4e-12), Double.NaN, 0, Double.POSITIVE_INFINITY}) {
                    checksums.setAtIndex(ValueLayout.JAVA_DOUBLE, i, wrong);
                    assertTrue(!Verification.passes(Verification.largestError(s, checksums, got.size())),
                        i + " as " + wrong);
                }
                checksums.setAtIndex(ValueLayout.JAVA_DOUBLE, i, right);
            }
        }
    }

    /**
     * All shapes of small fields, against the transform by its definition: every element, not only those of the
     * checksum.
     */
    @ParameterizedTest
    @CsvSource({"8,4,16,1,1", "8,4,16,1,4", "8,4,16,4,4", "8,4,16,2,2", "16,8,2,8,2", "2,2,2,2,2", "4,128,8,2,8",
        "128,4,4,1,2",
        "128,2,4,2,2", "16,16,1,4,1", "256,128,2,2,1", "8,4,16,1,3", "16,8,8,1,3", "8,8,16,1,5",
        "128,16,8,1,6", "4,128,8,1,7",
        "8,8,8,1,7", "16,16,16,2,3", "4,8,16,4,5"})
    void everyElementEqualsTheDefinition(int nx, int ny, int nz, int rows, int columns) {
        Reference reference = new Reference(nx, ny, nz);
        reference.transform(-1);
        for (int step = 1; step <= 2; step++) {
            reference.evolve();
        }
        reference.transform(1);
        double[] got = new double[2 * nx * ny * nz];
        VirtualRanks.run(nx, ny, nz, 2, rows, columns, (grid, field) -> {
            for (int z = 0; z < grid.nzc; z++) {
                for (int y = 0; y < grid.nyr; y++) {
                    for (int x = 0; x < nx; x++) {
                        long from = grid.offsetX(z, y / grid.by, x) + y % grid.by;
                        int to = 2 * (x + nx * (grid.row * grid.nyr + y + ny * (grid.firstZ[grid.column] + z)));
                        got[to] = field.getAtIndex(ValueLayout.JAVA_DOUBLE, from);
                        got[to + 1] = field.getAtIndex(ValueLayout.JAVA_DOUBLE, from + grid.by);
                    }
                }
            }
        });
        for (int i = 0; i < got.length; i++) {
            assertEquals(reference.values[i], got[i], 1e-11 * nx * ny * nz, "element " + i);
        }
    }

    /** Each line is computed in the same way wherever it is: the number of columns does not change one bit. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 6, 7, 16})
    void theFieldIsThatOfOneRankBitForBit(int columns) {
        assertArrayEquals(field(32, 64, 16, 3, 1), field(32, 64, 16, 3, columns));
    }

    private static double[] field(int nx, int ny, int nz, int iterations, int columns) {
        double[] whole = new double[2 * nx * ny * nz];
        VirtualRanks.run(nx, ny, nz, iterations, 1, columns, (grid, field) -> {
            // The layout of stage X: a rank's planes z follow those of the ranks before.
            int plane = 2 * nx * ny;
            MemorySegment.copy(field, ValueLayout.JAVA_DOUBLE, 0, whole, plane * grid.firstZ[grid.column],
                plane * grid.nzc);
        });
        return whole;
    }

    @Test
    void sameGridSameBits() {
        assertEquals(VirtualRanks.run(32, 64, 16, 4, 2, 2).checksums(),
            VirtualRanks.run(32, 64, 16, 4, 2, 2).checksums());
    }

    @ParameterizedTest
    @CsvSource({"1,4", "2,2", "1,3", "1,6"})
    void aRankThatBeginsAnewAtAnyStepMakesNoDifference(int rows, int columns) {
        assertEquals(VirtualRanks.run(32, 64, 16, 5, rows, columns).checksums(),
            VirtualRanks.runWithARankThatBeginsAnew(32, 64, 16, 5, rows, columns).checksums());
    }

    @Test
    void gridsThatDoNotDivideAreRefused() {
        for (int[] shape : new int[][] {{1, 32}, {1, 17}, {3, 1}, {32, 1}, {0, 1}, {1, 0}, {1, -1}, {-1, 1}}) {
            assertThrows(IllegalArgumentException.class, () -> new Grid(16, 16, 16, shape[0], shape[1], 0));
        }
        for (int[] sides : new int[][] {{6, 8, 8}, {8, 6, 8}, {8, 8, 6}}) {
            assertThrows(IllegalArgumentException.class, () -> new Grid(sides[0], sides[1], sides[2], 1, 2, 0));
        }
        assertThrows(IllegalArgumentException.class, () -> Grid.of(128, 128, 32, 33, 0));
        assertTrue(Grid.of(128, 128, 32, 32, 0).isSlab());
        assertTrue(Grid.of(128, 128, 32, 31, 0).isSlab());
        assertEquals(2, Grid.of(128, 128, 32, 64, 0).gridRows);
        assertEquals(17, Grid.of(128, 128, 32, 34, 0).gridColumns);
    }

    @Test
    void theColumnsShareAllPlanesAndTheLargestPartFits() {
        for (int ranks = 1; ranks <= 32; ranks++) {
            int z = 0;
            int y = 0;
            for (int rank = 0; rank < ranks; rank++) {
                Grid grid = Grid.of(128, 128, 32, ranks, rank);
                assertEquals(32 * rank / ranks, z);
                assertEquals(z, grid.firstZ[grid.column]);
                assertEquals(y, grid.firstY[grid.column]);
                z += grid.nzc;
                y += grid.nyc;
                assertTrue(grid.nzc >= 32 / ranks && grid.nyc >= 128 / ranks);
                assertTrue(16L * 128 * 128 * grid.nzc <= grid.areaBytes());
                assertTrue(grid.ownSpectrumBytes() <= grid.spectrumBytes()
                    && grid.spectrumBytes() <= grid.areaBytes());
            }
            assertEquals(32, z);
            assertEquals(128, y);
        }
        // Nothing is wasted where it divides.
        Grid even = Grid.of(128, 128, 32, 8, 3);
        assertEquals(16 * even.points() / 8, even.areaBytes());
        assertEquals(even.areaBytes(), even.spectrumBytes());
        assertEquals(even.areaBytes(), even.ownSpectrumBytes());
    }

    private static MemorySegment segment(Arena arena, List<FtClass.Complex> values) {
        MemorySegment segment = arena.allocate(16L * values.size(), 8);
        for (int i = 0; i < values.size(); i++) {
            segment.setAtIndex(ValueLayout.JAVA_DOUBLE, 2 * i, values.get(i).re());
            segment.setAtIndex(ValueLayout.JAVA_DOUBLE, 2 * i + 1, values.get(i).im());
        }
        return segment;
    }

    /** The benchmark by its definition, one dimension after the other with sums over all points. */
    private static final class Reference {
        private final int[] n;
        private final double[] values;

        Reference(int... n) {
            this.n = n;
            this.values = new double[2 * n[0] * n[1] * n[2]];
            long x = 314_159_265;
            for (int i = 0; i < values.length; i++) {
                x = x * 1_220_703_125 % (1L << 46);
                x += x < 0 ? 1L << 46 : 0;
                values[i] = x / (double) (1L << 46);
            }
        }

        void transform(int sign) {
            int stride = 1;
            for (int length : n) {
                double[] line = new double[2 * length];
                for (int start = 0; start < values.length / 2; start++) {
                    if (start / stride % length == 0) {
                        line(start, stride, length, sign, line);
                    }
                }
                stride *= length;
            }
        }

        private void line(int start, int stride, int length, int sign, double[] line) {
            for (int k = 0; k < length; k++) {
                double re = 0;
                double im = 0;
                for (int m = 0; m < length; m++) {
                    double angle = sign * 2 * Math.PI * ((long) k * m % length) / length;
                    double x = values[2 * (start + m * stride)];
                    double y = values[2 * (start + m * stride) + 1];
                    re += x * Math.cos(angle) - y * Math.sin(angle);
                    im += x * Math.sin(angle) + y * Math.cos(angle);
                }
                line[2 * k] = re;
                line[2 * k + 1] = im;
            }
            for (int k = 0; k < length; k++) {
                values[2 * (start + k * stride)] = line[2 * k];
                values[2 * (start + k * stride) + 1] = line[2 * k + 1];
            }
        }

        void evolve() {
            for (int i = 0; i < values.length / 2; i++) {
                int x = signed(i % n[0], n[0]);
                int y = signed(i / n[0] % n[1], n[1]);
                int z = signed(i / n[0] / n[1], n[2]);
                double factor = Math.exp(-4 * 1e-6 * Math.PI * Math.PI * (x * x + y * y + z * z));
                values[2 * i] *= factor;
                values[2 * i + 1] *= factor;
            }
        }

        private static int signed(int i, int length) {
            return i < length / 2 ? i : i - length;
        }
    }
}
