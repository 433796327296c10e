package org.ftrma.ucp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps UCX from finding out that a tcp connection is broken by sending to it, on threads that say so.
 *
 * <p>Where a peer is killed, UCX may have read several of its requests already. The first answer finds the connection
 * broken, and closes it; the next one meets a closed connection, which it takes for impossible: a fatal error
 * ({@link FatalErrorGuard}). That is so in UCX 1.13.1 and 1.18.1, which were tried, and in the sources up to 1.22.0:
 * for all releases. Here such a send seems to succeed: nobody waits for what is sent, and UCX hears of
 * the end of the connection when it has read all requests and finds no more.
 *
 * <p>So the entry of {@code ucs_socket_send_nb} in the table of imported functions of libuct is replaced by one of
 * ours.
 */
@SuppressWarnings("restricted")
final class BrokenConnections {
    private static final String FUNCTION = "ucs_socket_send_nb";
    private static final String LIBRARY = "/libuct.so.0";
    private static final FunctionDescriptor DESCRIPTOR =
        FunctionDescriptor.of(JAVA_BYTE, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    private static final ThreadLocal<Boolean> HIDDEN = new ThreadLocal<>();

    private static final AtomicLong TIMES = new AtomicLong();

    private static MemorySegment replacement;

    /** Linked by {@link #install}. */
    private static final class Original {
        static final MethodHandle SEND = UcpLibrary.bind(FUNCTION, DESCRIPTOR);
    }

    private BrokenConnections() {
    }

    /** Whether libuct imports the function, and calls ours now. Once; before a thread calls {@link #hide}. */
    static synchronized boolean install(List<String> mappings) throws IOException, ReflectiveOperationException {
        try {
            Objects.requireNonNull(Original.SEND);
        } catch (ExceptionInInitializerError e) {
            return false; // this UCX has no such function
        }
        // In the global arena, like the library itself: called until the process ends.
        replacement = Linker.nativeLinker().upcallStub(MethodHandles.lookup()
            .findStatic(BrokenConnections.class, "send",
            MethodType.methodType(byte.class, int.class, long.class, long.class)), DESCRIPTOR, Arena.global());
        return ElfImports.replace(mappings, LIBRARY, FUNCTION, replacement.address());
    }

    /** What libuct calls now, for tests. */
    static synchronized MemorySegment replacement() {
        return replacement;
    }

    /** On the calling thread, from now on. */
    static void hide() {
        HIDDEN.set(Boolean.TRUE);
    }

    /** How often that was so, in this process. */
    static long hidden() {
        return TIMES.get();
    }

    /**
     * Called instead of {@code ucs_socket_send_nb(fd, data, length_p)}: {@code *length_p} are the bytes to send, then
     * those sent.
     */
    @SuppressWarnings("unused") // by name, above
    private static byte send(int socket, long data, long length) {
        try {
            long bytes = MEMORY.get(JAVA_LONG, length);
            byte status = (byte) Original.SEND.invokeExact(socket, data, length);
            if (status == UcsStatus.UCS_ERR_CONNECTION_RESET && HIDDEN.get() != null) {
                MEMORY.set(JAVA_LONG, length, bytes);
                TIMES.incrementAndGet();
                return UcsStatus.UCS_OK;
            }
            return status;
        } catch (Throwable t) {
            return UcsStatus.UCS_ERR_CONNECTION_RESET; // nothing may be thrown through UCX
        }
    }
}
