package org.ftrma.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Base64;
import org.ftrma.spi.MemoryRegion;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The end of a service worker at a bad moment; a fatal error of UCX ends the test's virtual machine. */
@Tag("long")
@Timeout(180)
class ServiceWorkerTest {
    private static final int ROUNDS = 100;
    private static final long FIRST_DELAY_NANOS = 500_000;

    @TempDir
    private Path directory;

    /** The peer may find that its connection is lost, or, for an error of UCX 1.13 on its side, be lost itself. */
    @Test
    void itMayEndWhileAPeerIsConnecting() throws InterruptedException {
        int connected = 0;
        long delay = FIRST_DELAY_NANOS;
        PeerProcess peer = peer();
        try (UcxFabric fabric = new UcxFabric(UcxOptions.of(UcxOptions.Path.NETWORK))) {
            fabric.waitWith(new TestWait(20));
            MemoryRegion region = fabric.expose(4096);
            String key = Base64.getEncoder().encodeToString(region.key());
            for (int round = 0; round < ROUNDS; round++) {
                peer.send("connect 0 " + Base64.getEncoder().encodeToString(fabric.address()) + " " + key);
                long moment = System.nanoTime() + delay;
                while (System.nanoTime() < moment) {
                    Thread.onSpinWait();
                }
                fabric.renew();
                String answer = peer.rawAnswer();
                boolean inTime = answer.equals("ok connected");
                connected += inTime ? 1 : 0;
                delay += (inTime ? -delay : delay) / 4; // as long as connecting takes, on any machine
                if (answer.equals("end")) {
                    peer.close();
                    peer = peer();
                } else {
                    peer.ask("renew");
                }
            }
            peer.connect(0, fabric.address(), region.key());
            peer.ask("put 0 8 4711");
            assertEquals(4711, region.segment().get(ValueLayout.JAVA_LONG, 8));
            region.close();
        } finally {
            peer.close();
        }
        assertTrue(connected > 0 && connected < ROUNDS, "rounds in which the peer connected in time: " + connected);
    }

    /** Of a connection that is cut off it may never hear again. */
    private PeerProcess peer() {
        PeerProcess peer = new PeerProcess("network", 4096, directory);
        peer.ask("wait 1");
        return peer;
    }
}
