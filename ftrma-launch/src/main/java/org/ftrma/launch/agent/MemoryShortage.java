package org.ftrma.launch.agent;

import java.util.function.Supplier;
import org.ftrma.ucx.HostMemory;

/**
 * Tells which processes the kernel has killed for want of memory: it counts them, and does not say which they were. The
 * job's thread only.
 */
final class MemoryShortage {
    private final Supplier<HostMemory.Kills> kills;
    private HostMemory.Kills told;

    /** @param kills how many the kernel has killed so far */
    MemoryShortage(Supplier<HostMemory.Kills> kills) {
        this.kills = kills;
        this.told = kills.get();
    }

    /** That of this host, from now on. */
    static MemoryShortage here() {
        return new MemoryShortage(HostMemory.here()::kills);
    }

    /** A process was killed: more of that, for people, where the kernel has killed one more than was told of. */
    String ofKill() {
        HostMemory.Kills now = kills.get();
        String scarce = now.since(told);
        if (scarce == null) {
            return "";
        }
        told = told.next(now);
        return " by the kernel for want of memory: " + scarce + " had none left; give it more, or use fewer processes "
            + "for each host";
    }
}
