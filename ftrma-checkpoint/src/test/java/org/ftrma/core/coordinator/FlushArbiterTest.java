package org.ftrma.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.options.JobOptions;
import org.junit.jupiter.api.Test;

/** When the images of two ranks on disk become a generation there. */
class FlushArbiterTest implements CoordinatorHost {
    private final List<String> told = new ArrayList<>();
    private final FlushArbiter flushes = new FlushArbiter(this,
        message -> told.add(message.getClass().getSimpleName()),
        JobOptions.of(Map.of("ranks", "2", "checksums", "1", "protocol", "coordinated", "flush", "disk",
        "flush-every", "1")));

    @Override
    public void send(int process, byte[] frame) {
        throw new AssertionError();
    }

    @Override
    public void fence(int process, String why) {
        throw new AssertionError();
    }

    @Override
    public void startProcess() {
        throw new AssertionError();
    }

    @Override
    public String flushPlace(long number) {
        return "place " + number;
    }

    @Override
    public void nameFlush(FlushedImages images) {
        told.add("named");
    }

    @Override
    public void dropFlush(long number) {
        told.add("dropped " + number);
    }

    @Override
    public void event(JobEvent event) {
        told.add(event.getClass().getSimpleName());
    }

    @Override
    public void finished(JobOutcome outcome) {
        throw new AssertionError();
    }

    private void assertTold(String... lines) {
        assertEquals(List.of(lines), told);
        told.clear();
    }

    private static FlushArbiter.Cut cut(long generation, long step) {
        return new FlushArbiter.Cut(1, 1, generation, step);
    }

    private void written(int rank, long number) {
        flushes.written(rank, new ControlMessage.FlushWritten(number, 4096, new byte[32]));
    }

    @Test
    void itHasANameWhenAllRanksHaveWritten() {
        flushes.committed(cut(1, 5), false);
        assertTold("Flush");
        written(0, 1);
        assertTold();
        written(1, 1);
        assertTold("named");
    }

    @Test
    void aRankThatIsLostBeforeItHasWrittenEndsItAndTheNextOneIsWritten() {
        flushes.committed(cut(1, 5), false);
        written(0, 1);
        told.clear();
        flushes.lost(0, "rank 0");
        flushes.lost(2, "checksum rank 0");
        assertTold();
        flushes.lost(1, "rank 1");
        assertTold("FlushCancel", "dropped 1", "FlushFailed");
        flushes.committed(cut(2, 10), false);
        assertTold("Flush");
        written(1, 1);
        written(0, 2);
        assertTold();
        written(1, 2);
        assertTold("named");
    }

    @Test
    void oneThatMustGoToDiskWaitsForThatAndGivesWayToNewerOnes() {
        flushes.committed(cut(1, 5), false);
        flushes.committed(cut(2, 10), true);
        flushes.committed(cut(3, 15), false);
        assertTold("Flush");
        written(0, 1);
        written(1, 1);
        assertTold("named");
        assertFalse(flushes.isIdle());
        flushes.named(1, "first", null, 8192, 1);
        assertTold("Flushed", "Flush");
        written(0, 2);
        written(1, 2);
        flushes.named(2, "second", null, 8192, 1);
        assertTold("named", "Flushed");
        assertEquals(cut(3, 15), flushes.named());
        assertEquals("second", flushes.name());
        assertTrue(flushes.isIdle());
    }

    @Test
    void oneThatMustGoToDiskDoesSoWhenAnotherOneIsGivenUp() {
        flushes.committed(cut(1, 5), false);
        flushes.committed(cut(2, 10), true);
        flushes.lost(1, "rank 1");
        assertTold("Flush", "FlushCancel", "dropped 1", "FlushFailed", "Flush");
        assertTrue(flushes.failedByLoss());
    }
}
