package org.ftrma.launch.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DyingProcessTest {
    @Test
    void aLivingProcessIsNotPastItsLastInstruction() throws Exception {
        assertFalse(DyingProcess.isPastItsLastInstruction(ProcessHandle.current().pid()));
        Process asleep = new ProcessBuilder("sleep", "600").start();
        try {
            assertFalse(DyingProcess.isPastItsLastInstruction(asleep.pid()));
        } finally {
            asleep.destroyForcibly();
        }
        assertTrue(asleep.waitFor(20, TimeUnit.SECONDS));
        assertTrue(DyingProcess.isPastItsLastInstruction(asleep.pid()));
        assertEquals(-1, DyingProcess.status(asleep.pid()));
    }

    /** A child that nobody has waited for is as dead as can be, and the kernel still knows how it ended. */
    @Test
    void theStatusOfADeadChildIsKnownBeforeAnybodyWaitsForIt() throws Exception {
        // The shell starts a child, tells its number and becomes a program that never waits for it.
        Process parent = new ProcessBuilder("sh", "-c", "sleep 600 & echo $!; exec sleep 600").start();
        try {
            long child = Long.parseLong(parent.inputReader().readLine());
            assertFalse(DyingProcess.isPastItsLastInstruction(child));
            ProcessHandle.of(child).orElseThrow().destroyForcibly();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (!DyingProcess.isPastItsLastInstruction(child)) {
                assertTrue(System.nanoTime() - end < 0, "waited 20 s for the child's death");
                Thread.onSpinWait();
            }
            assertEquals(128 + 9, DyingProcess.status(child));
        } finally {
            parent.destroyForcibly();
        }
    }
}
