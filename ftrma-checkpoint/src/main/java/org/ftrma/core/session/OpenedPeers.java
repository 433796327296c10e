package org.ftrma.core.session;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.spi.RemoteMemory;

/**
 * Computing ranks whose keys this member has asked the coordinator for, and the memory that it has opened by these. A
 * member gives up a rank that it has left alone for a while: it asks again before the next access, and has the same
 * memory then. So nothing is opened twice, and nothing is closed. One view; data thread only.
 */
public final class OpenedPeers {
    private final Inbox inbox;
    private final int ranks;
    private final BitSet asked = new BitSet();
    /** By peer: what is opened by which key. */
    private final Map<Integer, List<Opened>> opened = new HashMap<>();

    private record Opened(byte[] key, RemoteMemory memory) {
    }

    OpenedPeers(Inbox inbox, int ranks) {
        this.inbox = inbox;
        this.ranks = ranks;
    }

    /** A new view: nothing is open. Whom the process before this one had asked for in this view is not known. */
    void enterView() {
        opened.clear();
        asked.clear();
        if (inbox.recovery() > 0) {
            asked.set(0, ranks);
        }
    }

    /** Whoever comes in its place has other keys. */
    void lost(int peer) {
        opened.remove(peer);
    }

    /** The coordinator is asked for keys of these members. */
    void asks(int scope, int first, int count) {
        if (scope == ControlMessage.Scope.COMPUTING.ordinal()) {
            asked.set(first, first + count);
        }
    }

    /** Those whose keys this member may have asked for and did not give up since. */
    public BitSet asked() {
        return (BitSet) asked.clone();
    }

    /** What was opened of a peer by that key, or null. */
    RemoteMemory find(int peer, byte[] key) {
        for (Opened one : opened.getOrDefault(peer, List.of())) {
            if (Arrays.equals(one.key, key)) {
                return one.memory;
            }
        }
        return null;
    }

    void keep(int peer, byte[] key, RemoteMemory memory) {
        opened.computeIfAbsent(peer, rank -> new ArrayList<>()).add(new Opened(key, memory));
    }

    /** Nothing of these ranks is open any more where accesses of this member begin: the coordinator is told so. */
    public void renounce(BitSet left) {
        asked.andNot(left);
        inbox.send(new ControlMessage.Renounced(inbox.view(), left.toLongArray()));
    }
}
