package org.ftrma.core.parity;

import java.util.ArrayDeque;
import java.util.Queue;
import org.ftrma.PeerLostException;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.PeerTable;
import org.ftrma.core.session.RecoveringRanks;
import org.ftrma.spi.RemoteMemory;

/**
 * Maps regions that this member will read much of, while it waits for their owners anyway: the pages of another
 * process's memory cost a microsecond each when they are first read, which otherwise the first parities take from the
 * program's time. Data thread only.
 */
public final class MappingAhead {
    /** Regions that are smaller are not worth a frame. */
    public static final long LEAST_BYTES = 64 << 10;
    /** Between two looks at what arrived: about a millisecond. */
    private static final long PIECE_BYTES = 4 << 20;

    private final Inbox inbox;
    private final RecoveringRanks away;
    private final PeerTable peers;
    private final Queue<ControlMessage.RegionKey> told = new ArrayDeque<>();
    private RemoteMemory memory;
    private long at;

    MappingAhead(Inbox inbox, RecoveringRanks away, PeerTable peers) {
        this.inbox = inbox;
        this.away = away;
        this.peers = peers;
    }

    /** A region that is completely there, with all its pages. */
    void add(ControlMessage.RegionKey region) {
        told.add(region);
    }

    /** A new view: what was mapped in earlier ones cannot be accessed any more. */
    void restart() {
        memory = null;
        told.removeIf(region -> region.view() != inbox.view());
    }

    /** Maps a piece of what there is to map; whether there was anything. */
    boolean turn() {
        if (away.losses() > 0) {
            told.clear(); // keys of lost processes may be among them, and there is other work now
            memory = null;
            return false;
        }
        if (memory == null && told.isEmpty()) {
            return false;
        }
        if (memory == null) {
            next(told.remove());
        } else {
            memory.prefault(at, Math.min(PIECE_BYTES, memory.bytes() - at));
            at += PIECE_BYTES;
            memory = at < memory.bytes() ? memory : null;
        }
        return true;
    }

    private void next(ControlMessage.RegionKey region) {
        try {
            memory = peers.attachAhead(region.member(), region.key());
            at = 0;
        } catch (PeerLostException e) {
            if (!peers.goesOnAfter(e, 0)) {
                throw e;
            }
        }
    }
}
