package org.ftrma.rank.rehearsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.ftrma.Program;
import org.ftrma.options.Protocol;
import org.ftrma.rank.SystemClock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("long")
class RehearsalTest {
    private static final long LIMIT_NANOS = 60_000_000_000L;

    private static boolean rehearse(Protocol protocol, Supplier<Program> program, BooleanSupplier stop) {
        return new Rehearsal(protocol, new SystemClock(true, true), program, stop).run(System.nanoTime() + LIMIT_NANOS);
    }

    /** A program of accesses or of messages, and how often a rank entered it, over all of them. */
    private static Program counted(Protocol protocol, AtomicInteger entries, AtomicInteger ends) {
        Program program = protocol.logsMessages() ? new RehearsedMessages() : new RehearsedAccesses();
        return job -> {
            entries.incrementAndGet();
            program.run(job);
            ends.incrementAndGet();
        };
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void aRankIsLostAndComesBack(Protocol protocol) {
        AtomicInteger entries = new AtomicInteger();
        AtomicInteger ends = new AtomicInteger();
        assertTrue(rehearse(protocol, () -> counted(protocol, entries, ends), () -> false));
        assertEquals(Rehearsal.RANKS, ends.get());
        assertEquals(protocol.recoversLocally() ? Rehearsal.RANKS + 1 : 2 * Rehearsal.RANKS, entries.get());
    }

    @Test
    void whoIsNeededLeavesAtOnce() {
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger ends = new AtomicInteger();
        assertFalse(rehearse(Protocol.FULL, () -> counted(Protocol.FULL, new AtomicInteger(), ends),
            () -> asked.incrementAndGet() > 3));
        assertEquals(0, ends.get());
    }

    @Test
    void aProgramThatDoesNotEndIsLeftBehindAndNamed() {
        CountDownLatch released = new CountDownLatch(1);
        Rehearsal rehearsal = new Rehearsal(Protocol.FULL, new SystemClock(true, true), () -> job -> released.await(),
            () -> false);
        IllegalStateException e = assertThrows(IllegalStateException.class,
            () -> rehearsal.run(System.nanoTime() + 500_000_000L));
        released.countDown();
        assertTrue(e.getMessage().contains("did not stop within"), e.getMessage());
    }

    @Test
    void aProgramThatFailsIsNamed() {
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> rehearse(Protocol.FULL, () -> job -> {
            throw new IllegalArgumentException("badly rehearsed");
        }, () -> false));
        assertTrue(e.getMessage().contains("badly rehearsed"), e.getMessage());
    }
}
