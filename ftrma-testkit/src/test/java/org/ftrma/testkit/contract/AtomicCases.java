package org.ftrma.testkit.contract;

import static org.ftrma.testkit.contract.CaseContext.INT;
import static org.ftrma.testkit.contract.CaseContext.LONG;
import static org.ftrma.testkit.contract.CaseContext.local;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Request;
import org.ftrma.spi.Elements;

/** Atomic accesses of a window. */
final class AtomicCases {
    private static final int COUNT = 5;

    private AtomicCases() {
    }

    private static void set(DataType type, MemorySegment memory, long index, long bits) {
        Elements.write(type, memory, index * type.bytes(), bits);
    }

    private static long get(DataType type, MemorySegment memory, long index) {
        return Elements.read(type, memory, index * type.bytes());
    }

    /** Some value of the type. */
    static long value(DataType type, int seed) {
        return switch (type) {
            case INT32 -> seed * 0x1234567 - 99;
            case INT8, INT16 -> type.normalized(seed * 0x3571 - 99);
            case UINT32 -> type.normalized(seed * 0x71234567 - 99);
            case UINT64 -> seed * 0x71234567_9ABCDEF1L - 99;
            case INT64 -> seed * 0x123456789ABCDL - 99;
            case FLOAT32 -> type.normalized(Float.floatToRawIntBits(seed * 1.25f - 3));
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
                c.equal(expected, c.window.memory().get(LONG, 64 + block * 48L + i * 8L),
                    "block " + block + " element " + i);
            }
        }
    }

    /** Every type and operation: old values block by block, new values in place, and nothing in the gaps of either. */
    static void getAccumulateStrided(CaseContext c) {
        for (DataType type : DataType.values()) {
            for (AtomicOp op : AtomicOp.values()) {
                if (op.supports(type) || op == AtomicOp.NO_OP) {
                    getAccumulateStrided(c, op, type);
                }
            }
        }
    }

    private static void getAccumulateStrided(CaseContext c, AtomicOp op, DataType type) {
        int blocks = 4;
        int each = 3;
        int apart = 5;
        long size = type.bytes();
        MemorySegment place = c.window.memory().asSlice(40, blocks * apart * 8L);
        MemorySegment operand = local(200);
        MemorySegment result = local(300);
        for (int i = 0; i < blocks * apart; i++) {
            set(type, place, i, value(type, i + c.rank));
        }
        for (int i = 0; i < 200 / size; i++) {
            set(type, operand, i, value(type, 9 - 2 * i + c.rank));
        }
        c.job.gsync();
        boolean reads = op == AtomicOp.NO_OP;
        c.window.getAccumulateStrided(op, type, reads ? null : operand, size, reads ? 0 : 4 * size, result, 2 * size,
            6 * size, c.next, 40,
            apart * size, each, blocks);
        c.window.flush(c.next);
        MemorySegment expected = local(300);
        for (int block = 0; block < blocks; block++) {
            for (int i = 0; i < each; i++) {
                set(type, expected, 2 + block * 6L + i, value(type, block * apart + i + c.next));
            }
        }
        c.same(expected, result, "old values of " + op + " of " + type + ", gaps included");
        c.job.gsync();
        for (int i = 0; i < blocks * apart; i++) {
            long before = value(type, i + c.rank);
            boolean combined = !reads && i % apart < each;
            long operandThere = value(type, 9 - 2 * (1 + 4 * (i / apart) + i % apart) + c.previous);
            c.equal(combined ? op.apply(type, before, operandThere) : before, get(type, place, i),
                op + " of " + type + ", element " + i);
        }
        c.job.gsync();
    }

    static void requestsOfAtomicBlocks(CaseContext c) {
        MemorySegment operand = local(64);
        for (int i = 0; i < 8; i++) {
            operand.set(LONG, i * 8L, i + 1 + 100L * c.rank);
        }
        Request combined = c.window.raccumulateStrided(AtomicOp.SUM, DataType.INT64, operand, 0, 32, c.next, 16, 24, 2,
            2);
        combined.await();
        operand.fill((byte) 0); // a source is free once its request is complete
        c.window.flush(c.next);
        MemorySegment result = local(64);
        operand.set(LONG, 8, 1000);
        operand.set(LONG, 32, 2000);
        Request fetched = c.window.rgetAccumulateStrided(AtomicOp.SUM, DataType.INT64, operand, 8, 24, result, 16, 8,
            c.next, 16, 24, 1, 2);
        int tests = 0;
        while (!fetched.test()) {
            c.holds(tests++ < 100_000_000, "a request never completes");
        }
        c.equal(1 + 100L * c.rank, result.get(LONG, 16), "old value of block 0");
        c.equal(5 + 100L * c.rank, result.get(LONG, 24), "old value of block 1");
        c.equal(0L, result.get(LONG, 32), "beyond the results");
        MemorySegment read = local(32);
        c.window.rgetAccumulateStrided(AtomicOp.NO_OP, DataType.INT64, null, 0, 0, read, 0, 16, c.next, 16, 24, 2, 2)
            .await();
        long[] sums = {1001 + 100L * c.rank, 2 + 100L * c.rank, 2005 + 100L * c.rank, 6 + 100L * c.rank};
        for (int i = 0; i < 4; i++) {
            c.equal(sums[i], read.get(LONG, i * 8L), "sum " + i);
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
        long last = c.odd.bytes() - 1; // the word around it ends behind the window
        c.equal(0L, c.odd.fetchAndOp(AtomicOp.SUM, DataType.INT8, -3, c.next, last), "INT8");
        c.equal(-3L, c.odd.fetchAndOp(AtomicOp.PROD, DataType.INT8, 100, c.next, last), "INT8 is sign-extended");
        c.equal((long) (byte) -300, c.odd.compareAndSwap(DataType.INT8, (byte) -300, 5, c.next, last), "INT8 wraps");
        c.equal(0L, c.odd.fetchAndOp(AtomicOp.MIN, DataType.INT16, -500, c.next, last - 2), "INT16");
        c.job.gsync();
        c.equal(5L, get(DataType.INT8, c.odd.memory(), last), "INT8");
        c.equal(-500L, Elements.read(DataType.INT16, c.odd.memory(), last - 2), "INT16 beside it");
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
        MemorySegment drawnBlocks = local(16);
        long last = -1;
        long lastBlock = -1;
        for (int i = 0; i < 40; i++) {
            c.window.accumulate(AtomicOp.SUM, DataType.INT64, operand, 0, 0, 0, 1);
            c.window.accumulate(AtomicOp.SUM, DataType.FLOAT64, operand, 8, 0, 8, 1);
            c.window.accumulate(AtomicOp.BOR, DataType.INT64, operand, 16, 0, 16, 1);
            long drawn = c.window.fetchAndOp(AtomicOp.SUM, DataType.INT32, 1, 0, 24);
            c.holds(drawn > last, "a counter went back from " + last + " to " + drawn);
            last = drawn;
            c.window.getAccumulateStrided(AtomicOp.SUM, DataType.INT64, operand, 0, 8, drawnBlocks, 0, 8, 0, 32, 16, 1,
                2);
            c.window.flush(0);
            long block = drawnBlocks.get(LONG, 0);
            c.holds(block > lastBlock, "a counter went back from " + lastBlock + " to " + block);
            lastBlock = block;
        }
        c.job.gsync();
        c.equal(40L * c.ranks, c.window.getLong(0, 0), "INT64");
        c.equal(10.0 * c.ranks, Double.longBitsToDouble(c.window.getLong(0, 8)), "FLOAT64");
        c.equal((1L << c.ranks) - 1, c.window.getLong(0, 16), "BOR");
        c.equal(40L * c.ranks, c.window.getLong(0, 32), "block 0");
        c.equal(40L * c.ranks * Double.doubleToRawLongBits(0.25), c.window.getLong(0, 48), "block 1");
        c.equal(40L * c.ranks, c.window.fetchAndOp(AtomicOp.NO_OP, DataType.INT32, 0, 0, 24), "INT32");
    }
}
