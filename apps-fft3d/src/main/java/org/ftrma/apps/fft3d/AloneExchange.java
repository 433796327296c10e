package org.ftrma.apps.fft3d;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The exchange of a process that has no job yet, with itself, in memory of its own. One thread. */
final class AloneExchange implements Exchange {
    private final MemorySegment[] areas = new MemorySegment[Spectral3d.SCRATCH_AREAS];
    private final MemorySegment[] staged = new MemorySegment[Spectral3d.SCRATCH_AREAS];

    AloneExchange(Arena arena, long areaBytes) {
        for (int a = 0; a < areas.length; a++) {
            areas[a] = arena.allocate(areaBytes, 64);
            staged[a] = arena.allocate(areaBytes, 64);
        }
    }

    @Override
    public MemorySegment scratch(int area) {
        return areas[area];
    }

    @Override
    public MemorySegment stage(int target, int area, long bytes) {
        return staged[area].asSlice(0, bytes);
    }

    @Override
    public void put(MemorySegment source, int target, int area, long offset, long stride, long blockBytes, long count) {
        for (long block = 0; block < count; block++) {
            MemorySegment.copy(source, block * blockBytes, areas[area], offset + block * stride, blockBytes);
        }
    }

    @Override
    public void progress() {
        // what is put is there at once
    }

    @Override
    public void fence() {
        // there is nobody else
    }
}
