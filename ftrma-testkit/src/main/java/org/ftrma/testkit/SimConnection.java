package org.ftrma.testkit;

/** One member's way to a peer, from {@code connect} to the next {@code renew} of either. */
final class SimConnection {
    final SimFabric source;
    final int peer;
    final SimFabric target;
    /** Accesses take effect at once, as through mapped memory: also after the peer's renewal, since such memory cannot be cut off. */
    final boolean immediate;
    /** Transfers that have not landed, or whose landing is not known yet. */
    int pending;
    /** Of these, the ones whose local side is open: results that have not arrived. */
    int pendingResults;
    /** An access was reported to be lost: flush says so. */
    boolean lost;
    private final int sourceEpoch;
    private final int targetEpoch;

    SimConnection(SimFabric source, int peer, SimFabric target, int targetEpoch, boolean immediate) {
        this.source = source;
        this.peer = peer;
        this.target = target;
        this.immediate = immediate;
        this.sourceEpoch = source.epoch();
        this.targetEpoch = targetEpoch;
    }

    /** Whether the source still uses this connection. */
    boolean isOpen() {
        return sourceEpoch == source.epoch() && !source.isClosed();
    }

    boolean targetGone() {
        return target.isClosed() || target.process().isOver();
    }

    boolean targetRenewed() {
        return targetEpoch != target.epoch();
    }
}
