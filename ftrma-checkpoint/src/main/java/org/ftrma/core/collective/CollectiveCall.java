package org.ftrma.core.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.core.session.ControlDescriptor;

/**
 * The collective that a rank is in. A fingerprint of it goes with each signal of its barrier, so that ranks which call
 * different ones find that at once; what it is in full lies beside, in the rank's control region, for the message. Data
 * thread only; hot path.
 */
public final class CollectiveCall {
    /** What is called. */
    public enum Kind {
        NONE("no collective", "a signal"), START("the first step", "the first step, the signal"),
            GSYNC("gsync", "gsync, the signal"),
        BARRIER("barrier", "barrier, the signal"), BROADCAST("broadcast", "broadcast, the signal"),
            ALL_REDUCE("allReduce", "allReduce, the signal"),
        ALL_GATHER("allGather", "allGather, the signal");

        private static final Kind[] ALL = values();
        private final String text;
        private final String awaited;

        Kind(String text, String awaited) {
            this.text = text;
            this.awaited = awaited;
        }
    }

    private static final AtomicOp[] OPS = AtomicOp.values();
    private static final DataType[] TYPES = DataType.values();
    /**
     * Bits of the fingerprint: what is done 23..16, size and root 15..0. What is done is the kind, or, of an allReduce,
     * a number of its operation and type. Sizes of less than 64 KiB all differ.
     */
    private static final int HASH_BITS = 16;
    private static final long HASH = (1 << HASH_BITS) - 1;
    private static final long OF_LARGE = 0x9e37;
    private static final long OF_ROOT = 0x3001;

    private Kind kind = Kind.NONE;
    /** Kind, operation, type, 8 bits each, and root. */
    private long code;
    private long bytes;
    private long fingerprint;

    void set(Kind newKind, AtomicOp op, DataType type, int root, long newBytes) {
        kind = newKind;
        bytes = newBytes;
        code = (long) root << 32 | (long) type.ordinal() << 16 | (long) op.ordinal() << 8 | newKind.ordinal();
        int done = newKind == Kind.ALL_REDUCE ? Kind.ALL.length + op.ordinal() * TYPES.length + type.ordinal()
            : newKind.ordinal();
        long hash = newBytes + (newBytes >>> HASH_BITS) * OF_LARGE + root * OF_ROOT & HASH;
        fingerprint = (long) done << HASH_BITS | hash; // R31
    }

    void set(Kind newKind, int root, long newBytes) {
        set(newKind, OPS[0], TYPES[0], root, newBytes);
    }

    /** Never 0, which is that of a signal whose collective is not known. */
    long fingerprint() {
        return fingerprint;
    }

    /** What is waited for in it, for a message. */
    String awaited() {
        return kind.awaited;
    }

    /** Tells in the own control region what the barrier of that number belongs to. */
    void tell(MemorySegment control, long number) {
        long at = ControlDescriptor.calledOffset(number);
        control.set(ValueLayout.JAVA_LONG, at, number);
        control.set(ValueLayout.JAVA_LONG, at + 8, code);
        control.set(ValueLayout.JAVA_LONG, at + 16, bytes);
    }

    @Override
    public String toString() {
        return describe(code, bytes);
    }

    /** Another rank's collective by its fingerprint alone, where its process has gone already. */
    String describeOther(long other) {
        int done = (int) (other >>> HASH_BITS);
        int reduction = done - Kind.ALL.length;
        Kind of = reduction < 0 ? Kind.ALL[done] : Kind.ALL_REDUCE;
        String operation = of != Kind.ALL_REDUCE || reduction < 0 ? ""
            : " " + OPS[reduction / TYPES.length % OPS.length] + " " + TYPES[reduction % TYPES.length];
        return of.text + operation + (other >>> HASH_BITS == fingerprint >>> HASH_BITS ? " of another size or root"
            : "");
    }

    /** Of what {@link #tell} has written; null: that was emptied meanwhile, by a rank that has ended. */
    static String describe(long code, long bytes) {
        Kind kind = Kind.ALL[(int) (code & 0xff) % Kind.ALL.length];
        return kind == Kind.NONE ? null : kind.text + switch (kind) {
            case BROADCAST -> " of " + bytes + " bytes from rank " + (code >>> 32);
            case ALL_REDUCE -> " " + OPS[(int) (code >>> 8 & 0xff) % OPS.length] + " "
                + TYPES[(int) (code >>> 16 & 0xff) % TYPES.length] + " of "
                + bytes + " bytes";
            case ALL_GATHER -> " of " + bytes + " bytes of each rank";
            default -> "";
        };
    }
}
