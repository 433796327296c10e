package org.ftrma.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.ftrma.FtrmaException;
import org.ftrma.ucp.Ucp;
import org.ftrma.ucp.UcsStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpRemoteKey;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;

/** What UCX refuses becomes an exception, though jucx goes on with handles that were never set. */
@Timeout(60)
class UcxMemoryTest {
    private UcpContext context;

    @BeforeEach
    void open() {
        UcxRuntime.load();
        context = new UcpContext(new UcpParams().requestRmaFeature().setConfig("TLS", "sysv")
            .setConfig("ALLOC_PRIO", "md:sysv"));
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void memoryThatUcxRefusesIsASetupError() {
        FtrmaException e = assertThrows(FtrmaException.class, () -> UcxMemory.allocate(context, 1L << 50));
        assertEquals(FtrmaException.Category.SETUP, e.category(), e.getMessage());
        assertTrue(e.getMessage().contains("allocating " + (1L << 50) + " bytes"), e.getMessage());
    }

    @Test
    void aKeyIsUnpackedWhileItsMemoryIsThereAndRefusedAfterwards() {
        try (UcpWorker worker = context.newWorker(new UcpWorkerParams());
             UcpEndpoint endpoint = worker.newEndpoint(new UcpEndpointParams().setUcpAddress(
                 UcxRuntime.direct(UcxRuntime.bytes(worker.getAddress()))))) {
            UcxMemory memory = UcxMemory.allocate(context, Pages.PAGE_BYTES);
            byte[] packed = memory.packKey();
            AtomicInteger refusal = new AtomicInteger();
            UcpRemoteKey key = UcxKeys.unpack(endpoint, packed, refusal::set);
            assertNotEquals(0, key.getNativeId());
            key.close();
            assertEquals(UcsStatus.UCS_OK, refusal.get());

            memory.close();
            assertNull(UcxKeys.unpack(endpoint, packed, refusal::set));
            assertTrue(refusal.get() < 0, Ucp.statusString((byte) refusal.get()));
        }
    }
}
