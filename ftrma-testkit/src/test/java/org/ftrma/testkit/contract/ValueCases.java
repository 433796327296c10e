package org.ftrma.testkit.contract;

import static org.ftrma.testkit.contract.CaseContext.INT;
import static org.ftrma.testkit.contract.CaseContext.LONG;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Window;

/** Values and arrays of a window's accesses in place of segments. */
final class ValueCases {
    private ValueCases() {
    }

    static void smallValues(CaseContext c) {
        Window w = c.window;
        for (int i = 0; i < 6; i++) {
            long offset = 200L * c.rank + i * 13L; // of any alignment
            for (int target = 0; target < c.ranks; target++) {
                w.putInt(-7 * i - target, target, offset);
                w.putDouble(i + 0.25 * target, target, offset + 4);
                w.flush(target);
                c.equal(-7 * i - target, w.getInt(target, offset), "getInt after putInt");
                c.equal(i + 0.25 * target, w.getDouble(target, offset + 4), "getDouble after putDouble");
            }
        }
        long last = CaseContext.WINDOW_BYTES - 4;
        if (c.rank == 0) {
            w.putInt(-1, c.next, last);
        }
        c.job.gsync();
        c.equal(-1, w.getInt(1 % c.ranks, last), "the last 4 bytes");
        for (int source = 0; source < c.ranks; source++) {
            c.equal(-35 - c.rank, w.memory().get(INT, 200L * source + 65), "putInt of rank " + source);
            c.equal(0, w.memory().get(INT, 200L * source + 77) & 0xff00_0000, "beside the value of rank " + source);
        }
    }

    static void arrays(CaseContext c) {
        Window w = c.window;
        double[] doubles = {1.5, -0.0, Double.NaN, 1e300, c.rank};
        long[] longs = {Long.MIN_VALUE, -1, 7, c.rank};
        int[] ints = {Integer.MIN_VALUE, -1, 7, c.rank, 9};
        w.put(doubles, c.next, 8);
        w.put(longs, 1, 3, c.next, 101);
        w.put(ints, c.next, 203);
        w.put(new long[0], c.next, CaseContext.WINDOW_BYTES);
        Arrays.fill(doubles, 99); // an array is free when its put has returned
        Arrays.fill(longs, 99);
        Arrays.fill(ints, 99);
        w.flush(c.next);
        double[] gotDoubles = new double[5];
        w.get(gotDoubles, c.next, 8);
        c.equal("[1.5, -0.0, NaN, 1.0E300, " + (double) c.rank + "]", Arrays.toString(gotDoubles), "doubles");
        long[] gotLongs = {5, 5, 5, 5, 5};
        w.get(gotLongs, 1, 3, c.next, 101);
        c.equal("[5, -1, 7, " + c.rank + ", 5]", Arrays.toString(gotLongs), "longs, and those around");
        int[] gotInts = {5, 5, 5, 5};
        w.get(gotInts, 1, 2, c.next, 207);
        c.equal("[5, -1, 7, 5]", Arrays.toString(gotInts), "ints, and those around");
        w.get(gotInts, 0, 0, c.next, 0);
        c.job.gsync();
        c.equal((double) c.previous, Double.longBitsToDouble(w.memory().get(LONG, 40)), "the last double");
        c.equal(0L, w.memory().get(LONG, 48), "behind the doubles");
        c.equal((long) c.previous, w.memory().get(LONG, 117), "the last long");
        c.equal(9, w.memory().get(INT, 219), "the last int");
        w.get(gotDoubles, c.rank, 8);
        c.equal((double) c.previous, gotDoubles[4], "of the own window");
    }

    /** More than a buffer holds, to both of the windows. */
    static void manyArrays(CaseContext c) {
        long[] values = new long[500];
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < 9; i++) {
                int seed = round * 9 + i;
                Arrays.setAll(values, index -> c.rank * 1_000_000L + seed * 1000 + index);
                c.window.put(values, c.next, i * 4000L);
                c.other.put(values, 100, 8, c.next, i * 64L);
            }
            c.window.flush(c.next);
        }
        c.job.gsync();
        for (int i = 0; i < 4500; i++) {
            long expected = c.previous * 1_000_000L + (27 + i / 500) * 1000 + i % 500;
            c.equal(expected, c.window.memory().get(LONG, i * 8L), "element " + i);
        }
        for (int i = 0; i < 72; i++) {
            long expected = c.previous * 1_000_000L + (27 + i / 8) * 1000 + 100 + i % 8;
            c.equal(expected, c.other.memory().get(LONG, i * 8L), "element " + i + " in the other window");
        }
    }

    static void atomicsOfSingleValues(CaseContext c) {
        Window w = c.window;
        w.accumulate(AtomicOp.SUM, 3L + c.rank, c.next, 8);
        w.accumulate(AtomicOp.SUM, 0.5, c.next, 16);
        w.accumulate(AtomicOp.MAX, DataType.INT32, -5, c.next, 28);
        w.accumulate(AtomicOp.MAX, DataType.UINT32, -5, c.next, 32);
        c.job.gsync();
        MemorySegment own = w.memory();
        c.equal(3L + c.previous, own.get(LONG, 8), "SUM of a long");
        c.equal(0.5, Double.longBitsToDouble(own.get(LONG, 16)), "SUM of a double");
        c.equal(0, own.get(INT, 28), "MAX of 0 and a negative INT32");
        c.equal(-5, own.get(INT, 32), "MAX of 0 and a large UINT32");
        c.job.gsync();
        c.equal(0.5, w.fetchAndOp(AtomicOp.SUM, 0.25, c.next, 16), "fetchAndOp of a double");
        c.equal(0.75, w.compareAndSwap(0.5, 9.0, c.next, 16), "a double that is another one");
        c.equal(0.75, w.compareAndSwap(0.75, -0.0, c.next, 16), "a double that is equal");
        c.equal(-0.0, w.compareAndSwap(0.0, 9.0, c.next, 16), "0.0 has other bits than -0.0");
        c.equal(0xffff_fffbL, w.fetchAndOp(AtomicOp.MIN, DataType.UINT32, 6, c.next, 32), "UINT32 has no sign");
        c.equal(6L, w.compareAndSwap(DataType.UINT32, 6, -1, c.next, 32), "a UINT32 that is equal");
        c.equal(0xffff_ffffL, w.compareAndSwap(DataType.UINT32, 0xffff_ffffL, 1, c.next, 32), "the largest UINT32");
        c.equal(0L, w.fetchAndOp(AtomicOp.MAX, DataType.UINT64, -1, c.next, 40), "a UINT64");
        c.equal(-1L, w.fetchAndOp(AtomicOp.MIN, DataType.UINT64, 4, c.next, 40), "the largest UINT64");
        c.equal(4L, w.compareAndSwap(DataType.UINT64, 4, 5, c.next, 40), "a UINT64 that is equal");
        c.job.gsync();
        c.equal(5L, own.get(LONG, 40), "UINT64");
        c.equal(1, own.get(INT, 32), "UINT32");
    }
}
