package org.ftrma.ucp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls what libuct would call, on a pair of connected sockets. */
@Timeout(60)
@SuppressWarnings("restricted")
class BrokenConnectionsTest {
    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM = 1;
    private static final int BYTES = 24;

    private static final MethodHandle SOCKETPAIR = bind("socketpair",
        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle READ = bind("read",
        FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle CLOSE = bind("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private static MethodHandle bind(String name, FunctionDescriptor descriptor) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), descriptor);
    }

    @BeforeAll
    static void install() {
        UcpLibrary.require();
        assertTrue(FatalErrorGuard.install(EnumSet.allOf(Repair.class)), "whatever the release");
    }

    /** Sends over a connection that still is one, then over the same after its other end was closed. */
    private static String send() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sockets = arena.allocate(JAVA_INT, 2);
            assertEquals(0, (int) SOCKETPAIR.invokeExact(AF_UNIX, SOCK_STREAM, 0, sockets));
            MethodHandle send = Linker.nativeLinker().downcallHandle(BrokenConnections.replacement(),
                FunctionDescriptor.of(JAVA_BYTE, JAVA_INT, ADDRESS, ADDRESS));
            MemorySegment data = arena.allocate(BYTES).fill((byte) 7);
            MemorySegment length = arena.allocate(JAVA_LONG);
            length.set(JAVA_LONG, 0, BYTES);
            byte whole = (byte) send.invokeExact(sockets.getAtIndex(JAVA_INT, 0), data, length);
            assertEquals(BYTES, length.get(JAVA_LONG, 0));
            MemorySegment read = arena.allocate(2 * BYTES);
            assertEquals(BYTES, (long) READ.invokeExact(sockets.getAtIndex(JAVA_INT, 1), read, read.byteSize()));
            assertEquals(-1, data.mismatch(read.asSlice(0, BYTES)));
            assertEquals(0, (int) CLOSE.invokeExact(sockets.getAtIndex(JAVA_INT, 1)));
            byte broken = (byte) send.invokeExact(sockets.getAtIndex(JAVA_INT, 0), data, length);
            long sent = length.get(JAVA_LONG, 0);
            assertEquals(0, (int) CLOSE.invokeExact(sockets.getAtIndex(JAVA_INT, 0)));
            byte noSocket = (byte) send.invokeExact(-1, data, length);
            return whole + " " + broken + (broken == UcsStatus.UCS_OK ? ":" + sent : "") + " " + noSocket;
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    @Test
    void aThreadThatSaysSoDoesNotHearOfABrokenConnectionAndAnyOtherDoes() throws InterruptedException {
        assertEquals("0 " + UcsStatus.UCS_ERR_CONNECTION_RESET + " " + UcsStatus.UCS_ERR_IO_ERROR, send());
        long before = BrokenConnections.hidden();
        AtomicReference<String> result = new AtomicReference<>();
        Thread thread = Thread.ofPlatform().start(() -> {
            BrokenConnections.hide();
            result.set(send());
        });
        thread.join();
        assertEquals("0 0:" + BYTES + " " + UcsStatus.UCS_ERR_IO_ERROR, result.get(), "other errors are reported");
        assertEquals(before + 1, BrokenConnections.hidden());
    }
}
