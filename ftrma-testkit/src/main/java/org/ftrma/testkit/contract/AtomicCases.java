package org.ftrma.testkit.contract;

import static org.ftrma.testkit.contract.CaseContext.INT;
import static org.ftrma.testkit.contract.CaseContext.LONG;
import static org.ftrma.testkit.contract.CaseContext.local;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;

/** Atomic accesses of a window. */
final class AtomicCases {
    private static final int COUNT = 5;

    private AtomicCases() {
    }

    private static void set(DataType type, MemorySegment memory, long index, long bits) {
        if (type == DataType.INT32) {
            memory.set(INT, index * 4, (int) bits);
        } else {
            memory.set(LONG, index * 8, bits);
        }
    }

    private static long get(DataType type, MemorySegment memory, long index) {
        return type == DataType.INT32 ? memory.get(INT, index * 4) : memory.get(LONG, index * 8);
    }

    private static long value(DataType type, int seed) {
        return switch (type) {
            case INT32 -> seed * 0x1234567 - 99;
            case INT64 -> seed * 0x123456789ABCDL - 99;
            case FLOAT64 -> Double.doubleToRawLongBits(seed * 1.25 - 3);
        };
    }

    static void accumulateOfEveryKind(CaseContext c) {
        for (DataType type : DataType.values()) {
            for (AtomicOp op : AtomicOp.values()) {
                if (op.supports(type)) {
                    accumulate(c, op, type);
                }
            }
        }
    }

    private static void accumulate(CaseContext c, AtomicOp op, DataType type) {
        long offset = 40;
        MemorySegment place = c.window.memory().asSlice(offset, COUNT * 8L);
        MemorySegment operand = local((COUNT + 1) * 8L);
        for (int i = 0; i < COUNT; i++) {
            set(type, place, i, value(type, i));
            set(type, operand, i + 1, value(type, 7 - 2 * i + c.rank));
        }
        c.job.gsync();
        c.window.accumulate(op, type, operand, type.bytes(), c.next, offset, COUNT);
        c.job.gsync();
        for (int i = 0; i < COUNT; i++) {
            long expected = op.apply(type, value(type, i), value(type, 7 - 2 * i + c.previous));
            c.equal(expected, get(type, place, i), op + " of " + type + ", element " + i);
        }
        c.job.gsync();
    }

    static void getAccumulate(CaseContext c) {
        for (DataType type : DataType.values()) {
            MemorySegment place = c.window.memory().asSlice(80, COUNT * 8L);
            MemorySegment operand = local(COUNT * 8L);
            MemorySegment result = local((COUNT + 1) * 8L);
            for (int i = 0; i < COUNT; i++) {
                set(type, place, i, value(type, i + c.rank));
                set(type, operand, i, value(type, 20 + i + c.rank));
            }
            c.job.gsync();
            c.window.getAccumulate(AtomicOp.REPLACE, type, operand, 0, result, type.bytes(), c.next, 80, COUNT);
            c.window.flush(c.next);
            for (int i = 0; i < COUNT; i++) {
                c.equal(value(type, i + c.next), get(type, result, i + 1), "old " + type + " " + i);
            }
            c.job.gsync();
            c.window.getAccumulate(AtomicOp.NO_OP, type, null, 0, result, 0, c.next, 80, COUNT);
            c.window.flush(c.next);
            for (int i = 0; i < COUNT; i++) {
                c.equal(value(type, 20 + i + c.rank), get(type, result, i), "atomic read of " + type + " " + i);
            }
            c.job.gsync();
        }
    }

    static void accumulateStrided(CaseContext c) {
        MemorySegment source = local(400);
        for (int i = 0; i < 50; i++) {
            source.set(LONG, i * 8L, i + 100L * c.rank);
        }
        for (int round = 0; round < 2; round++) {
            c.window.accumulateStrided(AtomicOp.SUM, DataType.INT64, source, 8, 32, c.next, 64, 48, 3, 4);
        }
        c.job.gsync();
        for (int block = 0; block < 4; block++) {
            for (int i = 0; i < 6; i++) {
                long expected = i < 3 ? 2 * (1 + block * 4L + i + 100L * c.previous) : 0;
                c.equal(expected, c.window.memory().get(LONG, 64 + block * 48L + i * 8L), "block " + block + " element " + i);
            }
        }
    }

    static void fetchAndOp(CaseContext c) {
        c.window.memory().set(INT, 24, 0x5A5A5A5A);
        c.job.gsync();
        c.equal(0L, c.window.fetchAndOp(AtomicOp.SUM, DataType.INT64, Long.MIN_VALUE, c.next, 8), "first");
        c.equal(Long.MIN_VALUE, c.window.fetchAndOp(AtomicOp.MAX, DataType.INT64, 3, c.next, 8), "second");
        c.equal(3L, c.window.fetchAndOp(AtomicOp.NO_OP, DataType.INT64, 0, c.next, 8), "third");
        c.equal(0L, c.window.fetchAndOp(AtomicOp.REPLACE, DataType.INT32, -7, c.next, 20), "INT32");
        c.equal(-7L, c.window.fetchAndOp(AtomicOp.BXOR, DataType.INT32, -1, c.next, 20), "INT32 is sign-extended");
        c.equal(6L, c.window.fetchAndOp(AtomicOp.NO_OP, DataType.INT32, 0, c.next, 20), "INT32 after BXOR");
        c.job.gsync();
        c.equal(0x5A5A5A5A, c.window.memory().get(INT, 24), "the INT32 beside it");
    }

    static void compareAndSwap(CaseContext c) {
        c.equal(0L, c.window.compareAndSwap(DataType.INT64, 0, 9, c.next, 16), "swaps");
        c.equal(9L, c.window.compareAndSwap(DataType.INT64, 0, 10, c.next, 16), "does not swap");
        c.equal(0L, c.window.compareAndSwap(DataType.INT32, 0, -1, c.next, 28), "swaps INT32");
        c.equal(-1L, c.window.compareAndSwap(DataType.INT32, -1, 4, c.next, 28), "swaps INT32 from a negative value");
        c.job.gsync();
        c.equal(9L, c.window.memory().get(LONG, 16), "INT64");
        c.equal(4, c.window.memory().get(INT, 28), "INT32");
    }

    static void concurrentSums(CaseContext c) {
        MemorySegment operand = local(24);
        operand.set(LONG, 0, 1);
        operand.set(LONG, 8, Double.doubleToRawLongBits(0.25));
        operand.set(LONG, 16, 1L << c.rank);
        long last = -1;
        for (int i = 0; i < 40; i++) {
            c.window.accumulate(AtomicOp.SUM, DataType.INT64, operand, 0, 0, 0, 1);
            c.window.accumulate(AtomicOp.SUM, DataType.FLOAT64, operand, 8, 0, 8, 1);
            c.window.accumulate(AtomicOp.BOR, DataType.INT64, operand, 16, 0, 16, 1);
            long drawn = c.window.fetchAndOp(AtomicOp.SUM, DataType.INT32, 1, 0, 24);
            c.holds(drawn > last, "a counter went back from " + last + " to " + drawn);
            last = drawn;
        }
        c.job.gsync();
        c.equal(40L * c.ranks, c.window.getLong(0, 0), "INT64");
        c.equal(10.0 * c.ranks, Double.longBitsToDouble(c.window.getLong(0, 8)), "FLOAT64");
        c.equal((1L << c.ranks) - 1, c.window.getLong(0, 16), "BOR");
        c.equal(40L * c.ranks, c.window.fetchAndOp(AtomicOp.NO_OP, DataType.INT32, 0, 0, 24), "INT32");
    }
}
