package org.ftrma.messaging.send;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.ftrma.core.control.Blob;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.session.Contributions;
import org.ftrma.core.session.Session;
import org.ftrma.messaging.transport.OutLane;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.RemoteMemory;

/** Other ranks' memory for messages: opened when a message first needs it. Data thread only. */
public final class PeerMemories {
    private static final int INBOX = 0;
    private static final int PIECES = 1;
    private final Session session;
    private final Fabric fabric;
    private final long laneBytes;
    private Contributions keys;

    /** Lanes have so many bytes. */
    public PeerMemories(Session session, Fabric fabric, long laneBytes) {
        this.session = session;
        this.fabric = fabric;
        this.laneBytes = laneBytes;
    }

    /** All ranks exchange the keys of this view's memory: of their lanes, and of long messages. */
    public void exchange(byte[] lanesKey, byte[] piecesKey) {
        keys = session.exchange(ControlMessage.Scope.COMPUTING, Blob.pack(List.of(lanesKey, piecesKey)));
    }

    /** The keys of all are about to be needed: asks for them together. */
    public void fetchKeys() {
        keys.fetch(session.ranks);
    }

    private RemoteMemory attach(int peer, int which) {
        return session.attach(peer, () -> Blob.unpack(keys.of(peer), 2).get(which));
    }

    /** This rank's lane at a target; {@code room} is where frames are made. */
    public OutLane laneTo(int target, MemorySegment room) {
        return new OutLane(fabric, session.member, session.ranks, target, attach(target, INBOX), laneBytes, room);
    }

    /** The memory of a peer that long messages are pulled from. */
    public RemoteMemory piecesOf(int peer) {
        return attach(peer, PIECES);
    }
}
