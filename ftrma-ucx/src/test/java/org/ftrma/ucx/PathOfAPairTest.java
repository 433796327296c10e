package org.ftrma.ucx;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each pair has its path: what is promised of it is so of its accesses. */
@Timeout(60)
class PathOfAPairTest {
    private static final int PEER = 9;

    private static UcxFabric both() {
        return new UcxFabric(new UcxOptions(UcxOptions.Path.AUTO, "sysv", "tcp", "lo,lo"));
    }

    @Test
    void oneWayForAllIsKnownBeforeAnybodyIsConnected() {
        try (UcxFabric mapped = new UcxFabric(UcxOptions.of(UcxOptions.Path.MAPPED));
            UcxFabric network = new UcxFabric(UcxOptions.of(UcxOptions.Path.NETWORK))) {
            assertTrue(mapped.isImmediate(PEER));
            assertFalse(network.isImmediate(PEER));
        }
    }

    @Test
    void withTwoWaysAPeerOnThisHostIsImmediateOnceItIsConnected() {
        try (UcxFabric here = both(); UcxFabric there = both(); MemoryRegion region = there.expose(64)) {
            assertFalse(here.isImmediate(PEER));
            here.connect(PEER, there.address());
            assertTrue(here.isImmediate(PEER));
            RemoteMemory memory = here.attach(PEER, region.key());
            assertNotNull(memory.mapped());
            assertTrue(here.isImmediate(PEER));
            here.renew();
            assertFalse(here.isImmediate(PEER));
        }
    }

    @Test
    void withTwoWaysAPeerWhoseMemoryIsNotMappedIsNot() {
        try (UcxFabric here = both(); UcxFabric there = new UcxFabric(UcxOptions.of(UcxOptions.Path.NETWORK));
            MemoryRegion region = there.expose(64)) {
            here.connect(PEER, there.address());
            RemoteMemory memory = here.attach(PEER, region.key());
            assertNull(memory.mapped());
            assertFalse(here.isImmediate(PEER));
        }
    }
}
