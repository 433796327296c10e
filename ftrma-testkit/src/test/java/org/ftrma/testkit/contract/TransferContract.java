package org.ftrma.testkit.contract;

import static org.ftrma.testkit.contract.ContractMember.LONG;
import static org.ftrma.testkit.contract.ContractMember.pattern;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Random;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;
import org.junit.jupiter.api.Test;

/** Puts, gets, requests, flushes and local copies. */
interface TransferContract extends Harnessed {
    VarHandle SIGNAL = ValueLayout.JAVA_LONG.varHandle();

    /** Lengths in bytes, and with them odd offsets. */
    int[] LENGTHS = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 255, 1024, 4095, 4096, 4097, 65_536, 1 << 20};

    /** The largest length plus room for odd offsets and a margin on both sides. */
    int REGION_BYTES = (1 << 20) + 256;

    @Test
    default void exposedMemoryIsZeroedAlignedAndKnownByBoundedNames() throws Exception {
        members(2, member -> {
            Fabric fabric = member.fabric();
            for (long bytes : new long[] {1, 8, 4096, 100_000}) {
                MemoryRegion region = member.expose(bytes);
                assertEquals(bytes, region.segment().byteSize());
                assertEquals(0, region.segment().address() & 4095, "page alignment");
                assertEquals(-1, region.segment().mismatch(pattern(bytes, 0).fill((byte) 0)));
                assertTrue(region.key().length <= 1024, "keyBytes=" + region.key().length);
            }
            assertTrue(fabric.address().length <= 4096, "addressBytes=" + fabric.address().length);
            assertFalse(fabric.info().name().isEmpty());
        });
    }

    @Test
    default void putsOfAllLengthsAndOffsetsLandWhereTheyShouldAndNowhereElse() throws Exception {
        members(2, member -> {
            MemoryRegion region = member.expose(REGION_BYTES);
            member.connectAll();
            RemoteMemory[] remotes = member.attachAll(region);
            for (int target = 0; target < 2; target++) {
                for (int i = 0; i < LENGTHS.length; i++) {
                    int length = LENGTHS[i];
                    int offset = 64 + i * 5 % 17;
                    int from = i * 3 % 11;
                    if (member.index() == 0) {
                        MemorySegment source = pattern(from + length, i);
                        remotes[target].put(source, from, offset, length);
                        member.fabric().flush(target);
                    }
                    member.meet();
                    if (member.index() == target) {
                        MemorySegment expected = pattern(REGION_BYTES, 0).fill((byte) 0);
                        MemorySegment.copy(pattern(from + length, i), from, expected, offset, length);
                        assertEquals(-1, region.segment().mismatch(expected),
                            "first wrong byte; length=" + length + " offset=" + offset);
                        region.segment().fill((byte) 0);
                    }
                    member.meet();
                }
            }
        });
    }

    @Test
    default void getsToTheHeapFetchWhatIsThere() throws Exception {
        members(2, member -> {
            MemoryRegion region = member.expose(REGION_BYTES);
            region.segment().copyFrom(pattern(REGION_BYTES, 40 + member.index()));
            member.connectAll();
            RemoteMemory[] remotes = member.attachAll(region);
            member.meet();
            int next = member.next();
            for (int length : LENGTHS) {
                MemorySegment got = MemorySegment.ofArray(new byte[length]);
                remotes[next].get(got, 0, 64, length);
                member.fabric().flush(next);
                assertEquals(-1, got.mismatch(pattern(REGION_BYTES, 40 + next).asSlice(64, length)),
                    "first wrong byte; length=" + length);
            }
            member.meet();
        });
    }

    @Test
    default void getsOfAllLengthsAndOffsetsFetchWhatIsThere() throws Exception {
        members(2, member -> {
            MemoryRegion region = member.expose(REGION_BYTES);
            region.segment().copyFrom(pattern(REGION_BYTES, 40 + member.index()));
            member.connectAll();
            RemoteMemory[] remotes = member.attachAll(region);
            for (int i = 0; i < LENGTHS.length; i++) {
                int target = i % 3 == 0 ? member.index() : member.next();
                int length = LENGTHS[i];
                int offset = i * 7 % 19;
                int to = i * 5 % 13;
                MemorySegment destination = pattern(to + length + 16, 9);
                MemorySegment expected = pattern(to + length + 16, 9);
                remotes[target].get(destination, to, offset, length);
                if ((i & 1) == 0) {
                    member.fabric().flushLocal(target);
                } else {
                    member.fabric().flush(target);
                }
                MemorySegment.copy(pattern(REGION_BYTES, 40 + target), offset, expected, to, length);
                assertEquals(-1, destination.mismatch(expected),
                    "first wrong byte; length=" + length + " offset=" + offset);
            }
            member.meet();
        });
    }

    @Test
    default void whatWillBeAccessedMayBeMadeReadyBeforeAndStaysAsItIs() throws Exception {
        members(2, member -> {
            MemoryRegion region = member.expose(REGION_BYTES);
            region.segment().copyFrom(pattern(REGION_BYTES, 50 + member.index()));
            member.connectAll();
            RemoteMemory[] remotes = member.attachAll(region);
            for (int target = 0; target < 2; target++) {
                for (long[] range : new long[][] {{0, 0}, {4097, 1}, {(1 << 20) - 1, 2}, {0, REGION_BYTES},
                    {REGION_BYTES - 1, 1}}) {
                    remotes[target].prefault(range[0], range[1]);
                }
                MemorySegment destination = pattern(REGION_BYTES, 9);
                remotes[target].get(destination, 0, 0, REGION_BYTES);
                member.fabric().flush(target);
                assertEquals(-1, destination.mismatch(pattern(REGION_BYTES, 50 + target)));
            }
            member.meet();
        });
    }

    @Test
    default void singleValuesTravelAlignedOrNot() throws Exception {
        members(2, member -> {
            MemoryRegion region = member.expose(4096);
            member.connectAll();
            RemoteMemory[] remotes = member.attachAll(region);
            long base = member.index() * 2048L;
            for (int target = 0; target < 2; target++) {
                for (int i = 0; i < 16; i++) {
                    long value = 0x0102030405060708L * (i + 1) ^ target;
                    long offset = base + target * 1024 + i * 24L + i % 8;
                    remotes[target].putLong(offset, value);
                    member.fabric().flush(target);
                    assertEquals(value, remotes[target].getLong(offset));
                    int half = (int) (value >>> 20);
                    remotes[target].putInt(offset + 8, half);
                    member.fabric().flush(target);
                    assertEquals(half, remotes[target].getInt(offset + 8));
                    assertEquals(value, remotes[target].getLong(offset));
                }
            }
            member.meet();
            for (int i = 0; i < 16; i++) {
                long offset = (1 - member.index()) * 2048L + member.index() * 1024 + i * 24L + i % 8;
                assertEquals(0x0102030405060708L * (i + 1) ^ member.index(), region.segment().get(LONG, offset));
            }
        });
    }

    @Test
    default void alignedValuesAreNeverSeenHalfWritten() throws Exception {
        members(3, member -> {
            MemoryRegion region = member.expose(64);
            member.connectAll();
            RemoteMemory home = member.attachAll(region)[0];
            for (int i = 0; i < 300; i++) {
                if (member.index() == 1) {
                    home.putLong(8, (i & 1) == 0 ? -1L : 0L);
                } else if (member.index() == 2) {
                    long seen = home.getLong(8);
                    assertTrue(seen == 0 || seen == -1, "half a value: " + Long.toHexString(seen));
                }
            }
            member.fabric().flushAll();
            member.meet();
        });
    }

    @Test
    default void aSourceMayBeReusedAfterFlushLocal() throws Exception {
        members(2, member -> {
            MemoryRegion region = member.expose(REGION_BYTES);
            member.connectAll();
            RemoteMemory remote = member.attachAll(region)[member.next()];
            for (int length : new int[] {8, 100, 5000, 1 << 20}) {
                MemorySegment source = pattern(length, length);
                remote.put(source, 0, 8, length);
                member.fabric().flushLocal(member.next());
                source.fill((byte) 0x55);
                member.fabric().flush(member.next());
                member.meet();
                assertEquals(-1, region.segment().asSlice(8, length).mismatch(pattern(length, length)),
                    "length=" + length);
                member.meet();
            }
        });
    }

    @Test
    default void requestsCompleteAndTheirBuffersAreFreeThen() throws Exception {
        members(2, member -> {
            int each = 3000;
            int count = 20;
            MemoryRegion region = member.expose((long) each * count);
            member.connectAll();
            RemoteMemory remote = member.attachAll(region)[member.next()];
            long[] handles = new long[count];
            MemorySegment[] buffers = new MemorySegment[count];
            for (int i = 0; i < count; i++) {
                buffers[i] = pattern(each, i);
                handles[i] = remote.requestPut(buffers[i], 0, (long) i * each, each);
            }
            for (int i = count - 1; i >= 0; i--) {
                awaitRequest(member, handles[i]);
                buffers[i].fill((byte) 0x77);
            }
            member.fabric().flush(member.next());
            member.meet();
            for (int i = 0; i < count; i++) {
                assertEquals(-1, region.segment().asSlice((long) i * each, each).mismatch(pattern(each, i)),
                    "put " + i);
                handles[i] = remote.requestGet(buffers[i], 0, (long) i * each, each);
            }
            for (int i = 0; i < count; i++) {
                awaitRequest(member, handles[i]);
                assertEquals(-1, buffers[i].mismatch(pattern(each, i)), "get " + i);
            }
            member.meet();
        });
    }

    private static void awaitRequest(ContractMember member, long handle) {
        for (int turn = 0; handle != 0 && !member.fabric().test(handle); turn++) {
            member.turn("test", turn);
        }
    }

    @Test
    default void flushAllCompletesAccessesToEveryPeer() throws Exception {
        members(4, member -> {
            int each = 700;
            MemoryRegion region = member.expose(4L * each);
            member.connectAll();
            RemoteMemory[] remotes = member.attachAll(region);
            MemorySegment source = pattern(each, member.index());
            MemorySegment seen = pattern(each, 99);
            for (RemoteMemory remote : remotes) {
                remote.put(source, 0, (long) member.index() * each, each);
            }
            member.fabric().flushAll();
            member.meet();
            for (int peer = 0; peer < 4; peer++) {
                assertEquals(-1, region.segment().asSlice((long) peer * each, each).mismatch(pattern(each, peer)),
                    "from " + peer);
            }
            remotes[member.next()].get(seen, 0, (long) member.next() * each, each);
            member.fabric().flushAll();
            assertEquals(-1, seen.mismatch(pattern(each, member.next())));
            member.meet();
        });
    }

    @Test
    default void whoeverSeesASignalAfterCompleteAllSeesWhatWasPutBefore() throws Exception {
        members(3, member -> {
            int each = 700;
            MemoryRegion region = member.expose(64L + 3L * each);
            member.connectAll();
            RemoteMemory remote = member.attachAll(region)[member.next()];
            for (int number = 1; number <= 50; number++) {
                remote.put(pattern(each, number), 0, 64, each);
                member.fabric().completeAll();
                remote.signal(0, number);
                for (int turn = 0; (long) SIGNAL.getAcquire(region.segment(), 0L) != number; turn++) {
                    member.turn("a signal", turn);
                }
                assertEquals(-1, region.segment().asSlice(64, each).mismatch(pattern(each, number)), "" + number);
                member.meet();
            }
            remote.signal(8, 1);
            member.fabric().flushAll();
            member.meet();
            assertEquals(1, region.segment().get(LONG, 8), "a flush is also of signals");
            member.meet();
        });
    }

    @Test
    default void aPeerThatWasNeverConnectedHasNothingToFlush() throws Exception {
        members(2, member -> {
            for (int peer : new int[] {0, 1, 7, 40, 1030}) {
                member.fabric().flush(peer);
                member.fabric().flushLocal(peer);
            }
            member.fabric().flushAll();
            member.connectAll();
            member.fabric().flush(member.next());
            member.fabric().flushLocal(1030);
        });
    }

    @Test
    default void accessesOutsideOfARegionAreRefused() throws Exception {
        members(2, member -> {
            MemoryRegion region = member.expose(4096);
            member.connectAll();
            RemoteMemory remote = member.attachAll(region)[member.next()];
            assertEquals(4096, remote.bytes());
            MemorySegment local = pattern(8192, 1);
            assertThrows(RuntimeException.class, () -> remote.put(local, 0, 4090, 7));
            assertThrows(RuntimeException.class, () -> remote.put(local, 0, -1, 4));
            assertThrows(RuntimeException.class, () -> remote.get(local, 0, 1, 4096));
            assertThrows(RuntimeException.class, () -> remote.put(local, 8190, 0, 4));
            assertThrows(RuntimeException.class, () -> remote.get(local, -1, 0, 4));
            assertThrows(RuntimeException.class, () -> remote.getLong(4089));
            assertThrows(RuntimeException.class, () -> remote.putLong(Long.MAX_VALUE - 3, 1));
            assertThrows(RuntimeException.class, () -> remote.getInt(4093));
            assertThrows(RuntimeException.class, () -> remote.putInt(4094, 1));
            member.fabric().flushAll();
            member.meet();
            assertEquals(-1, region.segment().mismatch(pattern(4096, 0).fill((byte) 0)));
            assertEquals(-1, local.mismatch(pattern(8192, 1)));
        });
    }

    @Test
    default void copiesAreExact() throws Exception {
        members(1, member -> {
            for (int i = 0; i < LENGTHS.length; i++) {
                int length = LENGTHS[i];
                int from = i * 3 % 11;
                int to = i * 7 % 13;
                MemorySegment target = pattern(to + length + 8, 3);
                MemorySegment expected = pattern(to + length + 8, 3);
                MemorySegment.copy(pattern(from + length, i), from, expected, to, length);
                member.fabric().copy(pattern(from + length, i), from, target, to, length);
                assertEquals(-1, target.mismatch(expected), "length=" + length);
            }
        });
    }

    @Test
    default void progressComesToRest() throws Exception {
        members(2, member -> {
            MemoryRegion region = member.expose(4096);
            member.connectAll();
            RemoteMemory remote = member.attachAll(region)[member.next()];
            remote.put(pattern(4096, 5), 0, 0, 4096);
            member.fabric().flush(member.next());
            member.meet();
            for (int turn = 0; member.fabric().progress() != 0; turn++) {
                member.turn("progress to rest", turn);
            }
            member.meet();
        });
    }

    @Test
    default void randomTrafficAgreesWithAModel() throws Exception {
        members(3, member -> {
            int slice = 20_000;
            MemoryRegion region = member.expose(3L * slice);
            member.connectAll();
            RemoteMemory[] remotes = member.attachAll(region);
            Random random = new Random(member.index() * 77L + 5);
            byte[][] model = new byte[3][slice];
            MemorySegment source = pattern(slice, member.index());
            MemorySegment result = pattern(slice, 0);
            for (int i = 0; i < 200; i++) {
                int target = random.nextInt(3);
                int offset = random.nextInt(slice);
                int length = random.nextInt(Math.min(slice - offset, 1 << random.nextInt(15)) + 1);
                long at = (long) member.index() * slice + offset;
                if (random.nextInt(3) > 0) {
                    int from = random.nextInt(slice - length + 1);
                    member.fabric().flush(target);
                    remotes[target].put(source, from, at, length);
                    MemorySegment.copy(source, from, MemorySegment.ofArray(model[target]), offset, length);
                } else {
                    member.fabric().flush(target);
                    remotes[target].get(result, 0, at, length);
                    member.fabric().flushLocal(target);
                    assertEquals(-1, result.asSlice(0, length)
                        .mismatch(MemorySegment.ofArray(model[target]).asSlice(offset, length)));
                }
            }
            member.fabric().flushAll();
            for (int target = 0; target < 3; target++) {
                byte[][] all = member.exchange(model[target]);
                if (member.index() == target) {
                    for (int peer = 0; peer < 3; peer++) {
                        byte[] mine = region.segment().asSlice((long) peer * slice, slice)
                            .toArray(ValueLayout.JAVA_BYTE);
                        assertEquals(-1, MemorySegment.ofArray(mine).mismatch(MemorySegment.ofArray(all[peer])),
                            "written by " + peer);
                    }
                }
            }
        });
    }
}
