package org.ftrma.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What {@link PageMarks} says is what a set of single pages says. */
class PageMarksTest {
    private static final int PAGES = 300;

    @Test
    void saysWhatASetOfPagesSays() {
        Random random = new Random(7);
        for (int round = 0; round < 2000; round++) {
            PageMarks marks = new PageMarks(PAGES);
            BitSet set = new BitSet(PAGES);
            for (int i = 0; i < 12; i++) {
                int start = random.nextInt(PAGES);
                int end = start + random.nextInt(1 + (random.nextBoolean() ? Math.min(70, PAGES - start)
                    : PAGES - start));
                int clear = set.nextClearBit(start);
                assertEquals(clear < end ? clear : -1, marks.mark(start, end),
                    "pages " + start + " to " + end + ", round " + round);
                set.set(start, end);
            }
        }
    }

    @Test
    void hasRoomForTheLastPage() {
        for (int pages = 1; pages <= 130; pages++) {
            PageMarks marks = new PageMarks(pages);
            assertEquals(pages - 1, marks.mark(pages - 1, pages));
            assertEquals(pages == 1 ? -1 : 0, marks.mark(0, pages));
            assertEquals(-1, marks.mark(0, pages));
        }
    }
}
