package org.ftrma.ucx;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Consumer;
import org.ftrma.MisuseException;

/** The peers that are connected, and those that were revoked since. Data thread only. */
final class Connections {
    private Connection[] byPeer = new Connection[8];
    /** Revoked, and not connected since. */
    private final BitSet missing = new BitSet();

    /** The connection to a peer, or null. */
    Connection find(int peer) {
        return peer >= 0 && peer < byPeer.length ? byPeer[peer] : null;
    }

    /** The connection to a peer, which is lost where it was revoked. */
    Connection get(int peer) {
        Connection connection = find(peer);
        if (connection == null) {
            requireNotMissing(peer);
            throw new MisuseException("peer=" + peer + " is not connected");
        }
        return connection;
    }

    void put(Connection connection) {
        int peer = connection.peer;
        if (peer >= byPeer.length) {
            byPeer = Arrays.copyOf(byPeer, Math.max(peer + 1, 2 * byPeer.length));
        }
        byPeer[peer] = connection;
        missing.clear(peer);
    }

    void remove(int peer) {
        byPeer[peer] = null;
    }

    void revoked(int peer) {
        missing.set(peer);
    }

    void forget(int peer) {
        if (peer >= 0) {
            missing.clear(peer);
        }
    }

    void renewed() {
        missing.clear();
    }

    boolean isMissing(int peer) {
        return peer >= 0 && missing.get(peer);
    }

    /** A peer that was not connected has no accesses under way; one that was revoked may have had some. */
    void requireNotMissing(int peer) {
        if (isMissing(peer)) {
            throw NetworkPeer.revocation(peer);
        }
    }

    void requireNoneMissing() {
        requireNotMissing(missing.nextSetBit(0));
    }

    void forEach(Consumer<Connection> action) {
        for (Connection connection : byPeer) {
            if (connection != null) {
                action.accept(connection);
            }
        }
    }

    /** Which ways attached memory is reached; without any, those that there are. */
    String pathInUse(boolean mappedAlone, boolean networkAlone) {
        boolean anyMapped = mappedAlone;
        boolean anyNetwork = networkAlone;
        for (Connection connection : byPeer) {
            if (connection != null) {
                anyMapped |= connection.attachedMapped;
                anyNetwork |= connection.attachedNetwork;
            }
        }
        return anyMapped && anyNetwork ? "mapped,network" : anyMapped ? "mapped" : anyNetwork ? "network" : "auto";
    }
}
