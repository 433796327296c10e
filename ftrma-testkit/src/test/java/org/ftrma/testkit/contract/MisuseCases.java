package org.ftrma.testkit.contract;

import static org.ftrma.testkit.contract.CaseContext.local;
import static org.ftrma.testkit.contract.CaseContext.pattern;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.ftrma.Strides;
import org.ftrma.Window;

/** Wrong arguments and calls at the wrong time: refused with the values in the message, before anything is changed. */
final class MisuseCases {
    private static final long BYTES = CaseContext.WINDOW_BYTES;

    private MisuseCases() {
    }

    private static void nothingChanged(CaseContext c) {
        c.job.gsync();
        c.same(local(BYTES), c.window.memory(), "the window after refused calls");
    }

    static void ranges(CaseContext c) {
        Window w = c.window;
        MemorySegment data = pattern(100, 1);
        c.misuse("put beyond the end", () -> w.put(data, 0, c.next, BYTES - 50, 100), "offset=" + (BYTES - 50),
            "length=100",
            "windowLength=" + BYTES, "window=contract", "target=" + c.next);
        c.misuse("negative offset", () -> w.put(data, 0, c.next, -1, 8), "offset=-1");
        c.misuse("negative length", () -> w.put(data, 0, c.next, 0, -8), "length=-8");
        c.misuse("overflow", () -> w.get(data, 0, c.next, Long.MAX_VALUE - 4, 8), "offset=" + (Long.MAX_VALUE - 4));
        c.misuse("source too short", () -> w.put(data, 60, c.next, 0, 41), "sourceOffset=60", "length=41",
            "sourceLength=100");
        c.misuse("destination too short", () -> w.get(data, 101, c.next, 0, 1), "destinationOffset=101");
        c.misuse("no such rank", () -> w.put(data, 0, c.ranks, 0, 8), "target=" + c.ranks, "ranks=" + c.ranks);
        c.misuse("negative rank", () -> w.getLong(-1, 0), "target=-1");
        c.misuse("putLong beyond the end", () -> w.putLong(1, c.next, BYTES - 7), "offset=" + (BYTES - 7));
        c.misuse("getLong beyond the end", () -> w.getLong(c.next, BYTES - 7), "offset=" + (BYTES - 7));
        c.misuse("putInt beyond the end", () -> w.putInt(1, c.next, BYTES - 3), "offset=" + (BYTES - 3));
        c.misuse("getInt of a missing rank", () -> w.getInt(c.ranks, 0), "target=" + c.ranks);
        c.misuse("put beyond an array", () -> w.put(new long[4], 1, 4, c.next, 0), "sourceFrom=1", "sourceLength=4");
        c.misuse("put of no array", () -> w.put((double[]) null, c.next, 0), "sourceLength=null");
        c.misuse("put of an array beyond the end", () -> w.put(new int[4], c.next, BYTES - 12), "length=16");
        c.misuse("get of a negative count", () -> w.get(new int[4], 0, -1, c.next, 0), "count=-1");
        c.misuse("get to no array", () -> w.get((long[]) null, c.next, 0), "destinationLength=null");
        c.misuse("get to an array of a missing rank", () -> w.get(new double[4], -1, 0), "target=-1");
        c.misuse("stride below the block", () -> w.putStrided(data, 0, 8, c.next, 0, 4, 8, 2), "stride=4",
            "blockBytes=8");
        c.misuse("local stride below the block", () -> w.getStrided(data, 0, 4, c.next, 0, 8, 8, 2), "blockBytes=8");
        c.misuse("negative count", () -> w.putStrided(data, 0, 8, c.next, 0, 8, 8, -1), "count=-1");
        c.misuse("strided beyond the end", () -> w.putStrided(data, 0, 8, c.next, BYTES - 30, 16, 8, 3),
            "windowLength=" + BYTES);
        c.misuse("strided overflow", () -> w.putStrided(data, 0, 8, c.next, 8, Long.MAX_VALUE / 2, 8, 5),
            "stride=" + Long.MAX_VALUE / 2);
        c.misuse("strided source too short", () -> w.putStrided(data, 0, 64, c.next, 0, 8, 8, 3), "sourceLength=100");
        groupsAndLists(c, data);
        c.misuse("staging nothing", () -> w.stage(c.next, 0), "length=0");
        c.misuse("staging more than the window", () -> w.stage(c.next, BYTES + 1), "length=" + (BYTES + 1),
            "windowLength=" + BYTES);
        c.misuse("staging for a missing rank", () -> w.stage(c.ranks, 8), "target=" + c.ranks);
        c.misuse("rput beyond the end", () -> w.rput(data, 0, c.next, BYTES, 1), "offset=" + BYTES);
        c.misuse("rget of a missing rank", () -> w.rget(data, 0, 99, 0, 1), "target=99");
        blocks(c, data);
        c.misuse("flush of a missing rank", () -> w.flush(c.ranks + 3), "target=" + (c.ranks + 3));
        c.same(pattern(100, 1), data, "local memory after refused gets");
        nothingChanged(c);
    }

    private static void blocks(CaseContext c, MemorySegment data) {
        Window w = c.window;
        long huge = Long.MAX_VALUE / 2; // four of them and a block are 4 bytes again
        c.misuse("source that overflows", () -> w.putStrided(data, 0, huge, c.next, 0, 8, 8, 5), "sourceStride=" + huge,
            "sourceLength=100");
        c.misuse("destination that overflows", () -> w.getStrided(data, 0, huge, c.next, 0, 8, 8, 5),
            "destinationStride=" + huge);
        c.misuse("rput of a stride below the block", () -> w.rputStrided(data, 0, 8, c.next, 0, 4, 8, 2), "stride=4",
            "blockBytes=8");
        c.misuse("rput beyond the end", () -> w.rputStrided(data, 0, 8, c.next, BYTES - 30, 16, 8, 3),
            "windowLength=" + BYTES);
        c.misuse("rput of too short a source", () -> w.rputStrided(data, 0, 64, c.next, 0, 8, 8, 3),
            "sourceLength=100");
        c.misuse("rput of no source", () -> w.rputStrided(null, 0, 8, c.next, 0, 8, 8, 3), "sourceLength=null");
        c.misuse("rget of a negative count", () -> w.rgetStrided(data, 0, 8, c.next, 0, 8, 8, -2), "count=-2");
        c.misuse("rget of a missing rank", () -> w.rgetStrided(data, 0, 8, c.ranks, 0, 8, 8, 2), "target=" + c.ranks);
        c.misuse("rget of too short a destination", () -> w.rgetStrided(data, 77, 8, c.next, 0, 8, 8, 3),
            "destinationOffset=77");
    }

    static void atomics(CaseContext c) {
        Window w = c.window;
        MemorySegment data = pattern(64, 1);
        c.misuse("misaligned INT64", () -> w.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, c.next, 12), "offset=12",
            "INT64");
        c.misuse("misaligned INT32", () -> w.compareAndSwap(DataType.INT32, 0, 1, c.next, 6), "offset=6", "INT32");
        c.misuse("misaligned accumulate", () -> w.accumulate(AtomicOp.SUM, DataType.FLOAT64, data, 0, c.next, 4, 1),
            "offset=4", "FLOAT64");
        c.misuse("fetchAndOp of FLOAT64 bits", () -> w.fetchAndOp(AtomicOp.BXOR, DataType.FLOAT64, 1, c.next, 8),
            "BXOR", "FLOAT64");
        c.misuse("misaligned FLOAT64", () -> w.compareAndSwap(0.0, 1.0, c.next, 4), "offset=4", "FLOAT64");
        c.misuse("a misaligned value", () -> w.accumulate(AtomicOp.SUM, 1L, c.next, 4), "offset=4", "INT64");
        c.misuse("BAND of a FLOAT64", () -> w.accumulate(AtomicOp.BAND, 1.0, c.next, 8), "BAND", "FLOAT64");
        c.misuse("a value beyond the end", () -> w.accumulate(AtomicOp.SUM, 1L, c.next, BYTES), "offset=" + BYTES);
        c.misuse("BAND of FLOAT64", () -> w.accumulate(AtomicOp.BAND, DataType.FLOAT64, data, 0, c.next, 8, 1), "BAND",
            "FLOAT64");
        c.misuse("accumulate beyond the end", () -> w.accumulate(AtomicOp.SUM, DataType.INT64, data, 0, c.next,
            BYTES - 8, 2),
            "offset=" + (BYTES - 8));
        c.misuse("negative count", () -> w.accumulate(AtomicOp.SUM, DataType.INT64, data, 0, c.next, 0, -1),
            "length=-1");
        c.misuse("source too short", () -> w.accumulate(AtomicOp.SUM, DataType.INT64, data, 8, c.next, 0, 8),
            "sourceOffset=8");
        c.misuse("result too short", () -> w.getAccumulate(AtomicOp.NO_OP, DataType.INT64, null, 0, data, 0, c.next, 0,
            9), "resultLength=64");
        c.misuse("strided by half elements", () -> w.accumulateStrided(AtomicOp.SUM, DataType.INT64, data, 0, 16,
            c.next, 0, 12, 1, 2),
            "stride=12");
        atomicBlocks(c, data);
        nothingChanged(c);
    }

    private static void atomicBlocks(CaseContext c, MemorySegment data) {
        Window w = c.window;
        AtomicOp sum = AtomicOp.SUM;
        DataType type = DataType.INT64;
        MemorySegment got = local(64);
        c.misuse("a source by half elements", () -> w.accumulateStrided(sum, type, data, 0, 12, c.next, 0, 16, 1, 2),
            "localStride=12", "INT64");
        c.misuse("by half elements", () -> w.getAccumulateStrided(sum, type, data, 0, 16, got, 0, 16, c.next, 0, 12, 1,
            2), "stride=12");
        c.misuse("a result by half elements", () -> w.getAccumulateStrided(sum, type, data, 0, 16, got, 0, 20, c.next,
            0, 16, 1, 2),
            "localStride=20");
        c.misuse("a source by half elements", () -> w.getAccumulateStrided(sum, type, data, 0, 20, got, 0, 16, c.next,
            0, 16, 1, 2),
            "localStride=20");
        c.misuse("a stride below the block", () -> w.getAccumulateStrided(sum, type, data, 0, 16, got, 0, 16, c.next, 0,
            8, 2, 2), "stride=8",
            "blockBytes=16");
        c.misuse("a source's stride below the block", () ->
            w.getAccumulateStrided(sum, type, data, 0, 8, got, 0, 16, c.next, 0, 16, 2, 2),
            "localStride=8");
        c.misuse("a misaligned offset", () -> w.getAccumulateStrided(sum, type, data, 0, 16, got, 0, 16, c.next, 4, 16,
            1, 2), "offset=4");
        c.misuse("BOR of FLOAT64", () -> w.getAccumulateStrided(AtomicOp.BOR, DataType.FLOAT64, data, 0, 16, got, 0, 16,
            c.next, 0, 16, 1, 2), "BOR");
        c.misuse("beyond the end", () -> w.getAccumulateStrided(sum, type, data, 0, 16, got, 0, 16, c.next, BYTES - 24,
            24, 1, 2),
            "offset=" + (BYTES - 24), "windowLength=" + BYTES);
        c.misuse("too short a source", () -> w.getAccumulateStrided(sum, type, data, 56, 16, got, 0, 16, c.next, 0, 16,
            1, 2), "sourceOffset=56");
        c.misuse("too short a result", () -> w.getAccumulateStrided(sum, type, data, 0, 16, got, 48, 16, c.next, 0, 16,
            1, 2), "resultOffset=48");
        c.misuse("no source", () -> w.getAccumulateStrided(sum, type, null, 0, 16, got, 0, 16, c.next, 0, 16, 1, 2),
            "sourceLength=null");
        c.misuse("no result", () -> w.getAccumulateStrided(AtomicOp.NO_OP, type, null, 0, 0, null, 0, 16, c.next, 0, 16,
            1, 2), "resultLength=null");
        c.misuse("a request for a missing rank", () -> w.rgetAccumulateStrided(sum, type, data, 0, 16, got, 0, 16, -1,
            0, 16, 1, 2), "target=-1");
        c.misuse("a request of negative blocks", () -> w.raccumulateStrided(sum, type, data, 0, 16, c.next, 0, 16, -1,
            2), "blockElements=-1");
        c.same(local(64), got, "results of refused calls");
    }

    /**
     * Memory that may not be written to, is gone, or is another thread's: refused on every path, in every form, before
     * a byte moves.
     */
    static void localSegments(CaseContext c) throws Exception {
        MemorySegment ours = pattern(128, 2);
        writtenTo(c, ours.asReadOnly(), "=read-only", "asReadOnly");
        c.same(pattern(128, 2), ours, "read-only memory after refused calls");
        MemorySegment gone;
        try (Arena arena = Arena.ofConfined()) {
            gone = arena.allocate(128, 8);
        }
        readFrom(c, gone, "source=closed", "keep it open");
        writtenTo(c, gone, "=closed", "keep it open");
        CompletableFuture<MemorySegment> allocated = new CompletableFuture<>();
        CompletableFuture<Void> checked = new CompletableFuture<>();
        Thread owner = Thread.ofPlatform().start(() -> {
            try (Arena arena = Arena.ofConfined()) {
                allocated.complete(arena.allocate(128, 8));
                checked.join();
            }
        });
        try {
            MemorySegment others = allocated.join();
            readFrom(c, others, "source=confined", "ofShared");
            writtenTo(c, others, "=confined", "ofShared");
        } finally {
            checked.complete(null);
            owner.join();
        }
        nothingChanged(c);
    }

    private static void readFrom(CaseContext c, MemorySegment source, String... parts) {
        Window w = c.window;
        AtomicOp sum = AtomicOp.SUM;
        DataType type = DataType.INT64;
        MemorySegment got = local(64);
        for (int target : new int[] {c.next, c.rank}) {
            c.misuse("put", () -> w.put(source, 0, target, 0, 8), parts);
            c.misuse("put of nothing", () -> w.put(source, 0, target, 0, 0), parts);
            c.misuse("putStrided", () -> w.putStrided(source, 0, 8, target, 0, 16, 8, 2), parts);
            c.misuse("rput", () -> w.rput(source, 0, target, 0, 8), parts);
            c.misuse("rputStrided", () -> w.rputStrided(source, 0, 8, target, 0, 16, 8, 2), parts);
            c.misuse("accumulate", () -> w.accumulate(sum, type, source, 0, target, 0, 2), parts);
            c.misuse("raccumulate", () -> w.raccumulate(sum, type, source, 0, target, 0, 2), parts);
            c.misuse("accumulateStrided", () -> w.accumulateStrided(sum, type, source, 0, 8, target, 0, 16, 1, 2),
                parts);
            c.misuse("raccumulateStrided", () -> w.raccumulateStrided(sum, type, source, 0, 8, target, 0, 16, 1, 2),
                parts);
            c.misuse("getAccumulate", () -> w.getAccumulate(sum, type, source, 0, got, 0, target, 0, 2), parts);
            c.misuse("rgetAccumulate", () -> w.rgetAccumulate(sum, type, source, 0, got, 0, target, 0, 2), parts);
            c.misuse("getAccumulateStrided", () -> w.getAccumulateStrided(sum, type, source, 0, 8, got, 0, 8, target, 0,
                16, 1, 2), parts);
            c.misuse("rgetAccumulateStrided", () -> w.rgetAccumulateStrided(sum, type, source, 0, 8, got, 0, 8, target,
                0, 16, 1, 2), parts);
        }
        c.same(local(64), got, "results of refused calls");
    }

    /** @param state what is said of the destination, and of the result */
    private static void writtenTo(CaseContext c, MemorySegment memory, String state, String fix) {
        Window w = c.window;
        AtomicOp sum = AtomicOp.SUM;
        DataType type = DataType.INT64;
        MemorySegment source = pattern(64, 3);
        String[] destination = {"destination" + state, "window=contract", fix};
        String[] result = {"result" + state, "window=contract", fix};
        for (int target : new int[] {c.next, c.rank}) {
            c.misuse("get", () -> w.get(memory, 0, target, 0, 8), destination);
            c.misuse("get of nothing", () -> w.get(memory, 0, target, 0, 0), destination);
            c.misuse("getStrided", () -> w.getStrided(memory, 0, 8, target, 0, 16, 8, 2), destination);
            c.misuse("rget", () -> w.rget(memory, 0, target, 0, 8), destination);
            c.misuse("rgetStrided", () -> w.rgetStrided(memory, 0, 8, target, 0, 16, 8, 2), destination);
            c.misuse("getAccumulate", () -> w.getAccumulate(sum, type, source, 0, memory, 0, target, 0, 2), result);
            c.misuse("a read", () -> w.getAccumulate(AtomicOp.NO_OP, type, null, 0, memory, 0, target, 0, 2), result);
            c.misuse("rgetAccumulate", () -> w.rgetAccumulate(sum, type, source, 0, memory, 0, target, 0, 2), result);
            c.misuse("getAccumulateStrided", () -> w.getAccumulateStrided(sum, type, source, 0, 8, memory, 0, 8, target,
                0, 16, 1, 2), result);
            c.misuse("rgetAccumulateStrided", () -> w.rgetAccumulateStrided(sum, type, source, 0, 8, memory, 0, 8,
                target, 0, 16, 1, 2), result);
        }
    }

    static void locks(CaseContext c) {
        Window w = c.window;
        c.misuse("unlock without lock", () -> w.unlock(c.next), "window=contract", "target=" + c.next);
        c.misuse("unlockAll without lockAll", w::unlockAll, "window=contract");
        w.lock(LockType.SHARED, c.next);
        c.misuse("a second lock", () -> w.lock(LockType.SHARED, c.next), "target=" + c.next);
        c.misuse("lockAll over a lock", w::lockAll, "window=contract");
        c.misuse("unlockAll of one lock", w::unlockAll, "window=contract");
        w.unlock(c.next);
        w.lockAll();
        c.misuse("unlock of one of lockAll", () -> w.unlock(c.next), "target=" + c.next);
        c.misuse("a lock over lockAll", () -> w.lock(LockType.EXCLUSIVE, c.next), "target=" + c.next);
        w.unlockAll();
        c.misuse("lock of a missing rank", () -> w.lock(LockType.SHARED, c.ranks), "target=" + c.ranks);
        nothingChanged(c);
    }

    static void collectives(CaseContext c) {
        MemorySegment data = local(64);
        c.misuse("broadcast from a missing rank", () -> c.job.broadcast(data, c.ranks), "root=" + c.ranks);
        c.misuse("allReduce of different sizes", () -> c.job.allReduce(AtomicOp.SUM, DataType.INT64, data, local(56)),
            "64", "56");
        c.misuse("allReduce of half an element", () -> c.job.allReduce(AtomicOp.SUM, DataType.INT64, local(12),
            local(12)), "12");
        c.misuse("allReduce with NO_OP", () -> c.job.allReduce(AtomicOp.NO_OP, DataType.INT64, data, local(64)),
            "NO_OP");
        c.misuse("allReduce of one pair", () -> c.job.allReduce(AtomicOp.MINLOC, 1L), "MINLOC", "pairs", "MIN or MAX");
        c.misuse("allReduce of half a pair", () -> c.job.allReduce(AtomicOp.MAXLOC, DataType.INT64, local(8), local(8)),
            "multiple of 16");
        c.misuse("MINLOC in a window", () -> c.window.fetchAndOp(AtomicOp.MINLOC, DataType.INT64, 1, c.next, 0),
            "MINLOC", "reductions only");
        c.misuse("INT16 between two", () -> c.window.fetchAndOp(AtomicOp.SUM, DataType.INT16, 1, c.next, 3),
            "aligned to 2 bytes");
        c.misuse("allReduce with REPLACE", () -> c.job.allReduce(AtomicOp.REPLACE, 1L), "REPLACE", "no reduction");
        c.misuse("allReduce of FLOAT64 with BOR", () ->
            c.job.allReduce(AtomicOp.BOR, DataType.FLOAT64, data, local(64)), "BOR");
        c.misuse("allGather into too little", () -> c.job.allGather(data, local(64L * c.ranks - 1)),
            "" + (64L * c.ranks - 1));
        nothingChanged(c);
    }

    static void job(CaseContext c) {
        c.misuse("a window in the loop", () -> c.job.allocateWindow("late", 64), "late");
        c.misuse("a protected segment in the loop", () -> c.job.protect("late", 64), "late");
        c.misuse("a rotating segment in the loop", () -> c.job.protectRotating("late", 64), "late");
        c.misuse("initialize in the loop", () -> c.job.initialize(() -> { }), "initialize");
        c.misuse("a second loop", () -> c.job.steps(3), "steps");
        nothingChanged(c);
    }

    private static void groupsAndLists(CaseContext c, MemorySegment data) {
        Window w = c.window;
        Strides near = new Strides(0, 8, 16);
        Strides far = new Strides(0, 16, 24);
        c.misuse("groups that overlap", () -> w.putStrided(data, near, c.next, new Strides(0, 16, 23), 8, 2, 3),
            "outerStride=23", "24");
        c.misuse("local groups that overlap", () -> w.getStrided(data, new Strides(0, 8, 15), c.next, far, 8, 2, 3),
            "localOuterStride=15");
        c.misuse("groups beyond the end", () -> w.putStrided(data, near, c.next, new Strides(BYTES - 70, 16, 24), 8, 2,
            3), "offset=" + (BYTES - 70), "windowLength=" + BYTES);
        long huge = Long.MAX_VALUE / 2;
        c.misuse("groups of an overflow", () -> w.putStrided(data, new Strides(0, 8, huge), c.next, far, 8, 2, 3),
            "localOuterStride=" + huge, "localLength=100");
        c.misuse("groups of a missing rank", () -> w.putStrided(data, near, -1, far, 8, 2, 0), "target=-1");
        c.misuse("fewer than no groups", () -> w.putStrided(data, near, c.next, far, 8, 2, -1), "outerCount=-1");
        c.misuse("groups without strides", () -> w.getStrided(data, near, c.next, null, 8, 2, 3), "strides=null");
        long[] one = {8};
        c.misuse("lists of different lengths", () -> w.putBlocks(data, one, c.next, new long[2], one), "offsets=2",
            "lengths=1");
        c.misuse("a block beyond the end", () -> w.putBlocks(data, one, c.next, new long[] {BYTES - 7}, one),
            "offset=" + (BYTES - 7), "windowLength=" + BYTES);
        c.misuse("a block beyond the source", () -> w.getBlocks(data, new long[] {93}, c.next, one, one),
            "localOffset=93", "localLength=100");
        c.misuse("no list", () -> w.putBlocks(data, null, c.next, one, one), "localOffsets=null");
        c.misuse("a list of a missing rank", () -> w.putBlocks(data, new long[0], c.ranks, new long[0], new long[0]),
            "target=" + c.ranks);
    }
}
