package org.ftrma.xor;

/**
 * The field of 256 elements that Reed-Solomon codes use: bytes as polynomials over {0, 1} modulo x^8 + x^4 + x^3 + x^2
 * + 1 (0x11d), in which 2 generates every element but 0. Addition is XOR. For matrices; blocks of memory go through
 * {@link GaloisProduct}. Any thread.
 */
final class Gf256 {
    private static final int POLYNOMIAL = 0x11d;
    private static final int ORDER = 255;
    private static final int[] POWER = new int[2 * ORDER];
    private static final int[] LOG = new int[ORDER + 1];

    static {
        int value = 1;
        for (int i = 0; i < ORDER; i++) {
            POWER[i] = value;
            POWER[i + ORDER] = value;
            LOG[value] = i;
            value <<= 1;
            if (value > ORDER) {
                value ^= POLYNOMIAL;
            }
        }
    }

    private Gf256() {
    }

    /** 2 to the power of an exponent that is 0 or more. */
    static int power(int exponent) {
        return POWER[exponent % ORDER];
    }

    static int multiply(int a, int b) {
        return a == 0 || b == 0 ? 0 : POWER[LOG[a] + LOG[b]];
    }

    static int divide(int a, int b) {
        if (b == 0) {
            throw new ArithmeticException("division by zero in GF(256)");
        }
        return a == 0 ? 0 : POWER[LOG[a] + ORDER - LOG[b]];
    }

    /** The inverse of a square matrix, which is destroyed; null where it has none. */
    static int[][] invert(int[][] matrix) {
        int n = matrix.length;
        int[][] inverse = new int[n][n];
        for (int i = 0; i < n; i++) {
            inverse[i][i] = 1;
        }
        for (int column = 0; column < n; column++) {
            int pivot = column;
            while (pivot < n && matrix[pivot][column] == 0) {
                pivot++;
            }
            if (pivot == n) {
                return null;
            }
            swap(matrix, pivot, column);
            swap(inverse, pivot, column);
            int scale = divide(1, matrix[column][column]);
            multiplyRow(matrix[column], scale);
            multiplyRow(inverse[column], scale);
            for (int row = 0; row < n; row++) {
                int factor = matrix[row][column];
                if (row != column && factor != 0) {
                    addMultiple(matrix[row], matrix[column], factor);
                    addMultiple(inverse[row], inverse[column], factor);
                }
            }
        }
        return inverse;
    }

    private static void swap(int[][] matrix, int a, int b) {
        int[] row = matrix[a];
        matrix[a] = matrix[b];
        matrix[b] = row;
    }

    private static void multiplyRow(int[] row, int factor) {
        for (int i = 0; i < row.length; i++) {
            row[i] = multiply(row[i], factor);
        }
    }

    private static void addMultiple(int[] row, int[] other, int factor) {
        for (int i = 0; i < row.length; i++) {
            row[i] ^= multiply(other[i], factor);
        }
    }
}
