package org.ftrma.ucx;

/**
 * Marks of the pages of some memory. 64 of them in a turn: a loop over single ones gets compiled, which takes longer
 * than to run it. One thread.
 */
final class PageMarks {
    private final long[] words;

    PageMarks(long pages) {
        words = new long[(int) (pages + Long.SIZE - 1 >> 6)];
    }

    /**
     * Marks pages from {@code start} up to {@code end}, exclusive; returns the first of them that was not marked, or
     * -1.
     */
    long mark(long start, long end) {
        long first = -1;
        for (long page = start; page < end;) {
            int word = (int) (page >> 6);
            long next = Math.min(end, (page | 63) + 1);
            long some = -1L >>> Long.SIZE - (int) (next - page) << page;
            long missing = some & ~words[word];
            if (missing != 0 && first < 0) {
                first = (page & -Long.SIZE) + Long.numberOfTrailingZeros(missing);
            }
            words[word] |= some;
            page = next;
        }
        return first;
    }
}
