package org.ftrma;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A protected record of primitives: {@link Job#protect(String, Class)}. It is what it was when the restored image was
 * taken, from the first step on; before that it can be read inside of {@link Job#initialize} only. The data thread,
 * or another one that computes for it in a step.
 *
 * @param <R> the record
 */
public final class RecordCell<R extends Record> {
    private final RecordShape<R> shape;
    private final MemorySegment memory;
    private final CellGate gate;

    /** Over the first bytes of protected memory. */
    RecordCell(RecordShape<R> shape, MemorySegment memory, CellGate gate) {
        this.shape = shape;
        this.memory = memory;
        this.gate = gate;
    }

    /**
     * A record of the values that are there; at generation 0 these are 0 and false. Allocates that record, and nothing
     * else.
     *
     * @throws MisuseException before the first step, outside of initialize
     */
    public R get() {
        gate.requireState();
        return read();
    }

    private R read() {
        try {
            return shape.type().cast((Record) shape.reader().invokeExact(memory));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw failed("read", e);
        }
    }

    /**
     * Sets all values. Allocates nothing.
     *
     * @throws MisuseException if the record is null
     */
    public void set(R values) {
        if (values == null) {
            throw new MisuseException("record " + shape.type().getName() + ": values is null");
        }
        try {
            for (MethodHandle writer : shape.writers()) {
                writer.invokeExact(memory, (Record) values);
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw failed("written", e);
        }
    }

    private FtrmaException failed(String what, Throwable cause) {
        return new FtrmaException(FtrmaException.Category.FATAL, "record " + shape.type().getName() + " cannot be "
            + what + ": " + cause, cause);
    }

    @Override
    public String toString() {
        return read().toString();
    }
}
