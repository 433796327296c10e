package org.ftrma.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.FtrmaException;
import org.ftrma.PeerLostException;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.spi.Wait;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that are cut off while they write, stopped, killed, or alive; and the counterparts without. */
@Tag("long")
@Timeout(180)
class RevokedProcessTest {
    private static final String PATH = "network" + PeerMain.ONE_BY_ONE;
    private static final long BYTES = 1 << 20;
    private static final int SENDER = 1;
    private static final int BYSTANDER = 2;
    private static final int ROUNDS = 40;
    private static final long FIRST_DELAY_NANOS = 200_000;

    @TempDir
    private Path directory;

    private PeerProcess peer() {
        return new PeerProcess(PATH, BYTES, directory);
    }

    private static UcxFabric open() {
        UcxFabric fabric = TestFabrics.oneByOne(UcxOptions.of(UcxOptions.Path.NETWORK));
        fabric.waitWith(new TestWait(20));
        return fabric;
    }

    private static RemoteMemory attach(UcxFabric fabric, int number, PeerProcess peer) {
        fabric.connect(number, peer.addressFor(0, fabric.address()));
        return fabric.attach(number, peer.key());
    }

    private static void letIn(UcxFabric fabric, int number, PeerProcess peer, MemoryRegion region) {
        peer.connect(0, fabric.addressFor(number, peer.address()), region.key());
    }

    /** A sender, and a receiver that is stopped as soon as something of it has landed. */
    private final class Stream implements AutoCloseable {
        private static final long FEW = PeerMain.STREAM_REPORT;
        private final PeerProcess receiver = peer();
        private final PeerProcess sender = peer();
        private final byte[] outgoing;

        Stream() {
            outgoing = sender.addressFor(0, receiver.address());
            receiver.connect(SENDER, outgoing, sender.key());
            sender.connect(0, receiver.addressFor(SENDER, sender.address()), receiver.key());
            stream(FEW);
            sender.ask("flush 0");
            assertEquals(FEW, receiver.read(0));
            receiver.signal("STOP");
        }

        /** Some puts, which are in the kernel when this returns: connections have room for more. */
        void stream(long count) {
            sender.send("stream 0 " + count);
            for (long told = 0; told < count; told += PeerMain.STREAM_REPORT) {
                sender.answer("stream");
            }
            sender.expect("streamed");
        }

        /** The receiver goes on, and does something about the sender first. */
        void goOn(String command) {
            receiver.send(command);
            receiver.signal("CONT");
            receiver.answer(command);
        }

        /** Closes the outgoing connection alone, by making another. */
        String reconnect() {
            return "reconnect " + SENDER + " " + Base64.getEncoder().encodeToString(outgoing);
        }

        void awaitLanded(long number) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (receiver.read(0) < number) {
                assertTrue(System.nanoTime() < deadline, "put " + number + " did not land within 30 s");
            }
        }

        @Override
        public void close() {
            sender.close();
            receiver.close();
        }
    }

    /** Why the tests below can fail: to close the outgoing connection alone keeps nothing out. */
    @Test
    void withTheOutgoingConnectionClosedAloneAPutLandsWhoseProcessIsDead() {
        try (Stream stream = new Stream()) {
            stream.stream(Stream.FEW);
            stream.sender.signal("KILL");
            stream.goOn(stream.reconnect());
            // the last one may not have left its process
            stream.awaitLanded(2 * Stream.FEW - 4);
        }
    }

    /** As above. */
    @Test
    void withTheOutgoingConnectionClosedAloneAProcessThatWasStoppedGoesOnToWrite() {
        try (Stream stream = new Stream()) {
            stream.sender.signal("STOP");
            stream.goOn(stream.reconnect());
            stream.sender.signal("CONT");
            stream.stream(Stream.FEW);
            stream.sender.ask("flush 0");
            stream.awaitLanded(2 * Stream.FEW);
        }
    }

    @Test
    void nothingOfAProcessThatWasStoppedLandsWhenItGoesOnAfterItWasRevoked() throws InterruptedException {
        try (Stream stream = new Stream()) {
            stream.stream(Stream.FEW);
            stream.sender.signal("STOP");
            stream.goOn("revoke " + SENDER);
            String digest = stream.receiver.ask("digest");
            stream.sender.signal("CONT");
            stream.sender.send("stream 0 1000000");
            String answer = stream.sender.rawAnswer();
            while (answer.startsWith("ok ")) {
                answer = stream.sender.rawAnswer();
            }
            assertTrue(answer.contains("PeerLostException"), answer);
            assertEquals(digest, stream.receiver.ask("digest"));
        }
    }

    /** The connection is full of puts; how many of them are read before it is cut is a matter of luck. */
    @Test
    void nothingThatAProcessLeftInTheKernelWhenItDiedLandsAfterItWasRevoked() throws InterruptedException {
        int cut = 0;
        for (int round = 0; round < 6; round++) {
            try (Stream stream = new Stream()) {
                stream.stream(4 * Stream.FEW);
                stream.sender.signal("KILL");
                stream.goOn("revoke " + SENDER);
                String digest = stream.receiver.ask("digest");
                long seen = stream.receiver.read(0);
                cut += seen < 5 * Stream.FEW - 4 ? 1 : 0;
                for (int i = 0; i < 1000; i++) {
                    assertEquals(seen, stream.receiver.read(0));
                }
                assertEquals(digest, stream.receiver.ask("digest"));
            }
        }
        assertTrue(cut > 0, "all had landed before, in each round: nothing was shown");
    }

    /** All kinds of accesses are under way, in both directions, and to others. */
    @ParameterizedTest
    @ValueSource(strings = {"revoked while it writes", "killed, then revoked", "revoked, then killed"})
    void aPeerIsCutOffAtEveryMomentAndOthersNoticeNothing(String order) throws InterruptedException {
        try (UcxFabric fabric = open(); PeerProcess bystander = peer()) {
            MemoryRegion region = fabric.expose(BYTES);
            RemoteMemory other = attach(fabric, BYSTANDER, bystander);
            letIn(fabric, BYSTANDER, bystander, region);
            MemorySegment got = fabric.expose(BYTES).segment();
            PeerProcess victim = peer();
            try {
                boolean lives = order.startsWith("revoked while");
                for (int round = 1; round <= (lives ? ROUNDS : ROUNDS / 3); round++) {
                    letIn(fabric, SENDER, victim, region);
                    RemoteMemory memory = attach(fabric, SENDER, victim);
                    victim.send("pipeline 0");
                    victim.expect("pipelining");
                    bystander.send("add 0 16 100");
                    long moment = System.nanoTime() + FIRST_DELAY_NANOS * round;
                    do {
                        access(memory, got);
                        access(other, got);
                        fabric.progress();
                    } while (System.nanoTime() < moment);
                    if (order.startsWith("killed")) {
                        victim.signal("KILL");
                    }
                    fabric.revoke(SENDER);
                    byte[] after = region.segment().asSlice(BYTES / 2).toArray(ValueLayout.JAVA_BYTE);
                    if (order.endsWith("killed")) {
                        victim.signal("KILL");
                    }
                    fabric.flush(BYSTANDER);
                    bystander.expect("added");
                    assertEquals(100L * round, region.segment().get(ValueLayout.JAVA_LONG, 16));
                    if (lives) {
                        assertTrue(victim.rawAnswer().contains("PeerLostException"));
                        victim.ask("reopen");
                    } else {
                        victim.close();
                        victim = peer();
                    }
                    assertEquals(-1, MemorySegment.ofArray(after).mismatch(region.segment().asSlice(BYTES / 2)));
                }
            } finally {
                victim.close();
            }
        }
    }

    /** Leaves puts, gets and atomics under way to a peer that may be lost. */
    private static void access(RemoteMemory memory, MemorySegment local) {
        try {
            for (int i = 0; i < 8; i++) {
                memory.put(local, 0, BYTES / 2, 8192);
                memory.get(local, 8192, 0, 8192);
                memory.op(AtomicOp.SUM, DataType.INT64, 32, 1);
            }
        } catch (PeerLostException e) {
            assertEquals(SENDER, e.peer());
        }
    }

    @Test
    void aFlushThatHangsBecauseThePeerIsStoppedEndsWhenItIsRevoked() {
        try (UcxFabric fabric = open(); PeerProcess stopped = peer(); PeerProcess bystander = peer()) {
            RemoteMemory memory = attach(fabric, SENDER, stopped);
            RemoteMemory other = attach(fabric, BYSTANDER, bystander);
            MemorySegment source = fabric.expose(BYTES).segment();
            stopped.signal("STOP");
            for (String what : new String[] {"flush", "flushAll"}) {
                other.putLong(0, 5);
                memory.put(source, 0, 0, BYTES);
                fabric.waitWith(new RevokingWait(fabric, SENDER));
                FtrmaException loss = null;
                try {
                    if (what.equals("flush")) {
                        fabric.flush(SENDER);
                    } else {
                        fabric.flushAll();
                    }
                } catch (PeerLostException e) {
                    assertEquals(SENDER, e.peer());
                    loss = e;
                }
                assertTrue(loss != null, what);
                fabric.flush(BYSTANDER);
                assertEquals(5, bystander.read(0));
                stopped.signal("CONT");
                stopped.ask("reopen");
                memory = attach(fabric, SENDER, stopped);
                stopped.signal("STOP");
            }
        }
    }

    /** Revokes a peer after some turns. */
    private static final class RevokingWait implements Wait {
        private static final int TURNS = 1000;
        private final TestWait wait = new TestWait(20);
        private final UcxFabric fabric;
        private final int peer;
        private int turns;

        RevokingWait(UcxFabric fabric, int peer) {
            this.fabric = fabric;
            this.peer = peer;
        }

        @Override
        public void begin(String what, int newPeer) {
            wait.begin(what, newPeer);
        }

        @Override
        public void turn() {
            if (++turns == TURNS) {
                fabric.revoke(peer);
            }
            wait.turn();
        }
    }
}
