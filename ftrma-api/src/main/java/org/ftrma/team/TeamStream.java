package org.ftrma.team;

import java.lang.foreign.MemorySegment;

/**
 * Bytes that go to one neighbour or come from one, in pieces: both ends know how many there are in all. Used again and
 * again; data thread only.
 */
final class TeamStream {
    private final TeamLinks links;
    private int side;
    private int round;
    /** Bytes of the stream that are still to come into pieces, or out of them. */
    private long left;
    /** In the piece: bytes that were filled in, or taken out. */
    private long at;
    /** Of a piece that was received: its bytes, and where they are; -1: none is there. */
    private long length;
    private long data = -1;

    TeamStream(TeamLinks links) {
        this.links = links;
    }

    void begin(int newSide, int newRound, long bytes) {
        side = newSide;
        round = newRound;
        left = bytes;
        at = 0;
        data = -1;
    }

    /** Appends bytes to the stream; those of a full piece, and the last ones, go at once. */
    void write(MemorySegment source, long offset, long bytes) {
        for (long done = 0; done < bytes;) {
            long part = Math.min(bytes - done, TeamLayout.PIECE_BYTES - at);
            MemorySegment.copy(source, offset + done, links.staging, TeamLayout.HEADER_BYTES + at, part);
            at += part;
            done += part;
            left -= part;
            if (at == TeamLayout.PIECE_BYTES || left == 0) {
                links.send(side, round, at);
                at = 0;
            }
        }
    }

    /** The bytes of the piece that can be taken next, at most so many; they are at {@link #place}. */
    long available(long most) {
        if (data < 0) {
            data = links.receive(side, round);
            length = Math.min(left, TeamLayout.PIECE_BYTES);
            at = 0;
        }
        return Math.min(most, length - at);
    }

    long place() {
        return data + at;
    }

    /** So many were used; the neighbour may have the place of a piece of which all were. */
    void used(long bytes) {
        at += bytes;
        left -= bytes;
        if (at == length) {
            links.take(side, round);
            data = -1;
        }
    }

    /** Takes the next bytes of the stream. */
    void read(MemorySegment destination, long offset, long bytes) {
        for (long done = 0; done < bytes;) {
            long part = available(bytes - done);
            MemorySegment.copy(links.memory(), place(), destination, offset + done, part);
            used(part);
            done += part;
        }
    }

    /** Hands bytes of the stream on to another one. */
    void forward(TeamStream to, long bytes) {
        for (long done = 0; done < bytes;) {
            long part = available(bytes - done);
            to.write(links.memory(), place(), part);
            used(part);
            done += part;
        }
    }
}
