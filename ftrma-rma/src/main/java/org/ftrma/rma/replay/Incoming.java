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
     * @param defines whether what it leaves may not depend on the value before, alone or together with others
     * @param old value before
     * @param updated and after it
     */
    record Update(DataType type, boolean defines, long old, long updated) {
        /** What a record of a result or of LP says. */
        static Update of(LogRecord record) {
            DataType type = LogDescriptor.type(record.code());
            AtomicOp op = record.kind() == LogDescriptor.ATOMIC ? LogDescriptor.op(record.code()) : AtomicOp.REPLACE;
            boolean isTurnedBack = op == AtomicOp.BXOR
                || op == AtomicOp.SUM && type != DataType.FLOAT32 && type != DataType.FLOAT64;
            return new Update(type, !isTurnedBack, record.value(1), record.value(2));
        }
    }

    /** What a record says, or null for one that changes nothing. stable: the memory of records stays as it is. */
    static Incoming of(int source, LogRecord record, boolean stable) {
        return switch (record.kind()) {
            case LogDescriptor.PUT -> {
                MemorySegment data = record.data().asSlice(record.dataOffset(), record.length());
                yield new Incoming(source, record.window(), record.offset(), record.lockEvents(), record.gnc(),
                    stable ? data : MemorySegment.ofArray(data.toArray(ValueLayout.JAVA_BYTE)), null);
            }
            case LogDescriptor.ATOMIC, LogDescriptor.COMPARE_AND_SWAP ->
                new Incoming(source, record.window(), record.offset(), record.lockEvents(), record.gnc(), null,
                    Update.of(record));
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
