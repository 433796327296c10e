package org.ftrma.ucp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What it is good for is shown by processes that die, in ftrma-ucx. */
class ZeroedRequestsTest {
    @Test
    void aSecondInstallationChangesNothing() throws ReflectiveOperationException {
        UcpLibrary.require();
        assertTrue(ZeroedRequests.install());
        long ours = function();
        assertTrue(ZeroedRequests.install());
        assertEquals(ours, function());
    }

    @SuppressWarnings("restricted")
    private static long function() {
        return UcpLibrary.findData("ucp_request_mpool_ops").orElseThrow().reinterpret(ADDRESS.byteSize())
            .get(ADDRESS, 0).address();
    }
}
