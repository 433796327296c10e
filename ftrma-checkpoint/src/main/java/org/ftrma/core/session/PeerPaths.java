package org.ftrma.core.session;

import org.ftrma.spi.Fabric;

/**
 * Paths from this member to each of the others. The fabric has a path for each pair, and most of the protocol asks for
 * that of the pair which it is about. What depends on what may be under way to anybody asks whether all are alike. Data
 * thread only.
 */
public final class PeerPaths {
    private final Fabric fabric;
    private final int members;
    private final boolean revokes;
    private boolean allImmediate;

    PeerPaths(Fabric fabric, int members) {
        this.fabric = fabric;
        this.revokes = fabric.revokes();
        this.members = members;
        enterView();
    }

    /** Whoever is reached in the new view is reached anew. */
    void enterView() {
        boolean all = true;
        for (int peer = 0; peer < members && all; peer++) {
            all = fabric.isImmediate(peer);
        }
        allImmediate = all;
    }

    /** Whether accesses to this one, and its accesses to this member, take effect when they are issued. */
    public boolean isImmediate(int peer) {
        return fabric.isImmediate(peer);
    }

    /** Whether this is so of all members: then nothing is ever under way, and nothing needs this member's help. */
    public boolean areImmediate() {
        return allImmediate;
    }

    /**
     * Whether nothing of a lost member can land at this one any more when it says so: then one member can be recovered
     * while the others run on.
     */
    public boolean canLeaveOneAlone() {
        return allImmediate || revokes;
    }
}
