package org.ftrma.apps.npb;

import java.util.Arrays;

/**
 * An iteration of CG's power method: solves A z = x approximately by 25 steps of the conjugate gradient method, and
 * makes x the direction of z. The vectors are this rank's pieces. Data thread only; allocates nothing in calls.
 */
final class CgSolver {
    private static final int STEPS = 25;

    private final CgMatrix matrix;
    private final CgExchange exchange;
    private final double shift;
    private final double[] x;
    private final double[] z;
    private final double[] p;
    private final double[] q;
    private final double[] r;
    private final double[] products;
    private double residual;

    CgSolver(CgMatrix matrix, CgExchange exchange, CgGrid grid, double shift) {
        this.matrix = matrix;
        this.exchange = exchange;
        this.shift = shift;
        int length = grid.length(grid.column());
        x = new double[length];
        z = new double[length];
        p = new double[length];
        q = new double[length];
        r = new double[length];
        products = new double[grid.endRow() - grid.firstRow()];
    }

    /** The piece of x, before and after an iteration. */
    double[] x() {
        return x;
    }

    /** Of the last iteration: |x - A z|. */
    double residual() {
        return residual;
    }

    /** One iteration; returns the estimate of the eigenvalue, zeta. */
    double iterate() {
        solve();
        double xz = exchange.sum(dot(x, z));
        double norm = 1 / Math.sqrt(exchange.sum(dot(z, z)));
        for (int i = 0; i < x.length; i++) {
            x[i] = norm * z[i];
        }
        return shift + 1 / xz;
    }

    private void solve() {
        Arrays.fill(z, 0);
        System.arraycopy(x, 0, r, 0, x.length);
        System.arraycopy(x, 0, p, 0, x.length);
        double rho = exchange.sum(dot(r, r));
        for (int step = 0; step < STEPS; step++) {
            multiply(p);
            double alpha = rho / exchange.sum(dot(p, q));
            double before = rho;
            advance(alpha, p, q, z, r);
            rho = exchange.sum(dot(r, r));
            turn(rho / before, r, p);
        }
        // NPB's own program ends with the residual |x - A z|, which it prints.
        multiply(z);
        residual = Math.sqrt(exchange.sum(distance(x, q)));
    }

    private void multiply(double[] vector) {
        matrix.times(vector, products);
        exchange.addUp(products, q);
    }

    private static void advance(double alpha, double[] p, double[] q, double[] z, double[] r) {
        for (int i = 0; i < z.length; i++) {
            z[i] += alpha * p[i];
        }
        for (int i = 0; i < r.length; i++) {
            r[i] -= alpha * q[i];
        }
    }

    private static void turn(double beta, double[] r, double[] p) {
        for (int i = 0; i < p.length; i++) {
            p[i] = r[i] + beta * p[i];
        }
    }

    /** With four sums at once, since additions wait for each other. */
    private static double dot(double[] left, double[] right) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int i = 0;
        for (; i < left.length - 3; i += 4) {
            a += left[i] * right[i];
            b += left[i + 1] * right[i + 1];
            c += left[i + 2] * right[i + 2];
            d += left[i + 3] * right[i + 3];
        }
        for (; i < left.length; i++) {
            a += left[i] * right[i];
        }
        return a + b + (c + d);
    }

    private static double distance(double[] left, double[] right) {
        double sum = 0;
        for (int i = 0; i < left.length; i++) {
            double difference = left[i] - right[i];
            sum += difference * difference;
        }
        return sum;
    }
}
