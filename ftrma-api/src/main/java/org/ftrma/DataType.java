package org.ftrma;

/**
 * Element types of atomic accesses. Values travel as raw bits in a {@code long}; INT8, INT16 and INT32 are
 * sign-extended, UINT32 and FLOAT32 are zero-extended.
 */
public enum DataType {
    /** 32-bit two's complement integer, aligned to 4 bytes. */
    INT32(4),
    /** 64-bit two's complement integer, aligned to 8 bytes. */
    INT64(8),
    /** IEEE 754 binary64, aligned to 8 bytes. A compare-and-swap compares its bits. */
    FLOAT64(8),
    /** 32-bit unsigned integer, aligned to 4 bytes: MIN and MAX compare it so. */
    UINT32(4),
    /** 64-bit unsigned integer, aligned to 8 bytes: MIN and MAX compare it so. */
    UINT64(8),
    /** IEEE 754 binary32, aligned to 4 bytes. A compare-and-swap compares its bits. */
    FLOAT32(4),
    /**
     * 8-bit two's complement integer, of any alignment. Atomic accesses of it, and of INT16, change the aligned 4 bytes
     * that contain it by compare-and-swap, on all paths: they leave its neighbours as they are, and take turns with
     * atomic accesses of those.
     */
    INT8(1),
    /** 16-bit two's complement integer, aligned to 2 bytes; see {@link #INT8}. */
    INT16(2);

    private final int bytes;

    DataType(int bytes) {
        this.bytes = bytes;
    }

    /** Size and required alignment of one element, in bytes. */
    public int bytes() {
        return bytes;
    }

    /** Whether it has bit and logical operations. */
    public boolean isInteger() {
        return this != FLOAT64 && this != FLOAT32;
    }

    /** The bits of one element as they travel: what is beyond its size is its sign, or 0 where it has none. */
    public long normalized(long bits) {
        return switch (this) {
            case INT32 -> (int) bits;
            case INT16 -> (short) bits;
            case INT8 -> (byte) bits;
            case UINT32, FLOAT32 -> bits & 0xffff_ffffL;
            case INT64, UINT64, FLOAT64 -> bits;
        };
    }
}
