package org.ftrma.testkit.contract;

import static org.ftrma.testkit.contract.ContractMember.INT;
import static org.ftrma.testkit.contract.ContractMember.LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.BitSet;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.spi.Elements;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;
import org.junit.jupiter.api.Test;

/** Atomic accesses: every operation on every type, alone and against each other. */
interface AtomicContract extends Harnessed {
    /** Operand values that reach the corners; as raw bits of the type. */
    private static long[] values(DataType type) {
        return switch (type) {
            case INT8 -> new long[] {0, 1, -1, 5, Byte.MIN_VALUE, Byte.MAX_VALUE, 0x12};
            case INT16 -> new long[] {0, 1, -1, 5, Short.MIN_VALUE, Short.MAX_VALUE, 0x1234};
            case INT32 -> new long[] {0, 1, -1, 5, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x12345678};
            case UINT32 -> new long[] {0, 1, 0xffff_ffffL, 5, 0x8000_0000L, Integer.MAX_VALUE, 0x12345678};
            case UINT64 -> new long[] {0, 1, -1, 5, Long.MIN_VALUE, Long.MAX_VALUE, 0x123456789ABCDEFL};
            case INT64 -> new long[] {0, 1, -1, 5, Long.MIN_VALUE, Long.MAX_VALUE, 0x123456789ABCDEFL};
            case FLOAT32 -> new long[] {Integer.toUnsignedLong(Float.floatToRawIntBits(0.0f)), 0x8000_0000L,
                Float.floatToRawIntBits(1.5f), Integer.toUnsignedLong(Float.floatToRawIntBits(-3e30f)),
                Float.floatToRawIntBits(Float.POSITIVE_INFINITY)};
            case FLOAT64 -> new long[] {Double.doubleToRawLongBits(0.0), Double.doubleToRawLongBits(-0.0),
                Double.doubleToRawLongBits(1.5),
                Double.doubleToRawLongBits(-3e100), Double.doubleToRawLongBits(Double.POSITIVE_INFINITY)};
        };
    }

    private static void store(MemoryRegion region, DataType type, long offset, long value) {
        Elements.write(type, region.segment(), offset, value);
    }

    private static long load(MemoryRegion region, DataType type, long offset) {
        return Elements.read(type, region.segment(), offset);
    }

    @Test
    default void everyOperationOnEveryTypeReturnsTheOldAndStoresTheNewValue() throws Exception {
        members(2, member -> {
            MemoryRegion region = member.expose(64);
            member.connectAll();
            RemoteMemory[] remotes = member.attachAll(region);
            for (int turn = 0; turn < 2; turn++) {
                // Member 0 works on member 1's memory, then on its own.
                int target = 1 - turn;
                for (DataType type : DataType.values()) {
                    for (AtomicOp op : AtomicOp.values()) {
                        if (op.supports(type)) {
                            exercise(member, region, remotes[target], target, op, type);
                        }
                    }
                }
            }
        });
    }

    private static void exercise(ContractMember member, MemoryRegion region, RemoteMemory remote, int target,
        AtomicOp op, DataType type) {
        long[] values = values(type);
        long at = switch (type.bytes()) {
            case 1 -> 21;
            case 2 -> 22;
            case 4 -> 20;
            default -> 16;
        };
        if (member.index() == target) {
            region.segment().fill((byte) 0x3C);
            store(region, type, at, values[3]);
        }
        member.meet();
        long expected = values[3];
        if (member.index() == 0) {
            String what = op + " " + type;
            for (int i = 0; i < values.length; i++) {
                if ((i & 1) == 0) {
                    assertEquals(expected, remote.fetchOp(op, type, at, values[i]), what);
                } else {
                    remote.op(op, type, at, values[i]);
                    member.fabric().flush(target);
                }
                expected = op.apply(type, expected, values[i]);
            }
            assertEquals(expected, remote.fetchOp(AtomicOp.NO_OP, type, at, 0), what);
        }
        member.meet();
        if (member.index() == target) {
            long last = values[3];
            for (long value : values) {
                last = op.apply(type, last, value);
            }
            assertEquals(last, load(region, type, at), op + " " + type);
            for (int offset = 0; offset < 64; offset++) {
                if (offset < at || offset >= at + type.bytes()) {
                    assertEquals(0x3C, region.segment().get(ValueLayout.JAVA_BYTE, offset),
                        "a neighbour was changed by " + op + " " + type);
                }
            }
        }
        member.meet();
    }

    @Test
    default void concurrentFetchingSumsGiveEveryValueOnce() throws Exception {
        int each = 300;
        members(3, member -> {
            for (DataType type : new DataType[] {DataType.INT64, DataType.INT32}) {
                MemoryRegion region = member.expose(64);
                member.connectAll();
                RemoteMemory home = member.attachAll(region)[1];
                ByteBuffer mine = ByteBuffer.allocate(each * 8);
                long last = -1;
                for (int i = 0; i < each; i++) {
                    long old = home.fetchOp(AtomicOp.SUM, type, type.bytes() == 4 ? 12 : 8, 1);
                    assertTrue(old > last, "went back from " + last + " to " + old);
                    last = old;
                    mine.putLong(old);
                }
                BitSet seen = new BitSet();
                for (byte[] one : member.exchange(mine.array())) {
                    ByteBuffer buffer = ByteBuffer.wrap(one);
                    while (buffer.hasRemaining()) {
                        int value = (int) buffer.getLong();
                        assertTrue(!seen.get(value), "drawn twice: " + value);
                        seen.set(value);
                    }
                }
                assertEquals(3 * each, seen.cardinality());
                assertEquals(3 * each, seen.length());
            }
        });
    }

    @Test
    default void concurrentUpdatesOfEachKindLoseNothing() throws Exception {
        members(4, member -> {
            MemoryRegion region = member.expose(128);
            member.connectAll();
            if (member.index() == 0) {
                region.segment().set(LONG, 16, -1L);
                region.segment().set(LONG, 40, Long.MAX_VALUE);
            }
            member.meet();
            RemoteMemory home = member.attachAll(region)[0];
            for (int i = 0; i < 16; i++) {
                long bit = 1L << (member.index() * 16 + i);
                home.op(AtomicOp.SUM, DataType.INT64, 0, bit);
                home.op(AtomicOp.BOR, DataType.INT64, 8, bit);
                home.op(AtomicOp.BAND, DataType.INT64, 16, ~bit);
                home.op(AtomicOp.BXOR, DataType.INT64, 24, bit);
                home.op(AtomicOp.MAX, DataType.INT64, 32, member.index() * 100L + i);
                home.op(AtomicOp.MIN, DataType.INT64, 40, -(member.index() * 100L + i));
                home.op(AtomicOp.SUM, DataType.FLOAT64, 48, Double.doubleToRawLongBits(0.5));
                home.op(AtomicOp.SUM, DataType.INT32, 56, 1);
                home.op(AtomicOp.SUM, DataType.INT32, 60, -1);
                home.fetchOp(AtomicOp.MAX, DataType.FLOAT64, 64, Double.doubleToRawLongBits(member.index() + i / 16.0));
            }
            member.fabric().flush(0);
            member.meet();
            if (member.index() == 0) {
                assertEquals(-1L, region.segment().get(LONG, 0), "SUM");
                assertEquals(-1L, region.segment().get(LONG, 8), "BOR");
                assertEquals(0L, region.segment().get(LONG, 16), "BAND");
                assertEquals(-1L, region.segment().get(LONG, 24), "BXOR");
                assertEquals(315L, region.segment().get(LONG, 32), "MAX");
                assertEquals(-315L, region.segment().get(LONG, 40), "MIN");
                assertEquals(32.0, Double.longBitsToDouble(region.segment().get(LONG, 48)), "SUM of FLOAT64");
                assertEquals(64, region.segment().get(INT, 56), "SUM of INT32");
                assertEquals(-64, region.segment().get(INT, 60), "SUM of the INT32 beside it");
                assertEquals(3 + 15 / 16.0, Double.longBitsToDouble(region.segment().get(LONG, 64)), "MAX of FLOAT64");
            }
            member.meet();
        });
    }

    /** Bytes of one word, and what all have in common beside them. */
    @Test
    default void concurrentUpdatesOfNeighboursInAWordLoseNothing() throws Exception {
        members(3, member -> {
            MemoryRegion region = member.expose(64);
            member.connectAll();
            RemoteMemory home = member.attachAll(region)[1];
            int me = member.index();
            for (int i = 1; i <= 50; i++) {
                assertEquals(i - 1, home.fetchOp(AtomicOp.SUM, DataType.INT8, 8 + me, 1));
                home.op(AtomicOp.SUM, DataType.INT16, 14, 3);
                home.op(AtomicOp.SUM, DataType.INT8, 11, 1);
            }
            member.fabric().flush(1);
            member.meet();
            if (me == 1) {
                assertEquals(50 << 16 | 50 << 8 | 50, load(region, DataType.INT32, 8) & 0xffffff);
                assertEquals((byte) 150, load(region, DataType.INT8, 11), "INT8 goes round");
                assertEquals(450, load(region, DataType.INT16, 14));
                assertEquals(0, load(region, DataType.INT16, 12));
            }
            member.meet();
        });
    }

    @Test
    default void compareAndSwapSwapsExactlyWhenEqual() throws Exception {
        members(2, member -> {
            MemoryRegion region = member.expose(64);
            member.connectAll();
            RemoteMemory remote = member.attachAll(region)[member.next()];
            assertEquals(0, remote.compareAndSwap(DataType.INT64, 8, 0, Long.MIN_VALUE));
            assertEquals(Long.MIN_VALUE, remote.compareAndSwap(DataType.INT64, 8, 0, 7));
            assertEquals(Long.MIN_VALUE, remote.compareAndSwap(DataType.INT64, 8, Long.MIN_VALUE, 9));
            assertEquals(9, remote.getLong(8));
            assertEquals(0, remote.compareAndSwap(DataType.INT32, 20, 0, -5));
            assertEquals(-5, remote.compareAndSwap(DataType.INT32, 20, -5, 6));
            assertEquals(6, remote.compareAndSwap(DataType.INT32, 20, -5, 1));
            assertEquals(0, remote.compareAndSwap(DataType.INT8, 31, 0, 0xFB));
            assertEquals(-5, remote.compareAndSwap(DataType.INT8, 31, 0xFB, 6));
            assertEquals(6, remote.compareAndSwap(DataType.INT8, 31, -5, 1));
            assertEquals(0, remote.compareAndSwap(DataType.INT16, 28, 0, -7));
            assertEquals(-7, remote.compareAndSwap(DataType.INT16, 28, 0, 1));
            member.meet();
            assertEquals(6, load(region, DataType.INT32, 20));
            assertEquals(0, load(region, DataType.INT32, 16));
            assertEquals(0x0600FFF9, load(region, DataType.INT32, 28));
            member.meet();
        });
    }

    @Test
    default void countersBuiltOnCompareAndSwapLoseNothing() throws Exception {
        int each = 50;
        members(3, member -> {
            MemoryRegion region = member.expose(64);
            member.connectAll();
            RemoteMemory home = member.attachAll(region)[2];
            for (int i = 0; i < each; i++) {
                for (DataType type : new DataType[] {DataType.INT64, DataType.INT32}) {
                    long at = type == DataType.INT64 ? 0 : 12;
                    long seen = home.fetchOp(AtomicOp.NO_OP, type, at, 0);
                    for (int turn = 0;; turn++) {
                        long old = home.compareAndSwap(type, at, seen, seen + 1);
                        if (old == seen) {
                            break;
                        }
                        seen = old;
                        member.turn("compare-and-swap against others", turn);
                    }
                }
            }
            member.meet();
            assertEquals(3 * each, home.getLong(0));
            assertEquals(3 * each, home.fetchOp(AtomicOp.NO_OP, DataType.INT32, 12, 0));
            member.meet();
        });
    }
}
