package org.ftrma.testkit;

import org.ftrma.testkit.programs.SimRandom;

/**
 * The temper of one simulated machine, drawn from the seed: different seeds differ not only in their choices but in
 * what is slow, so that orders that uniform choices would never produce are met too. Chances are per mille.
 *
 * @param networkWeight how eagerly transfers are delivered, against a process's weight of 4 to 64
 * @param controlWeight how eagerly control frames are delivered
 * @param burst chance that a process goes on without any other event in between
 * @param tear chance that a transfer is cut in pieces
 * @param lateSource chance that a put reads its source when it lands, not when it is issued
 * @param lateAck chance that a transfer that landed is not known to its source at once
 * @param immediate chance that a connection behaves as mapped memory: accesses take effect at once
 * @param lostPeer chance that an access to a dead or renewed peer is reported as lost
 * @param stuckPeer chance that an access to a dead or renewed peer never ends
 * @param landAfterDeath chance that a transfer under way survives its source's death
 * @param dropFrame chance that a frame queued by a process is lost with it
 * @param holdBack chance that a transfer is held back for long unless its source waits for it
 * @param startFails chance that a replacement process does not come up
 */
record SimTraits(int networkWeight, int controlWeight, int burst, int tear, int lateSource, int lateAck, int immediate,
    int lostPeer,
    int stuckPeer, int landAfterDeath, int dropFrame, int holdBack, int startFails) {

    private static final int ALWAYS = 1000;

    static SimTraits draw(SimRandom random) {
        int[] weights = {2, 8, 24, 64};
        int[] chances = {0, 100, 400, 800};
        return new SimTraits(weights[random.below(4)], weights[random.below(4)], chances[random.below(4)],
            chances[random.below(4)],
            chances[random.below(4)], chances[random.below(4)], chances[random.below(3)], chances[random.below(4)],
            chances[random.below(3)], chances[random.below(4)], chances[random.below(3)], chances[random.below(4)],
            chances[random.below(2)]);
    }

    /** The same machine with a fabric on which every access takes effect at once. */
    SimTraits ofImmediateFabric() {
        return new SimTraits(networkWeight, controlWeight, burst, tear, lateSource, lateAck, ALWAYS, lostPeer,
            stuckPeer, landAfterDeath, dropFrame,
            holdBack, startFails);
    }

    /** Whether all connections are such. */
    boolean isImmediate() {
        return immediate == ALWAYS;
    }
}
