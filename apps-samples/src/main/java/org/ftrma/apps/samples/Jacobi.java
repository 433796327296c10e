package org.ftrma.apps.samples;

/**
 * The iteration itself, on rows of cells: what the ranks run and what the serial run does are the same lines. Pure
 * functions.
 */
final class Jacobi {
    private Jacobi() {
    }

    /**
     * The value of a cell before the first step, or of the fixed border around the field (row or column -1, or the
     * number of them).
     */
    static double initial(int row, int column, int rows, int columns) {
        if (row < 0 || column < 0 || row == rows || column == columns) {
            return 1 + 0.25 * Bits.below(Bits.mix(row, column), 16);
        }
        return 1e-3 * Bits.below(Bits.mix(row, column, 1), 1000);
    }

    /**
     * One row. Cells 0 and columns + 1 of {@code here} are its neighbours' or the border's.
     *
     * @param north the row above, from its cell 1 on
     * @param here the row itself
     * @param south the row below, from its cell 1 on
     * @param next where the new values go, from its cell 1 on
     * @param columns number of cells
     * @return the largest change, as an absolute value
     */
    static double row(double[] north, double[] here, double[] south, double[] next, int columns) {
        double largest = 0;
        for (int c = 1; c <= columns; c++) {
            double value = 0.25 * (north[c] + here[c - 1] + here[c + 1] + south[c]);
            next[c] = value;
            largest = Math.max(largest, Math.abs(value - here[c]));
        }
        return largest;
    }

    /**
     * The whole field after so many steps, with its border.
     *
     * @param changes takes the largest change of each step
     */
    static double[][] serial(int rows, int columns, int steps, double[] changes) {
        double[][] field = new double[rows + 2][columns + 2];
        double[][] next = new double[rows + 2][columns + 2];
        for (int r = 0; r < rows + 2; r++) {
            for (int c = 0; c < columns + 2; c++) {
                field[r][c] = initial(r - 1, c - 1, rows, columns);
                next[r][c] = field[r][c];
            }
        }
        for (int step = 0; step < steps; step++) {
            for (int r = 1; r <= rows; r++) {
                changes[step] = Math.max(changes[step], row(field[r - 1], field[r], field[r + 1], next[r], columns));
            }
            double[][] before = field;
            field = next;
            next = before;
        }
        return field;
    }
}
