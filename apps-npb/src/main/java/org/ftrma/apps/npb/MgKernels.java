package org.ftrma.apps.npb;

import java.lang.foreign.MemorySegment;

/**
 * The four operators of MG on a box with its halo, row by row, in loops that the compiler vectorizes. Weights are by
 * the number of directions in which a neighbour lies. Halos of results are not set here. One thread; no allocation in
 * calls.
 */
final class MgKernels {
    /** Of the operator: the Laplacian, in which neighbours in one direction have weight 0. */
    private static final double A0 = -8.0 / 3;
    private static final double A2 = 1.0 / 6;
    private static final double A3 = 1.0 / 12;

    private final double[] smoother;
    private final double[] sides;
    private final double[] edges;
    private final double[] third;

    /**
     * For rows up to a length.
     *
     * @param smoother the smoother's weights
     */
    MgKernels(double[] smoother, int longest) {
        this.smoother = smoother;
        sides = new double[longest];
        edges = new double[longest];
        third = new double[longest];
    }

    /** {@code r = v - A u}; v may be r. */
    void residual(MgLevel box, double[] v) {
        for (int z = 1; z < box.sz - 1; z++) {
            for (int y = 1; y < box.sy - 1; y++) {
                int row = box.row(y, z);
                neighbours(box.u, row, box.sx, box.plane, sides, edges);
                residualRow(box.u, v, box.r, row, box.sx, sides, edges);
            }
        }
    }

    /** Sums of the four neighbours of each point of a row in y or z, and of the four in both. */
    private static void neighbours(double[] a, int row, int sx, int plane, double[] sides, double[] edges) {
        for (int i = 0; i < sx; i++) {
            sides[i] = a[row + i - sx] + a[row + i + sx] + a[row + i - plane] + a[row + i + plane];
        }
        int below = row - plane;
        int above = row + plane;
        for (int i = 0; i < sx; i++) {
            edges[i] = a[below + i - sx] + a[below + i + sx] + a[above + i - sx] + a[above + i + sx];
        }
    }

    private static void residualRow(double[] u, double[] v, double[] r, int row, int sx, double[] sides,
        double[] edges) {
        for (int i = 1; i < sx - 1; i++) {
            r[row + i] = v[row + i] - A0 * u[row + i] - A2 * (edges[i] + sides[i - 1] + sides[i + 1])
                - A3 * (edges[i - 1] + edges[i + 1]);
        }
    }

    /**
     * {@code u = u + S r}.
     *
     * @param keep receives each row of u when it is done; null: none
     */
    void smooth(MgLevel box, MemorySegment keep) {
        MemorySegment u = MemorySegment.ofArray(box.u);
        for (int z = 1; z < box.sz - 1; z++) {
            for (int y = 1; y < box.sy - 1; y++) {
                int row = box.row(y, z);
                neighbours(box.r, row, box.sx, box.plane, sides, edges);
                smoothRow(box.r, box.u, row, box.sx, smoother[0], smoother[1], smoother[2]);
                if (keep != null) {
                    MemorySegment.copy(u, (long) row * Double.BYTES, keep, (long) row * Double.BYTES,
                        (long) box.sx * Double.BYTES);
                }
            }
        }
    }

    private void smoothRow(double[] r, double[] u, int row, int sx, double c0, double c1, double c2) {
        double[] side = sides;
        double[] edge = edges;
        for (int i = 1; i < sx - 1; i++) {
            u[row + i] = u[row + i] + c0 * r[row + i] + c1 * (r[row + i - 1] + r[row + i + 1] + side[i])
                + c2 * (edge[i] + side[i - 1] + side[i + 1]);
        }
    }

    /** The residual of the coarser level, from that of the finer one: weights 1/2, 1/4, 1/8, 1/16. */
    void restrict(MgLevel fine, MgLevel coarse) {
        for (int z = 1; z < coarse.sz - 1; z++) {
            for (int y = 1; y < coarse.sy - 1; y++) {
                int row = fine.row(2 * y, 2 * z);
                neighbours(fine.r, row, fine.sx, fine.plane, sides, edges);
                restrictRow(fine.r, row, coarse.r, coarse.row(y, z), coarse.sx);
            }
        }
    }

    private void restrictRow(double[] fine, int from, double[] coarse, int to, int sx) {
        double[] side = sides;
        double[] edge = edges;
        for (int i = 1; i < sx - 1; i++) {
            int f = 2 * i;
            coarse[to + i] = 0.5 * fine[from + f] + 0.25 * (fine[from + f - 1] + fine[from + f + 1] + side[f])
                + 0.125 * (side[f - 1] + side[f + 1] + edge[f]) + 0.0625 * (edge[f - 1] + edge[f + 1]);
        }
    }

    /** Adds the coarser level's approximation to the finer one's, between points the mean; halos too. */
    void interpolate(MgLevel coarse, MgLevel fine) {
        for (int z = 0; z < coarse.sz - 1; z++) {
            for (int y = 0; y < coarse.sy - 1; y++) {
                int c = coarse.row(y, z);
                addSums(coarse.u, c, 1, fine.u, fine.row(2 * y, 2 * z), coarse.sx);
                pairs(coarse.u, c, coarse.sx, coarse.sx);
                addSums(sides, 0, 0.5, fine.u, fine.row(2 * y + 1, 2 * z), coarse.sx);
                System.arraycopy(sides, 0, third, 0, coarse.sx);
                pairs(coarse.u, c, coarse.plane, coarse.sx);
                addSums(sides, 0, 0.5, fine.u, fine.row(2 * y, 2 * z + 1), coarse.sx);
                quads(coarse.u, c + coarse.plane, coarse.sx);
                addSums(sides, 0, 0.25, fine.u, fine.row(2 * y + 1, 2 * z + 1), coarse.sx);
            }
        }
    }

    private void pairs(double[] a, int row, int step, int sx) {
        double[] to = sides;
        for (int i = 0; i < sx; i++) {
            to[i] = a[row + i] + a[row + step + i];
        }
    }

    /** Of the row and the next one in y, and of those whose sums were kept. */
    private void quads(double[] a, int row, int sx) {
        double[] to = sides;
        double[] other = third;
        for (int i = 0; i < sx; i++) {
            to[i] = other[i] + a[row + i] + a[row + sx + i];
        }
    }

    private static void addSums(double[] sums, int from, double weight, double[] fine, int to, int sx) {
        double half = 0.5 * weight;
        for (int i = 0; i < sx - 1; i++) {
            fine[to + 2 * i] += weight * sums[from + i];
            fine[to + 2 * i + 1] += half * (sums[from + i] + sums[from + i + 1]);
        }
    }

    /** Sum of the squares of the residual, without halo. */
    static double squares(MgLevel box) {
        double sum = 0;
        for (int z = 1; z < box.sz - 1; z++) {
            for (int y = 1; y < box.sy - 1; y++) {
                sum += squares(box.r, box.row(y, z), box.sx);
            }
        }
        return sum;
    }

    /** With four sums at once, since additions wait for each other. */
    private static double squares(double[] r, int row, int sx) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int i = row + 1;
        int end = row + sx - 1;
        for (; i < end - 3; i += 4) {
            a += r[i] * r[i];
            b += r[i + 1] * r[i + 1];
            c += r[i + 2] * r[i + 2];
            d += r[i + 3] * r[i + 3];
        }
        for (; i < end; i++) {
            a += r[i] * r[i];
        }
        return a + b + (c + d);
    }
}
