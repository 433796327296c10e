package org.ftrma;

/**
 * The operations of accumulate, getAccumulate, fetchAndOp and reductions (the predefined ones of MPI-3). As in MPI 4
 * (12.3.4) reductions take neither {@link #REPLACE} nor {@link #NO_OP}; only they take {@link #MINLOC} and
 * {@link #MAXLOC}.
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
    LXOR,
    /**
     * Of pairs of a value and an index: that of the smaller value, of equal ones that of the lower index; reductions
     * only. A pair has 16 bytes: the value, of the type that is given, in the first ones, and in the last 8 the index,
     * an INT64. Floating-point values compare as {@link Math#min(double, double)} has them: -0.0 is less than 0.0, and
     * a NaN less than all, whichever NaN it is.
     */
    MINLOC,
    /** As {@link #MINLOC}, of the larger value; a NaN is larger than all. */
    MAXLOC;

    private static final int PAIR_BYTES = 16;

    /** Whether it combines pairs of a value and an index, which only reductions do. */
    public boolean hasIndex() {
        return this == MINLOC || this == MAXLOC;
    }

    /** Bytes of what a reduction combines: an element of this type, or a pair of one and an index. */
    public int elementBytes(DataType type) {
        return hasIndex() ? PAIR_BYTES : type.bytes();
    }

    /** Whether it is defined for elements of this type by themselves, as accesses to windows change them. */
    public boolean supports(DataType type) {
        return switch (this) {
            case MINLOC, MAXLOC -> false;
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
            case INT16 -> (short) integer((short) old, (short) operand);
            case INT8 -> (byte) integer((byte) old, (byte) operand);
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
            case MINLOC, MAXLOC -> throw pairsOnly(DataType.INT64);
        };
    }

    private MisuseException pairsOnly(DataType type) {
        return new MisuseException("operation=" + this + " type=" + type + ": combines pairs of a value and an index, "
            + "in reductions of segments; a single value has MIN and MAX");
    }

    /**
     * Whether of two pairs the second one is the result of {@link #MINLOC} or {@link #MAXLOC}.
     *
     * @param type of the values, whose raw bits are as they travel
     */
    public boolean takesSecond(DataType type, long firstValue, long firstIndex, long secondValue, long secondIndex) {
        int order = switch (type) {
            case INT8, INT16, INT32, INT64, UINT32 -> Long.compare(secondValue, firstValue);
            case UINT64 -> Long.compareUnsigned(secondValue, firstValue);
            case FLOAT64 -> compare(Double.longBitsToDouble(secondValue), Double.longBitsToDouble(firstValue));
            case FLOAT32 -> compare(Float.intBitsToFloat((int) secondValue), Float.intBitsToFloat((int) firstValue));
        };
        return order == 0 ? secondIndex < firstIndex : this == MINLOC ? order < 0 : order > 0;
    }

    /** A NaN comes first for MINLOC and last for MAXLOC, so that it is always the result. */
    private int compare(double one, double other) {
        boolean isNaN = Double.isNaN(one);
        return this == MINLOC && isNaN != Double.isNaN(other) ? isNaN ? -1 : 1 : Double.compare(one, other);
    }

    private long unsigned(long old, long operand) {
        return switch (this) {
            case MIN -> Long.compareUnsigned(old, operand) <= 0 ? old : operand;
            case MAX -> Long.compareUnsigned(old, operand) >= 0 ? old : operand;
            case SUM, BAND, BOR, BXOR, REPLACE, NO_OP, PROD, LAND, LOR, LXOR, MINLOC, MAXLOC -> integer(old, operand);
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
            case MINLOC, MAXLOC -> throw pairsOnly(type);
            case REPLACE, NO_OP, BAND, BOR, BXOR, LAND, LOR, LXOR -> throw new MisuseException("operation=" + this
                + " type=" + type + ": bit and logical operations need an integer type");
        };
    }
}
