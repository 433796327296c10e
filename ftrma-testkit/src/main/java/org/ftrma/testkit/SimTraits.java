package org.ftrma.testkit;

import org.ftrma.testkit.programs.SimRandom;

/**
 * Seed-dependent delays and fault rates of one simulated machine: different seeds differ not only in their choices but
 * in what is slow, so that orders that uniform choices would never produce are met too. Chances are per mille. Of one
 * simulation, whose steps are one at a time.
 */
final class SimTraits {
    private static final int ALWAYS = 1000;

    private final int networkWeight;
    private final int controlWeight;
    private final int burst;
    private final int tear;
    private final int lateSource;
    private final int lateAck;
    private int immediate;
    private final int lostPeer;
    private final int stuckPeer;
    private final int landAfterDeath;
    private final int dropFrame;
    private final int holdBack;
    private final int startFails;

    /** Draws one after the other: in another order a seed would be another machine. */
    private SimTraits(SimRandom random) {
        int[] weights = {2, 8, 24, 64};
        int[] chances = {0, 100, 400, 800};
        networkWeight = weights[random.below(4)];
        controlWeight = weights[random.below(4)];
        burst = chances[random.below(4)];
        tear = chances[random.below(4)];
        lateSource = chances[random.below(4)];
        lateAck = chances[random.below(4)];
        immediate = chances[random.below(3)];
        lostPeer = chances[random.below(4)];
        stuckPeer = chances[random.below(3)];
        landAfterDeath = chances[random.below(4)];
        dropFrame = chances[random.below(3)];
        holdBack = chances[random.below(4)];
        startFails = chances[random.below(2)];
    }

    static SimTraits draw(SimRandom random) {
        return new SimTraits(random);
    }

    /** Gives the same machine a fabric on which every access takes effect at once. */
    SimTraits ofImmediateFabric() {
        immediate = ALWAYS;
        return this;
    }

    /** Whether all connections are such. */
    boolean isImmediate() {
        return immediate == ALWAYS;
    }

    /** How eagerly transfers are delivered, against a process's weight of 4 to 64. */
    int networkWeight() {
        return networkWeight;
    }

    /** How eagerly control frames are delivered. */
    int controlWeight() {
        return controlWeight;
    }

    /** Chance that a process goes on without any other event in between. */
    int burst() {
        return burst;
    }

    /** Chance that a transfer is cut in pieces. */
    int tear() {
        return tear;
    }

    /** Chance that a put reads its source when it lands, not when it is issued. */
    int lateSource() {
        return lateSource;
    }

    /** Chance that a transfer that landed is not known to its source at once. */
    int lateAck() {
        return lateAck;
    }

    /** Chance that a connection behaves as mapped memory: accesses take effect at once. */
    int immediate() {
        return immediate;
    }

    /** Chance that an access to a dead or renewed peer is reported as lost. */
    int lostPeer() {
        return lostPeer;
    }

    /** Chance that an access to a dead or renewed peer never ends. */
    int stuckPeer() {
        return stuckPeer;
    }

    /** Chance that a transfer under way survives its source's death. */
    int landAfterDeath() {
        return landAfterDeath;
    }

    /** Chance that a frame queued by a process is lost with it. */
    int dropFrame() {
        return dropFrame;
    }

    /** Chance that a transfer is held back for long unless its source waits for it. */
    int holdBack() {
        return holdBack;
    }

    /** Chance that a replacement process does not come up. */
    int startFails() {
        return startFails;
    }
}
