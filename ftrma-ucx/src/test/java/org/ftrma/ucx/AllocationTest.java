package org.ftrma.ucx;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The data path allocates nothing. Accesses to the own rank take the same way as all others. */
@Tag("long")
@Timeout(120)
class AllocationTest {
    private static final int WARM_UP = 15_000;
    private static final int OPERATIONS = 5_000;

    @ParameterizedTest
    @EnumSource(value = UcxOptions.Path.class, names = {"MAPPED", "NETWORK"})
    void operationsAllocateNothing(UcxOptions.Path path) {
        try (UcxFabric fabric = new UcxFabric(UcxOptions.of(path)); Arena arena = Arena.ofShared()) {
            fabric.waitWith(new TestWait(20));
            MemoryRegion region = fabric.expose(1 << 16);
            fabric.connect(0, fabric.address());
            RemoteMemory memory = fabric.attach(0, region.key());
            MemorySegment buffer = arena.allocate(1 << 16);
            assertNothing("putLong, flush", () -> {
                memory.putLong(8, 1);
                fabric.flush(0);
            });
            assertNothing("put, get, flushLocal, flushAll", () -> {
                memory.put(buffer, 0, 64, 1000);
                memory.get(buffer, 4096, 64, 1000);
                fabric.flushLocal(0);
                fabric.flushAll();
            });
            assertNothing("puts without flush", () -> memory.put(buffer, 0, 64, 20_000));
            assertNothing("requests", () -> {
                long request = memory.requestPut(buffer, 0, 64, 20_000);
                while (request != 0 && !fabric.test(request)) {
                    Thread.onSpinWait();
                }
            });
            assertNothing("atomics", () -> {
                memory.op(AtomicOp.SUM, DataType.INT32, 4, 1);
                memory.fetchOp(AtomicOp.SUM, DataType.INT64, 8, memory.getLong(16));
                memory.fetchOp(AtomicOp.MAX, DataType.FLOAT64, 24, 5);
                memory.compareAndSwap(DataType.INT64, 32, 0, 0);
                fabric.progress();
            });
        }
    }

    private static void assertNothing(String what, Runnable operation) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < WARM_UP; i++) {
            operation.run();
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < OPERATIONS; i++) {
            operation.run();
        }
        long perOperation = (threads.getCurrentThreadAllocatedBytes() - before) / OPERATIONS;
        assertTrue(perOperation < 1, what + ": " + perOperation + " bytes per operation");
    }
}
