package org.ftrma.testkit.contract;

import static org.ftrma.testkit.contract.ContractMember.LONG;
import static org.ftrma.testkit.contract.ContractMember.pattern;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.FtrmaException;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;
import org.junit.jupiter.api.Test;

/** Renewing connections, as after every failure: regions stay, old ways are cut off. */
interface RenewalContract extends Harnessed {
    @Test
    default void contentsAndKeysSurviveARenewal() throws Exception {
        members(3, member -> {
            MemoryRegion region = member.expose(10_000);
            region.segment().copyFrom(pattern(10_000, member.index()));
            byte[] key = region.key();
            member.connectAll();
            RemoteMemory[] before = member.attachAll(region);
            MemorySegment got = pattern(10_000, 50);
            for (int round = 0; round < 3; round++) {
                member.meet();
                member.fabric().renew();
                assertEquals(-1, MemorySegment.ofArray(key).mismatch(MemorySegment.ofArray(region.key())),
                    "the key changed");
                assertEquals(-1, region.segment().mismatch(pattern(10_000, member.index())), "the contents changed");
                member.meet();
                member.connectAll();
                RemoteMemory[] after = member.attachAll(region);
                for (int peer = 0; peer < 3; peer++) {
                    after[peer].get(got, 0, 0, 10_000);
                    member.fabric().flushLocal(peer);
                    assertEquals(-1, got.mismatch(pattern(10_000, peer)), "contents of " + peer);
                }
                member.meet();
                int next = member.next();
                long old = after[next].fetchOp(AtomicOp.SUM, DataType.INT64, 0, 1);
                member.meet();
                after[next].putLong(0, old);
                member.fabric().flush(next);
                member.meet();
                RemoteMemory stale = before[next];
                assertThrows(FtrmaException.class, () -> stale.putLong(8, 1), "a stale RemoteMemory was accepted");
                assertThrows(FtrmaException.class, () -> stale.getLong(8), "a stale RemoteMemory was accepted");
                member.meet();
                before = after;
            }
        });
    }

    @Test
    default void nothingFromBeforeARenewalLandsAfterIt() throws Exception {
        members(2, member -> {
            int each = 50_000;
            MemoryRegion region = member.expose(4L * each);
            member.connectAll();
            RemoteMemory remote = member.attachAll(region)[member.next()];
            MemorySegment source = pattern(each, 7);
            MemorySegment destination = pattern(each, 8);
            for (int i = 0; i < 4; i++) {
                remote.put(source, 0, (long) i * each, each);
                remote.op(AtomicOp.SUM, DataType.INT64, 8L * i, 3);
            }
            remote.get(destination, 0, 0, each);
            // Not flushed: some of it may be under way now.
            member.meet();
            member.fabric().renew();
            member.meet();
            MemorySegment seen = pattern(4L * each, 1).copyFrom(region.segment());
            MemorySegment result = pattern(each, 1).copyFrom(destination);
            member.meet();
            member.connectAll();
            RemoteMemory again = member.attachAll(region)[member.next()];
            for (int i = 0; i < 100; i++) {
                again.fetchOp(AtomicOp.NO_OP, DataType.INT64, 0, 0);
                member.fabric().progress();
            }
            member.meet();
            assertEquals(-1, region.segment().mismatch(seen), "an access from before the renewal landed here");
            assertEquals(-1, destination.mismatch(result), "a get from before the renewal wrote its destination");
            member.meet();
        });
    }

    @Test
    default void oneMemberMayRenewAndComeBackToOthersThatRenewLater() throws Exception {
        members(3, member -> {
            MemoryRegion region = member.expose(256);
            member.connectAll();
            member.attachAll(region);
            for (int turn = 0; turn < 3; turn++) {
                // One after the other, in an order that changes.
                for (int i = 0; i < 3; i++) {
                    if ((i + turn) % 3 == member.index()) {
                        member.fabric().renew();
                    }
                    member.meet();
                }
                member.connectAll();
                RemoteMemory remote = member.attachAll(region)[member.next()];
                remote.putLong(8L * turn, 100L * turn + member.index());
                member.fabric().flush(member.next());
                member.meet();
                assertEquals(100L * turn + (member.index() + 2) % 3, region.segment().get(LONG, 8L * turn));
                member.meet();
            }
        });
    }

    @Test
    default void aConnectionToTheSameNumberReplacesTheOldOne() throws Exception {
        members(3, member -> {
            MemoryRegion region = member.expose(64);
            region.segment().set(LONG, 0, 1000L + member.index());
            member.connectAll();
            byte[][] keys = member.exchange(region.key());
            member.fabric().connect(0, member.connectedBy(member.index()));
            assertEquals(1000L + member.index(), member.fabric().attach(0, keys[member.index()]).getLong(0));
            member.fabric().connect(0, member.connectedBy(member.next()));
            assertEquals(1000L + member.next(), member.fabric().attach(0, keys[member.next()]).getLong(0));
            member.meet();
        });
    }

    @Test
    default void regionsCloseOneByOneWhenNobodyUsesThemAnyMore() throws Exception {
        members(2, member -> {
            MemoryRegion first = member.expose(4096);
            MemoryRegion second = member.expose(8192);
            member.connectAll();
            member.attachAll(first)[member.next()].putLong(0, 1);
            RemoteMemory kept = member.attachAll(second)[member.next()];
            kept.putLong(16, 5);
            member.fabric().flushAll();
            member.meet();
            first.close();
            MemoryRegion third = member.expose(4096);
            assertEquals(-1, third.segment().mismatch(pattern(4096, 0).fill((byte) 0)), "new memory is not zeroed");
            RemoteMemory fresh = member.attachAll(third)[member.next()];
            fresh.putLong(8, 6);
            assertEquals(5, kept.getLong(16));
            member.fabric().flushAll();
            member.meet();
            assertEquals(6, third.segment().get(LONG, 8));
            member.meet();
        });
    }
}
