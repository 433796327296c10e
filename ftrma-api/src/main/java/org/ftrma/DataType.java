package org.ftrma;

/** Element types of atomic accesses. Values travel as raw bits in a {@code long}; INT32 is sign-extended. */
public enum DataType {
    /** 32-bit two's complement integer, aligned to 4 bytes. */
    INT32(4),
    /** 64-bit two's complement integer, aligned to 8 bytes. */
    INT64(8),
    /** IEEE 754 binary64, aligned to 8 bytes; only for accumulate, getAccumulate and reductions. */
    FLOAT64(8);

    private final int bytes;

    DataType(int bytes) {
        this.bytes = bytes;
    }

    /** Size and required alignment of one element, in bytes. */
    public int bytes() {
        return bytes;
    }
}
