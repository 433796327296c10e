package org.ftrma.apps.npb;

import java.util.Arrays;

/**
 * A block of CG's sparse symmetric matrix, which is a sum of outer products of sparse random vectors, with weights that
 * fall from 1 to 0.1, and of a multiple of the identity. By rows, in each by columns. Immutable; any thread.
 */
final class CgMatrix {
    private static final double SMALLEST_WEIGHT = 0.1;
    private static final double DIAGONAL = 0.5;

    /** Where a row's elements begin; one more element than rows. */
    final int[] starts;
    /** Columns, counted from the block's first one. */
    final int[] columns;
    final double[] values;

    private CgMatrix(int[] starts, int[] columns, double[] values) {
        this.starts = starts;
        this.columns = columns;
        this.values = values;
    }

    /** The rows and columns of a class's matrix that lie in two ranges. */
    static CgMatrix block(CgClass problem, int firstRow, int endRow, int firstColumn, int endColumn) {
        Vectors vectors = new Vectors(problem);
        int rows = endRow - firstRow;
        int[] starts = new int[rows + 1];
        vectors.products(firstRow, endRow, firstColumn, endColumn, (row, column, value) -> starts[row + 1]++);
        for (int row = 0; row < rows; row++) {
            starts[row + 1] += starts[row];
        }
        int[] columns = new int[starts[rows]];
        double[] values = new double[starts[rows]];
        int[] next = Arrays.copyOf(starts, rows);
        vectors.products(firstRow, endRow, firstColumn, endColumn, (row, column, value) -> {
            columns[next[row]] = column;
            values[next[row]++] = value;
        });
        return new CgMatrix(starts, columns, values).merged(endColumn - firstColumn);
    }

    /** Elements of the same place become one. */
    private CgMatrix merged(int width) {
        double[] sums = new double[width];
        int[] seen = new int[width];
        int end = 0;
        for (int row = 0; row + 1 < starts.length; row++) {
            int begin = end;
            for (int k = starts[row]; k < starts[row + 1]; k++) {
                int column = columns[k];
                if (seen[column] != row + 1) {
                    seen[column] = row + 1;
                    sums[column] = 0;
                    columns[end++] = column;
                }
                sums[column] += values[k];
            }
            // Nothing that was not read yet is overwritten: a row has no more elements than before.
            starts[row] = begin;
            Arrays.sort(columns, begin, end);
            for (int k = begin; k < end; k++) {
                values[k] = sums[columns[k]];
            }
        }
        int[] newStarts = starts.clone();
        newStarts[starts.length - 1] = end;
        return new CgMatrix(newStarts, Arrays.copyOf(columns, end), Arrays.copyOf(values, end));
    }

    /** {@code result = this * vector}; one element of the result for each row. */
    void times(double[] vector, double[] result) {
        int end = starts[0];
        for (int row = 0; row + 1 < starts.length; row++) {
            int k = end;
            end = starts[row + 1];
            double a = 0;
            double b = 0;
            double c = 0;
            double d = 0;
            for (; k < end - 3; k += 4) {
                a += values[k] * vector[columns[k]];
                b += values[k + 1] * vector[columns[k + 1]];
                c += values[k + 2] * vector[columns[k + 2]];
                d += values[k + 3] * vector[columns[k + 3]];
            }
            for (; k < end; k++) {
                a += values[k] * vector[columns[k]];
            }
            result[row] = a + b + (c + d);
        }
    }

    /** What is done with an element, whose row and column are counted from the block's first ones. */
    @FunctionalInterface
    private interface Element {
        void accept(int row, int column, double value);
    }

    /** The random vectors: all of them, since each rank's numbers are between those of others. */
    private static final class Vectors {
        private final CgClass problem;
        private final int most;
        private final int[] sizes;
        private final int[] places;
        private final double[] elements;

        Vectors(CgClass problem) {
            this.problem = problem;
            int n = problem.na();
            most = problem.nonzer() + 1;
            sizes = new int[n];
            places = new int[n * most];
            elements = new double[n * most];
            int power = Math.max(2, Integer.highestOneBit(n - 1) << 1);
            // NPB draws one number before.
            Random46 random = new Random46(1);
            for (int i = 0; i < n; i++) {
                draw(i, power, random);
            }
        }

        private void draw(int i, int power, Random46 random) {
            int begin = i * most;
            int end = begin;
            while (end - begin < problem.nonzer()) {
                double element = random.next();
                int place = (int) (power * random.next());
                if (place < problem.na() && find(place, begin, end) < 0) {
                    places[end] = place;
                    elements[end++] = element;
                }
            }
            int own = find(i, begin, end);
            if (own < 0) {
                own = end++;
                places[own] = i;
            }
            elements[own] = DIAGONAL;
            sizes[i] = end - begin;
        }

        private int find(int place, int begin, int end) {
            for (int k = begin; k < end; k++) {
                if (places[k] == place) {
                    return k;
                }
            }
            return -1;
        }

        void products(int firstRow, int endRow, int firstColumn, int endColumn, Element to) {
            int n = problem.na();
            double ratio = Math.pow(SMALLEST_WEIGHT, 1.0 / n);
            double weight = 1;
            for (int i = 0; i < n; i++) {
                int end = i * most + sizes[i];
                for (int c = i * most; c < end; c++) {
                    if (places[c] < firstColumn || places[c] >= endColumn) {
                        continue;
                    }
                    double scale = weight * elements[c];
                    for (int r = i * most; r < end; r++) {
                        if (places[r] >= firstRow && places[r] < endRow) {
                            to.accept(places[r] - firstRow, places[c] - firstColumn, elements[r] * scale);
                        }
                    }
                }
                weight *= ratio;
            }
            for (int i = Math.max(firstRow, firstColumn); i < Math.min(endRow, endColumn); i++) {
                to.accept(i - firstRow, i - firstColumn, SMALLEST_WEIGHT - problem.shift());
            }
        }
    }
}
