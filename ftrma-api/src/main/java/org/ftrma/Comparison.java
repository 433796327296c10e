package org.ftrma;

/** Comparison of a cell with a value by {@link Window#waitUntil} and {@link Window#test}, both signed. */
public enum Comparison {
    /** The cell equals the value. */
    EQ,
    /** It does not. */
    NE,
    /** It is greater. */
    GT,
    /** It is greater or equal. */
    GE,
    /** It is less. */
    LT,
    /** It is less or equal. */
    LE;

    /** Whether it holds of a cell's contents and the value that they are compared with. */
    public boolean holds(long cell, long value) {
        return switch (this) {
            case EQ -> cell == value;
            case NE -> cell != value;
            case GT -> cell > value;
            case GE -> cell >= value;
            case LT -> cell < value;
            case LE -> cell <= value;
        };
    }
}
