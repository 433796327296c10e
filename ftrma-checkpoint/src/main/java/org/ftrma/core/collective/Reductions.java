package org.ftrma.core.collective;

import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.MisuseException;

/** Checks of what reductions may combine elements with, of jobs and of channels alike. Any thread. */
public final class Reductions {
    private Reductions() {
    }

    /** Refuses what is no reduction: MPI 4, 12.3.4 has MPI_REPLACE and MPI_NO_OP for accesses to windows only. */
    public static void check(String call, AtomicOp op, DataType type) {
        if (op == null || type == null) {
            throw new MisuseException(call + ": " + (op == null ? "op" : "type") + " is null");
        }
        if (op == AtomicOp.REPLACE || op == AtomicOp.NO_OP) {
            throw new MisuseException(call + ": op=" + op + ": is for accesses to windows, and no reduction; use SUM, "
                + "PROD, MIN, MAX, BAND, BOR, BXOR, LAND, LOR, LXOR, MINLOC or MAXLOC");
        }
        if (!op.hasIndex() && !op.supports(type)) {
            throw new MisuseException(call + ": op=" + op + " type=" + type
                + ": bit and logical operations need an integer type");
        }
    }

    /** Of one value, which has no index. */
    public static void checkSingle(String call, AtomicOp op, DataType type) {
        check(call, op, type);
        if (op.hasIndex()) {
            throw new MisuseException(call + ": op=" + op + ": combines pairs of a value and an index; give segments "
                + "of them, or use MIN or MAX");
        }
    }
}
