package org.ftrma;

/**
 * The operations of accumulate, getAccumulate, fetchAndOp and reductions (the predefined ones of MPI-3). As in MPI 4
 * (12.3.4) reductions take neither {@link #REPLACE} nor {@link #NO_OP}.
 */
public enum AtomicOp {
    /** old + operand. */
    SUM,
    /** The smaller of old and operand (by the type; of floating-point numbers as {@link Math#min(double, double)}). */
    MIN,
    /** The larger of old and operand (by the type; of floating-point numbers as {@link Math#max(double, double)}). */
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
    NO_OP,
    /** old * operand; of integers the low bits. */
    PROD,
    /** Logical and: 1 where neither is 0, else 0; integers only. */
    LAND,
    /** Logical or: 0 where both are 0, else 1; integers only. */
    LOR,
    /** Logical exclusive or: 1 where one of both is 0 and the other is not, else 0; integers only. */
    LXOR;

    /** Whether the operation is defined for elements of this type. */
    public boolean supports(DataType type) {
        return switch (this) {
            case SUM, PROD, MIN, MAX, REPLACE, NO_OP -> true;
            case BAND, BOR, BXOR, LAND, LOR, LXOR -> type.isInteger();
        };
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
        return this == REPLACE ? type.normalized(operand) : this == NO_OP ? type.normalized(old) : switch (type) {
            case INT64 -> integer(old, operand);
            case INT32 -> (int) integer((int) old, (int) operand);
            case FLOAT64 -> Double.doubleToRawLongBits(combined(type, Double.longBitsToDouble(old),
                Double.longBitsToDouble(operand)));
            case FLOAT32 -> type.normalized(Float.floatToRawIntBits((float) combined(type,
                Float.intBitsToFloat((int) old), Float.intBitsToFloat((int) operand))));
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
            case PROD -> old * operand;
            case LAND -> old != 0 && operand != 0 ? 1 : 0;
            case LOR -> old != 0 || operand != 0 ? 1 : 0;
            case LXOR -> old != 0 ^ operand != 0 ? 1 : 0;
        };
    }

    private long unsigned(long old, long operand) {
        return switch (this) {
            case MIN -> Long.compareUnsigned(old, operand) <= 0 ? old : operand;
            case MAX -> Long.compareUnsigned(old, operand) >= 0 ? old : operand;
            case SUM, BAND, BOR, BXOR, REPLACE, NO_OP, PROD, LAND, LOR, LXOR -> integer(old, operand);
        };
    }

    /**
     * Of two floats, too: the sum and the product of two of them, computed as doubles and rounded, are those that
     * computing with floats gives.
     */
    private double combined(DataType type, double old, double operand) {
        return switch (this) {
            case SUM -> old + operand;
            case PROD -> old * operand;
            case MIN -> Math.min(old, operand);
            case MAX -> Math.max(old, operand);
            case REPLACE, NO_OP, BAND, BOR, BXOR, LAND, LOR, LXOR -> throw new MisuseException("operation=" + this
                + " type=" + type + ": bit and logical operations need an integer type");
        };
    }
}
