package org.ftrma.rank;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteOrder;
import org.ftrma.ucp.CFunction;

/**
 * A connection to the agent of this host that breaks at the first moment of this process's death. The kernel closes
 * what a process has open only when it has taken apart its memory, which with a gigabyte mapped takes a tenth of a
 * second, and that is how long its death would go unnoticed otherwise. So a thread with a table of open files of its
 * own, which holds this one connection, does nothing but wait in the kernel: killed like all threads, it ends at once,
 * and with it its table. Where that cannot be had (an old C library or kernel) the death is noticed later, and that is
 * all.
 *
 * <p>That thread opens no file and loads no class once it has its own table: all calls are linked and tried before.
 */
final class Lifeline {
    private static final int CLOSE_RANGE_UNSHARE = 2;
    private static final int FIRST_FILE_BEYOND_STANDARD = 3;
    private static final int LAST_FILE = -1;
    private static final short AF_INET = 2;
    private static final int SOCK_STREAM = 1;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int SOCKADDR_IN_BYTES = 16;

    private final CFunction closeRange;
    private final CFunction socket;
    private final CFunction connect;
    private final CFunction send;
    private final CFunction receive;
    private final MemorySegment address;
    private final MemorySegment greeting;
    private final MemorySegment nothing;

    private Lifeline(int port, byte[] loopback, byte[] greeting) {
        this.closeRange = CFunction.ofLibc("close_range");
        this.socket = CFunction.ofLibc("socket");
        this.connect = CFunction.ofLibc("connect");
        this.send = CFunction.ofLibc("send");
        this.receive = CFunction.ofLibc("recv");
        this.address = Arena.global().allocate(SOCKADDR_IN_BYTES, 8);
        address.set(ValueLayout.JAVA_SHORT, 0, AF_INET);
        address.set(ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN), 2, (short) port);
        MemorySegment.copy(loopback, 0, address, ValueLayout.JAVA_BYTE, 4, loopback.length);
        this.greeting = Arena.global().allocate(greeting.length, 8);
        MemorySegment.copy(greeting, 0, this.greeting, ValueLayout.JAVA_BYTE, 0, greeting.length);
        this.nothing = Arena.global().allocate(1);
    }

    /**
     * Starts the thread.
     *
     * @param port the agent's, on the loopback interface
     * @param greeting what it is told: which process this is, and that it knows the token
     */
    static void hold(int port, byte[] greeting) {
        if (!(InetAddress.getLoopbackAddress() instanceof Inet4Address loopback)) {
            return;
        }
        Thread.ofPlatform().daemon().name("ftrma-lifeline").start(() -> {
            try {
                new Lifeline(port, loopback.getAddress(), greeting).hold();
            } catch (Throwable e) {
                // No such function here: the agent learns of this process's death from the kernel.
            }
        });
    }

    private void hold() {
        // All calls are linked and tried, without effect.
        closeRange.call(LAST_FILE, FIRST_FILE_BEYOND_STANDARD, 0);
        socket.call(LAST_FILE, SOCK_STREAM, 0);
        converse(LAST_FILE);
        if ((int) closeRange.call(FIRST_FILE_BEYOND_STANDARD, LAST_FILE, CLOSE_RANGE_UNSHARE) == 0) {
            converse((int) socket.call(AF_INET, SOCK_STREAM, 0));
        }
    }

    private void converse(int file) {
        int connected = (int) connect.call(file, address.address(), SOCKADDR_IN_BYTES);
        long sent = send.call(file, greeting.address(), greeting.byteSize(), MSG_NOSIGNAL);
        if (connected == 0 && sent == greeting.byteSize() || file == LAST_FILE) {
            receive.call(file, nothing.address(), 1, 0); // until the agent, or this process, is gone
        }
    }
}
