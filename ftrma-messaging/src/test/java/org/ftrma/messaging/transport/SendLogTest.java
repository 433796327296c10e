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

    @Test
    void recordsTellTheMessage() {
        SendLog log = log();
        long record = log.append(TARGET, true, FrameDescriptor.tag(7, 4), 100, 0, TwoRanks.filled(100, 3), 0, 100);
        log.setCall(record, 55);
        assertEquals(1, log.number(record));
        assertEquals(FrameDescriptor.tag(7, 4), log.tag(record));
        assertEquals(100, log.total(record));
        assertEquals(55, log.call(record));
        assertTrue(log.isFirst(record) && log.isSynchronous(record));
        assertFalse(log.isRead(record));
        new PeerSendLog(TwoRanks.fabric(true), 1, TwoRanks.remote(log.memory())).release(record | 1);
        assertTrue(log.isRead(record));
    }

    @Test
    void aFullLogTakesMessagesAgainWhenItIsTrimmed() {
        SendLog log = log();
        for (int i = 0; i < CHUNKS; i++) {
            send(log, SendLogDescriptor.PIECE);
        }
        assertFalse(log.hasRoom(TARGET, 100));
        assertEquals(-1, log.append(TARGET, false, 7, 100, 0, memory(100), 0, 100));
        assertEquals(CHUNKS, log.sent(TARGET), "nothing was done");
        log.trim(TARGET, 2);
        assertEquals(CHUNKS - 2, log.used());
        assertTrue(log.hasRoom(TARGET, 100));
    }

    @Test
    void whatWasNotPushedIsNeitherTrimmedNorDropped() {
        SendLog log = log();
        log.append(TARGET, false, 7, 100, 0, memory(100), 0, 100);
        log.trim(TARGET, 1);
        assertFalse(log.drop(TARGET, 1));
        assertEquals(1, log.chunks(TARGET));
    }

    @Test
    void aTargetThatIsBackGetsWhatItHasNotReceivedInOrder() {
        SendLog log = log();
        for (int i = 0; i < 4; i++) {
            send(log, 100);
        }
        assertEquals(-1, log.next(TARGET));
        assertTrue(log.resume(TARGET, 2));
        long third = log.next(TARGET);
        assertEquals(3, log.number(third));
        log.pushed(TARGET, third);
        long fourth = log.next(TARGET);
        assertEquals(4, log.number(fourth));
        log.pushed(TARGET, fourth);
        assertEquals(-1, log.next(TARGET));
    }

    @Test
    void whatATargetHasIsNotPushedWhenItIsSentAgain() {
        SendLog log = log();
        assertTrue(log.resume(TARGET, 2));
        for (int i = 0; i < 3; i++) {
            log.append(TARGET, false, 7, 100, 0, memory(100), 0, 100);
        }
        assertEquals(3, log.number(log.next(TARGET)));
    }

    @Test
    void digestsTellMessagesApart() {
        SendLog log = log();
        SendLog other = log();
        send(log, 100);
        send(log, 200);
        send(other, 100);
        send(other, 300);
        assertEquals(log.digestAt(TARGET, 1), other.digestAt(TARGET, 1));
        assertFalse(log.digestAt(TARGET, 2) == other.digestAt(TARGET, 2));
        assertEquals(0, log.digestAt(TARGET, 3), "it is not known");
    }

    @Test
    void anImageThatIsCutShortIsRefused() {
        SendLog log = ofThree();
        MemorySegment image = memory(SendLog.imageBytes(RANKS, (long) CHUNKS * SendLogDescriptor.CHUNK));
        long bytes = log.save(image, 0);
        assertEquals(-1, log().restore(image, 0, bytes - 64));
        assertEquals(-1, log().restore(image, 0, 0));
    }

    @Test
    void targetsHaveChunksOfTheirOwn() {
        SendLog log = log();
        send(log, 100);
        log.append(0, false, 7, 100, 0, memory(100), 0, 100);
        assertEquals(2, log.used());
        log.trim(TARGET, 1);
        assertEquals(0, log.chunks(TARGET));
        assertEquals(1, log.chunks(0));
    }

    @Test
    void aPlaceThatNoRecordHasIsRefused() {
        long bytes = 2L * SendLogDescriptor.CHUNK;
        assertTrue(PeerSendLog.mayHave(bytes, 64, 100));
        assertTrue(PeerSendLog.mayHave(bytes, 65, 100), "its sender waits for it");
        assertFalse(PeerSendLog.mayHave(bytes, 66, 100));
        assertFalse(PeerSendLog.mayHave(bytes, -64, 100));
        assertFalse(PeerSendLog.mayHave(bytes, bytes - 64, 100));
        assertFalse(PeerSendLog.mayHave(bytes, 0, SendLogDescriptor.PIECE + 1));
    }

    private static SendLog restored(SendLog log) {
        MemorySegment image = memory(SendLog.imageBytes(RANKS, (long) CHUNKS * SendLogDescriptor.CHUNK));
        long bytes = log.save(image, 0);
        SendLog restored = log();
        assertEquals(bytes, restored.restore(image, 0, bytes));
        return restored;
    }
}
