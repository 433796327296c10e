package org.ftrma.checkpoint;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.DataType;
import org.ftrma.checkpoint.log.LogDescriptor;
import org.ftrma.checkpoint.log.LogReader;

/**
 * An access of another rank to a lost rank's window.
 *
 * @param type of an atomic update; null for a put
 * @param sc the acquisition of the window's lock it was made under, 0: none
 * @param shared whether that was a shared one
 * @param data the bytes of a put
 * @param old value before an atomic update
 * @param updated and after it
 */
record Incoming(int source, int window, DataType type, long offset, long length, long sc, boolean shared, long gnc, MemorySegment data, long old,
    long updated) {
    /** The record at which a reader stands, or null for one that changes nothing. stable: the memory of records stays as it is. */
    static Incoming of(int source, LogReader record, boolean stable) {
        return switch (record.kind()) {
            case LogDescriptor.PUT -> {
                MemorySegment data = record.data().asSlice(record.dataOffset(), record.length());
                yield new Incoming(source, record.window(), null, record.offset(), record.length(), record.sc(), record.isShared(), record.gnc(),
                    stable ? data : MemorySegment.ofArray(data.toArray(ValueLayout.JAVA_BYTE)), 0, 0);
            }
            case LogDescriptor.ATOMIC, LogDescriptor.COMPARE_AND_SWAP -> {
                DataType type = LogDescriptor.type(record.code());
                yield new Incoming(source, record.window(), type, record.offset(), type.bytes(), record.sc(), record.isShared(), record.gnc(), null,
                    record.value(1), record.value(2));
            }
            default -> null;
        };
    }

    boolean isPut() {
        return type == null;
    }

    /** Whether this is a put of the lost rank itself, which was done when it was executed again. */
    boolean isDone() {
        return isPut() && data == null;
    }

    /** Whether acquisitions of the window's lock order the two. Shared locks are held at the same time. */
    boolean isOrderedByLocks(Incoming other) {
        return sc != other.sc && sc > 0 && other.sc > 0 && !(shared && other.shared);
    }

    long end() {
        return offset + length;
    }

    @Override
    public String toString() {
        return (isPut() ? "put" : "atomic access") + " of rank " + source + " to [" + offset + ", " + end() + ") of window " + window + ", SC " + sc
            + ", GNC " + gnc;
    }
}
