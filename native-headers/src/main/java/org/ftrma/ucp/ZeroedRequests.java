package org.ftrma.ucp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;

/**
 * Sees to it that the memory of UCX's requests is zero before UCX uses it for the first time.
 *
 * <p>When a peer dies, UCX gives up what is under way to it. That ({@code ucp_request_send_state_ff}) looks at the data
 * type of each request, which is never set for atomics, nor for answers to the accesses of others: whatever
 * was in the memory before is taken for one, and the process crashes where that does not happen to be zero, the code of
 * contiguous data. Requests that do set it leave it at that. So it is in UCX 1.13.1 and 1.18.1, which were tried, and
 * in the sources up to 1.22.0: for all releases.
 *
 * <p>So the allocation function in the operations of UCX's pool of requests is replaced by one that calls it and fills
 * what it returns.
 */
@SuppressWarnings("restricted")
final class ZeroedRequests {
    /**
     * {@code ucs_mpool_ops_t}: its first field is
     * {@code ucs_status_t (*chunk_alloc)(ucs_mpool_t *pool, size_t *bytes, void **chunk)}.
     */
    private static final String OPERATIONS = "ucp_request_mpool_ops";
    private static final FunctionDescriptor DESCRIPTOR =
        FunctionDescriptor.of(JAVA_BYTE, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static MethodHandle allocate;

    private ZeroedRequests() {
    }

    /**
     * Whether this UCX has such operations, and calls ours now. Before a worker is made; nothing more happens when
     * called again.
     */
    static synchronized boolean install() throws ReflectiveOperationException {
        if (allocate != null) {
            return true; // a second time ours would call itself
        }
        Optional<MemorySegment> operations = UcpLibrary.findData(OPERATIONS);
        if (operations.isEmpty() || !Libc.makeWritable(operations.get().address() & -Libc.PAGE_BYTES,
            Libc.PAGE_BYTES)) {
            return false;
        }
        MemorySegment function = operations.get().reinterpret(ADDRESS.byteSize());
        Linker linker = Linker.nativeLinker();
        allocate = linker.downcallHandle(function.get(ADDRESS, 0), DESCRIPTOR);
        // In the global arena, like the library itself: called until the process ends.
        function.set(ADDRESS, 0, linker.upcallStub(MethodHandles.lookup().findStatic(ZeroedRequests.class, "chunk",
            MethodType.methodType(byte.class, long.class, long.class, long.class)), DESCRIPTOR, Arena.global()));
        return true;
    }

    /**
     * Called instead of {@code chunk_alloc(pool, bytes, chunk)}: {@code *bytes} are those wanted, then those there are
     * at {@code *chunk}.
     */
    @SuppressWarnings("unused") // by name, above
    private static byte chunk(long pool, long bytes, long chunk) {
        try {
            byte status = (byte) allocate.invokeExact(pool, bytes, chunk);
            if (status == UcsStatus.UCS_OK) {
                MEMORY.asSlice(MEMORY.get(JAVA_LONG_UNALIGNED, chunk), MEMORY.get(JAVA_LONG_UNALIGNED, bytes))
                    .fill((byte) 0);
            }
            return status;
        } catch (Throwable t) {
            return UcsStatus.UCS_ERR_NO_MEMORY; // nothing may be thrown through UCX
        }
    }
}
