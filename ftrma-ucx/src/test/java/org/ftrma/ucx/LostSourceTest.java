package org.ftrma.ucx;

import static org.ftrma.ucx.TwoProcessTest.BYSTANDER;
import static org.ftrma.ucx.TwoProcessTest.BYTES;
import static org.ftrma.ucx.TwoProcessTest.attach;
import static org.ftrma.ucx.TwoProcessTest.open;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Accesses whose source dies, or whose connection ends, while they are under way: no target or bystander suffers. */
@Tag("long")
@Timeout(180)
class LostSourceTest {
    /** Of half a region each: 64 MiB, beyond what Linux gives the buffers of a connection. */
    private static final int GETS_TO_FILL_A_CONNECTION = 128;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"mapped", "network"})
    void aPeerKilledInTheMiddleOfItsWritesHarmsNobody(String path) {
        try (UcxFabric fabric = open(path); PeerProcess bystander = new PeerProcess(path, BYTES, directory)) {
            MemoryRegion region = fabric.expose(BYTES);
            RemoteMemory other = attach(fabric, BYSTANDER, bystander);
            for (int round = 0; round < 4; round++) {
                region.segment().asSlice(0, BYTES / 2).fill((byte) 9);
                try (PeerProcess victim = new PeerProcess(path, BYTES, directory)) {
                    victim.connect(0, fabric.address(), region.key());
                    victim.send("flood 0 " + BYTES / 4);
                    victim.expect("flooding");
                    awaitChange(region, 3);
                    victim.signal("KILL");
                    assertEquals(List.of(), victim.leftovers());
                }
                other.putLong(0, round);
                fabric.flush(BYSTANDER);
                assertEquals(round, bystander.read(0));
                assertEquals(-1, region.segment().asSlice(0, BYTES / 2).mismatch(filled((byte) 9)),
                    "bytes outside the victim's writes");
                assertEquals(-1, region.segment().asSlice(3 * BYTES / 4).mismatch(filled((byte) 0, BYTES / 4)));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mapped", "network"})
    void manyAccessesUnderWayWhenTheirSourceDiesDoNotDisturbOthers(String path) {
        try (UcxFabric fabric = open(path); PeerProcess bystander = new PeerProcess(path, BYTES, directory)) {
            MemoryRegion region = fabric.expose(BYTES);
            bystander.connect(0, fabric.address(), region.key());
            for (int round = 1; round <= 6; round++) {
                try (PeerProcess victim = new PeerProcess(path, BYTES, directory)) {
                    victim.connect(0, fabric.address(), region.key());
                    victim.send("pipeline 0");
                    victim.expect("pipelining");
                    awaitChange(region, 3);
                    victim.signal("KILL");
                }
                bystander.ask("put 0 8 " + round);
                assertEquals(round, region.segment().get(ValueLayout.JAVA_LONG, 8));
            }
        }
    }

    /**
     * Answers that could not be sent yet when their asker dies: more of them than a connection holds, of all kinds,
     * new ones and such in whose memory answers were before. (In Maven's tests of this module, {@code MALLOC_PERTURB_}
     * fills what the C library allocates: no field that nobody sets is zero by chance.)
     */
    @Test
    void answersThatWaitWhenTheirAskerDiesDisturbNobody() {
        try (PeerProcess target = new PeerProcess("network", BYTES, directory);
             PeerProcess bystander = new PeerProcess("network", BYTES, directory)) {
            byte[] address = target.address();
            byte[] key = target.key();
            bystander.connect(0, address, key);
            for (int round = 1; round <= 3; round++) {
                try (PeerProcess victim = new PeerProcess("network", BYTES, directory)) {
                    victim.connect(0, address, key);
                    if (round > 1) {
                        victim.ask("withhold 0 " + GETS_TO_FILL_A_CONNECTION + " " + 10 * round);
                        victim.ask("flush 0");
                    }
                    victim.ask("withhold 0 " + GETS_TO_FILL_A_CONNECTION + " " + (10 * round + 1));
                    awaitWord(target, BYTES / 2, 10 * round + 1);
                    victim.signal("KILL");
                }
                bystander.ask("put 0 8 " + round);
                assertEquals(round, target.read(8));
            }
        }
    }

    private static void awaitWord(PeerProcess peer, long offset, long value) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (peer.read(offset) != value) {
            assertTrue(System.nanoTime() < deadline, "the word " + value + " did not arrive within 30 s");
        }
    }

    private static void awaitChange(MemoryRegion region, int times) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        byte last = region.segment().get(ValueLayout.JAVA_BYTE, BYTES / 2);
        for (int seen = 0; seen < times;) {
            byte now = region.segment().get(ValueLayout.JAVA_BYTE, BYTES / 2);
            if (now != last) {
                last = now;
                seen++;
            }
            assertTrue(System.nanoTime() < deadline, "the flood did not begin within 30 s");
            Thread.onSpinWait();
        }
    }

    private static MemorySegment filled(byte value) {
        return filled(value, BYTES / 2);
    }

    private static MemorySegment filled(byte value, long length) {
        return MemorySegment.ofArray(new byte[(int) length]).fill(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"network"})
    void afterRenewNothingArrivesFromOldConnections(String path) throws InterruptedException {
        try (UcxFabric fabric = open(path); PeerProcess writer = new PeerProcess(path, BYTES, directory)) {
            MemoryRegion region = fabric.expose(BYTES);
            writer.connect(0, fabric.address(), region.key());
            writer.send("flood 0 " + BYTES / 4);
            writer.expect("flooding");
            awaitChange(region, 3);
            fabric.renew();
            byte[] after = region.segment().toArray(ValueLayout.JAVA_BYTE);
            assertTrue(writer.rawAnswer().contains("PeerLostException"),
                "the writer's flood ends with the loss of its connection");
            assertArrayEquals(after, region.segment().toArray(ValueLayout.JAVA_BYTE));
            writer.ask("renew");
            writer.connect(0, fabric.address(), region.key());
            writer.ask("put 0 8 31");
            assertEquals(31, region.segment().get(ValueLayout.JAVA_LONG, 8));
        }
    }
}
