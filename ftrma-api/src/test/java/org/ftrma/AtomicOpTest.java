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
    void smallResultsAreSignExtendedAndWrap() {
        assertEquals(-128, AtomicOp.SUM.apply(DataType.INT8, 127, 1));
        assertEquals(-1, AtomicOp.BOR.apply(DataType.INT8, 0xf0, 0x0f));
        assertEquals(-5, AtomicOp.MIN.apply(DataType.INT8, 0xfb, 3));
        assertEquals(Short.MIN_VALUE, AtomicOp.SUM.apply(DataType.INT16, Short.MAX_VALUE, 1));
        assertEquals(-2, AtomicOp.PROD.apply(DataType.INT16, Short.MAX_VALUE, 2));
        assertEquals(-5, AtomicOp.REPLACE.apply(DataType.INT16, 3, 0xfffb));
    }

    @Test
    void ofPairsTheValueCountsAndOfEqualOnesTheLowerIndex() {
        assertTrue(AtomicOp.MINLOC.takesSecond(DataType.INT64, 5, 1, -3, 9));
        assertTrue(!AtomicOp.MAXLOC.takesSecond(DataType.INT64, 5, 1, -3, 0));
        assertTrue(AtomicOp.MAXLOC.takesSecond(DataType.UINT64, 5, 1, -3, 9), "unsigned");
        assertTrue(AtomicOp.MINLOC.takesSecond(DataType.INT8, 5, 8, 5, 7));
        assertTrue(!AtomicOp.MAXLOC.takesSecond(DataType.INT8, 5, 7, 5, 7), "the same pair");
        long zero = Double.doubleToRawLongBits(0.0);
        long negative = Double.doubleToRawLongBits(-0.0);
        long nan = Double.doubleToRawLongBits(Double.NaN);
        assertTrue(AtomicOp.MINLOC.takesSecond(DataType.FLOAT64, zero, 1, negative, 2));
        for (AtomicOp op : new AtomicOp[] {AtomicOp.MINLOC, AtomicOp.MAXLOC}) {
            assertTrue(op.takesSecond(DataType.FLOAT64, zero, 1, nan, 2), op + " of a NaN");
            assertTrue(!op.takesSecond(DataType.FLOAT64, nan, 1, zero, 0), op + " of a NaN");
            assertTrue(op.takesSecond(DataType.FLOAT32, Float.floatToRawIntBits(Float.NaN), 2, 0x7fc00001L, 1));
        }
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
    void productsGoRoundAndLogicalOperationsAreZeroOrOne() {
        assertEquals(35, AtomicOp.PROD.apply(DataType.INT64, 5, 7));
        assertEquals(-2, AtomicOp.PROD.apply(DataType.INT32, Integer.MAX_VALUE, 2));
        assertEquals(0xffff_fffeL, AtomicOp.PROD.apply(DataType.UINT32, 0x7fff_ffffL, 2));
        long[][] expected = {{0, 0, 0, 0, 0}, {0, 4, 0, 1, 1}, {4, 0, 0, 1, 1}, {4, 8, 1, 1, 0}};
        for (long[] one : expected) {
            assertEquals(one[2], AtomicOp.LAND.apply(DataType.INT64, one[0], one[1]));
            assertEquals(one[3], AtomicOp.LOR.apply(DataType.UINT32, one[0], one[1]));
            assertEquals(one[4], AtomicOp.LXOR.apply(DataType.INT32, one[0], one[1]));
        }
    }

    /** What floats give by themselves, for numbers whose sums and products are rounded, overflow, or nearly vanish. */
    @Test
    void float32IsComputedAsFloatsAre() {
        float[] numbers = {0f, -0f, 1f, 0.1f, -3.3e38f, 3.3e38f, 1.17e-38f, 1.4e-45f, 16777217f, Float.NaN,
            Float.NEGATIVE_INFINITY, 1.0000001f, 0.99999994f};
        for (float old : numbers) {
            for (float operand : numbers) {
                assertEquals(old + operand, float32(AtomicOp.SUM, old, operand));
                assertEquals(old * operand, float32(AtomicOp.PROD, old, operand));
                assertEquals(Math.min(old, operand), float32(AtomicOp.MIN, old, operand));
                assertEquals(Math.max(old, operand), float32(AtomicOp.MAX, old, operand));
            }
        }
        assertEquals(0xffa0_0001L, AtomicOp.REPLACE.apply(DataType.FLOAT32, 0, 0xffff_ffff_ffa0_0001L),
            "a signalling NaN stays one");
    }

    private static float float32(AtomicOp op, float old, float operand) {
        long result = op.apply(DataType.FLOAT32, Float.floatToRawIntBits(old), Float.floatToRawIntBits(operand));
        assertEquals(result, DataType.FLOAT32.normalized(result));
        return Float.intBitsToFloat((int) result);
    }

    @Test
    void bitAndLogicalOperationsOnFloatsAreRefused() {
        for (AtomicOp op : AtomicOp.values()) {
            for (DataType type : new DataType[] {DataType.FLOAT32, DataType.FLOAT64}) {
                if (!op.supports(type)) {
                    MisuseException e = assertThrows(MisuseException.class, () -> op.apply(type, 0, 0));
                    assertTrue(e.getMessage().contains(op.name()) && e.getMessage().contains(type.name()),
                        e.getMessage());
                }
            }
        }
    }
}
