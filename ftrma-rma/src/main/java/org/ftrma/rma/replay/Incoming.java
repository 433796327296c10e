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
 * @param lockEvents how many locks its rank had taken and given back before it
 * @param data the bytes of a put; null for an atomic update
 * @param update null for a put
 */
record Incoming(int source, int window, long offset, long lockEvents, long gnc, MemorySegment data, Update update) {
    /**
     * What an atomic update did.
     *
     * @param replaces whether it does not depend on the value before
     * @param old value before
     * @param updated and after it
     */
    record Update(DataType type, boolean replaces, long old, long updated) {
    }

    /** What a record says, or null for one that changes nothing. stable: the memory of records stays as it is. */
    static Incoming of(int source, LogRecord record, boolean stable) {
        return switch (record.kind()) {
            case LogDescriptor.PUT -> {
                MemorySegment data = record.data().asSlice(record.dataOffset(), record.length());
                yield new Incoming(source, record.window(), record.offset(), record.lockEvents(), record.gnc(),
                    stable ? data : MemorySegment.ofArray(data.toArray(ValueLayout.JAVA_BYTE)), null);
            }
            case LogDescriptor.ATOMIC, LogDescriptor.COMPARE_AND_SWAP -> {
                DataType type = LogDescriptor.type(record.code());
                boolean replaces = record.kind() == LogDescriptor.ATOMIC
                    && LogDescriptor.op(record.code()) == AtomicOp.REPLACE;
                yield new Incoming(source, record.window(), record.offset(), record.lockEvents(), record.gnc(), null,
                    new Update(type, replaces, record.value(1), record.value(2)));
            }
            default -> null;
        };
    }

    boolean isPut() {
        return update == null;
    }

    /** Bytes of the window that it changes. */
    long length() {
        return isPut() ? data.byteSize() : update.type.bytes();
    }
}
