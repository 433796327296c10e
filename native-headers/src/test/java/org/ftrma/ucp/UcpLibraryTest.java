package org.ftrma.ucp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loading, and calls that need no worker. */
@Timeout(60)
class UcpLibraryTest {
    @Test
    void aMissingLibraryNamesTheFix() {
        UcpUnavailableException e =
            assertThrows(UcpUnavailableException.class,
                () -> UcpLibrary.load("libucp-is-not-here.so.0", "libucs.so.0"));
        assertTrue(e.getMessage().startsWith("libucp-is-not-here.so.0"), e.getMessage());
        assertTrue(e.getMessage().contains("apt-get install libucx0"), e.getMessage());
    }

    @Test
    void anOldOrUnknownMajorVersionIsRefusedWithTheFix() {
        for (int[] version : new int[][] {{1, 11, 9}, {2, 0, 0}}) {
            UcpUnavailableException e = assertThrows(UcpUnavailableException.class,
                () -> UcpLibrary.checkVersion(version));
            assertTrue(e.getMessage().contains(version[0] + "." + version[1]) && e.getMessage().contains("install UCX"),
                e.getMessage());
        }
        assertEquals("1.12.0", UcpLibrary.checkVersion(new int[] {1, 12, 0}));
    }

    @Test
    void theInstalledLibraryIsLoadedAndAnswers() {
        String version = UcpLibrary.require();
        assertEquals(version, UcpLibrary.require());
        assertEquals(version, Ucp.versionString());
        assertEquals("Success", Ucp.statusString(UcsStatus.UCS_OK));
        assertEquals("Connection reset by remote peer", Ucp.statusString(UcsStatus.UCS_ERR_CONNECTION_RESET));
    }

    @Test
    void statusPointersAreToldApart() {
        assertFalse(UcsStatus.isError(0));
        assertFalse(UcsStatus.isRequest(0));
        assertTrue(UcsStatus.isError(UcsStatus.UCS_ERR_IO_ERROR));
        assertTrue(UcsStatus.isError(UcsStatus.UCS_ERR_LAST));
        assertFalse(UcsStatus.isRequest(UcsStatus.UCS_ERR_LAST));
        assertTrue(UcsStatus.isRequest(0x7f00_1234_5678L));
        assertFalse(UcsStatus.isError(0x7f00_1234_5678L));
        assertEquals(UcsStatus.UCS_ERR_ENDPOINT_TIMEOUT, UcsStatus.of(-80L));
    }

    @Test
    void adviceReturnsTheErrorNumber() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(4096, 4096);
            page.set(ValueLayout.JAVA_LONG, 0, 42);
            assertEquals(0, Libc.madvise(page.address(), 4096, Libc.MADV_HUGEPAGE));
            assertEquals(Libc.EINVAL, Libc.madvise(page.address() + 1, 4096, Libc.MADV_HUGEPAGE));
            assertEquals(42, page.get(ValueLayout.JAVA_LONG, 0));
        }
    }
}
