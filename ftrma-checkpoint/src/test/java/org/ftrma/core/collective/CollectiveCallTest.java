package org.ftrma.core.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Set;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.core.collective.CollectiveCall.Kind;
import org.ftrma.core.session.ControlDescriptor;
import org.junit.jupiter.api.Test;

/** What goes with a barrier's signal tells collectives apart. */
class CollectiveCallTest {
    private static long fingerprint(Kind kind, AtomicOp op, DataType type, int root, long bytes) {
        CollectiveCall call = new CollectiveCall();
        call.set(kind, op, type, root, bytes);
        return call.fingerprint();
    }

    @Test
    void differentKindsOperationsAndTypesHaveDifferentFingerprintsOf24Bits() {
        Set<Long> seen = new HashSet<>();
        for (Kind kind : Kind.values()) {
            for (AtomicOp op : AtomicOp.values()) {
                for (DataType type : DataType.values()) {
                    // only reductions have an operation and a type
                    boolean isFirst = op.ordinal() == 0 && type.ordinal() == 0;
                    long fingerprint = fingerprint(kind, op, type, 0, 8);
                    assertEquals(kind == Kind.ALL_REDUCE || isFirst, seen.add(fingerprint),
                        kind + " " + op + " " + type);
                    assertEquals(fingerprint, fingerprint & (1 << 24) - 1);
                    String other = new CollectiveCall().describeOther(fingerprint);
                    assertEquals(kind == Kind.ALL_REDUCE, other.contains(op + " " + type), other);
                }
            }
        }
    }

    @Test
    void differentSizesBelow64KiBAndDifferentRootsHaveDifferentFingerprints() {
        Set<Long> seen = new HashSet<>();
        for (long bytes = 0; bytes < 65_536; bytes++) {
            assertTrue(seen.add(fingerprint(Kind.BROADCAST, AtomicOp.SUM, DataType.INT64, 0, bytes)), "bytes=" + bytes);
        }
        seen.clear();
        for (int root = 0; root < 65_536; root++) {
            assertTrue(seen.add(fingerprint(Kind.BROADCAST, AtomicOp.SUM, DataType.INT64, root, 1 << 20)),
                "root=" + root);
        }
        long large = fingerprint(Kind.ALL_GATHER, AtomicOp.SUM, DataType.INT64, 0, 1L << 30);
        for (long more = 1; more < 4096; more++) {
            assertNotEquals(large, fingerprint(Kind.ALL_GATHER, AtomicOp.SUM, DataType.INT64, 0, (1L << 30) + more));
        }
    }

    @Test
    void aSignalHoldsTheNumberOfTheBarrierAndTheFingerprint() {
        long fingerprint = fingerprint(Kind.ALL_GATHER, AtomicOp.REPLACE, DataType.FLOAT64, 7, 65_535);
        for (long number : new long[] {0, 1, 77, (1L << 40) - 1}) {
            long signal = ControlDescriptor.signal(number, fingerprint);
            assertEquals(number, ControlDescriptor.number(signal));
            assertEquals(fingerprint, ControlDescriptor.fingerprint(signal));
        }
    }

    @Test
    void whatIsToldInTheControlRegionIsReadAsItWasCalled() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment control = arena.allocate(ControlDescriptor.BYTES, 8);
            CollectiveCall call = new CollectiveCall();
            call.set(Kind.BROADCAST, 3, 5_000_000_000L);
            call.tell(control, 41);
            call.set(Kind.ALL_REDUCE, AtomicOp.MAX, DataType.FLOAT64, 0, 24);
            call.tell(control, 42);
            assertEquals("broadcast of 5000000000 bytes from rank 3", read(control, 41));
            assertEquals("allReduce MAX FLOAT64 of 24 bytes", read(control, 42));
            assertEquals(call.toString(), read(control, 42));
            assertEquals("allReduce MIN FLOAT64", call.describeOther(fingerprint(Kind.ALL_REDUCE, AtomicOp.MIN,
                DataType.FLOAT64, 0, 24)));
            assertEquals("allReduce MAX FLOAT64 of another size or root",
                call.describeOther(fingerprint(Kind.ALL_REDUCE, AtomicOp.MAX, DataType.FLOAT64, 0, 32)));
        }
    }

    private static String read(MemorySegment control, long number) {
        long at = ControlDescriptor.calledOffset(number);
        assertEquals(number, control.get(ValueLayout.JAVA_LONG, at));
        return CollectiveCall.describe(control.get(ValueLayout.JAVA_LONG, at + 8),
            control.get(ValueLayout.JAVA_LONG, at + 16));
    }
}
