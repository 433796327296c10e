package org.ftrma.team;

import org.ftrma.AtomicOp;
import org.ftrma.DataType;

/**
 * Identity of a team's collective, in one word that goes with each message of it.
 *
 * <pre>
 *   bits 0 to 3 kind   4 to 8 operation   9 to 12 type   13 to 26 root   27 to 63 bytes
 * </pre>
 *
 * <p>Immutable; any thread.
 */
final class TeamCall {
    /** What is called; a word is never 0. */
    enum Kind {
        NONE("nothing", ""), BARRIER("barrier", ""), GSYNC("gsync", ""), BROADCAST("broadcast", " from position "),
        REDUCE("reduce", " to position "), ALL_REDUCE("allReduce", ""), SCAN("scan", ""),
        EXCLUSIVE_SCAN("exclusiveScan", ""), GATHER("gather", " of each member to position "),
        SCATTER("scatter", " for each member from position "), ALL_GATHER("allGather", " of each member"),
        UNEQUAL_ALL_GATHER("allGather of sources of any size", " in all"), ALL_TO_ALL("allToAll", " for each member"),
        UNEQUAL_ALL_TO_ALL("allToAll of parts of any size", "");

        private static final Kind[] ALL = values();
        private final String text;
        /** What follows the bytes; where a root follows this ends with a space. */
        private final String whose;

        Kind(String text, String whose) {
            this.text = text;
            this.whose = whose;
        }

        private boolean combines() {
            return this == REDUCE || this == ALL_REDUCE || this == SCAN || this == EXCLUSIVE_SCAN;
        }
    }

    private static final AtomicOp[] OPS = AtomicOp.values();
    private static final DataType[] TYPES = DataType.values();
    private static final int OP_AT = 4;
    private static final int TYPE_AT = 9;
    private static final int ROOT_AT = 13;
    private static final int BYTES_AT = 27;
    private static final int DIGEST_BITS = 24;
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private TeamCall() {
    }

    /** A call that combines nothing. */
    static long of(Kind kind, int root, long bytes) {
        return kind.ordinal() | (long) root << ROOT_AT | bytes << BYTES_AT;
    }

    /** A call that combines elements. */
    static long of(Kind kind, AtomicOp op, DataType type, int root, long bytes) {
        return of(kind, root, bytes) | (long) op.ordinal() << OP_AT | (long) type.ordinal() << TYPE_AT;
    }

    /** What a barrier of a call signals: its number, and a digest of the call. */
    static long signal(long number, long call) {
        return number << DIGEST_BITS | call * SPREAD >>> Long.SIZE - DIGEST_BITS;
    }

    /** The least signal of a barrier. */
    static long least(long number) {
        return number << DIGEST_BITS;
    }

    /** In words for people. */
    static String describe(long call) {
        Kind kind = Kind.ALL[(int) (call & 15) % Kind.ALL.length];
        String text = kind.text;
        if (kind.combines()) {
            text += " " + OPS[((int) (call >>> OP_AT) & 31) % OPS.length] + " "
                + TYPES[((int) (call >>> TYPE_AT) & 15) % TYPES.length];
        }
        return !kind.combines() && kind.whose.isEmpty() ? text : text + " of " + (call >>> BYTES_AT) + " bytes"
            + kind.whose + (kind.whose.endsWith(" ") ? "" + (call >>> ROOT_AT & (1 << BYTES_AT - ROOT_AT) - 1) : "");
    }
}
