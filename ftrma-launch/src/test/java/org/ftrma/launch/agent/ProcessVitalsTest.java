package org.ftrma.launch.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class ProcessVitalsTest {
    @Test
    void theKernelTellsWhoRunsAndWhoIsStopped() throws Exception {
        Process loop = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
        try {
            await("processor time", () -> ProcessVitals.of(loop.pid())
                .processorNanos() >= 5 * ProcessVitals.TICK_NANOS);
            assertTrue(!ProcessVitals.of(loop.pid()).isStopped());
            ProcessSignals.send("STOP", loop);
            await("the stop", () -> ProcessVitals.of(loop.pid()).isStopped());
            long used = ProcessVitals.of(loop.pid()).processorNanos();
            Process other = new ProcessBuilder("sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done").start();
            assertTrue(other.waitFor(60, TimeUnit.SECONDS));
            assertEquals(used, ProcessVitals.of(loop.pid()).processorNanos());
            ProcessSignals.send("CONT", loop);
            await("more processor time", () -> ProcessVitals.of(loop.pid()).processorNanos() > used);
        } finally {
            loop.destroyForcibly();
        }
        assertTrue(loop.waitFor(20, TimeUnit.SECONDS));
        assertNull(ProcessVitals.of(loop.pid()));
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, () -> "waited 60 s for " + what);
            Thread.onSpinWait();
        }
    }
}
