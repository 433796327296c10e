package org.ftrma.testkit;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.ftrma.MisuseException;
import org.ftrma.PeerLostException;

/** Peers that may access one member's memory, and those that no longer may. Whoever holds the scheduler's baton. */
final class SimAdmissions {
    private final SimFabric owner;
    /** Those that connected to the owner since it renewed, or were given an address. */
    private final List<SimFabric> letIn = new ArrayList<>();
    /** Processes that were cut off. */
    private final List<SimFabric> revoked = new ArrayList<>();
    /** Peers that were cut off, and not connected since. */
    private final BitSet missing = new BitSet();

    SimAdmissions(SimFabric owner) {
        this.owner = owner;
    }

    /** A process asks for an address, by the one that it tells all. */
    void ask(int peer, SimFabric asker) {
        requireNotRevoked(peer, asker);
        if (hasPredecessor(asker)) {
            throw new MisuseException("peer=" + peer + ": an earlier process of it was not revoked");
        }
        letIn(asker);
    }

    /** A process connects. Where memory is mapped nobody is kept out. */
    void comes(SimFabric source) {
        if (!owner.network().isMapped(source, owner) && !revoked.contains(source)) {
            letIn(source);
        }
    }

    private boolean hasPredecessor(SimFabric source) {
        return letIn.stream().anyMatch(other -> other.member() == source.member() && other != source);
    }

    private void letIn(SimFabric source) {
        if (!letIn.contains(source)) {
            letIn.add(source);
        }
    }

    void requireNotRevoked(int peer, SimFabric process) {
        if (revoked.contains(process)) {
            throw new MisuseException("peer=" + peer + ": this process of it was revoked");
        }
    }

    /** Whether nothing of a process may land any more. Mapped memory cannot be taken away from it. */
    boolean hasCutOff(SimFabric source) {
        return !revoked.isEmpty() && revoked.contains(source) && !owner.network().isMapped(source, owner);
    }

    /** {@code connected}: the process that was connected as this peer, or null. */
    void revoke(int peer, SimFabric connected) {
        if (connected != null) {
            cutOff(peer, connected);
        }
        List<SimFabric> came = letIn.stream().filter(source -> source.member() == peer).toList();
        came.forEach(source -> cutOff(peer, source));
        letIn.removeAll(came);
        if (came.size() > 1) {
            owner.network().scheduler().violation("member " + owner.member() + " revokes member " + peer
                + ", whose next process has connected already");
        }
    }

    private void cutOff(int peer, SimFabric process) {
        if (owner.network().isMapped(process, owner) && !process.isClosed() && !process.process().isOver()) {
            owner.network().scheduler().violation("member " + owner.member() + " revokes member " + peer
                + ", whose process lives and has its memory mapped");
        }
        missing.set(peer);
        keepOut(process);
    }

    private void keepOut(SimFabric process) {
        if (!revoked.contains(process)) {
            revoked.add(process);
        }
    }

    void connected(int peer) {
        missing.clear(peer);
    }

    void renewed() {
        letIn.clear();
        missing.clear();
    }

    /** A peer that was cut off and not connected since, or -1. */
    int firstMissing() {
        return missing.nextSetBit(0);
    }

    void requireNotMissing(int peer, String what) {
        if (peer >= 0 && missing.get(peer)) {
            throw loss(peer, what);
        }
    }

    /** The exception for a peer that was cut off: nobody is told, since who did it knows. */
    static PeerLostException loss(int peer, String what) {
        return new PeerLostException(peer, what + ": peer=" + peer + " was revoked");
    }
}
