package org.ftrma.ucx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.DeadlineException;
import org.ftrma.MisuseException;
import org.ftrma.PeerLostException;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.spi.Wait;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only separate processes can show: death, in all its forms, and a bystander whom it must not touch. */
@Tag("long")
@Timeout(180)
class TwoProcessTest {
    static final long BYTES = 1 << 20;
    private static final int VICTIM = 1;
    static final int BYSTANDER = 2;
    private static final int GETS = 32;

    @TempDir
    private Path directory;

    static UcxFabric open(String path) {
        UcxFabric fabric = new UcxFabric(UcxOptions.of(UcxOptions.parsePath(path)));
        fabric.waitWith(new TestWait(20));
        return fabric;
    }

    static RemoteMemory attach(UcxFabric fabric, int number, PeerProcess peer) {
        fabric.connect(number, peer.address());
        return fabric.attach(number, peer.key());
    }

    @ParameterizedTest
    @ValueSource(strings = {"mapped", "network", "auto"})
    void twoProcessesWriteAndCountInEachOther(String path) {
        try (PeerProcess peer = new PeerProcess(path, BYTES, directory); UcxFabric fabric = open(path)) {
            MemoryRegion region = fabric.expose(BYTES);
            RemoteMemory memory = attach(fabric, VICTIM, peer);
            assertEquals(path.equals("network") ? "network" : "mapped", fabric.info().path());
            peer.connect(0, fabric.address(), region.key());

            memory.putLong(BYTES - 8, 0x1122334455667788L);
            fabric.flush(VICTIM);
            assertEquals(0x1122334455667788L, peer.read(BYTES - 8));
            peer.ask("put 0 16 4711");
            assertEquals(4711, region.segment().get(ValueLayout.JAVA_LONG, 16));

            int times = path.equals("network") ? 2_000 : 200_000;
            peer.send("add 0 24 " + times);
            fabric.connect(0, fabric.address());
            RemoteMemory own = fabric.attach(0, region.key());
            for (int i = 0; i < times; i++) {
                own.fetchOp(AtomicOp.SUM, DataType.INT64, 24, 1);
            }
            peer.expect("added");
            assertEquals(2L * times, own.getLong(24));
            region.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mapped", "network"})
    void randomCopiesArriveByteForByte(String path) {
        try (Arena arena = Arena.ofConfined(); UcxFabric fabric = open(path); PeerProcess peer =
            new PeerProcess(path, BYTES, directory)) {
            RemoteMemory memory = attach(fabric, VICTIM, peer);
            Random random = new Random(42);
            byte[] expected = new byte[(int) BYTES];
            MemorySegment buffer = arena.allocate(BYTES);
            for (int round = 0; round < 200; round++) {
                int length = 1 + random.nextInt(1 << 1 + random.nextInt(20));
                int offset = random.nextInt((int) BYTES - length + 1);
                byte[] data = new byte[length];
                random.nextBytes(data);
                System.arraycopy(data, 0, expected, offset, length);
                if (round % 4 == 0) {
                    memory.put(MemorySegment.ofArray(data), 0, offset, length);
                } else {
                    MemorySegment.copy(data, 0, buffer, ValueLayout.JAVA_BYTE, offset, length);
                    memory.put(buffer, offset, offset, length);
                }
                fabric.flush(VICTIM);
            }
            byte[] all = new byte[(int) BYTES];
            memory.get(MemorySegment.ofArray(all), 0, 0, BYTES);
            assertArrayEquals(expected, all);
            MemorySegment again = arena.allocate(BYTES);
            memory.get(again, 0, 0, BYTES);
            fabric.flushLocal(VICTIM);
            assertArrayEquals(expected, again.toArray(ValueLayout.JAVA_BYTE));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"putLong", "put", "get", "getLong", "fetchOp", "op", "compareAndSwap", "requestPut",
        "requestGet", "flushAll"})
    void onTheNetworkAKilledPeerIsAnExceptionForEachOperation(String operation) {
        try (Arena arena = Arena.ofConfined(); UcxFabric fabric = open("network");
             PeerProcess victim = new PeerProcess("network", BYTES, directory);
             PeerProcess bystander = new PeerProcess("network", BYTES, directory)) {
            RemoteMemory memory = attach(fabric, VICTIM, victim);
            RemoteMemory other = attach(fabric, BYSTANDER, bystander);
            MemorySegment buffer = arena.allocate(BYTES).fill((byte) 7);
            memory.put(buffer, 0, 0, BYTES);
            other.put(buffer, 0, 0, BYTES);
            victim.signal("KILL");

            PeerLostException lost = assertThrows(PeerLostException.class,
                () -> repeat(operation, memory, fabric, buffer));
            assertEquals(VICTIM, lost.peer());
            assertThrows(PeerLostException.class, () -> repeat(operation, memory, fabric, buffer));

            fabric.flush(BYSTANDER);
            assertEquals(0x0707070707070707L, bystander.read(BYTES - 8));
            other.putLong(0, 99);
            fabric.flush(BYSTANDER);
            assertEquals(99, bystander.read(0));
            assertEquals(List.of(), victim.leftovers());
        }
    }

    /** Does the operation until it fails: the news of a death takes a while. */
    private static void repeat(String operation, RemoteMemory memory, UcxFabric fabric, MemorySegment buffer) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (System.nanoTime() < deadline) {
            switch (operation) {
                case "putLong" -> memory.putLong(0, 1);
                case "put" -> memory.put(buffer, 0, 0, BYTES);
                case "get" -> memory.get(buffer, 0, 0, BYTES);
                case "getLong" -> memory.getLong(0);
                case "fetchOp" -> memory.fetchOp(AtomicOp.MAX, DataType.INT64, 0, 1);
                case "op" -> memory.op(AtomicOp.SUM, DataType.INT64, 0, 1);
                case "compareAndSwap" -> memory.compareAndSwap(DataType.INT32, 0, 1, 1);
                case "requestPut" -> await(fabric, memory.requestPut(buffer, 0, 0, BYTES));
                case "requestGet" -> await(fabric, memory.requestGet(buffer, 0, 0, BYTES));
                default -> memory.putLong(8, 2);
            }
            if (operation.equals("flushAll")) {
                fabric.flushAll();
            } else {
                fabric.flush(VICTIM);
            }
        }
        throw new AssertionError("no failure within 30 s: " + operation);
    }

    private static void await(UcxFabric fabric, long request) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (request != 0 && !fabric.test(request)) {
            assertTrue(System.nanoTime() < deadline, "request did not end within 30 s");
        }
    }

    /** Renews the fabric when a peer is lost, as the protocol does. */
    private static final class GivingUp implements Wait {
        private final TestWait wait = new TestWait(20);
        private final UcxFabric fabric;
        private PeerLostException told;

        GivingUp(UcxFabric fabric) {
            this.fabric = fabric;
        }

        @Override
        public void begin(String what, int peer) {
            wait.begin(what, peer);
        }

        @Override
        public void turn() {
            wait.turn();
        }

        @Override
        public void lost(PeerLostException loss) {
            told = loss;
            fabric.renew();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"putLong", "put", "get", "getLong", "fetchOp", "op", "compareAndSwap", "requestPut",
        "requestGet", "flushAll"})
    void aLossIsToldBeforeItIsThrownSoThatNothingUnderWayTouchesFreedBuffers(String operation) {
        try (Arena arena = Arena.ofConfined(); UcxFabric fabric = open("network");
             PeerProcess victim = new PeerProcess("network", BYTES, directory);
             PeerProcess bystander = new PeerProcess("network", BYTES, directory)) {
            GivingUp wait = new GivingUp(fabric);
            fabric.waitWith(wait);
            RemoteMemory memory = attach(fabric, VICTIM, victim);
            RemoteMemory other = attach(fabric, BYSTANDER, bystander);
            MemorySegment buffer = arena.allocate(BYTES).fill((byte) 7);
            MemorySegment arriving = arena.allocate(GETS * BYTES);
            memory.put(buffer, 0, 0, BYTES);
            victim.signal("KILL");
            startGets(other, arriving, (byte) 3);

            PeerLostException lost = assertThrows(PeerLostException.class,
                () -> repeat(operation, memory, fabric, buffer));
            assertEquals(VICTIM, lost.peer());
            assertEquals(lost, wait.told);
            byte[] seen = arriving.toArray(ValueLayout.JAVA_BYTE);
            for (int i = 0; i < 1000; i++) {
                fabric.progress();
            }
            assertArrayEquals(seen, arriving.toArray(ValueLayout.JAVA_BYTE), "a get went on after the loss was thrown");
            assertThrows(MisuseException.class, () -> other.getLong(0), "a connection from before the renewal");
            bystander.ask("renew");
            assertEquals(0, attach(fabric, BYSTANDER, bystander).getLong(0));
        }
    }

    private static void startGets(RemoteMemory memory, MemorySegment destination, byte before) {
        destination.fill(before);
        for (int i = 0; i < GETS; i++) {
            memory.get(destination, i * BYTES, 0, BYTES);
        }
    }

    /** A program that fails frees its buffers before the fabric hears of it. */
    @ParameterizedTest
    @ValueSource(strings = {"renew", "close"})
    void noGetWritesItsDestinationOnceRenewOrCloseBegan(String end) {
        try (Arena arena = Arena.ofConfined(); UcxFabric fabric = open("network");
             PeerProcess peer = new PeerProcess("network", BYTES, directory)) {
            RemoteMemory memory = attach(fabric, VICTIM, peer);
            MemorySegment arriving = arena.allocate(GETS * BYTES);
            startGets(memory, arriving, (byte) 3);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (arriving.get(ValueLayout.JAVA_BYTE, 0) == 3) {
                fabric.progress();
                assertTrue(System.nanoTime() < deadline, "nothing arrives");
            }
            byte[] seen = arriving.toArray(ValueLayout.JAVA_BYTE);
            assertEquals(3, seen[seen.length - 1], "all has arrived already: the test shows nothing");
            Runnable ending = end.equals("renew") ? fabric::renew : fabric::close;
            ending.run();
            assertArrayEquals(seen, arriving.toArray(ValueLayout.JAVA_BYTE));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mapped", "network"})
    void aReplacementTakesThePlaceOfAKilledPeer(String path) {
        try (PeerProcess victim = new PeerProcess(path, BYTES, directory); PeerProcess bystander =
            new PeerProcess(path, BYTES, directory);
             UcxFabric fabric = open(path)) {
            MemoryRegion region = fabric.expose(BYTES);
            region.segment().fill((byte) 5);
            RemoteMemory memory = attach(fabric, VICTIM, victim);
            RemoteMemory other = attach(fabric, BYSTANDER, bystander);
            bystander.connect(0, fabric.address(), region.key());
            other.putLong(0, 1234);
            memory.putLong(0, 77);
            fabric.flushAll();
            byte[] deadAddress = victim.address();
            byte[] deadKey = victim.key();
            victim.signal("KILL");

            fabric.renew();
            assertThrows(RuntimeException.class, () -> memory.getLong(0));
            assertThrows(RuntimeException.class, () -> other.putLong(0, 0));
            fabric.connect(VICTIM, deadAddress);
            assertThrows(PeerLostException.class, () -> fabric.attach(VICTIM, deadKey));
            bystander.ask("renew");
            try (PeerProcess replacement = new PeerProcess(path, BYTES, directory)) {
                RemoteMemory fresh = attach(fabric, VICTIM, replacement);
                RemoteMemory again = attach(fabric, BYSTANDER, bystander);
                assertEquals(0, fresh.getLong(0));
                fresh.putLong(0, 78);
                again.putLong(8, 1235);
                fabric.flushAll();
                assertEquals(78, replacement.read(0));
                assertEquals(1234, bystander.read(0));
                assertEquals(1235, bystander.read(8));
                bystander.connect(0, fabric.address(), region.key());
                bystander.ask("put 0 8 55");
                assertEquals(55, region.segment().get(ValueLayout.JAVA_LONG, 8));
                assertEquals(0x0505050505050505L, region.segment().get(ValueLayout.JAVA_LONG, 0));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"network"})
    void aStoppedPeerRunsIntoTheDeadlineAndRenewDoesNotWaitForIt(String path) {
        try (UcxFabric fabric = open(path); PeerProcess stopped = new PeerProcess(path, BYTES, directory);
             PeerProcess bystander = new PeerProcess(path, BYTES, directory)) {
            RemoteMemory memory = attach(fabric, VICTIM, stopped);
            RemoteMemory other = attach(fabric, BYSTANDER, bystander);
            fabric.waitWith(new TestWait(1));
            stopped.signal("STOP");
            DeadlineException late = assertThrows(DeadlineException.class,
                () -> memory.fetchOp(AtomicOp.SUM, DataType.INT64, 0, 1));
            assertTrue(late.getMessage().contains("peer=1"), late.getMessage());
            other.putLong(0, 5);
            fabric.flush(BYSTANDER);
            assertEquals(5, bystander.read(0));
            stopped.signal("KILL");
            fabric.renew();
            bystander.ask("renew");
            RemoteMemory again = attach(fabric, BYSTANDER, bystander);
            assertEquals(5, again.fetchOp(AtomicOp.SUM, DataType.INT64, 0, 1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"put", "get"})
    void accessesThatAreNeverFlushedWaitForRoomInsteadOfFillingTheMemory(String operation) {
        try (Arena arena = Arena.ofConfined(); UcxFabric fabric = open("network"); PeerProcess peer =
            new PeerProcess("network", BYTES, directory)) {
            RemoteMemory memory = attach(fabric, VICTIM, peer);
            MemorySegment buffer = arena.allocate(BYTES, 8).fill((byte) 1);
            Runnable access = operation.equals("put") ? () -> memory.put(buffer, 0, 0, 4096) : () ->
                memory.get(buffer, 0, 0, 4096);
            for (int i = 0; i < 20_000; i++) {
                access.run();
            }
            memory.putLong(8, 4711);
            fabric.flush(VICTIM);
            assertEquals(4711, peer.read(8));
            fabric.waitWith(new TestWait(1));
            peer.signal("STOP");
            DeadlineException late = assertThrows(DeadlineException.class, () -> {
                for (int i = 0; i < 20_000; i++) {
                    access.run();
                }
            });
            assertTrue(late.getMessage().contains(operation + ": peer=1"), late.getMessage());
            peer.signal("KILL");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mapped", "network"})
    void aKillWhileMemoryIsAllocatedLeavesNothing(String path) {
        for (int round = 0; round < 3; round++) {
            try (PeerProcess victim = new PeerProcess(path, BYTES, directory)) {
                victim.send("expose");
                victim.expect("exposing");
                victim.signal("KILL");
                SharedMemorySweep.removeOrphansOf(List.of(victim.pid()));
                assertEquals(List.of(), victim.leftovers());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mapped"})
    void memoryOfAKilledPeerThatIsMappedStaysHarmless(String path) {
        try (UcxFabric fabric = open(path); PeerProcess victim = new PeerProcess(path, BYTES, directory)) {
            RemoteMemory memory = attach(fabric, VICTIM, victim);
            memory.putLong(0, 8);
            victim.signal("KILL");
            memory.putLong(8, 9);
            fabric.flush(VICTIM);
            assertEquals(8, memory.getLong(0));
            assertEquals(9, memory.fetchOp(AtomicOp.SUM, DataType.INT64, 8, 1));
            assertFalse(memory.mapped() == null);
        }
    }
}
