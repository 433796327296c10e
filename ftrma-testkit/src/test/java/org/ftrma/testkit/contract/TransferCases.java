package org.ftrma.testkit.contract;

import static org.ftrma.testkit.contract.CaseContext.LONG;
import static org.ftrma.testkit.contract.CaseContext.local;
import static org.ftrma.testkit.contract.CaseContext.pattern;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Request;
import org.ftrma.Strides;
import org.ftrma.WindowKind;

/** Puts, gets, requests and flushes of a window. */
final class TransferCases {
    private static final int[] LENGTHS = {0, 1, 7, 8, 9, 64, 1000, 4096, 30_001};

    private TransferCases() {
    }

    static void putsAndGets(CaseContext c) {
        for (int i = 0; i < LENGTHS.length; i++) {
            int length = LENGTHS[i];
            long offset = 3L * i;
            c.window.put(pattern(length + 5, c.rank + i), 5, c.next, offset, length);
            c.job.gsync();
            MemorySegment expected = local(length);
            MemorySegment.copy(pattern(length + 5, c.previous + i), 5, expected, 0, length);
            c.same(expected, c.window.memory().asSlice(offset, length), "put of " + length + " bytes");
            MemorySegment got = local(length + 3);
            c.window.get(got, 3, c.next, offset, length);
            c.window.flush(c.next);
            MemorySegment.copy(pattern(length + 5, c.rank + i), 5, expected, 0, length);
            c.same(expected, got.asSlice(3, length), "get of " + length + " bytes");
            c.window.get(got, 0, c.rank, offset, length);
            c.window.flushLocal(c.rank);
            c.same(c.window.memory().asSlice(offset, length), got.asSlice(0, length), "get from the own rank");
            c.job.gsync();
        }
    }

    /** Arrays, and read-only views of what is only read, in every form of an access. */
    static void localMemoryOnTheHeap(CaseContext c) {
        byte[] bytes = pattern(72, c.rank).toArray(ValueLayout.JAVA_BYTE);
        MemorySegment source = MemorySegment.ofArray(bytes).asReadOnly();
        MemorySegment expected = pattern(72, c.previous);
        c.window.put(source, 1, c.next, 3, 7);
        c.window.rput(source, 8, c.next, 10, 6).await();
        c.window.putStrided(source, 16, 8, c.next, 32, 16, 8, 2);
        c.window.rputStrided(source, 32, 8, c.next, 64, 16, 8, 2).await();
        c.window.accumulate(AtomicOp.SUM, DataType.INT64, source, 49, c.next, 96, 2);
        c.job.gsync();
        c.same(expected.asSlice(1, 7), c.window.memory().asSlice(3, 7), "put from the heap");
        c.same(expected.asSlice(8, 6), c.window.memory().asSlice(10, 6), "rput from the heap");
        c.same(expected.asSlice(24, 8), c.window.memory().asSlice(48, 8), "putStrided from the heap");
        c.same(expected.asSlice(40, 8), c.window.memory().asSlice(80, 8), "rputStrided from the heap");
        c.same(expected.asSlice(49, 16), c.window.memory().asSlice(96, 16), "accumulate from the heap");
        c.job.gsync();
        MemorySegment got = MemorySegment.ofArray(new byte[72]);
        c.window.get(got, 1, c.next, 3, 7);
        c.window.rget(got, 8, c.next, 10, 6).await();
        c.window.getStrided(got, 16, 8, c.next, 32, 16, 8, 2);
        c.window.rgetStrided(got, 32, 8, c.next, 64, 16, 8, 2).await();
        c.window.getAccumulate(AtomicOp.SUM, DataType.INT64, source, 49, got, 49, c.next, 96, 2);
        c.window.flush(c.next);
        MemorySegment same = pattern(72, c.rank);
        same.asSlice(0, 1).fill((byte) 0);
        same.asSlice(14, 2).fill((byte) 0);
        same.asSlice(48, 1).fill((byte) 0);
        same.asSlice(65).fill((byte) 0);
        c.same(same, got, "gets to the heap");
        c.job.gsync();
    }

    static void stagedPuts(CaseContext c) {
        MemorySegment expected = local(CaseContext.WINDOW_BYTES);
        long offset = 5;
        for (int i = 1; i < LENGTHS.length - 1; i++) {
            for (int target : new int[] {c.next, c.rank}) {
                // Several are under way at a time, in both windows.
                MemorySegment source = c.window.stage(target, LENGTHS[i]);
                MemorySegment strided = c.other.stage(target, 3L * LENGTHS[i]);
                c.equal((long) LENGTHS[i], source.byteSize(), "bytes staged");
                c.equal(0L, source.address() & 7, "alignment of staged memory");
                source.copyFrom(pattern(LENGTHS[i], target + i));
                strided.copyFrom(pattern(3L * LENGTHS[i], target + i + 1));
                long to = target == c.next ? offset : offset + CaseContext.WINDOW_BYTES / 2;
                c.window.put(source, target, to);
                c.other.putStrided(strided, 0, LENGTHS[i], target, to, LENGTHS[i] + 1, LENGTHS[i], 3);
            }
            offset += LENGTHS[i] * 3L + 7;
        }
        c.job.gsync();
        checkStaged(c, expected);
    }

    private static void checkStaged(CaseContext c, MemorySegment expected) {
        MemorySegment strided = local(CaseContext.WINDOW_BYTES);
        for (long half = 0; half <= CaseContext.WINDOW_BYTES / 2; half += CaseContext.WINDOW_BYTES / 2) {
            // Where there is one rank both halves are from it.
            long offset = 5 + half;
            for (int i = 1; i < LENGTHS.length - 1; i++) {
                MemorySegment.copy(pattern(LENGTHS[i], c.rank + i), 0, expected, offset, LENGTHS[i]);
                MemorySegment blocks = pattern(3L * LENGTHS[i], c.rank + i + 1);
                for (long block = 0; block < 3; block++) {
                    MemorySegment.copy(blocks, block * LENGTHS[i], strided, offset + block * (LENGTHS[i] + 1),
                        LENGTHS[i]);
                }
                offset += LENGTHS[i] * 3L + 7;
            }
            if (c.ranks == 1) {
                break;
            }
        }
        c.same(expected, c.window.memory(), "staged puts");
        c.same(strided, c.other.memory(), "staged puts of blocks");
    }

    static void wholeSegments(CaseContext c) {
        c.window.put(pattern(500, c.rank), c.rank, 100);
        c.window.put(pattern(500, c.rank + 10), c.next, 1000);
        c.job.gsync();
        MemorySegment got = local(500);
        c.window.get(got, c.next, 100);
        c.window.flush(c.next);
        c.same(pattern(500, c.next), got, "get of a whole segment");
        c.same(pattern(500, c.previous + 10), c.window.memory().asSlice(1000, 500), "put of a whole segment");
    }

    static void singleValues(CaseContext c) {
        for (int i = 0; i < 10; i++) {
            long offset = 100L * c.rank + i * 9L;
            for (int target = 0; target < c.ranks; target++) {
                c.window.putLong(offset * 1_000_003 + target, target, offset);
                c.window.flush(target);
                c.equal(offset * 1_000_003 + target, c.window.getLong(target, offset), "getLong after putLong");
            }
        }
        c.job.gsync();
        for (int source = 0; source < c.ranks; source++) {
            long offset = 100L * source + 9 * 9L;
            c.equal(offset * 1_000_003 + c.rank, c.window.memory().get(LONG, offset), "putLong of rank " + source);
        }
    }

    static void strided(CaseContext c) {
        MemorySegment source = pattern(2000, c.rank);
        c.window.putStrided(source, 4, 50, c.next, 16, 96, 24, 30);
        c.job.gsync();
        MemorySegment sent = pattern(2000, c.previous);
        MemorySegment expected = local(3000);
        for (int i = 0; i < 30; i++) {
            MemorySegment.copy(sent, 4 + i * 50L, expected, 16 + i * 96L, 24);
        }
        c.same(expected, c.window.memory().asSlice(0, 3000), "strided put, gaps included");
        MemorySegment got = local(1200);
        c.window.getStrided(got, 8, 32, c.next, 16, 96, 24, 30);
        c.window.flush(c.next);
        MemorySegment wanted = local(1200);
        for (int i = 0; i < 30; i++) {
            MemorySegment.copy(source, 4 + i * 50L, wanted, 8 + i * 32L, 24);
        }
        c.same(wanted, got, "strided get, gaps included");
        c.window.putStrided(source, 0, 8, c.next, 0, 8, 8, 0);
        c.window.flush(c.next);
        c.job.gsync();
        c.same(expected, c.window.memory().asSlice(0, 3000), "a strided put of no blocks");
    }

    /** Faces of a block of three dimensions, and lists of blocks. */
    static void nestedAndListed(CaseContext c) {
        MemorySegment source = pattern(2000, c.rank);
        c.window.putStrided(source, new Strides(8, 24, 130), c.next, new Strides(16, 40, 240), 16, 5, 6);
        long[] from = {1700, 1800, 0, 1900};
        long[] to = {2000, 1600, 1700, 1650};
        long[] lengths = {32, 7, 0, 9};
        c.window.putBlocks(source, from, c.next, to, lengths);
        c.window.putStrided(source, new Strides(0, 8, 8), c.next, new Strides(0, 8, 8), 8, 3, 0);
        c.window.putBlocks(source, new long[0], c.next, new long[0], new long[0]);
        c.job.gsync();
        MemorySegment sent = pattern(2000, c.previous);
        MemorySegment expected = local(3000);
        for (int i = 0; i < 30; i++) {
            MemorySegment.copy(sent, 8 + i % 5 * 24L + i / 5 * 130L, expected, 16 + i % 5 * 40L + i / 5 * 240L, 16);
        }
        for (int i = 0; i < to.length; i++) {
            MemorySegment.copy(sent, from[i], expected, to[i], lengths[i]);
        }
        c.same(expected, c.window.memory().asSlice(0, 3000), "puts of two levels and of a list, gaps included");
        MemorySegment got = local(900);
        c.window.getStrided(got, new Strides(0, 16, 100), c.next, new Strides(16, 40, 240), 16, 5, 6);
        c.window.getBlocks(got, new long[] {700, 800}, c.next, new long[] {2000, 1600}, new long[] {32, 7});
        c.window.flush(c.next);
        MemorySegment wanted = local(900);
        for (int i = 0; i < 30; i++) {
            MemorySegment.copy(source, 8 + i % 5 * 24L + i / 5 * 130L, wanted, i % 5 * 16L + i / 5 * 100L, 16);
        }
        MemorySegment.copy(source, 1700, wanted, 700, 32);
        MemorySegment.copy(source, 1800, wanted, 800, 7);
        c.same(wanted, got, "gets of two levels and of a list, gaps included");
        c.job.gsync();
    }

    static void windowsAreApart(CaseContext c) {
        c.window.put(pattern(300, 1), c.next, 0);
        c.other.put(pattern(300, 2), c.next, 0);
        c.job.gsync();
        c.same(pattern(300, 1), c.window.memory().asSlice(0, 300), "first window");
        c.same(pattern(300, 2), c.other.memory().asSlice(0, 300), "second window");
        c.equal("contract", c.window.name(), "name");
        c.equal(WindowKind.PROTECTED, c.window.kind(), "kind");
        c.equal(WindowKind.SCRATCH, c.other.kind(), "kind");
        c.equal(CaseContext.WINDOW_BYTES, c.other.bytes(), "bytes");
        c.equal(CaseContext.WINDOW_BYTES, c.other.memory().byteSize(), "memory");
    }

    static void sourcesAreFreeAfterFlushLocal(CaseContext c) {
        MemorySegment source = pattern(5000, c.rank);
        c.window.put(source, c.next, 0);
        c.window.flushLocal(c.next);
        source.fill((byte) 1);
        c.other.put(source, c.next, 0);
        c.other.flushLocalAll();
        source.fill((byte) 2);
        c.job.gsync();
        c.same(pattern(5000, c.previous), c.window.memory().asSlice(0, 5000), "source reused after flushLocal");
        c.same(local(5000).fill((byte) 1), c.other.memory().asSlice(0, 5000), "source reused after flushLocalAll");
    }

    static void requests(CaseContext c) {
        int each = 900;
        List<Request> requests = new ArrayList<>();
        List<MemorySegment> buffers = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            buffers.add(pattern(each, i + c.rank));
            requests.add(c.window.rput(buffers.get(i), 0, (c.rank + i) % c.ranks, (long) i * each, each));
        }
        for (int i = 11; i >= 0; i--) {
            if ((i & 1) == 0) {
                requests.get(i).await();
            } else {
                int tests = 0;
                while (!requests.get(i).test()) {
                    c.holds(tests++ < 100_000_000, "a request never completes");
                }
            }
            buffers.get(i).fill((byte) 9);
        }
        c.job.gsync();
        for (int i = 0; i < 12; i++) {
            int source = Math.floorMod(c.rank - i, c.ranks);
            c.same(pattern(each, i + source), c.window.memory().asSlice((long) i * each, each), "rput " + i);
        }
        for (int round = 0; round < 3; round++) {
            List<Request> gets = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                gets.add(c.window.rget(buffers.get(i), 0, c.next, (long) i * each, each));
            }
            for (int i = 0; i < 12; i++) {
                gets.get(i).await();
                c.same(pattern(each, i + Math.floorMod(c.next - i, c.ranks)), buffers.get(i), "rget " + i);
            }
        }
    }

    static void requestsOfBlocks(CaseContext c) {
        MemorySegment source = pattern(2000, c.rank);
        Request put = c.window.rputStrided(source, 4, 50, c.next, 16, 96, 24, 30);
        put.await();
        source.fill((byte) 9);
        c.window.flush(c.next);
        MemorySegment got = local(1200);
        Request get = c.window.rgetStrided(got, 8, 32, c.next, 16, 96, 24, 30);
        int tests = 0;
        while (!get.test()) {
            c.holds(tests++ < 100_000_000, "a request never completes");
        }
        MemorySegment sent = pattern(2000, c.rank);
        MemorySegment wanted = local(1200);
        for (int i = 0; i < 30; i++) {
            MemorySegment.copy(sent, 4 + i * 50L, wanted, 8 + i * 32L, 24);
        }
        c.same(wanted, got, "strided rget, gaps included");
        c.job.gsync();
        sent = pattern(2000, c.previous);
        MemorySegment expected = local(3000);
        for (int i = 0; i < 30; i++) {
            MemorySegment.copy(sent, 4 + i * 50L, expected, 16 + i * 96L, 24);
        }
        c.same(expected, c.window.memory().asSlice(0, 3000), "strided rput, gaps included");
        c.window.rputStrided(source, 0, 8, c.next, 0, 8, 8, 0).await();
        c.window.rputStrided(source, 0, 8, c.next, 0, 8, 0, 7).await();
        c.window.rgetStrided(got, 0, 8, c.next, 0, 8, 8, 0).await();
        c.same(wanted, got, "a strided rget of no blocks");
        c.job.gsync();
        c.same(expected, c.window.memory().asSlice(0, 3000), "strided rputs of no bytes");
    }

    /** More blocks than a request has under way, and several requests at once, awaited in another order. */
    static void requestsOfManyBlocks(CaseContext c) {
        int count = 1100;
        MemorySegment source = pattern(count * 8L, c.rank);
        Request first = c.window.rputStrided(source, 0, 8, c.next, 0, 24, 8, count);
        Request second = c.window.rputStrided(source, 3, 8, c.next, 8, 24, 5, count);
        second.await();
        first.await();
        source.fill((byte) 1);
        c.window.flush(c.next);
        MemorySegment got = local(count * 16L);
        first = c.window.rgetStrided(got, 0, 16, c.next, 0, 24, 8, count);
        second = c.window.rgetStrided(got, 8, 16, c.next, 8, 24, 8, count);
        second.await();
        first.await();
        MemorySegment sent = pattern(count * 8L, c.rank);
        MemorySegment wanted = local(count * 16L);
        for (int i = 0; i < count; i++) {
            MemorySegment.copy(sent, i * 8L, wanted, i * 16L, 8);
            MemorySegment.copy(sent, 3 + i * 8L, wanted, 8 + i * 16L, 5);
        }
        c.same(wanted, got, "many blocks there and back");
    }

    static void requestsOfAtomics(CaseContext c) {
        MemorySegment operand = local(16);
        operand.set(LONG, 0, 5);
        operand.set(LONG, 8, 7);
        c.window.raccumulate(AtomicOp.SUM, DataType.INT64, operand, 0, c.next, 8, 2).await();
        c.window.flush(c.next);
        MemorySegment result = local(16);
        c.window.rgetAccumulate(AtomicOp.SUM, DataType.INT64, operand, 0, result, 0, c.next, 8, 2).await();
        c.equal(5L, result.get(LONG, 0), "old value");
        c.equal(7L, result.get(LONG, 8), "old value");
        c.job.gsync();
        c.equal(10L, c.window.memory().get(LONG, 8), "sum");
        c.equal(14L, c.window.memory().get(LONG, 16), "sum");
    }

    static void flushes(CaseContext c) {
        for (int target = 0; target < c.ranks; target++) {
            c.window.putLong(c.rank + 1, target, 8L * c.rank);
        }
        c.window.flushAll();
        c.job.barrier();
        for (int source = 0; source < c.ranks; source++) {
            c.equal(source + 1L, c.window.memory().get(LONG, 8L * source), "after flushAll and barrier");
        }
        c.job.barrier();
        c.window.putLong(77, c.next, 800);
        c.window.flush(c.next);
        c.job.barrier();
        c.equal(77L, c.window.memory().get(LONG, 800), "after flush and barrier");
    }

    /** Each rank has 16 bytes more than the one before, and rank 0 none. */
    static void differentSizes(CaseContext c) {
        c.equal(16L * c.rank + (c.ranks == 1 ? 8 : 0), c.unequal.bytes(), "own bytes");
        c.equal(c.unequal.bytes(), c.unequal.memory().byteSize(), "own memory");
        long there = c.unequal.bytes(c.next);
        c.equal(16L * c.next + (c.ranks == 1 ? 8 : 0), there, "bytes of a peer");
        if (there > 0) {
            c.unequal.putLong(77 + c.rank, c.next, there - 8);
            c.unequal.flush(c.next);
            c.equal(77L + c.rank, c.unequal.getLong(c.next, there - 8), "its last word");
        }
        c.unequal.put(pattern(0, 1), c.next, there); // nothing, at its end
        c.job.gsync();
        if (c.unequal.bytes() > 0) {
            c.equal(77L + c.previous, c.unequal.memory().get(LONG, c.unequal.bytes() - 8), "the own last word");
        }
        String length = "windowLength=" + there;
        c.misuse("beyond its end", () -> c.unequal.putLong(1, c.next, there - 7), length, "outside");
        c.misuse("atomic", () -> c.unequal.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, c.next, there), length);
        c.misuse("blocks", () -> c.unequal.putStrided(pattern(64, 1), 0, 8, c.next, 0, 8, 8, there / 8 + 1), length);
        c.misuse("lists", () -> c.unequal.putBlocks(pattern(64, 1), new long[1], c.next, new long[] {there},
            new long[] {1}), length);
        c.misuse("staged", () -> c.unequal.stage(c.next, there + 1), length);
        c.misuse("no rank", () -> c.unequal.bytes(c.ranks), "no such rank");
    }
}
