package org.ftrma.messaging.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** What a log says to a receiver that goes back, when some of it was dropped or left out of an image. */
class SendLogTest {
    private static final int TARGET = 1;
    private static final int RANKS = 2;
    private static final int CHUNKS = 8;

    private static MemorySegment memory(long bytes) {
        return Arena.ofAuto().allocate(bytes, 64);
    }

    private static SendLog log() {
        return new SendLog(memory((long) CHUNKS * SendLogDescriptor.CHUNK), RANKS);
    }

    /** A message, pushed at once. */
    private static void send(SendLog log, long total) {
        MemorySegment source = memory(SendLogDescriptor.PIECE);
        for (long done = 0; done < total; done += SendLogDescriptor.PIECE) {
            long record = log.append(TARGET, false, 7, total, done, source, 0,
                Math.min(SendLogDescriptor.PIECE, total - done));
            assertEquals(record, log.next(TARGET));
            log.pushed(TARGET, record);
        }
    }

    /** The second message ends where the third one is. */
    private static SendLog ofThree() {
        SendLog log = log();
        send(log, SendLogDescriptor.PIECE);
        send(log, SendLogDescriptor.PIECE + 100);
        send(log, 100);
        return log;
    }

    @Test
    void aMessageWhoseBeginningWasDroppedIsNotHere() {
        SendLog log = ofThree();
        assertTrue(log.drop(TARGET, 2), "the first message");
        assertTrue(log.drop(TARGET, 2), "the beginning of the second one");
        assertEquals(1, log.chunks(TARGET));
        assertFalse(log.resume(TARGET, 0));
        assertFalse(log.resume(TARGET, 1), "an end without its beginning is no message");
        assertTrue(log.resume(TARGET, 2));
    }

    @Test
    void anImageThatLeavesOutAllSaysSo() {
        SendLog log = ofThree();
        log.settle(TARGET, 3);
        SendLog restored = restored(log);
        assertEquals(0, restored.chunks(TARGET));
        assertEquals(3, restored.sent(TARGET));
        assertFalse(restored.resume(TARGET, 2), "the third one is nowhere");
        assertTrue(restored.resume(TARGET, 3));
    }

    @Test
    void anImageHasWhatWasNotReceived() {
        SendLog log = ofThree();
        log.settle(TARGET, 2);
        SendLog restored = restored(log);
        assertEquals(1, restored.chunks(TARGET));
        assertFalse(restored.resume(TARGET, 1), "of the second one the end is here alone");
        assertTrue(restored.resume(TARGET, 2));
        assertTrue(restored.next(TARGET) >= 0, "the third one is pushed again");
    }

    private static SendLog restored(SendLog log) {
        MemorySegment image = memory(SendLog.imageBytes(RANKS, (long) CHUNKS * SendLogDescriptor.CHUNK));
        long bytes = log.save(image, 0);
        SendLog restored = log();
        assertEquals(bytes, restored.restore(image, 0, bytes));
        return restored;
    }
}
