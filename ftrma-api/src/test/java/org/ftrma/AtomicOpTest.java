package org.ftrma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class AtomicOpTest {
    @Test
    void int32ResultsAreSignExtendedAndWrapAt32Bits() {
        assertEquals(Integer.MIN_VALUE, AtomicOp.SUM.apply(DataType.INT32, Integer.MAX_VALUE, 1));
        assertEquals(-1, AtomicOp.BOR.apply(DataType.INT32, 0xffff_0000L, 0x0000_ffffL));
        assertEquals(-5, AtomicOp.MIN.apply(DataType.INT32, 0xffff_fffbL, 3),
            "the operands' low 32 bits count, as signed numbers");
    }

    @Test
    void int64OperationsAreTheUsualOnes() {
        assertEquals(12, AtomicOp.SUM.apply(DataType.INT64, 5, 7));
        assertEquals(5, AtomicOp.MIN.apply(DataType.INT64, 5, 7));
        assertEquals(7, AtomicOp.MAX.apply(DataType.INT64, 5, 7));
        assertEquals(4, AtomicOp.BAND.apply(DataType.INT64, 12, 6));
        assertEquals(14, AtomicOp.BOR.apply(DataType.INT64, 12, 6));
        assertEquals(10, AtomicOp.BXOR.apply(DataType.INT64, 12, 6));
        assertEquals(7, AtomicOp.REPLACE.apply(DataType.INT64, 5, 7));
        assertEquals(5, AtomicOp.NO_OP.apply(DataType.INT64, 5, 7));
    }

    @Test
    void unsignedOperationsCompareWithoutASign() {
        assertEquals(0xffff_fffbL, AtomicOp.MAX.apply(DataType.UINT32, 3, -5));
        assertEquals(3, AtomicOp.MIN.apply(DataType.UINT32, -5, 3));
        assertEquals(0, AtomicOp.SUM.apply(DataType.UINT32, 0xffff_ffffL, 1), "32 bits go round");
        assertEquals(0xffff_0000L, AtomicOp.BXOR.apply(DataType.UINT32, -1, 0xffff));
        assertEquals(-5, AtomicOp.MAX.apply(DataType.UINT64, 3, -5));
        assertEquals(3, AtomicOp.MIN.apply(DataType.UINT64, -5, 3));
        assertEquals(-2, AtomicOp.SUM.apply(DataType.UINT64, 3, -5));
        assertEquals(-5, AtomicOp.REPLACE.apply(DataType.UINT64, 3, -5));
    }

    @Test
    void float64SumsOnTheNumbersAndReplacesOnTheBits() {
        long three = Double.doubleToRawLongBits(3);
        long half = Double.doubleToRawLongBits(0.5);
        assertEquals(Double.doubleToRawLongBits(3.5), AtomicOp.SUM.apply(DataType.FLOAT64, three, half));
        long signallingNan = 0x7ff0_0000_0000_0001L;
        assertEquals(signallingNan, AtomicOp.REPLACE.apply(DataType.FLOAT64, three, signallingNan));
    }

    @Test
    void bitOperationsOnFloatsAreRefused() {
        for (AtomicOp op : new AtomicOp[] {AtomicOp.BAND, AtomicOp.BOR, AtomicOp.BXOR}) {
            MisuseException e = assertThrows(MisuseException.class, () -> op.apply(DataType.FLOAT64, 0, 0));
            assertTrue(e.getMessage().contains(op.name()), e.getMessage());
        }
    }
}
