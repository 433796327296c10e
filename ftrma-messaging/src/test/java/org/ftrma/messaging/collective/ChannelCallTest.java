package org.ftrma.messaging.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.junit.jupiter.api.Test;

/** Words that tell a collective. */
class ChannelCallTest {
    @Test
    void aCallTellsKindBytesAndRoot() {
        assertEquals("broadcast of 24 bytes from rank 5",
            ChannelCall.describe(ChannelCall.of(ChannelCall.Kind.BROADCAST, 5, 24)));
        assertEquals("barrier", ChannelCall.describe(ChannelCall.of(ChannelCall.Kind.BARRIER, 0, 0)));
    }

    @Test
    void aReductionTellsOperationAndType() {
        assertEquals("reduce SUM FLOAT64 of 16 bytes to rank 2",
            ChannelCall.describe(ChannelCall.of(ChannelCall.Kind.REDUCE, AtomicOp.SUM, DataType.FLOAT64, 2, 16)));
        assertEquals("allReduce MAX INT64 of 8 bytes",
            ChannelCall.describe(ChannelCall.of(ChannelCall.Kind.ALL_REDUCE, AtomicOp.MAX, DataType.INT64, 0, 8)));
    }

    @Test
    void oneThatDoesNotBlockIsAnotherCall() {
        long call = ChannelCall.of(ChannelCall.Kind.GATHER, 1, 8);
        assertNotEquals(call, ChannelCall.begun(call));
        assertTrue(ChannelCall.isBegun(ChannelCall.begun(call)));
        assertFalse(ChannelCall.isBegun(call));
        assertEquals("igather of 8 bytes of each rank to rank 1", ChannelCall.describe(ChannelCall.begun(call)));
    }

    @Test
    void allCallsAreDifferentAndNoneIsZero() {
        Set<Long> calls = new HashSet<>();
        int count = 0;
        for (ChannelCall.Kind kind : ChannelCall.Kind.values()) {
            for (int root : new int[] {0, 1, 1023}) {
                for (long bytes : new long[] {0, 1, 1L << 32}) {
                    calls.add(ChannelCall.of(kind, root, bytes));
                    calls.add(ChannelCall.begun(ChannelCall.of(kind, root, bytes)));
                    count += 2;
                }
            }
        }
        for (AtomicOp op : AtomicOp.values()) {
            calls.add(ChannelCall.of(ChannelCall.Kind.SCAN, op, DataType.FLOAT32, 0, 12));
            count++;
        }
        assertEquals(count, calls.size());
        assertNotEquals(0, ChannelCall.of(ChannelCall.Kind.BARRIER, 0, 0));
    }
}
