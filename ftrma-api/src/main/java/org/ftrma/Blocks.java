package org.ftrma;

import java.lang.foreign.MemorySegment;

/** Validates multi-block accesses before the first block is transferred. Any thread. */
final class Blocks {
    private Blocks() {
    }

    /**
     * Blocks of two levels lie within the window and within the local memory, and no group of them overlaps the next.
     * What one group is refused for is left to the call that accesses one.
     *
     * @param local the local memory; null is refused where it is used
     */
    static void checkNested(String call, Window window, MemorySegment local, Strides there, int target, Strides at,
        long blockBytes, long count, long outerCount) {
        if (there == null || at == null || outerCount < 0) {
            throw misuse(call, window, target, there == null ? "local strides=null" : at == null ? "strides=null"
                : "outerCount=" + outerCount + ": must not be negative");
        }
        if (outerCount == 0 || count <= 0 || blockBytes <= 0 || local == null) {
            return;
        }
        String wrong = wrong(at, blockBytes, count, outerCount, window.bytes(target));
        if (wrong != null) {
            throw misuse(call, window, target, "offset=" + at.offset() + " stride=" + at.stride() + " outerStride="
                + at.outerStride() + blocks(blockBytes, count, outerCount) + " windowLength=" + window.bytes(target)
                + wrong);
        }
        wrong = wrong(there, blockBytes, count, outerCount, local.byteSize());
        if (wrong != null) {
            throw misuse(call, window, target, "localOffset=" + there.offset() + " localStride=" + there.stride()
                + " localOuterStride=" + there.outerStride() + blocks(blockBytes, count, outerCount)
                + " localLength=" + local.byteSize() + wrong);
        }
    }

    private static String blocks(long blockBytes, long count, long outerCount) {
        return " blockBytes=" + blockBytes + " count=" + count + " outerCount=" + outerCount;
    }

    private static MisuseException misuse(String call, Window window, int target, String what) {
        return new MisuseException(call + ": window=" + window.name() + " target=" + target + " " + what);
    }

    /** Null: nothing is. */
    private static String wrong(Strides strides, long blockBytes, long count, long outerCount, long bytes) {
        long group = end(0, count, strides.stride(), blockBytes);
        if (outerCount > 1 && strides.outerStride() < group) {
            return ": groups overlap; the outer stride must be at least " + group;
        }
        return strides.offset() < 0 || end(strides.offset(), outerCount, strides.outerStride(), group) > bytes
            ? ": outside" : null;
    }

    /** Where so many blocks end; or the largest number. */
    private static long end(long offset, long count, long stride, long blockBytes) {
        try {
            return Math.addExact(Math.addExact(offset, Math.multiplyExact(count - 1, stride)), blockBytes);
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }

    /** The blocks of a list lie within the window and within the local memory. */
    static void checkList(String call, Window window, MemorySegment local, long[] localOffsets, int target,
        long[] offsets, long[] lengths) {
        if (local == null || localOffsets == null || offsets == null || lengths == null) {
            throw misuse(call, window, target, (local == null ? "local memory" : localOffsets == null
                ? "localOffsets" : offsets == null ? "offsets" : "lengths") + "=null");
        }
        if (localOffsets.length != lengths.length || offsets.length != lengths.length) {
            throw misuse(call, window, target, "localOffsets=" + localOffsets.length + " offsets=" + offsets.length
                + " lengths=" + lengths.length + ": the lists must be as long as each other");
        }
        for (int i = 0; i < lengths.length; i++) {
            if (!isWithin(offsets[i], lengths[i], window.bytes(target))) {
                throw misuse(call, window, target, "block=" + i + " offset=" + offsets[i] + " length=" + lengths[i]
                    + " windowLength=" + window.bytes(target) + ": outside");
            }
            if (!isWithin(localOffsets[i], lengths[i], local.byteSize())) {
                throw misuse(call, window, target, "block=" + i + " localOffset=" + localOffsets[i] + " length="
                    + lengths[i] + " localLength=" + local.byteSize() + ": outside");
            }
        }
    }

    private static boolean isWithin(long offset, long length, long bytes) {
        return length >= 0 && offset >= 0 && offset <= bytes - length;
    }
}
