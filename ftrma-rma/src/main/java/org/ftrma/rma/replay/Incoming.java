package org.ftrma.rma.replay;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.rma.log.LogDescriptor;
import org.ftrma.rma.log.LogRecord;

/**
 * An access of another rank to a lost rank's window.
 *
 * @param type of an atomic update; null for a put
 * @param lockEvents how many locks its rank had taken and given back before it
 * @param data the bytes of a put
 * @param replaces whether it is an atomic update that does not depend on the value before
 * @param old value before an atomic update
 * @param updated and after it
 */
record Incoming(int source, int window, DataType type, long offset, long length, long lockEvents, long gnc,
    MemorySegment data, boolean replaces,
    long old, long updated) {
    /** What a record says, or null for one that changes nothing. stable: the memory of records stays as it is. */
    static Incoming of(int source, LogRecord record, boolean stable) {
        return switch (record.kind()) {
            case LogDescriptor.PUT -> {
                MemorySegment data = record.data().asSlice(record.dataOffset(), record.length());
                yield new Incoming(source, record.window(), null, record.offset(), record.length(), record.lockEvents(),
                    record.gnc(),
                    stable ? data : MemorySegment.ofArray(data.toArray(ValueLayout.JAVA_BYTE)), false, 0, 0);
            }
            case LogDescriptor.ATOMIC, LogDescriptor.COMPARE_AND_SWAP -> {
                DataType type = LogDescriptor.type(record.code());
                boolean replaces = record.kind() == LogDescriptor.ATOMIC
                    && LogDescriptor.op(record.code()) == AtomicOp.REPLACE;
                yield new Incoming(source, record.window(), type, record.offset(), type.bytes(), record.lockEvents(),
                    record.gnc(), null, replaces,
                    record.value(1), record.value(2));
            }
            default -> null;
        };
    }

    boolean isPut() {
        return type == null;
    }
}
