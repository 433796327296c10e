package org.ftrma.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpParams;

/** A worker that UCX gives up takes the thread along, and nobody else. */
@Timeout(60)
class ServiceThreadTest {
    /** Meets a fatal error of UCX in one worker: never comes back from there. */
    private static final class Losing extends ServiceThread {
        private volatile ServiceWorker doomed;

        Losing() {
            super(false);
        }

        @Override
        int progress(ServiceWorker worker) {
            if (worker == doomed) {
                takeOver("a fatal error");
                while (true) {
                    LockSupport.park();
                }
            }
            return super.progress(worker);
        }
    }

    @Test
    void theOthersAreServedByAnotherThreadWhenOneWorkerIsLost() {
        UcxRuntime.load();
        UcxRuntime.guardAgainstFatalErrors();
        UcpContext context = new UcpContext(new UcpParams().requestRmaFeature().requestWakeupFeature()
            .setMtWorkersShared(true).setConfig("TLS", "tcp").setConfig("NET_DEVICES", "lo"));
        try (Losing thread = new Losing()) {
            ServiceWorker first = new ServiceWorker(context);
            ServiceWorker doomed = new ServiceWorker(context);
            ServiceWorker last = new ServiceWorker(context);
            thread.doomed = doomed;
            thread.add(first);
            thread.add(doomed);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (doomed.lost() == null) {
                assertTrue(System.nanoTime() < deadline, "the worker was not progressed within 20 s");
                Thread.onSpinWait();
            }
            assertEquals("a fatal error", doomed.lost());
            thread.add(last);
            for (ServiceWorker worker : new ServiceWorker[] {doomed, first, last}) {
                thread.release(worker);
                worker.destroy();
            }
            assertNull(first.lost());
            assertNull(last.lost());
        }
        // The context still has the worker that is lost.
    }
}
