package org.ftrma.apps.npb;

/**
 * A rank's box of a level's points, with one more layer on each side, the halo, which holds what neighbours have there.
 * Index of point (x, y, z): {@code x + sx * (y + sy * z)}, each from 0, which is halo. Immutable but for the contents;
 * one thread.
 */
final class MgLevel {
    final int number;
    /** Sides with halo. */
    final int sx;
    final int sy;
    final int sz;
    /** Points in a plane. */
    final int plane;
    /** The approximation. */
    final double[] u;
    /** The residual. */
    final double[] r;

    MgLevel(MgGrid grid, int number) {
        this.number = number;
        sx = grid.points(number, 0) + 2;
        sy = grid.points(number, 1) + 2;
        sz = grid.points(number, 2) + 2;
        plane = sx * sy;
        u = new double[Math.multiplyExact(plane, sz)];
        r = new double[plane * sz];
    }

    int side(int axis) {
        return axis == 0 ? sx : axis == 1 ? sy : sz;
    }

    /** Where a row begins. */
    int row(int y, int z) {
        return sx * (y + sy * z);
    }
}
