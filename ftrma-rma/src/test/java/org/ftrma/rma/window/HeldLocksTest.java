package org.ftrma.rma.window;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.ftrma.FtrmaException;
import org.junit.jupiter.api.Test;

/** The locks that an image has. */
class HeldLocksTest {
    private static final int RANKS = 37;
    private final MemorySegment image = Arena.ofAuto().allocate(HeldLocks.bytes(RANKS) + 8, 8);

    @Test
    void whatWasHeldIsHeldAgainAndNothingElse() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            byte[] held = new byte[RANKS];
            long[] acquisitions = new long[RANKS];
            int most = random.nextInt(RANKS + 1);
            int counted = 0;
            for (int i = 0; i < most; i++) {
                held[i] = (byte) random.nextInt(4);
                acquisitions[i] = random.nextBoolean() ? 0 : random.nextLong() >>> 32;
                counted += held[i] != 0 || acquisitions[i] != 0 ? 1 : 0;
            }
            long length = HeldLocks.save(held, acquisitions, image, 8);
            assertEquals(16 + 16 * counted, length);
            byte[] heldThen = new byte[RANKS];
            long[] acquisitionsThen = new long[RANKS];
            Arrays.fill(heldThen, (byte) 2);
            Arrays.fill(acquisitionsThen, 99);
            HeldLocks.restore(heldThen, acquisitionsThen, image, 8, length);
            assertArrayEquals(held, heldThen);
            assertArrayEquals(acquisitions, acquisitionsThen);
        }
    }

    private void assertMalformed(long length) {
        FtrmaException refusal = assertThrows(FtrmaException.class,
            () -> HeldLocks.restore(new byte[RANKS], new long[RANKS], image, 0, length));
        assertEquals(FtrmaException.Category.FATAL, refusal.category());
    }

    @Test
    void locksThatNobodySavedAreRefused() {
        byte[] held = new byte[RANKS];
        held[3] = 1;
        held[30] = 2;
        long length = HeldLocks.save(held, new long[RANKS], image, 0);
        assertMalformed(8);
        assertMalformed(length - 16);
        assertMalformed(length + 16);
        image.set(ValueLayout.JAVA_INT, 36, 4);
        assertMalformed(length);
        image.set(ValueLayout.JAVA_INT, 36, 1);
        image.set(ValueLayout.JAVA_INT, 32, 3);
        assertMalformed(length);
        image.set(ValueLayout.JAVA_INT, 32, RANKS);
        assertMalformed(length);
        image.set(ValueLayout.JAVA_LONG, 8, -1);
        assertMalformed(0);
        image.set(ValueLayout.JAVA_LONG, 8, RANKS + 1);
        assertMalformed(16 + 16 * (RANKS + 1));
    }
}
