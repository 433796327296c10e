package org.ftrma.testkit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** One member's way to a peer, from {@code connect} to the next {@code renew} of either, or a
 * {@code revoke}. */
@SuppressWarnings("restricted")
final class SimConnection {
    final SimFabric source;
    final int peer;
    final SimFabric target;
    /**
     * Accesses take effect at once, as through mapped memory: also after the peer's renewal, since such memory cannot
     * be cut off.
     */
    final boolean immediate;
    /** Transfers that have not landed, or whose landing is not known yet. */
    int pending;
    /** Of these, the ones whose local side is open: results that have not arrived. */
    int pendingResults;
    /** Of these, the ones that their readers wait for. */
    int pendingSignals;
    /** The source waits for all of it. */
    boolean awaited;
    /** An access was reported to be lost: flush says so. */
    boolean lost;
    private boolean deaf;
    /** The source has cut off the peer: what is accessed by this connection is lost. */
    boolean revoked;
    /** Whether the peer's memory is handed out, too. */
    private final boolean mapped;
    private Arena arena;
    private final int sourceEpoch;
    private final int targetEpoch;

    SimConnection(SimFabric source, int peer, SimFabric target, int targetEpoch, boolean immediate, boolean mapped) {
        this.source = source;
        this.peer = peer;
        this.target = target;
        this.immediate = immediate;
        this.mapped = immediate && mapped;
        this.sourceEpoch = source.epoch();
        this.targetEpoch = targetEpoch;
    }

    /** The peer's memory as mapped here, or null. It can be used until the connection is dropped. Source's thread. */
    MemorySegment map(SimRegion region) {
        if (!mapped || !isOpen()) {
            return null;
        }
        if (arena == null) {
            arena = Arena.ofConfined();
        }
        return MemorySegment.ofAddress(region.memory.address()).reinterpret(region.memory.byteSize(), arena, null);
    }

    /** The source drops the connection: on its own thread. */
    void unmap() {
        if (arena != null) {
            arena.close();
            arena = null;
        }
    }

    /** Whether the source still uses this connection. */
    boolean isOpen() {
        return sourceEpoch == source.epoch() && !source.isClosed() && !revoked;
    }

    /** Nothing of it is under way any more, at least as far as the source knows. */
    void revoke() {
        revoked = true;
        lost = true;
        unmap();
    }

    boolean targetGone() {
        return target.isClosed() || target.process().isOver();
    }

    boolean targetRenewed() {
        return targetEpoch != target.epoch();
    }

    /**
     * A write is dropped silently. Nothing that answers can follow it, or memory would be seen as it never was: by
     * nobody, if the process there is dead, since this source may tell others of its write.
     */
    void drops() {
        deaf = true;
        target.isDeaf |= targetGone();
    }

    /** Whether nothing there answers this source any more. */
    boolean isDeaf() {
        return deaf || target.isDeaf;
    }

    /** Whether what is sent by it is refused there: the peer has renewed its connections, or cut off the source. */
    boolean isRefused() {
        return targetRenewed() && !immediate || target.hasCutOff(source);
    }
}
