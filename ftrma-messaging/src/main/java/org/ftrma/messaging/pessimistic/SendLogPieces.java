package org.ftrma.messaging.pessimistic;

import org.ftrma.messaging.receive.PieceMemory;
import org.ftrma.messaging.send.PeerMemories;
import org.ftrma.messaging.transport.PeerSendLog;
import org.ftrma.messaging.transport.PieceSource;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.MemoryRegion;

/** Send logs, from which receivers pull long messages. Data thread only. */
record SendLogPieces(Fabric fabric, PeerMemories peers, MemoryRegion region, long logBytes) implements PieceMemory {
    @Override
    public byte[] key() {
        return region.key();
    }

    @Override
    public boolean mayHavePiece(long place, long bytes) {
        return PeerSendLog.mayHave(logBytes, place, bytes);
    }

    @Override
    public PieceSource open(int peer) {
        return new PeerSendLog(fabric, peer, peers.piecesOf(peer));
    }
}
