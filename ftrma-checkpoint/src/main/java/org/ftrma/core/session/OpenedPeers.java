package org.ftrma.core.session;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.spi.RemoteMemory;

/**
 * Which computing ranks one member has asked the coordinator for keys of, and what it has opened by these: who gives a
 * rank up, since it has left that alone for a while, asks again before it accesses that, and has the same memory then.
 * So nothing is opened twice, and nothing is closed. One view; data thread only.
 */
public final class OpenedPeers {
    private final Session session;
    private final BitSet asked = new BitSet();
    /** By peer: what is opened by which key. */
    private final Map<Integer, List<Opened>> opened = new HashMap<>();

    private record Opened(byte[] key, RemoteMemory memory) {
    }

    OpenedPeers(Session session) {
        this.session = session;
    }

    /** A new view: nothing is open. Whom the process before this one had asked for in this view is not known. */
    void enterView() {
        opened.clear();
        asked.clear();
        if (session.inbox.recovery() > 0) {
            asked.set(0, session.ranks);
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

    /** As {@link Session#attach}; where ranks may be given up the same memory is there when it is asked for again. */
    public RemoteMemory attach(int peer, Supplier<byte[]> key) {
        byte[][] last = new byte[1][];
        RemoteMemory memory = session.attach(peer, () -> last[0] = key.get());
        if (session.options.protocol().recoversLocally() && find(peer, last[0]) == null) {
            keep(peer, last[0], memory);
        }
        return memory;
    }

    /** Nothing of these ranks is open any more where accesses of this member begin: the coordinator is told so. */
    public void renounce(BitSet ranks) {
        asked.andNot(ranks);
        session.inbox.send(new ControlMessage.Renounced(session.inbox.view(), ranks.toLongArray()));
    }
}
