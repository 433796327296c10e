package org.ftrma.ucx;

import java.util.ArrayList;
import java.util.List;
import org.ftrma.FtrmaException;
import org.ftrma.spi.Holes;

/**
 * Regions that a process has exposed before it knows whether it needs them: each is handed out once, to the first who
 * asks for one of its size and kind. Data thread only.
 */
final class Provision {
    private final UcxFabric fabric;
    private final List<UcxRegion> regions = new ArrayList<>();
    private final List<UcxRegion> lazy = new ArrayList<>();

    Provision(UcxFabric fabric) {
        this.fabric = fabric;
    }

    /** All regions, or none where memory is short. As {@link UcxFabric#provision} says. */
    void add(long[] sizes, Holes ofLast) {
        List<UcxRegion> ready = new ArrayList<>();
        try {
            for (int i = 0; i < sizes.length; i++) {
                ready.add(fabric.allocate(sizes[i], i == sizes.length - 1 ? ofLast : Holes.NONE));
            }
            regions.addAll(ready);
        } catch (FtrmaException e) {
            ready.forEach(UcxRegion::close);
        }
    }

    /** As {@link UcxFabric#provisionLazily} says. */
    void addLazy(long bytes, long aheadBytes) {
        try {
            UcxRegion region = allocateLazily(bytes);
            lazy.add(region);
            if (aheadBytes > 0) {
                fabric.prefault(region, aheadBytes);
            }
        } catch (FtrmaException e) {
            Thread.onSpinWait(); // whoever needs the memory says what is missing
        }
    }

    /** A region of that size with its pages, which is allocated if none is ready. */
    UcxRegion expose(long bytes, Holes holes) {
        UcxRegion ready = take(regions, bytes);
        return ready != null ? ready : fabric.allocate(bytes, holes);
    }

    /** A region of that size whose pages come when they are used, which is allocated if none is ready. */
    UcxRegion exposeLazily(long bytes) {
        UcxRegion ready = take(lazy, bytes);
        return ready != null ? ready : allocateLazily(bytes);
    }

    private UcxRegion allocateLazily(long bytes) {
        return fabric.allocate(bytes, new Holes(0, bytes, bytes, 1));
    }

    private static UcxRegion take(List<UcxRegion> from, long bytes) {
        for (UcxRegion region : from) {
            if (region.segment().byteSize() == bytes) {
                from.remove(region);
                return region;
            }
        }
        return null;
    }
}
