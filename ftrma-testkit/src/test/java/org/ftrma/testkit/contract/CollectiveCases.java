package org.ftrma.testkit.contract;

import static org.ftrma.testkit.contract.CaseContext.INT;
import static org.ftrma.testkit.contract.CaseContext.LONG;
import static org.ftrma.testkit.contract.CaseContext.local;
import static org.ftrma.testkit.contract.CaseContext.pattern;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Counters;
import org.ftrma.DataType;
import org.ftrma.spi.Elements;

/** Collectives of a job. */
final class CollectiveCases {
    private CollectiveCases() {
    }

    static void gsync(CaseContext c) {
        for (int round = 1; round <= 20; round++) {
            for (int target = 0; target < c.ranks; target++) {
                c.window.putLong(round * 100L + c.rank, target, 8L * c.rank);
                c.other.putLong(round * 200L + c.rank, target, 8L * c.rank);
            }
            c.job.gsync();
            for (int source = 0; source < c.ranks; source++) {
                c.equal(round * 100L + source, c.window.memory().get(LONG, 8L * source), "gsync " + round);
                c.equal(round * 200L + source, c.other.memory().get(LONG, 8L * source),
                    "gsync " + round + ", second window");
            }
            c.job.gsync();
        }
    }

    static void barrier(CaseContext c) {
        for (int round = 1; round <= 30; round++) {
            c.window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, round % c.ranks, 8);
            c.job.barrier();
            long arrived = 0;
            for (int target = 0; target < c.ranks; target++) {
                arrived += c.window.fetchAndOp(AtomicOp.NO_OP, DataType.INT64, 0, target, 8);
            }
            c.equal((long) round * c.ranks, arrived, "arrivals at barrier " + round);
            c.job.barrier();
        }
    }

    static void broadcast(CaseContext c) {
        for (int root = 0; root < c.ranks; root++) {
            for (long bytes : new long[] {0, 1, 8, 1000, 70_000, 200_000}) {
                MemorySegment data = pattern(bytes, c.rank == root ? root + 1 : 99);
                c.job.broadcast(data, root);
                c.same(pattern(bytes, root + 1), data, "broadcast of " + bytes + " bytes from " + root);
            }
        }
    }

    static void allReduce(CaseContext c) {
        for (int count : new int[] {1, 3, 20_000}) {
            MemorySegment source = local(count * 8L);
            MemorySegment result = local(count * 8L);
            for (int i = 0; i < count; i++) {
                source.set(LONG, i * 8L, (c.rank + 1L) << i % 50);
            }
            for (AtomicOp op : new AtomicOp[] {AtomicOp.SUM, AtomicOp.MIN, AtomicOp.MAX, AtomicOp.BAND, AtomicOp.BOR,
                AtomicOp.BXOR}) {
                c.job.allReduce(op, DataType.INT64, source, result);
                for (int i = 0; i < count; i += 1 + count / 7) {
                    long expected = 1L << i % 50;
                    for (int r = 1; r < c.ranks; r++) {
                        expected = op.apply(DataType.INT64, expected, (r + 1L) << i % 50);
                    }
                    c.equal(expected, result.get(LONG, i * 8L), op + " of element " + i);
                }
            }
        }
        locations(c, c.job::allReduce);
        MemorySegment ints = local(12);
        MemorySegment sums = local(12);
        ints.set(INT, 8, -1 - c.rank);
        c.job.allReduce(AtomicOp.MIN, DataType.INT32, ints, sums);
        c.equal(-c.ranks, sums.get(INT, 8), "MIN of INT32");
        c.equal(c.ranks * (c.ranks + 1) / 2L, c.job.allReduce(AtomicOp.SUM, c.rank + 1L), "one INT64");
        c.equal(c.ranks - 0.5, c.job.allReduce(AtomicOp.MAX, c.rank + 0.5), "one FLOAT64");
    }

    /** A reduction of all ranks of the job. */
    interface AllReduce {
        void reduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination);
    }

    /** Pairs of a value and an index; of equal values that of the lowest index counts. */
    static void locations(CaseContext c, AllReduce reduction) {
        for (int count : new int[] {1, 5, 3000}) {
            MemorySegment pairs = local(16L * count);
            MemorySegment result = local(16L * count);
            for (int i = 0; i < count; i++) {
                pairs.set(LONG, 16L * i, Double.doubleToRawLongBits(i % 2 == 0 ? -1.5 * c.rank : c.rank / 2));
                pairs.set(LONG, 16L * i + 8, 1000L * i + c.ranks - c.rank);
            }
            reduction.reduce(AtomicOp.MINLOC, DataType.FLOAT64, pairs, result);
            for (int i = 0; i < count; i += 1 + count / 7) {
                int rank = i % 2 == 0 ? c.ranks - 1 : Math.min(1, c.ranks - 1); // of 0 and 1, which are 0, the last
                double value = i % 2 == 0 ? -1.5 * rank : 0;
                c.equal(value + 0.0, Double.longBitsToDouble(result.get(LONG, 16L * i)) + 0.0, "MINLOC " + i);
                c.equal(1000L * i + c.ranks - rank, result.get(LONG, 16L * i + 8), "index of MINLOC " + i);
            }
            for (DataType type : DataType.values()) {
                for (int i = 0; i < count; i++) {
                    Elements.write(type, pairs, 16L * i, AtomicCases.value(type, c.rank));
                    pairs.set(LONG, 16L * i + 8, i + c.rank);
                }
                reduction.reduce(AtomicOp.MAXLOC, type, pairs, result);
                int best = 0;
                for (int rank = 1; rank < c.ranks; rank++) {
                    long old = AtomicCases.value(type, best);
                    best = AtomicOp.MAX.apply(type, old, AtomicCases.value(type, rank)) == old ? best : rank;
                }
                c.equal(AtomicCases.value(type, best), Elements.read(type, result, 16L * count - 16), "MAXLOC " + type);
                c.equal(count - 1L + best, result.get(LONG, 16L * count - 8), "index of MAXLOC " + type);
            }
        }
    }

    static void allReduceIsTheSameEverywhere(CaseContext c) {
        double mine = 1.0 / (3 + c.rank) * Math.pow(10, c.rank % 3 * 6);
        double sum = c.job.allReduce(AtomicOp.SUM, mine);
        MemorySegment own = local(16);
        own.set(LONG, 0, Double.doubleToRawLongBits(sum));
        own.set(LONG, 8, Double.doubleToRawLongBits(mine));
        MemorySegment all = local(16L * c.ranks);
        c.job.allGather(own, all);
        double expected = Double.longBitsToDouble(all.get(LONG, 8));
        for (int r = 1; r < c.ranks; r++) {
            expected += Double.longBitsToDouble(all.get(LONG, 16L * r + 8));
        }
        for (int r = 0; r < c.ranks; r++) {
            c.equal(Double.doubleToRawLongBits(expected), all.get(LONG, 16L * r), "bits of the sum at rank " + r);
        }
    }

    static void allGather(CaseContext c) {
        for (long bytes : new long[] {0, 1, 9, 4096, 100_001}) {
            MemorySegment all = local(bytes * c.ranks);
            c.job.allGather(pattern(bytes, c.rank + 3), all);
            for (int r = 0; r < c.ranks; r++) {
                c.same(pattern(bytes, r + 3), all.asSlice(r * bytes, bytes),
                    "allGather of " + bytes + " bytes, part of " + r);
            }
        }
    }

    /** All are 0 where nothing is logged; else they count what the program does. */
    static void counters(CaseContext c) {
        Counters counters = c.job.counters();
        long gsyncs = counters.gsyncs();
        long flushes = counters.flushes();
        long epochs = counters.epochs(c.next);
        long records = counters.records();
        c.window.putLong(1, c.next, 0);
        c.window.flush(c.next);
        c.job.gsync();
        boolean logged = counters.gsyncs() != gsyncs;
        c.equal(logged ? 1L : 0L, counters.gsyncs() - gsyncs, "GNC");
        c.equal(logged ? 2L : 0L, counters.flushes() - flushes, "GC");
        c.equal(logged ? 2L : 0L, counters.epochs(c.next) - epochs, "EC");
        c.equal(logged && c.ranks > 1 ? 1L : 0L, counters.records() - records, "records");
        c.equal(0L, counters.lockSequence(0, c.next), "SC");
    }

    static void jobFacts(CaseContext c) {
        c.holds(c.rank >= 0 && c.rank < c.ranks, "rank " + c.rank + " of " + c.ranks);
        c.holds(c.job.incarnation() >= 0, "incarnation " + c.job.incarnation());
        c.equal(42L, c.job.nondeterministic(() -> 42), "nondeterministic value");
        c.equal(c.job.allReduce(AtomicOp.MAX, c.job.step()), c.job.step(), "step");
        c.job.report("contract text", "x");
        c.job.report("contract number", 1.5);
        c.job.report("contract count", 3L);
        c.job.report("contract truth", true);
    }
}
