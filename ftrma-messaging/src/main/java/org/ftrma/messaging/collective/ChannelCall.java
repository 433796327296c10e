package org.ftrma.messaging.collective;

import org.ftrma.AtomicOp;
import org.ftrma.DataType;

/**
 * Descriptor of a rank's call of a collective: one word that goes with each of its messages. A rank that receives a
 * message of another call refuses it, and can name both in full.
 *
 * <pre>
 *   bits 0 to 3 kind   4 whether it blocks not   5 to 8 operation   9 to 12 type   13 to 26 root   27 to 63 bytes
 * </pre>
 *
 * <p>Immutable; any thread.
 */
final class ChannelCall {
    /** What is called; a word is never 0. */
    enum Kind {
        NONE("nothing", ""), BARRIER("barrier", ""), BROADCAST("broadcast", " from rank "),
        REDUCE("reduce", " to rank "), ALL_REDUCE("allReduce", ""), GATHER("gather", " of each rank to rank "),
        ALL_GATHER("allGather", " of each rank"), SCATTER("scatter", " for each rank from rank "),
        ALL_TO_ALL("allToAll", " for each rank"), UNEQUAL_ALL_TO_ALL("allToAll of parts of any size", ""),
        SCAN("scan", ""), SPLIT("split", ""), EXCLUSIVE_SCAN("exclusiveScan", "");

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

        private boolean hasBytes() {
            return combines() || !whose.isEmpty();
        }
    }

    private static final AtomicOp[] OPS = AtomicOp.values();
    private static final DataType[] TYPES = DataType.values();
    private static final long BEGUN = 1 << 4;
    private static final int OP_AT = 5;
    private static final int TYPE_AT = 9;
    private static final int ROOT_AT = 13;
    private static final int BYTES_AT = 27;

    private ChannelCall() {
    }

    /** A call that combines nothing. */
    static long of(Kind kind, int root, long bytes) {
        return kind.ordinal() | (long) root << ROOT_AT | bytes << BYTES_AT;
    }

    /** A call that combines elements. */
    static long of(Kind kind, AtomicOp op, DataType type, int root, long bytes) {
        return of(kind, root, bytes) | (long) op.ordinal() << OP_AT | (long) type.ordinal() << TYPE_AT;
    }

    /** The same collective, begun only: its messages are others than those of one that blocks. */
    static long begun(long call) {
        return call | BEGUN;
    }

    /** Whether it was begun only. */
    static boolean isBegun(long call) {
        return (call & BEGUN) != 0;
    }

    /** In words for people. */
    static String describe(long call) {
        Kind kind = Kind.ALL[(int) (call & BEGUN - 1) % Kind.ALL.length];
        String text = (isBegun(call) ? "i" : "") + kind.text;
        if (kind.combines()) {
            text += " " + OPS[((int) (call >>> OP_AT) & 15) % OPS.length] + " "
                + TYPES[((int) (call >>> TYPE_AT) & 15) % TYPES.length];
        }
        return !kind.hasBytes() ? text : text + " of " + (call >>> BYTES_AT) + " bytes" + kind.whose
            + (kind.whose.endsWith(" ") ? "" + (call >>> ROOT_AT & (1 << BYTES_AT - ROOT_AT) - 1) : "");
    }
}
