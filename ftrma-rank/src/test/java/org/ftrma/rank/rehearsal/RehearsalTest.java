package org.ftrma.rank.rehearsal;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.ftrma.Program;
import org.ftrma.options.Protocol;
import org.junit.jupiter.api.Test;

class RehearsalTest {
    private static boolean rehearsed(java.util.function.Supplier<Program> program,
        java.util.function.BooleanSupplier stop) {
        return new Rehearsal(Protocol.FULL, program, stop).run(System.nanoTime() + 20_000_000_000L);
    }

    @Test
    void aRankIsLostAndReplays() {
        long t = System.nanoTime();
        assertTrue(rehearsed(RehearsedAccesses::new, () -> false));
        System.err.println("took " + (System.nanoTime() - t) / 1000000);
        t = System.nanoTime();
        assertTrue(rehearsed(RehearsedAccesses::new, () -> false));
        System.err.println("took " + (System.nanoTime() - t) / 1000000);
    }

    @Test
    void whoIsNeededLeavesAtOnce() {
        AtomicInteger asked = new AtomicInteger();
        assertFalse(rehearsed(RehearsedAccesses::new, () -> asked.incrementAndGet() > 3));
    }

    @Test
    void aProgramThatFailsEndsIt() {
        assertFalse(rehearsed(() -> job -> {
            throw new IllegalStateException("rehearsed");
        }, () -> false));
    }
}
