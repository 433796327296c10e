package org.ftrma.ucp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;

/**
 * {@code ucp_ep_params_t}: the error handler that UCX is to call when the peer of an endpoint is gone.
 *
 * <pre>
 *   0 field_mask (u64)     8 address          16 err_mode (int), padding
 *  24 err_handler.cb      32 err_handler.arg  40 user_data     48 flags (u32), padding
 *  56 sockaddr.addr       64 sockaddr.addrlen (u32), padding   72 conn_request
 *  80 name                88 local_sockaddr.addr               96 local_sockaddr.addrlen (u32), padding   104 end
 * </pre>
 */
@SuppressWarnings("restricted")
public final class UcpEpParams {
    /** The struct. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
        JAVA_LONG.withName("field_mask"),
        ADDRESS.withName("address"),
        JAVA_INT.withName("err_mode"),
        MemoryLayout.paddingLayout(4),
        ADDRESS.withName("err_handler.cb"),
        JAVA_LONG.withName("err_handler.arg"),
        ADDRESS.withName("user_data"),
        JAVA_INT.withName("flags"),
        MemoryLayout.paddingLayout(4),
        ADDRESS.withName("sockaddr.addr"),
        JAVA_INT.withName("sockaddr.addrlen"),
        MemoryLayout.paddingLayout(4),
        ADDRESS.withName("conn_request"),
        ADDRESS.withName("name"),
        ADDRESS.withName("local_sockaddr.addr"),
        JAVA_INT.withName("local_sockaddr.addrlen"),
        MemoryLayout.paddingLayout(4)).withName("ucp_ep_params_t");

    /** {@code ucp_err_handler_cb_t}: the handler's argument, the endpoint's handle, the status. */
    public static final FunctionDescriptor ERROR_HANDLER = FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_BYTE);

    private static final VarHandle FIELD_MASK = LAYOUT.varHandle(PathElement.groupElement("field_mask"));
    private static final VarHandle HANDLER = LAYOUT.varHandle(PathElement.groupElement("err_handler.cb"));
    private static final VarHandle HANDLER_ARGUMENT = LAYOUT.varHandle(PathElement.groupElement("err_handler.arg"));
    private static final VarHandle USER_DATA = LAYOUT.varHandle(PathElement.groupElement("user_data"));

    private static final MethodHandle CALL_HANDLER = callHandler();

    private UcpEpParams() {
    }

    /**
     * Is told of an endpoint's failure, on the thread that called UCX, possibly from within the call that starts an
     * operation. Must not call UCX.
     */
    @FunctionalInterface
    public interface ErrorHandler {
        /**
         * An endpoint failed.
         *
         * @param argument what {@link #handledBy} was given
         * @param status why
         */
        void failed(long argument, byte status);
    }

    /**
     * A C function that calls the handler; valid until the arena is closed. What the handler throws goes nowhere: it
     * would end the JVM.
     */
    public static MemorySegment errorHandler(ErrorHandler handler, Arena arena) {
        return Linker.nativeLinker().upcallStub(CALL_HANDLER.bindTo(handler), ERROR_HANDLER, arena);
    }

    private static MethodHandle callHandler() {
        try {
            return MethodHandles.lookup().findStatic(UcpEpParams.class, "callHandler",
                MethodType.methodType(void.class, ErrorHandler.class, long.class, long.class, byte.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // by name, above
    private static void callHandler(ErrorHandler handler, long argument, long ep, byte status) {
        try {
            handler.failed(argument, status);
        } catch (Throwable t) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, t);
        }
    }

    /** For {@link Ucp#epModifyNb}: the endpoint's failure is told to this handler. */
    public static MemorySegment handledBy(MemorySegment handler, long argument, Arena arena) {
        MemorySegment params = arena.allocate(LAYOUT).fill((byte) 0);
        FIELD_MASK.set(params, 0L, (long) (UcpConstants.UCP_EP_PARAM_FIELD_ERR_HANDLER
            | UcpConstants.UCP_EP_PARAM_FIELD_USER_DATA));
        HANDLER.set(params, 0L, handler);
        HANDLER_ARGUMENT.set(params, 0L, argument);
        // UCX keeps one of the two for the handler, by its version
        USER_DATA.set(params, 0L, MemorySegment.ofAddress(argument));
        return params;
    }
}
