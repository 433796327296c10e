package org.ftrma.messaging.unlogged;

import org.ftrma.messaging.receive.PieceMemory;
import org.ftrma.messaging.send.PeerMemories;
import org.ftrma.messaging.transport.OutboxDescriptor;
import org.ftrma.messaging.transport.PeerOutbox;
import org.ftrma.messaging.transport.PieceSource;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.MemoryRegion;

/** Outboxes, from which receivers pull long messages. Data thread only. */
record OutboxPieces(Fabric fabric, PeerMemories peers, MemoryRegion region, int slots) implements PieceMemory {
    @Override
    public byte[] key() {
        return region.key();
    }

    @Override
    public boolean mayHavePiece(long place, long bytes) {
        return place >= 0 && place < slots && bytes >= 0 && bytes <= OutboxDescriptor.SLOT;
    }

    @Override
    public PieceSource open(int peer) {
        return new PeerOutbox(fabric, peer, peers.piecesOf(peer), slots);
    }
}
