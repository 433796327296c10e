package org.ftrma.testkit.contract;

import static org.ftrma.testkit.contract.ContractMember.LONG;
import static org.ftrma.testkit.contract.ContractMember.pattern;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.MisuseException;
import org.ftrma.PeerLostException;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.spi.Wait;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Cutting off one peer: what goes on, what ends, and what never lands again. Member 0 cuts off member 1. */
interface RevocationContract extends Harnessed {
    /** The one that is cut off. */
    int LOST = 1;
    /** The one that nothing happens to. */
    int BYSTANDER = 2;
    /** Of each access of the larger kind. */
    long BYTES = 40_000;

    /** Revokes a peer in the first turn of the wait that it is told to. */
    final class RevokingWait implements Wait {
        private final Wait wait;
        private final Fabric fabric;
        private boolean armed;
        private boolean revoked;
        private boolean toldLoss;

        RevokingWait(ContractMember member) {
            wait = member.newWait();
            fabric = member.fabric();
            fabric.waitWith(this);
        }

        @Override
        public void begin(String what, int peer) {
            wait.begin(what, peer);
        }

        @Override
        public void turn() {
            if (armed) {
                armed = false;
                revoked = true;
                fabric.revoke(LOST);
            }
            wait.turn();
        }

        @Override
        public void lost(PeerLostException loss) {
            toldLoss = true;
        }
    }

    private static boolean isMapped(ContractMember member) {
        return member.fabric().isImmediate(LOST);
    }

    /** Memory that is mapped is cut off only from a process that has ended: here, a fabric that is closed. */
    private static void endIfMapped(ContractMember member, Fabric fabric) {
        if (isMapped(member) || fabric.isImmediate(0)) {
            fabric.close();
        }
    }

    private static void assertLost(Executable call, String what) {
        PeerLostException loss = assertThrows(PeerLostException.class, call, what);
        assertEquals(LOST, loss.peer(), what);
    }

    @Test
    default void accessesToOthersAndOfOthersGoOnWhileOnePeerIsRevoked() throws Exception {
        members(3, member -> {
            MemoryRegion region = member.expose(4 * BYTES);
            member.connectAll();
            RemoteMemory[] remotes = member.attachAll(region);
            MemorySegment source = pattern(BYTES, 3);
            MemorySegment got = pattern(BYTES, 4);
            region.segment().asSlice(3 * BYTES).copyFrom(pattern(BYTES, 10 + member.index()));
            member.meet();
            if (member.index() == 0) {
                remotes[LOST].put(source, 0, BYTES, BYTES);
                remotes[BYSTANDER].put(source, 0, 0, BYTES);
                remotes[BYSTANDER].get(got, 0, 3 * BYTES, BYTES);
                long request = remotes[BYSTANDER].requestPut(source, 0, BYTES, BYTES);
                remotes[0].put(source, 0, 2 * BYTES, BYTES);
                member.fabric().revoke(LOST);
                remotes[BYSTANDER].op(AtomicOp.SUM, DataType.INT64, 2 * BYTES, 5);
                while (request != 0 && !member.fabric().test(request)) {
                    member.fabric().progress();
                }
                member.fabric().flush(BYSTANDER);
                member.fabric().flush(0);
                assertEquals(-1, got.mismatch(pattern(BYTES, 10 + BYSTANDER)), "a get that was under way");
                assertEquals(-1, region.segment().asSlice(2 * BYTES, BYTES).mismatch(source), "a put to itself");
            } else if (member.index() == BYSTANDER) {
                for (int i = 0; i < 20; i++) {
                    remotes[0].putLong(8, i);
                    assertEquals(i, remotes[0].fetchOp(AtomicOp.SUM, DataType.INT64, 16, 1));
                    remotes[LOST].putLong(24, i);
                    member.fabric().flushAll();
                }
            }
            member.meet();
            if (member.index() == BYSTANDER) {
                assertEquals(-1, region.segment().asSlice(0, BYTES).mismatch(source), "a put that was under way");
                assertEquals(-1, region.segment().asSlice(BYTES, BYTES).mismatch(source), "a request under way");
                assertEquals(5, region.segment().get(LONG, 2 * BYTES), "an atomic after it");
            } else if (member.index() == 0) {
                assertEquals(19, region.segment().get(LONG, 8));
                assertEquals(20, region.segment().get(LONG, 16));
            } else {
                assertEquals(19, region.segment().get(LONG, 24));
            }
            member.meet();
        });
    }

    @Test
    default void whatIsAskedOfARevokedPeerIsLostUntilItIsConnectedAgain() throws Exception {
        members(3, member -> {
            MemoryRegion region = member.expose(4 * BYTES);
            member.connectAll();
            RemoteMemory[] remotes = member.attachAll(region);
            byte[][] keys = member.exchange(region.key());
            if (member.index() == LOST) {
                endIfMapped(member, member.reopen());
            }
            member.meet();
            if (member.index() == 0) {
                Fabric fabric = member.fabric();
                RevokingWait wait = new RevokingWait(member);
                MemorySegment source = pattern(BYTES, 3);
                MemorySegment got = pattern(BYTES, 4);
                RemoteMemory remote = remotes[LOST];
                long put = isMapped(member) ? 0 : remote.requestPut(source, 0, 0, BYTES);
                long get = isMapped(member) ? 0 : remote.requestGet(got, 0, BYTES, BYTES);
                fabric.revoke(LOST);
                fabric.revoke(LOST);
                // They may have been complete before.
                for (long request : new long[] {put, get}) {
                    try {
                        assertTrue(request == 0 || fabric.test(request), "under way, and not lost");
                    } catch (PeerLostException e) {
                        assertEquals(LOST, e.peer());
                    }
                }
                assertLost(() -> remote.putLong(0, 1), "putLong");
                assertLost(() -> remote.getLong(0), "getLong");
                assertLost(() -> remote.put(source, 0, 0, BYTES), "put");
                assertLost(() -> remote.get(got, 0, 0, BYTES), "get");
                assertLost(() -> remote.fetchOp(AtomicOp.SUM, DataType.INT64, 0, 1), "fetchOp");
                assertLost(() -> remote.compareAndSwap(DataType.INT64, 0, 0, 1), "compareAndSwap");
                assertLost(() -> fabric.flush(LOST), "flush");
                assertLost(() -> fabric.flushLocal(LOST), "flushLocal");
                assertLost(() -> fabric.attach(LOST, keys[LOST]), "attach");
                remotes[BYSTANDER].put(source, 0, 0, BYTES);
                assertLost(fabric::flushAll, "flushAll");
                assertTrue(!wait.toldLoss, "whoever revoked was told of the loss");
                assertThrows(MisuseException.class, () -> fabric.revoke(0), "the member itself");
                fabric.revoke(7);
            }
            member.meet();
            if (member.index() == BYSTANDER) {
                // flushAll had flushed the others.
                assertEquals(-1, region.segment().asSlice(0, BYTES).mismatch(pattern(BYTES, 3)));
            }
            member.meet();
        });
    }

    @Test
    default void aFlushThatWaitsForThePeerThatIsRevokedMeanwhileEnds() throws Exception {
        members(3, member -> {
            MemoryRegion region = member.expose(4 * BYTES);
            member.connectAll();
            RemoteMemory[] remotes = member.attachAll(region);
            if (member.index() == 0 && !isMapped(member)) {
                RevokingWait wait = new RevokingWait(member);
                MemorySegment source = pattern(BYTES, 3);
                for (int i = 0; i < 50; i++) {
                    remotes[LOST].put(source, 0, 0, BYTES);
                }
                remotes[BYSTANDER].put(source, 0, 0, BYTES);
                wait.armed = true;
                try {
                    member.fabric().flush(LOST);
                    assertTrue(!wait.revoked, "the flush of a peer that was revoked meanwhile returned");
                } catch (PeerLostException e) {
                    assertTrue(wait.revoked, "nobody was revoked");
                    assertEquals(LOST, e.peer());
                }
                assertTrue(!wait.toldLoss, "whoever revoked was told of the loss");
                wait.armed = false;
                member.fabric().flush(BYSTANDER);
            }
            member.meet();
            if (member.index() == BYSTANDER && !member.fabric().isImmediate(0)) {
                assertEquals(-1, region.segment().asSlice(0, BYTES).mismatch(pattern(BYTES, 3)));
            }
            member.meet();
        });
    }

    @Test
    default void aFlushOfAllTellsOfThePeerThatIsRevokedWhileItWaitsForAnotherOne() throws Exception {
        members(3, member -> {
            MemoryRegion region = member.expose(4 * BYTES);
            member.connectAll();
            RemoteMemory[] remotes = member.attachAll(region);
            if (member.index() == 0 && !isMapped(member)) {
                RevokingWait wait = new RevokingWait(member);
                MemorySegment source = pattern(BYTES, 3);
                for (int i = 0; i < 50; i++) {
                    remotes[BYSTANDER].put(source, 0, 0, BYTES);
                }
                wait.armed = true;
                try {
                    member.fabric().flushAll();
                    assertTrue(!wait.revoked, "the flush of all, of whom one was revoked meanwhile, returned");
                } catch (PeerLostException e) {
                    assertTrue(wait.revoked, "nobody was revoked");
                    assertEquals(LOST, e.peer());
                }
                wait.armed = false;
                member.fabric().flush(BYSTANDER);
            }
            member.meet();
            if (member.index() == BYSTANDER && !member.fabric().isImmediate(0)) {
                assertEquals(-1, region.segment().asSlice(0, BYTES).mismatch(pattern(BYTES, 3)));
            }
            member.meet();
        });
    }

    @Test
    default void aWaitForAnotherPeerGoesOnWhenOneIsRevokedMeanwhile() throws Exception {
        members(3, member -> {
            MemoryRegion region = member.expose(4 * BYTES);
            member.connectAll();
            RemoteMemory[] remotes = member.attachAll(region);
            if (member.index() == 0 && !isMapped(member)) {
                RevokingWait wait = new RevokingWait(member);
                MemorySegment source = pattern(BYTES, 3);
                remotes[LOST].put(source, 0, 0, BYTES);
                remotes[BYSTANDER].put(source, 0, 0, BYTES);
                remotes[BYSTANDER].put(source, 0, BYTES, BYTES);
                wait.armed = true;
                member.fabric().flush(BYSTANDER);
                assertEquals(0, remotes[BYSTANDER].fetchOp(AtomicOp.SUM, DataType.INT64, 2 * BYTES, 7));
                wait.armed = false;
            }
            member.meet();
            if (member.index() == BYSTANDER && !member.fabric().isImmediate(0)) {
                assertEquals(-1, region.segment().asSlice(0, BYTES).mismatch(pattern(BYTES, 3)));
                assertEquals(-1, region.segment().asSlice(BYTES, BYTES).mismatch(pattern(BYTES, 3)));
                assertEquals(7, region.segment().get(LONG, 2 * BYTES));
            }
            member.meet();
        });
    }

    @Test
    default void theNextProcessOfARevokedPeerTakesItsNumber() throws Exception {
        members(3, member -> {
            MemoryRegion region = member.expose(4 * BYTES);
            member.connectAll();
            RemoteMemory[] remotes = member.attachAll(region);
            for (int incarnation = 1; incarnation <= 3; incarnation++) {
                if (member.index() == LOST) {
                    endIfMapped(member, member.reopen());
                    region = member.expose(4 * BYTES);
                    region.segment().set(LONG, 0, 100L + incarnation);
                }
                member.meet();
                if (member.index() != LOST) {
                    member.fabric().revoke(LOST);
                    assertThrows(MisuseException.class,
                        () -> member.fabric().connect(LOST, member.connectedBy(LOST)),
                        "a process that was revoked");
                }
                member.meet();
                RemoteMemory[] met = member.admit(LOST, region);
                RemoteMemory fresh = met[LOST];
                if (member.index() != LOST) {
                    assertEquals(100L + incarnation, fresh.getLong(0));
                    fresh.putLong(8L + 8 * member.index(), incarnation);
                    member.fabric().flush(LOST);
                    member.fabric().flushAll();
                    int other = BYSTANDER - member.index();
                    remotes[other].putLong(64, incarnation);
                    member.fabric().flush(other);
                }
                member.meet();
                if (member.index() == LOST) {
                    for (int peer : new int[] {0, BYSTANDER}) {
                        assertEquals(incarnation, region.segment().get(LONG, 8L + 8 * peer));
                        assertEquals(incarnation - 1, met[peer].fetchOp(AtomicOp.SUM, DataType.INT64, 72, 1));
                        assertEquals(incarnation, met[peer].getLong(64));
                    }
                }
                member.meet();
            }
        });
    }

    /** It was given an address, and this member has never connected to it. */
    @Test
    default void aProcessThatWasLetInAndNeverConnectedToIsCutOffToo() throws Exception {
        members(3, member -> {
            member.expose(BYTES);
            member.connectAll();
            for (int incarnation = 1; incarnation <= 3; incarnation++) {
                if (member.index() == LOST) {
                    endIfMapped(member, member.reopen());
                }
                member.meet();
                if (member.index() != LOST) {
                    member.fabric().revoke(LOST);
                }
                byte[][] addresses = member.exchange(member.fabric().address());
                if (member.index() == 0 && member.fabric().mustAsk(addresses[LOST])) {
                    assertTrue(member.fabric().addressFor(LOST, addresses[LOST]).length > 0);
                }
                member.meet();
            }
        });
    }

    @Test
    default void nothingOfARevokedProcessLandsThoughItGoesOn() throws Exception {
        members(3, member -> {
            MemoryRegion region = member.expose(4 * BYTES);
            member.connectAll();
            RemoteMemory[] remotes = member.attachAll(region);
            if (isMapped(member) || member.fabric().isImmediate(0)) {
                return; // memory that is mapped cannot be taken away from a process that lives
            }
            if (member.index() == LOST) {
                MemorySegment source = pattern(BYTES, 5);
                for (int i = 0; i < 8; i++) {
                    remotes[0].put(source, 0, i % 2 * BYTES, BYTES);
                    remotes[0].op(AtomicOp.SUM, DataType.INT64, 2 * BYTES + 8 * i, 1);
                }
            }
            member.meet();
            MemorySegment seen = pattern(4 * BYTES, 1);
            if (member.index() == 0) {
                member.fabric().revoke(LOST);
                seen.copyFrom(region.segment());
            }
            member.meet();
            if (member.index() == LOST) {
                MemorySegment source = pattern(BYTES, 6);
                assertThrows(RuntimeException.class, () -> {
                    for (int i = 0; i < 1000; i++) {
                        remotes[0].put(source, 0, 0, BYTES);
                        remotes[0].putLong(3 * BYTES, i);
                        remotes[0].fetchOp(AtomicOp.SUM, DataType.INT64, 2 * BYTES, 1);
                    }
                }, "a revoked process got answers");
            }
            member.meet();
            for (int i = 0; i < 50; i++) {
                member.fabric().progress();
                member.meet();
            }
            if (member.index() == 0) {
                assertEquals(-1, region.segment().mismatch(seen), "an access of a revoked process landed");
            }
        });
    }

    @Test
    default void theOwnMemoryIsReachedAsBeforeWhenAnotherPeerIsRevoked() throws Exception {
        members(2, member -> {
            MemoryRegion region = member.expose(4 * BYTES);
            member.connectAll();
            RemoteMemory own = member.attachAll(region)[member.index()];
            if (member.index() == LOST) {
                endIfMapped(member, member.reopen());
            }
            member.meet();
            if (member.index() == 0) {
                MemorySegment source = pattern(BYTES, 5);
                MemorySegment got = pattern(BYTES, 6);
                own.put(source, 0, 0, BYTES);
                member.fabric().revoke(LOST);
                own.stream(source, 0, BYTES, BYTES);
                own.streamPart(source, 0, 2 * BYTES, BYTES);
                own.putLong(3 * BYTES, 77);
                member.fabric().flush(0);
                own.get(got, 0, BYTES, BYTES);
                member.fabric().flushLocal(0);
                assertEquals(-1, got.mismatch(source), "a get of what was streamed");
                assertEquals(77, own.fetchOp(AtomicOp.SUM, DataType.INT64, 3 * BYTES, 1));
                for (int i = 0; i < 3; i++) {
                    assertEquals(-1, region.segment().asSlice(i * BYTES, BYTES).mismatch(source), "part " + i);
                }
                region.segment().set(LONG, 3 * BYTES, 79);
                assertEquals(79, own.getLong(3 * BYTES));
            }
            member.meet();
        });
    }
}
