package org.ftrma.testkit.contract;

import static org.ftrma.testkit.contract.CaseContext.LONG;
import static org.ftrma.testkit.contract.CaseContext.pattern;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.Window;

/** Puts with signals, waits and tests. */
final class SignalCases {
    private static final int DATA = 800;
    private static final int ROUNDS = 12;

    private SignalCases() {
    }

    /** Data is there when its signal is, as is what was put before, in both windows. */
    static void putsWithSignals(CaseContext c) {
        Window w = c.window;
        for (int round = 1; round <= ROUNDS; round++) {
            w.waitUntil(8, Comparison.GE, round - 1);
            c.other.put(pattern(64, c.rank + round), c.next, 128);
            w.putSignal(pattern(DATA + 3, 2 * c.rank + round), 3, c.next, 64, DATA, AtomicOp.REPLACE, round, 0);
            c.equal((long) round, w.waitUntil(0, Comparison.EQ, round), "the signal");
            MemorySegment expected = pattern(DATA + 3, 2 * c.previous + round).asSlice(3);
            c.same(expected, w.memory().asSlice(64, DATA), "data of round " + round);
            c.same(pattern(64, c.previous + round), c.other.memory().asSlice(128, 64), "data in the other window");
            w.signal(AtomicOp.REPLACE, round, c.previous, 8);
        }
        w.putSignal(pattern(16, 1), c.rank, 64, 77, 16);
        c.equal(77L, w.waitUntil(16, Comparison.GT, 76), "a signal to itself");
        c.same(pattern(16, 1), w.memory().asSlice(64, 16), "data to itself");
    }

    static void signalsOfSeveralRanks(CaseContext c) {
        for (int target = 0; target < c.ranks; target++) {
            c.window.putLong(c.rank + 5, target, 64 + 8L * c.rank);
            c.window.signal(AtomicOp.SUM, 1L << 8 * c.rank, target, 0);
        }
        long all = 0;
        for (int rank = 0; rank < c.ranks; rank++) {
            all |= 1L << 8 * rank;
        }
        c.equal(all, c.window.waitUntil(0, Comparison.EQ, all), "signals of all");
        for (int rank = 0; rank < c.ranks; rank++) {
            c.equal(rank + 5L, c.window.memory().get(LONG, 64 + 8L * rank), "what rank " + rank + " put before");
        }
    }

    static void comparisons(CaseContext c) {
        Window w = c.window;
        w.signal(AtomicOp.REPLACE, -4, c.rank, 24);
        w.flush(c.rank);
        boolean[] expected = {false, true, false, false, true, true};
        for (Comparison comparison : Comparison.values()) {
            boolean holds = expected[comparison.ordinal()];
            c.equal(holds, w.test(24, comparison, 3), "-4 " + comparison + " 3");
            c.equal(comparison == Comparison.EQ || comparison == Comparison.GE || comparison == Comparison.LE,
                w.test(24, comparison, -4), "-4 " + comparison + " -4");
            if (holds) {
                c.equal(-4L, w.waitUntil(24, comparison, 3), "-4 " + comparison + " 3, waited for");
            }
        }
    }

    static void tests(CaseContext c) {
        Window w = c.window;
        c.holds(!w.test(0, Comparison.NE, 0), "a signal before there is one");
        c.job.barrier();
        w.putSignal(pattern(DATA, c.rank), c.next, 64, 1, 0);
        int tests = 0;
        while (!w.test(0, Comparison.NE, 0)) {
            c.holds(tests++ < 100_000_000, "a signal never comes");
        }
        c.same(pattern(DATA, c.previous), w.memory().asSlice(64, DATA), "data");
    }

    static void misuse(CaseContext c) {
        Window w = c.window;
        long end = CaseContext.WINDOW_BYTES;
        MemorySegment data = pattern(16, 1);
        c.misuse("MAX as a signal", () -> w.signal(AtomicOp.MAX, 1, c.next, 0), "MAX", "REPLACE", "SUM");
        c.misuse("no operation", () -> w.signal(null, 1, c.next, 0), "operation=null");
        c.misuse("a misaligned signal", () -> w.signal(AtomicOp.SUM, 1, c.next, 12), "offset=12", "8 bytes");
        c.misuse("a signal beyond the end", () -> w.signal(AtomicOp.SUM, 1, c.next, end), "offset=" + end);
        c.misuse("a signal to a missing rank", () -> w.signal(AtomicOp.SUM, 1, c.ranks, 0), "target=" + c.ranks);
        c.misuse("data with a misaligned signal", () -> w.putSignal(data, c.next, 64, 1, 4), "offset=4");
        c.misuse("data with a signal beyond the end", () -> w.putSignal(data, c.next, 64, 1, -8), "offset=-8");
        c.misuse("data beyond the end", () -> w.putSignal(data, c.next, end - 8, 1, 0), "offset=" + (end - 8));
        c.misuse("no data", () -> w.putSignal(null, c.next, 64, 1, 0), "sourceLength=null");
        c.misuse("a misaligned wait", () -> w.waitUntil(4, Comparison.EQ, 0), "offset=4");
        c.misuse("a wait beyond the end", () -> w.waitUntil(end, Comparison.EQ, 0), "offset=" + end);
        c.misuse("a wait for no comparison", () -> w.waitUntil(0, null, 0), "comparison=null", "GE");
        c.misuse("a test of no comparison", () -> w.test(0, null, 0), "comparison=null");
        c.misuse("a misaligned test", () -> w.test(-1, Comparison.EQ, 0), "offset=-1");
        c.job.gsync();
        c.same(CaseContext.local(200), w.memory().asSlice(0, 200), "the window after refused calls");
    }
}
