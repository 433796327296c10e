package org.ftrma.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.ucp.Ucp;
import org.ftrma.ucp.UcsStatus;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpRemoteKey;

/**
 * Unpacks peers' keys with jucx. Where UCX refuses one, because its peer is gone, jucx goes on with a handle that was
 * never set, while an exception is pending; so UCX is asked once before, and what it granted is held until jucx has its
 * own: System V memory cannot go in between. Data thread only.
 */
final class UcxKeys {
    private UcxKeys() {
    }

    /** Is told why UCX refused a key. */
    @FunctionalInterface
    interface Refusal {
        void because(byte status);
    }

    /** The key, which the caller closes; null if UCX refuses it. */
    static UcpRemoteKey unpack(UcpEndpoint endpoint, byte[] packed, Refusal refusal) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(packed.length, Long.BYTES);
            MemorySegment.copy(packed, 0, copy, ValueLayout.JAVA_BYTE, 0, packed.length);
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            byte status = Ucp.epRkeyUnpack(endpoint.getNativeId(), copy, result);
            if (status != UcsStatus.UCS_OK) {
                refusal.because(status);
                return null;
            }
            try {
                return endpoint.unpackRemoteKey(copy.asByteBuffer());
            } catch (UcxException e) {
                refusal.because(UcsStatus.UCS_ERR_UNREACHABLE);
                return null;
            } finally {
                Ucp.rkeyDestroy(result.get(ValueLayout.JAVA_LONG, 0));
            }
        }
    }
}
