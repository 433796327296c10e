package org.ftrma.team;

/**
 * The window of a team, of the same layout on each rank of a job of R ranks, with L = log2 R rounds, rounded up.
 *
 * <pre>
 *   0   state, which its owner alone reads and writes:
 *       0 collectives so far   8 barriers so far   16 exchanges so far   24 1: one was refused
 *       32 and 40 (not only the owner reads them) the collective that it is in: its number, its call (TeamCall)
 *       64 pieces sent, 16 L bytes on: pieces taken: [side][round] each
 *   B   barrier cells, changed by signals: [number &amp; 1][round], the number and a digest of the call
 *   A   arrived cells: [side][round] pieces that lie in the slots here, counted by who puts them
 *   T   taken cells: [side][round] pieces that were taken from the slots there, counted by who takes them
 *   S   slots: [side][round][piece &amp; 1] of SLOT_BYTES: call, number of the collective, then data
 *   X   exchange areas: [exchange &amp; 1] of areaBytes: a part for each member: bytes in all, then data
 * </pre>
 *
 * <p>A side says where the sender is, seen from the receiver: LEFT, at the position that is 2^round lower, or RIGHT,
 * higher. So each cell and slot has one writer. Immutable; any thread.
 */
final class TeamLayout {
    static final int LEFT = 0;
    static final int RIGHT = 1;
    static final long COLLECTIVES = 0;
    static final long BARRIERS = 8;
    static final long EXCHANGES = 16;
    static final long REFUSED = 24;
    static final long IN_NUMBER = 32;
    static final long IN_CALL = 40;
    static final long SLOT_BYTES = 8192;
    static final long HEADER_BYTES = 16;
    static final long PIECE_BYTES = SLOT_BYTES - HEADER_BYTES;
    private static final long COUNTS = 64;
    private static final long LEAST_PART = 256;
    private static final long LEAST_AREA = 16 << 10;

    final int rounds;
    final long areaBytes;
    private final long cells;
    private final long slots;
    private final long areas;

    TeamLayout(int ranks) {
        rounds = Math.max(1, 32 - Integer.numberOfLeadingZeros(ranks - 1));
        areaBytes = Math.max(LEAST_AREA, LEAST_PART * ranks);
        cells = COUNTS + 2 * row();
        slots = cells + 3 * row() + 63 & -64L;
        areas = slots + 4 * rounds * SLOT_BYTES;
    }

    private long row() {
        return 2L * rounds * Long.BYTES;
    }

    private long in(long table, int which, int round) {
        return table + (which * (long) rounds + round) * Long.BYTES;
    }

    long bytes() {
        return areas + 2 * areaBytes;
    }

    long sent(int side, int round) {
        return in(COUNTS, side, round);
    }

    long taken(int side, int round) {
        return in(COUNTS + row(), side, round);
    }

    long barrierCell(long number, int round) {
        return in(cells, (int) (number & 1), round);
    }

    long arrivedCell(int side, int round) {
        return in(cells + row(), side, round);
    }

    long takenCell(int side, int round) {
        return in(cells + 2 * row(), side, round);
    }

    long slot(int side, int round, long piece) {
        return slots + ((side * (long) rounds + round) * 2 + (piece & 1)) * SLOT_BYTES;
    }

    long area(long exchange) {
        return areas + (exchange & 1) * areaBytes;
    }
}
