package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SimMemoryTest {
    private static final int PAGE = 4096;
    private static final byte CLOSED = (byte) 0xDB;

    @Test
    void memoryIsZeroedHoweverMuchOfItWasWritten() {
        SplittableRandom random = new SplittableRandom(1);
        SimMemory memory = new SimMemory();
        for (int run = 0; run < 50; run++) {
            for (long bytes : new long[] {1, PAGE, 3 * PAGE + 17, 4 * PAGE, 5 * PAGE, 64 * PAGE - 8, 256 * PAGE}) {
                MemorySegment segment = memory.allocate(bytes);
                assertEquals(bytes, segment.byteSize());
                assertEquals(0, segment.address() % PAGE);
                assertEquals(-1, segment.mismatch(MemorySegment.ofArray(new byte[(int) bytes])),
                    () -> "not zeroed: " + bytes);
                int writes = random.nextInt(run % 2 == 0 ? 3 : 200);
                for (int i = 0; i < writes; i++) {
                    segment.set(ValueLayout.JAVA_BYTE, random.nextLong(bytes), (byte) 1);
                }
                segment.set(ValueLayout.JAVA_BYTE, bytes - 1, (byte) 1);
                if (random.nextBoolean()) {
                    memory.spoil(segment);
                }
            }
            memory.reset();
        }
    }

    @Test
    void staleContentsOfClosedMemoryAreSpoiled() {
        SimMemory memory = new SimMemory();
        for (long bytes : new long[] {8, 2 * PAGE, 100 * PAGE - 8}) {
            MemorySegment segment = memory.allocate(bytes);
            for (long at = 0; at < bytes; at += 3 * PAGE) {
                segment.set(ValueLayout.JAVA_BYTE, at, (byte) 1);
            }
            segment.set(ValueLayout.JAVA_BYTE, bytes - 1, (byte) 1);
            memory.spoil(segment);
            for (long at = 0; at < bytes; at += 3 * PAGE) {
                assertEquals(CLOSED, segment.get(ValueLayout.JAVA_BYTE, at));
            }
            assertEquals(CLOSED, segment.get(ValueLayout.JAVA_BYTE, bytes - 1));
        }
    }
}
