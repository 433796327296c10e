package org.ftrma.apps.npb;

import org.ftrma.MisuseException;

/**
 * Grid of MG's ranks in x, y and z (axes 0, 1, 2), each with a box of every level's points; and the place of one rank
 * in it. A grid of points wraps around. Immutable; any thread.
 *
 * @param n points of the finest grid in each direction
 * @param ranks in each direction, powers of two
 * @param at this rank's place in each direction
 */
record MgGrid(int n, int[] ranks, int[] at) {
    static final int AXES = 3;

    /**
     * The grid for one rank.
     *
     * @param given ranks in each direction; null: chosen, z first, as NPB does
     */
    static MgGrid of(MgClass problem, int[] given, int count, int rank) {
        if (Integer.bitCount(count) != 1) {
            throw new MisuseException("--ranks=" + count + ": NAS MG needs a power of two: 1, 2, 4, 8 and so on");
        }
        int log = Integer.numberOfTrailingZeros(count);
        int x = log / 3;
        int y = (log - x) / 2;
        int[] ranks = given != null ? given : new int[] {1 << x, 1 << y, 1 << log - x - y};
        String grid = ranks[0] + "x" + ranks[1] + "x" + ranks[2];
        if ((long) ranks[0] * ranks[1] * ranks[2] != count) {
            throw new MisuseException("--grid=" + grid + ": needs " + (long) ranks[0] * ranks[1] * ranks[2]
                + " ranks, the job has " + count);
        }
        int most = Math.max(ranks[0], Math.max(ranks[1], ranks[2]));
        if (2 * most > problem.n()) {
            throw new MisuseException("--ranks=" + count + ": class " + problem.name() + " has " + problem.n()
                + " points in each direction, of which " + most + " ranks would have fewer than 2 each; use at most "
                + problem.n() / 2 + " ranks in a direction (--grid), or a larger --class");
        }
        return new MgGrid(problem.n(), ranks, new int[] {rank % ranks[0], rank / ranks[0] % ranks[1],
            rank / (ranks[0] * ranks[1])});
    }

    /** The same points on one rank. */
    MgGrid whole() {
        return new MgGrid(n, new int[] {1, 1, 1}, new int[AXES]);
    }

    /** The rank some places further along an axis. */
    int neighbour(int axis, int places) {
        int[] place = at.clone();
        place[axis] = Math.floorMod(at[axis] + places, ranks[axis]);
        return place[0] + ranks[0] * (place[1] + ranks[1] * place[2]);
    }

    /** The coarsest level of which each rank has a point; that of level k has 2^k in each direction. */
    int coarsestShared() {
        return Math.max(1, Integer.numberOfTrailingZeros(Math.max(ranks[0], Math.max(ranks[1], ranks[2]))));
    }

    /** Points of this rank in a direction, on a level. */
    int points(int level, int axis) {
        return (1 << level) / ranks[axis];
    }
}
