package org.ftrma.apps.fft3d;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LineFftTest {
    @Test
    void equalsTheDefinitionForAllLengthsAndBothSigns() {
        SplittableRandom random = new SplittableRandom(17);
        for (int n = 1; n <= 1024; n *= 2) {
            int base = random.nextInt(3);
            double[][] input = randomRows(random, base + n + 1);
            double[][] rows = copy(input);
            LineFft fft = new LineFft(n);
            fft.transform(rows, base);
            int lane = random.nextInt(LaneKernels.LANES);
            for (int sign : new int[] {-1, 1}) {
                int[] order = sign < 0 ? fft.forwardOrder() : fft.inverseOrder();
                for (int k = 0; k < n; k++) {
                    double re = 0;
                    double im = 0;
                    for (int m = 0; m < n; m++) {
                        double angle = sign * 2 * Math.PI * ((long) k * m % n) / n;
                        double x = input[base + m][lane];
                        double y = input[base + m][lane + LaneKernels.LANES];
                        re += x * Math.cos(angle) - y * Math.sin(angle);
                        im += x * Math.sin(angle) + y * Math.cos(angle);
                    }
                    double[] got = rows[base + order[k]];
                    String where = "n=" + n + " k=" + k + " sign=" + sign;
                    assertEquals(re, got[lane], 1e-12 * n, where);
                    assertEquals(im, got[lane + LaneKernels.LANES], 1e-12 * n, where);
                }
            }
            assertArrayEquals(input[base + n], rows[base + n], "the row after the last one");
        }
    }

    @Test
    void equalLinesHaveEqualBitsInEveryLane() {
        SplittableRandom random = new SplittableRandom(18);
        double[][] rows = new double[512][LaneKernels.ROW];
        for (double[] row : rows) {
            Arrays.fill(row, 0, LaneKernels.LANES, random.nextDouble());
            Arrays.fill(row, LaneKernels.LANES, LaneKernels.ROW, random.nextDouble());
        }
        LineFft fft = new LineFft(512);
        // Often enough for interpreted, scalar and vector code.
        for (int round = 0; round < 200; round++) {
            double[][] copy = copy(rows);
            fft.transform(copy, 0);
            for (double[] row : copy) {
                for (int j = 1; j < LaneKernels.LANES; j++) {
                    assertEquals(row[0], row[j]);
                    assertEquals(row[LaneKernels.LANES], row[LaneKernels.LANES + j]);
                }
            }
        }
    }

    @Test
    void refusesOtherLengths() {
        for (int n : new int[] {0, -4, 3, 12, 1000}) {
            assertThrows(IllegalArgumentException.class, () -> new LineFft(n));
        }
    }

    @Test
    void transposesTilesOfAnyShape() {
        SplittableRandom random = new SplittableRandom(19);
        for (int round = 0; round < 200; round++) {
            int lines = 1 + random.nextInt(LaneKernels.LANES);
            int lanes = 1 + random.nextInt(LaneKernels.LANES);
            int first = random.nextInt(4);
            int base = random.nextInt(4);
            double[][] source = randomRows(random, 128);
            double[][] target = new double[base + LaneKernels.LANES][LaneKernels.ROW];
            int[] order = random.ints(128, 0, 128).toArray();
            LaneKernels.transpose(source, order, first, lines, target, base, lanes);
            for (int x = 0; x < LaneKernels.LANES; x++) {
                for (int y = 0; y < LaneKernels.LANES; y++) {
                    boolean inside = x < lanes && y < lines;
                    assertEquals(inside ? source[order[first + y]][x] : 0, target[base + x][y]);
                    assertEquals(inside ? source[order[first + y]][x + LaneKernels.LANES] : 0,
                        target[base + x][y + LaneKernels.LANES]);
                }
            }
        }
    }

    private static double[][] randomRows(SplittableRandom random, int count) {
        double[][] rows = new double[count][LaneKernels.ROW];
        for (double[] row : rows) {
            Arrays.setAll(row, i -> random.nextDouble() - 0.5);
        }
        return rows;
    }

    private static double[][] copy(double[][] rows) {
        return Arrays.stream(rows).map(double[]::clone).toArray(double[][]::new);
    }
}
