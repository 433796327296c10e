package org.ftrma.apps.npb;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;

/**
 * A V-cycle of MG on a rank's boxes. On levels that have fewer points in a direction than there are ranks each rank
 * computes all points, from the residual of the level above, which they gather; up to 8 ranks there are none. Data
 * thread only; allocates nothing in cycles.
 */
final class MgCycle {
    private final Channel world;
    private final MgGrid grid;
    private final MgHalo halo;
    private final MgKernels kernels;
    /** By number; what is shared, and below that whole. */
    private final MgLevel[] levels;
    /** Of the coarsest shared level all points, if some level is coarser. */
    private final MgLevel gathered;
    private final MemorySegment part;
    private final MemorySegment parts;
    private final double[] v;
    private final int coarsest;

    MgCycle(MgClass problem, Channel world, MgGrid grid, Boxes boxes, boolean anySource) {
        this.world = world;
        this.grid = grid;
        levels = boxes.levels;
        gathered = boxes.gathered;
        v = boxes.v;
        halo = new MgHalo(world, grid, finest(), anySource);
        kernels = new MgKernels(problem.smoother(), finest().sx);
        coarsest = grid.coarsestShared();
        MgLevel shared = levels[coarsest];
        long bytes = (long) (shared.sx - 2) * (shared.sy - 2) * (shared.sz - 2) * Double.BYTES;
        part = Arena.ofAuto().allocate(bytes, 8);
        parts = Arena.ofAuto().allocate(bytes * world.size(), 8);
    }

    /** Memory of the levels, which is kept over entries. One thread. */
    static final class Boxes {
        private final MgLevel[] levels;
        private final MgLevel gathered;
        private final double[] v;

        Boxes(MgClass problem, MgGrid grid) {
            levels = new MgLevel[problem.levels() + 1];
            int coarsest = grid.coarsestShared();
            for (int k = 1; k < levels.length; k++) {
                levels[k] = new MgLevel(k < coarsest ? grid.whole() : grid, k);
            }
            gathered = coarsest > 1 ? new MgLevel(grid.whole(), coarsest) : null;
            MgLevel finest = levels[levels.length - 1];
            v = new double[finest.u.length];
            MgCharges.set(grid, finest, v);
        }

        MgLevel finest() {
            return levels[levels.length - 1];
        }
    }

    MgLevel finest() {
        return levels[levels.length - 1];
    }

    /** The residual of the approximation, from what this rank has; its halo is not filled. */
    void residual() {
        kernels.residual(finest(), v);
    }

    /** Collective: the norm of the residual. */
    double norm() {
        double sum = world.allReduce(AtomicOp.SUM, MgKernels.squares(finest()));
        return Math.sqrt(sum / ((double) grid.n() * grid.n() * grid.n()));
    }

    /**
     * One cycle; before and after it the residual is that of the approximation, but for its halo.
     *
     * @param step a number of its own
     * @param keep receives the new approximation, as {@link MgState} reads it; null: it is not kept
     */
    void run(long step, MemorySegment keep) {
        halo.begin(step);
        int top = levels.length - 1;
        halo.exchange(levels[top], levels[top].r);
        for (int k = top; k > coarsest; k--) {
            kernels.restrict(levels[k], levels[k - 1]);
            halo.exchange(levels[k - 1], levels[k - 1].r);
        }
        if (coarsest == 1) {
            smoothFromZero(levels[1]);
            halo.exchange(levels[1], levels[1].u);
        } else {
            gather();
            cycleWhole();
            scatter();
            // It is not the finest one, of which each rank has two points in a direction.
            improve(coarsest);
        }
        for (int k = coarsest + 1; k < top; k++) {
            Arrays.fill(levels[k].u, 0);
            kernels.interpolate(levels[k - 1], levels[k]);
            improve(k);
        }
        finish(keep);
    }

    private void improve(int k) {
        kernels.residual(levels[k], levels[k].r);
        halo.exchange(levels[k], levels[k].r);
        kernels.smooth(levels[k], null);
        halo.exchange(levels[k], levels[k].u);
    }

    private void finish(MemorySegment keep) {
        MgLevel finest = finest();
        kernels.interpolate(levels[levels.length - 2], finest);
        kernels.residual(finest, v);
        halo.exchange(finest, finest.r);
        kernels.smooth(finest, keep);
        halo.exchange(finest, finest.u);
        if (keep != null) {
            MgState.storeHalo(grid, finest, keep);
        }
        kernels.residual(finest, v);
    }

    private void smoothFromZero(MgLevel box) {
        Arrays.fill(box.u, 0);
        kernels.smooth(box, null);
    }

    /** All ranks' residuals of the coarsest shared level. */
    private void gather() {
        MgLevel box = levels[coarsest];
        int i = 0;
        for (int z = 1; z < box.sz - 1; z++) {
            for (int y = 1; y < box.sy - 1; y++) {
                for (int x = 1; x < box.sx - 1; x++) {
                    part.setAtIndex(JAVA_DOUBLE, i++, box.r[box.row(y, z) + x]);
                }
            }
        }
        world.allGather(part, parts);
        i = 0;
        for (int rank = 0; rank < world.size(); rank++) {
            int x0 = rank % grid.ranks()[0] * (box.sx - 2);
            int y0 = rank / grid.ranks()[0] % grid.ranks()[1] * (box.sy - 2);
            int z0 = rank / (grid.ranks()[0] * grid.ranks()[1]) * (box.sz - 2);
            for (int z = 1; z < box.sz - 1; z++) {
                for (int y = 1; y < box.sy - 1; y++) {
                    for (int x = 1; x < box.sx - 1; x++) {
                        gathered.r[gathered.row(y0 + y, z0 + z) + x0 + x] = parts.getAtIndex(JAVA_DOUBLE, i++);
                    }
                }
            }
        }
        wrap(gathered, gathered.r);
    }

    private static void wrap(MgLevel box, double[] a) {
        for (int axis = 0; axis < MgGrid.AXES; axis++) {
            MgHalo.wrap(box, a, axis);
        }
    }

    /** The cycle on the levels that each rank has whole, and the first approximation on the one above. */
    private void cycleWhole() {
        for (int k = coarsest; k > 1; k--) {
            kernels.restrict(whole(k), whole(k - 1));
            wrap(whole(k - 1), whole(k - 1).r);
        }
        smoothFromZero(whole(1));
        wrap(whole(1), whole(1).u);
        for (int k = 2; k <= coarsest; k++) {
            Arrays.fill(whole(k).u, 0);
            kernels.interpolate(whole(k - 1), whole(k));
            if (k < coarsest) {
                kernels.residual(whole(k), whole(k).r);
                wrap(whole(k), whole(k).r);
                kernels.smooth(whole(k), null);
                wrap(whole(k), whole(k).u);
            }
        }
    }

    private MgLevel whole(int k) {
        return k == coarsest ? gathered : levels[k];
    }

    /** This rank's box of the whole approximation, with its halo. */
    private void scatter() {
        MgLevel box = levels[coarsest];
        int x0 = grid.at()[0] * (box.sx - 2);
        for (int z = 0; z < box.sz; z++) {
            for (int y = 0; y < box.sy; y++) {
                System.arraycopy(gathered.u,
                    gathered.row(grid.at()[1] * (box.sy - 2) + y, grid.at()[2] * (box.sz - 2) + z) + x0, box.u,
                    box.row(y, z), box.sx);
            }
        }
    }
}
