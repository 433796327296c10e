package org.ftrma.messaging.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.RemoteMemory;

/** The outbox of another rank, as a receiver reads it. Data thread only; allocates nothing. */
public final class PeerOutbox implements PieceSource {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private final Fabric fabric;
    private final int peer;
    private final RemoteMemory remote;
    private final MemorySegment direct;
    private final int slots;

    /** That of a peer. */
    public PeerOutbox(Fabric fabric, int peer, RemoteMemory remote, int slots) {
        this.fabric = fabric;
        this.peer = peer;
        this.remote = remote;
        this.direct = fabric.isImmediate(peer) ? remote.mapped() : null;
        this.slots = slots;
    }

    @Override
    public void get(long slot, MemorySegment destination, long offset, long length) {
        if (length == 0) {
            return; // nothing of it fits, or there is nothing: the destination may end before the offset
        }
        long from = OutboxDescriptor.slotOffset(slots, (int) slot);
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
    public void release(long slot) {
        if (direct != null) {
            LONG.setRelease(direct, OutboxDescriptor.readOffset((int) slot), 1L);
        } else {
            remote.putLong(OutboxDescriptor.readOffset((int) slot), 1);
        }
    }
}
