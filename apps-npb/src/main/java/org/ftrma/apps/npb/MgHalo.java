package org.ftrma.apps.npb;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.Channel;
import org.ftrma.MessageRequest;

/**
 * Fills the halo of a box: along each axis in turn the outer layers go to the two neighbours, with the halo of the axes
 * before, so that corners come along. Where there is one rank in a direction the box is its own neighbour.
 *
 * <p>Receives are from named neighbours, with the direction in the tag; or from any source, as in NPB up to 3.2, and
 * then the source tells which side a message is for. Where both neighbours are the same rank it is the order. The tag
 * has the level, and the number of the exchange in the step: a neighbour that is ahead may have sent the next message
 * already, while one on the other side has not sent this one. Data thread only; allocates nothing in calls.
 */
final class MgHalo {
    private static final int STEPS = 1 << 10;
    private static final int EXCHANGES = 1 << 10;
    private static final int LEVELS = 1 << 5;

    private final Channel world;
    private final MgGrid grid;
    private final boolean anySource;
    private final MemorySegment sentDown;
    private final MemorySegment sentUp;
    private final MemorySegment receivedFirst;
    private final MemorySegment receivedSecond;
    private int step;
    private int exchange;

    MgHalo(Channel world, MgGrid grid, MgLevel finest, boolean anySource) {
        this.world = world;
        this.grid = grid;
        this.anySource = anySource;
        int largest = 0;
        for (int axis = 0; axis < MgGrid.AXES; axis++) {
            if (grid.ranks()[axis] > 1) {
                largest = Math.max(largest, finest.u.length / finest.side(axis));
            }
        }
        Arena arena = Arena.ofAuto();
        sentDown = arena.allocate(Math.max(1, largest) * (long) Double.BYTES, 64);
        sentUp = arena.allocate(Math.max(1, largest) * (long) Double.BYTES, 64);
        receivedFirst = arena.allocate(Math.max(1, largest) * (long) Double.BYTES, 64);
        receivedSecond = arena.allocate(Math.max(1, largest) * (long) Double.BYTES, 64);
    }

    /** To be called at the beginning of each step, with a number of its own: tags begin anew. */
    void begin(long newStep) {
        step = (int) (newStep % STEPS);
        exchange = 0;
    }

    /** Fills the halo of u or r of a level. */
    void exchange(MgLevel box, double[] a) {
        for (int axis = 0; axis < MgGrid.AXES; axis++) {
            if (grid.ranks()[axis] == 1) {
                wrap(box, a, axis);
            } else {
                exchange(box, a, axis);
            }
        }
        exchange++;
    }

    /** What the box's own layers are the halo of, on axes with one rank. */
    static void wrap(MgLevel box, double[] a, int axis) {
        int last = box.side(axis) - 1;
        copy(box, a, axis, last - 1, 0);
        copy(box, a, axis, 1, last);
    }

    private static void copy(MgLevel box, double[] a, int axis, int from, int to) {
        if (axis == 2) {
            System.arraycopy(a, from * box.plane, a, to * box.plane, box.plane);
            return;
        }
        for (int z = 1; z < box.sz - 1; z++) {
            if (axis == 1) {
                System.arraycopy(a, box.row(from, z), a, box.row(to, z), box.sx);
            } else {
                for (int y = 1; y < box.sy - 1; y++) {
                    a[box.row(y, z) + to] = a[box.row(y, z) + from];
                }
            }
        }
    }

    private void exchange(MgLevel box, double[] a, int axis) {
        int down = grid.neighbour(axis, -1);
        int up = grid.neighbour(axis, 1);
        int last = box.side(axis) - 1;
        int tag = (((step * EXCHANGES + exchange) * LEVELS + box.number) * MgGrid.AXES + axis) * 2;
        long bytes = layer(box, axis) * (long) Double.BYTES;
        int fromDown = anySource ? Channel.ANY_SOURCE : down;
        int fromUp = anySource ? Channel.ANY_SOURCE : up;
        MessageRequest first = world.irecv(receivedFirst, 0, bytes, fromDown, tag);
        MessageRequest second = world.irecv(receivedSecond, 0, bytes, fromUp, anySource ? tag : tag + 1);
        pack(box, a, axis, last - 1, sentUp);
        MessageRequest upwards = world.isend(sentUp, 0, bytes, up, tag);
        pack(box, a, axis, 1, sentDown);
        MessageRequest downwards = world.isend(sentDown, 0, bytes, down, anySource ? tag : tag + 1);
        // Where both are the same rank what it sent first, upwards, has come from below.
        boolean isFromBelow = first.await().source() == down;
        unpack(box, a, axis, isFromBelow ? 0 : last, receivedFirst);
        second.await();
        unpack(box, a, axis, isFromBelow ? last : 0, receivedSecond);
        upwards.await();
        downwards.await();
    }

    private static int layer(MgLevel box, int axis) {
        return axis == 2 ? box.plane : axis == 1 ? box.sx * (box.sz - 2) : (box.sy - 2) * (box.sz - 2);
    }

    /** Copies a layer into memory, as {@link #unpack} reads it. */
    static void pack(MgLevel box, double[] a, int axis, int layer, MemorySegment memory) {
        MemorySegment source = MemorySegment.ofArray(a);
        if (axis == 2) {
            MemorySegment.copy(source, (long) layer * box.plane * Double.BYTES, memory, 0,
                (long) box.plane * Double.BYTES);
            return;
        }
        long at = 0;
        for (int z = 1; z < box.sz - 1; z++) {
            if (axis == 1) {
                MemorySegment.copy(source, (long) box.row(layer, z) * Double.BYTES, memory, at,
                    (long) box.sx * Double.BYTES);
                at += (long) box.sx * Double.BYTES;
            } else {
                for (int y = 1; y < box.sy - 1; y++, at += Double.BYTES) {
                    memory.set(JAVA_DOUBLE, at, a[box.row(y, z) + layer]);
                }
            }
        }
    }

    /** The opposite of {@link #pack}. */
    static void unpack(MgLevel box, double[] a, int axis, int layer, MemorySegment memory) {
        MemorySegment target = MemorySegment.ofArray(a);
        if (axis == 2) {
            MemorySegment.copy(memory, 0, target, (long) layer * box.plane * Double.BYTES,
                (long) box.plane * Double.BYTES);
            return;
        }
        long at = 0;
        for (int z = 1; z < box.sz - 1; z++) {
            if (axis == 1) {
                MemorySegment.copy(memory, at, target, (long) box.row(layer, z) * Double.BYTES,
                    (long) box.sx * Double.BYTES);
                at += (long) box.sx * Double.BYTES;
            } else {
                for (int y = 1; y < box.sy - 1; y++, at += Double.BYTES) {
                    a[box.row(y, z) + layer] = memory.get(JAVA_DOUBLE, at);
                }
            }
        }
    }
}
