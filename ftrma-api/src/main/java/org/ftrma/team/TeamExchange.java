package org.ftrma.team;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Exchanges among all members: each fills an area of its window with a part for each other one, all meet, and each
 * reads what is for it from all at the same time. Areas take turns: one is filled again after the barrier that follows
 * those reads. Each part begins with the bytes that there are in all, so unequal expectations are found. Data thread
 * only; allocates nothing but an area to read to, at the first call.
 */
final class TeamExchange {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private final TeamLinks links;
    private final long partBytes;
    private final long dataBytes;
    private final long[] sendOffsets;
    private final long[] sendLengths;
    private final long[] recvOffsets;
    private final long[] recvLengths;
    private MemorySegment received;

    TeamExchange(TeamLinks links) {
        this.links = links;
        this.partBytes = links.layout.areaBytes / links.size & -8L;
        this.dataBytes = partBytes - Long.BYTES;
        this.sendOffsets = new long[links.size];
        this.sendLengths = new long[links.size];
        this.recvOffsets = new long[links.size];
        this.recvLengths = new long[links.size];
    }

    void equal(MemorySegment source, MemorySegment destination) {
        long bytes = source.byteSize() / links.size;
        for (int i = 0; i < links.size; i++) {
            sendOffsets[i] = i * bytes;
            recvOffsets[i] = i * bytes;
            sendLengths[i] = bytes;
            recvLengths[i] = bytes;
        }
        run(source, destination, turns(bytes));
    }

    /** Before the turns of an unequal exchange: what it sends and expects; returns the turns that this rank needs. */
    long unequal(long[] fromOffsets, long[] fromBytes, long[] toOffsets, long[] toBytes) {
        long longest = 0;
        for (int i = 0; i < links.size; i++) {
            sendOffsets[i] = fromOffsets[i];
            sendLengths[i] = fromBytes[i];
            recvOffsets[i] = toOffsets[i];
            recvLengths[i] = toBytes[i];
            longest = Math.max(longest, Math.max(fromBytes[i], toBytes[i]));
        }
        return turns(longest);
    }

    private long turns(long bytes) {
        return Math.max(1, (bytes + dataBytes - 1) / dataBytes);
    }

    /** As many turns as all members take. */
    void run(MemorySegment source, MemorySegment destination, long turns) {
        if (received == null) {
            received = Arena.ofAuto().allocate(partBytes * links.size, 64);
        }
        int me = links.position;
        MemorySegment.copy(source, sendOffsets[me], destination, recvOffsets[me], sendLengths[me]);
        for (long turn = 0; turn < turns; turn++) {
            long done = turn * dataBytes;
            long area = links.exchangeArea();
            fill(source, area, done);
            links.barrier();
            for (int distance = 1; distance < links.size; distance++) {
                int from = Math.floorMod(me - distance, links.size);
                links.read(from, area + me * partBytes, received, from * partBytes,
                    Long.BYTES + here(recvLengths[from], done));
            }
            links.readsDone();
            take(destination, done);
        }
    }

    private long here(long bytes, long done) {
        return Math.max(0, Math.min(dataBytes, bytes - done));
    }

    private void fill(MemorySegment source, long area, long done) {
        for (int to = 0; to < links.size; to++) {
            if (to != links.position) {
                long part = area + to * partBytes;
                links.memory().set(LONG, part, sendLengths[to]);
                MemorySegment.copy(source, sendOffsets[to] + Math.min(done, sendLengths[to]), links.memory(),
                    part + Long.BYTES, here(sendLengths[to], done));
            }
        }
    }

    private void take(MemorySegment destination, long done) {
        for (int from = 0; from < links.size; from++) {
            if (from != links.position) {
                long sent = received.get(LONG, from * partBytes);
                if (sent != recvLengths[from]) {
                    throw links.refused(", and expects " + recvLengths[from] + " bytes of position " + from
                        + ", which sends " + sent + ": both must say the same");
                }
                MemorySegment.copy(received, from * partBytes + Long.BYTES, destination,
                    recvOffsets[from] + Math.min(done, sent), here(sent, done));
            }
        }
    }
}
