package org.ftrma.spi;

import java.util.Arrays;

/**
 * Parts of a region that may never be used, at equal distances: their pages come when they are first touched.
 * Immutable; any thread.
 *
 * @param first where the first one begins
 * @param bytes of each
 * @param stride from the beginning of one to that of the next
 * @param count how many
 */
public record Holes(long first, long bytes, long stride, int count) {
    /** A region that is used from end to end. */
    public static final Holes NONE = new Holes(0, 0, 0, 0);

    /** Refuses holes that are not one after the other. */
    public Holes {
        if (first < 0 || bytes < 0 || count < 0 || count > 0
            && (bytes > stride || first > Long.MAX_VALUE / 2 || stride > Long.MAX_VALUE / 2 / count)) {
            throw new MalformedException("first=" + first + " bytes=" + bytes + " stride=" + stride + " count=" + count
                + ": no holes of a region");
        }
    }

    /** What is said to be holes is none. */
    public static final class MalformedException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        MalformedException(String message) {
            super(message);
        }
    }

    /** As longs, for a message: {@link #of} takes them. */
    public long[] toLongs() {
        return new long[] {first, bytes, stride, count};
    }

    /** The holes in a message. */
    public static Holes of(long[] values) {
        if (values.length != 4 || values[3] < 0 || values[3] > Integer.MAX_VALUE) {
            throw new MalformedException("holes=" + Arrays.toString(values) + ": these are four numbers");
        }
        return new Holes(values[0], values[1], values[2], (int) values[3]);
    }

    /** Where hole number i begins; that of number {@link #count} is the end of the region. */
    public long start(int i, long regionBytes) {
        return i < count ? Math.min(regionBytes, first + i * stride) : regionBytes;
    }

    /** Where the used part begins that is before hole number i. */
    public long usedStart(int i, long regionBytes) {
        return i == 0 ? 0 : Math.min(regionBytes, first + (i - 1) * stride + bytes);
    }

    /** Bytes of all holes. */
    public long total() {
        return bytes * count;
    }
}
