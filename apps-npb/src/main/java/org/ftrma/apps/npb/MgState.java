package org.ftrma.apps.npb;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import java.lang.foreign.MemorySegment;

/**
 * State of MG that must survive: the approximation on the finest level, in protected memory. Its rows are stored as
 * they are done ({@link MgKernels#smooth}), its halo, of axes with several ranks, after that; of the other axes it is
 * made from the rest. So a rank that enters again needs nothing from others. Pure functions: one thread.
 */
final class MgState {
    private MgState() {
    }

    /** Stores the halo that neighbours have sent. */
    static void storeHalo(MgGrid grid, MgLevel box, MemorySegment memory) {
        MemorySegment u = MemorySegment.ofArray(box.u);
        for (int axis = 0; axis < MgGrid.AXES; axis++) {
            if (grid.ranks()[axis] > 1) {
                store(box, u, axis, 0, memory);
                store(box, u, axis, box.side(axis) - 1, memory);
            }
        }
    }

    private static void store(MgLevel box, MemorySegment u, int axis, int layer, MemorySegment memory) {
        if (axis == 2) {
            long at = (long) layer * box.plane * Double.BYTES;
            MemorySegment.copy(u, at, memory, at, (long) box.plane * Double.BYTES);
            return;
        }
        for (int z = 0; z < box.sz; z++) {
            if (axis == 1) {
                long at = (long) box.row(layer, z) * Double.BYTES;
                MemorySegment.copy(u, at, memory, at, (long) box.sx * Double.BYTES);
            } else {
                for (int y = 0; y < box.sy; y++) {
                    int index = box.row(y, z) + layer;
                    memory.setAtIndex(JAVA_DOUBLE, index, box.u[index]);
                }
            }
        }
    }

    static void load(MgGrid grid, MgLevel box, MemorySegment memory) {
        MemorySegment.copy(memory, 0, MemorySegment.ofArray(box.u), 0, memory.byteSize());
        for (int axis = 0; axis < MgGrid.AXES; axis++) {
            if (grid.ranks()[axis] == 1) {
                MgHalo.wrap(box, box.u, axis);
            }
        }
    }
}
