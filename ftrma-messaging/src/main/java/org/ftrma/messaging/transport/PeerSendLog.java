package org.ftrma.messaging.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.RemoteMemory;

/**
 * The send log of another rank, as a receiver reads it. A place is the offset of a record, and one more where its
 * sender is to know when the piece was read. Data thread only.
 */
public final class PeerSendLog implements PieceSource {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private final Fabric fabric;
    private final int peer;
    private final RemoteMemory remote;
    private final MemorySegment direct;

    /** That of a peer. */
    public PeerSendLog(Fabric fabric, int peer, RemoteMemory remote) {
        this.fabric = fabric;
        this.peer = peer;
        this.remote = remote;
        this.direct = fabric.isImmediate(peer) ? remote.mapped() : null;
    }

    /** Whether a log of so many bytes may have a piece of that length there. */
    public static boolean mayHave(long logBytes, long place, long bytes) {
        return place >= 0 && (place & 62) == 0 && bytes >= 0 && bytes <= SendLogDescriptor.PIECE
            && (place & -64) <= logBytes - SendLogDescriptor.recordBytes(bytes);
    }

    @Override
    public void get(long place, MemorySegment destination, long offset, long length) {
        if (length == 0) {
            return; // nothing of it fits, or there is nothing: the destination may end before the offset
        }
        long from = (place & -64) + SendLogDescriptor.PAYLOAD;
        if (direct != null) {
            MemorySegment.copy(direct, from, destination, offset, length);
        } else {
            remote.get(destination, offset, from, length);
        }
    }

    @Override
    public void complete() {
        if (direct == null) {
            fabric.flush(peer);
        }
    }

    @Override
    public void release(long place) {
        if ((place & 1) == 0) {
            return; // nobody waits for that
        }
        long word = (place & -64) + SendLogDescriptor.READ;
        if (direct != null) {
            LONG.setRelease(direct, word, 1L);
        } else {
            remote.putLong(word, 1);
            fabric.flush(peer); // the record's memory may be another one's as soon as the message counts as received
        }
    }
}
