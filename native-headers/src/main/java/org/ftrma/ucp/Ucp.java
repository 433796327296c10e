package org.ftrma.ucp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code libucp} that ftRMA calls through the foreign function interface: one static method per C
 * function, its parameters in C's order.
 *
 * <p>Handles and pointers travel as {@code long}: what the network path calls all the time allocates nothing, whatever
 * the compiler does; the others are each a {@link CFunction}. Handles are not checked: a stale one crashes the process,
 * so callers keep track of what is open. Call {@link UcpLibrary#require} first.
 *
 * <p>Only calls that neither block nor run a callback are linked as {@linkplain Linker.Option#critical critical}.
 * Operations and progress are not: they may run an endpoint's error handler, which enters Java.
 *
 * <p>Threads: UCX allows one thread at a time per worker and everything that belongs to it; {@link #workerSignal} may
 * be called by any thread.
 */
@SuppressWarnings("restricted")
public final class Ucp {
    private static final long MOST_TEXT_BYTES = 256;
    private static final Linker.Option CRITICAL = Linker.Option.critical(false);

    private static final CFunction GET_VERSION = UcpLibrary.function("ucp_get_version");
    private static final CFunction STATUS_STRING = UcpLibrary.function("ucs_status_string");
    private static final CFunction EP_RKEY_UNPACK = UcpLibrary.function("ucp_ep_rkey_unpack");
    private static final CFunction RKEY_DESTROY = UcpLibrary.function("ucp_rkey_destroy");
    private static final CFunction RKEY_PTR = UcpLibrary.function("ucp_rkey_ptr");
    private static final CFunction MEM_MAP = UcpLibrary.function("ucp_mem_map");
    private static final CFunction MEM_UNMAP = UcpLibrary.function("ucp_mem_unmap");
    private static final CFunction GET_VERSION_STRING = UcpLibrary.function("ucp_get_version_string");
    private static final CFunction WORKER_PRINT_INFO = UcpLibrary.function("ucp_worker_print_info");
    private static final CFunction EP_PRINT_INFO = UcpLibrary.function("ucp_ep_print_info");

    /** What only the network path needs, linked when first used: a rank starts sooner without. */
    private static final class Network {
        static final MethodHandle WORKER_PROGRESS = UcpLibrary.bind("ucp_worker_progress",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
        static final MethodHandle WORKER_WAIT = UcpLibrary.bind("ucp_worker_wait",
            FunctionDescriptor.of(JAVA_BYTE, JAVA_LONG));
        static final MethodHandle WORKER_ARM = UcpLibrary.bind("ucp_worker_arm",
            FunctionDescriptor.of(JAVA_BYTE, JAVA_LONG));
        static final MethodHandle WORKER_GET_EFD =
            UcpLibrary.bind("ucp_worker_get_efd", FunctionDescriptor.of(JAVA_BYTE, JAVA_LONG, ADDRESS));
        static final MethodHandle WORKER_SIGNAL = UcpLibrary.bind("ucp_worker_signal",
            FunctionDescriptor.of(JAVA_BYTE, JAVA_LONG));
        static final FunctionDescriptor RMA =
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        static final MethodHandle PUT_NBX = UcpLibrary.bind("ucp_put_nbx", RMA);
        static final MethodHandle GET_NBX = UcpLibrary.bind("ucp_get_nbx", RMA);
        static final MethodHandle ATOMIC_OP_NBX = UcpLibrary.bind("ucp_atomic_op_nbx",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
            JAVA_LONG));
        static final FunctionDescriptor ON_HANDLE = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG);
        static final MethodHandle EP_FLUSH_NBX = UcpLibrary.bind("ucp_ep_flush_nbx", ON_HANDLE);
        static final MethodHandle WORKER_FLUSH_NBX = UcpLibrary.bind("ucp_worker_flush_nbx", ON_HANDLE);
        static final MethodHandle EP_MODIFY_NB =
            UcpLibrary.bind("ucp_ep_modify_nb", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, ADDRESS));
        static final MethodHandle EP_CLOSE_NBX = UcpLibrary.bind("ucp_ep_close_nbx", ON_HANDLE);
        static final MethodHandle REQUEST_CHECK_STATUS =
            UcpLibrary.bind("ucp_request_check_status", FunctionDescriptor.of(JAVA_BYTE, JAVA_LONG), CRITICAL);
        static final MethodHandle REQUEST_CANCEL =
            UcpLibrary.bind("ucp_request_cancel", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));
        static final MethodHandle REQUEST_FREE = UcpLibrary.bind("ucp_request_free",
            FunctionDescriptor.ofVoid(JAVA_LONG), CRITICAL);
    }

    private Ucp() {
    }

    /** {@code ucp_get_version}: major, minor, release. */
    public static int[] version() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment numbers = arena.allocate(JAVA_INT, 3);
            GET_VERSION.call(numbers.address(), numbers.asSlice(4).address(), numbers.asSlice(8).address());
            return numbers.toArray(JAVA_INT);
        }
    }

    /** {@code ucp_get_version_string}. */
    public static String versionString() {
        return text(GET_VERSION_STRING.call());
    }

    /** {@code ucs_status_string}: what a status means, in words. */
    public static String statusString(byte status) {
        return text(STATUS_STRING.call(status));
    }

    private static String text(long address) {
        return MemorySegment.ofAddress(address).reinterpret(MOST_TEXT_BYTES).getString(0);
    }

    /** {@code ucp_worker_progress}: does pending work; returns how much. */
    public static int workerProgress(long worker) {
        try {
            return (int) Network.WORKER_PROGRESS.invokeExact(worker);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /** {@code ucp_worker_wait}: sleeps until there may be something to progress; returns a status. */
    public static byte workerWait(long worker) {
        try {
            return (byte) Network.WORKER_WAIT.invokeExact(worker);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /**
     * {@code ucp_worker_arm}: makes the event descriptor ready for the next event; {@link UcsStatus#UCS_ERR_BUSY} means
     * progress first.
     */
    public static byte workerArm(long worker) {
        try {
            return (byte) Network.WORKER_ARM.invokeExact(worker);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /**
     * {@code ucp_worker_get_efd}: stores the worker's event descriptor (an int) in {@code result}; returns a status.
     */
    public static byte workerGetEfd(long worker, MemorySegment result) {
        try {
            return (byte) Network.WORKER_GET_EFD.invokeExact(worker, result);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /** {@code ucp_worker_signal}: ends a {@link #workerWait}; any thread. */
    public static byte workerSignal(long worker) {
        try {
            return (byte) Network.WORKER_SIGNAL.invokeExact(worker);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /** {@code ucp_worker_print_info}, as text. */
    public static String workerInfo(long worker) {
        return Libc.captureStream(stream -> WORKER_PRINT_INFO.call(worker, stream));
    }

    /** {@code ucp_ep_print_info}, as text: the lanes of an endpoint with their transports. */
    public static String epInfo(long ep) {
        return Libc.captureStream(stream -> EP_PRINT_INFO.call(ep, stream));
    }

    /** {@code ucp_put_nbx}: starts a write of {@code count} bytes; returns a status pointer. */
    public static long putNbx(long ep, long buffer, long count, long remoteAddress, long rkey, long param) {
        try {
            return (long) Network.PUT_NBX.invokeExact(ep, buffer, count, remoteAddress, rkey, param);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /** {@code ucp_get_nbx}: starts a read of {@code count} bytes; returns a status pointer. */
    public static long getNbx(long ep, long buffer, long count, long remoteAddress, long rkey, long param) {
        try {
            return (long) Network.GET_NBX.invokeExact(ep, buffer, count, remoteAddress, rkey, param);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /**
     * {@code ucp_atomic_op_nbx}: starts an atomic operation on one element ({@code count} is 1); returns a status
     * pointer.
     */
    public static long atomicOpNbx(long ep, int opcode, long buffer, long count, long remoteAddress, long rkey,
        long param) {
        try {
            return (long) Network.ATOMIC_OP_NBX.invokeExact(ep, opcode, buffer, count, remoteAddress, rkey, param);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /**
     * {@code ucp_ep_flush_nbx}: starts the remote completion of all operations of an endpoint; returns a status
     * pointer.
     */
    public static long epFlushNbx(long ep, long param) {
        try {
            return (long) Network.EP_FLUSH_NBX.invokeExact(ep, param);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /**
     * {@code ucp_worker_flush_nbx}: starts the remote completion of all operations of a worker; returns a status
     * pointer.
     */
    public static long workerFlushNbx(long worker, long param) {
        try {
            return (long) Network.WORKER_FLUSH_NBX.invokeExact(worker, param);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /**
     * {@code ucp_ep_modify_nb}: gives an endpoint another error handler, see {@link UcpEpParams}; returns a status
     * pointer.
     */
    public static long epModifyNb(long ep, MemorySegment params) {
        try {
            return (long) Network.EP_MODIFY_NB.invokeExact(ep, params);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /** {@code ucp_ep_close_nbx}: starts the end of an endpoint; returns a status pointer. */
    public static long epCloseNbx(long ep, long param) {
        try {
            return (long) Network.EP_CLOSE_NBX.invokeExact(ep, param);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /** {@code ucp_ep_rkey_unpack}: stores a remote key's handle (a pointer) in {@code result}; returns a status. */
    public static byte epRkeyUnpack(long ep, MemorySegment packed, MemorySegment result) {
        return (byte) EP_RKEY_UNPACK.call(ep, packed.address(), result.address());
    }

    /** {@code ucp_rkey_destroy}: frees a remote key; memory that is mapped through it is unmapped. */
    public static void rkeyDestroy(long rkey) {
        RKEY_DESTROY.call(rkey);
    }

    /**
     * {@code ucp_rkey_ptr}: stores the local address of a peer's memory in {@code result} where it is mapped here;
     * returns a status.
     */
    public static byte rkeyPtr(long rkey, long remoteAddress, MemorySegment result) {
        return (byte) RKEY_PTR.call(rkey, remoteAddress, result.address());
    }

    /** {@code ucp_mem_map}: stores the handle of memory (a pointer) in {@code result}; returns a status. */
    public static byte memMap(long context, MemorySegment params, MemorySegment result) {
        return (byte) MEM_MAP.call(context, params.address(), result.address());
    }

    /** {@code ucp_mem_unmap}: gives memory back; returns a status. */
    public static byte memUnmap(long context, long memory) {
        return (byte) MEM_UNMAP.call(context, memory);
    }

    /** {@code ucp_request_check_status}: the status of an operation under way. */
    public static byte requestCheckStatus(long request) {
        try {
            return (byte) Network.REQUEST_CHECK_STATUS.invokeExact(request);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /** {@code ucp_request_cancel}. */
    public static void requestCancel(long worker, long request) {
        try {
            Network.REQUEST_CANCEL.invokeExact(worker, request);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /** {@code ucp_request_free}: gives a request back; if it is under way it goes on and is freed when it ends. */
    public static void requestFree(long request) {
        try {
            Network.REQUEST_FREE.invokeExact(request);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }
}
