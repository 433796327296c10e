package org.ftrma;

/**
 * The operations of accumulate, getAccumulate, fetchAndOp and reductions (the predefined ones of MPI-3). As in MPI 4
 * (12.3.4) reductions take neither {@link #REPLACE} nor {@link #NO_OP}.
 */
public enum AtomicOp {
    /** old + operand. */
    SUM,
    /** The smaller of old and operand (by the type; for FLOAT64 as {@link Math#min(double, double)}). */
    MIN,
    /** The larger of old and operand (by the type; for FLOAT64 as {@link Math#max(double, double)}). */
    MAX,
    /** Bitwise and; integers only. */
    BAND,
    /** Bitwise or; integers only. */
    BOR,
    /** Bitwise exclusive or; integers only. */
    BXOR,
    /** operand, whatever old is. */
    REPLACE,
    /** old, unchanged: an atomic read. */
    NO_OP;

    /** Whether the operation is defined for elements of this type. */
    public boolean supports(DataType type) {
        return type != DataType.FLOAT64 || !(this == BAND || this == BOR || this == BXOR);
    }

    /**
     * The new value of a location.
     *
     * @param type element type
     * @param old raw bits of the location, {@linkplain DataType#normalized as they travel}
     * @param operand raw bits of the operand
     * @return raw bits of the result, as they travel
     */
    public long apply(DataType type, long old, long operand) {
        return switch (type) {
            case INT64 -> integer(old, operand);
            case INT32 -> (int) integer((int) old, (int) operand);
            case FLOAT64 -> floating(old, operand);
            case UINT32 -> type.normalized(unsigned(type.normalized(old), type.normalized(operand)));
            case UINT64 -> unsigned(old, operand);
        };
    }

    private long integer(long old, long operand) {
        return switch (this) {
            case SUM -> old + operand;
            case MIN -> Math.min(old, operand);
            case MAX -> Math.max(old, operand);
            case BAND -> old & operand;
            case BOR -> old | operand;
            case BXOR -> old ^ operand;
            case REPLACE -> operand;
            case NO_OP -> old;
        };
    }

    private long unsigned(long old, long operand) {
        return switch (this) {
            case MIN -> Long.compareUnsigned(old, operand) <= 0 ? old : operand;
            case MAX -> Long.compareUnsigned(old, operand) >= 0 ? old : operand;
            case SUM, BAND, BOR, BXOR, REPLACE, NO_OP -> integer(old, operand);
        };
    }

    private long floating(long old, long operand) {
        return switch (this) {
            case SUM -> Double.doubleToRawLongBits(Double.longBitsToDouble(old) + Double.longBitsToDouble(operand));
            case MIN -> Double.doubleToRawLongBits(Math.min(Double.longBitsToDouble(old),
                Double.longBitsToDouble(operand)));
            case MAX -> Double.doubleToRawLongBits(Math.max(Double.longBitsToDouble(old),
                Double.longBitsToDouble(operand)));
            case REPLACE -> operand;
            case NO_OP -> old;
            case BAND, BOR, BXOR -> throw new MisuseException("operation=" + this
                + " type=FLOAT64: bit operations need an integer type");
        };
    }
}
