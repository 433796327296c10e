package org.ftrma.apps.npb;

import java.util.Arrays;

/**
 * The right-hand side of MG: 1 at the ten points of the finest grid with the largest random numbers, -1 at those with
 * the smallest, else 0. Each rank looks at all of them, and needs no message for it. Pure functions: any thread.
 */
final class MgCharges {
    private static final int CHARGES = 10;

    private MgCharges() {
    }

    /** Sets a rank's box; its halo is never looked at. */
    static void set(MgGrid grid, MgLevel box, double[] v) {
        int n = grid.n();
        long[] largest = extremes((long) n * n * n, 1);
        long[] smallest = extremes((long) n * n * n, -1);
        for (int i = 0; i < CHARGES; i++) {
            set(grid, box, v, largest[i], 1);
            set(grid, box, v, smallest[i], -1);
        }
    }

    /** The points with the largest numbers times a sign: x + n * (y + n * z), each from 0. */
    static long[] extremes(long points, int sign) {
        long[] places = new long[CHARGES];
        long[] values = new long[CHARGES];
        Arrays.fill(values, Long.MIN_VALUE);
        long state = Random46.SEED;
        for (long point = 0; point < points; point++) {
            state = state * Random46.MULTIPLIER & Random46.MASK;
            if (sign * state > values[0]) {
                int i = 0;
                for (; i + 1 < CHARGES && values[i + 1] < sign * state; i++) {
                    values[i] = values[i + 1];
                    places[i] = places[i + 1];
                }
                values[i] = sign * state;
                places[i] = point;
            }
        }
        return places;
    }

    /** If it lies in the box. */
    private static void set(MgGrid grid, MgLevel box, double[] v, long place, double charge) {
        int n = grid.n();
        int[] point = {(int) (place % n), (int) (place / n % n), (int) (place / ((long) n * n))};
        int[] from = new int[MgGrid.AXES];
        for (int axis = 0; axis < MgGrid.AXES; axis++) {
            from[axis] = grid.at()[axis] * (box.side(axis) - 2);
        }
        int x = point[0] - from[0] + 1;
        int y = point[1] - from[1] + 1;
        int z = point[2] - from[2] + 1;
        if (x >= 1 && x < box.sx - 1 && y >= 1 && y < box.sy - 1 && z >= 1 && z < box.sz - 1) {
            v[box.row(y, z) + x] = charge;
        }
    }
}
