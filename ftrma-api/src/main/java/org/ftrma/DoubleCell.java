package org.ftrma;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A protected floating point number of 64 bits: {@link Job#protectDouble}. It is what it was when the restored image
 * was taken, from the first step on; before that it can be read inside of {@link Job#initialize} only. The data
 * thread, or another one that computes for it in a step; allocates nothing.
 */
public final class DoubleCell {
    /** Bytes of its memory. */
    static final long BYTES = 8;

    private final MemorySegment memory;
    private final CellGate gate;

    /** Over the first bytes of protected memory. */
    DoubleCell(MemorySegment memory, CellGate gate) {
        this.memory = memory;
        this.gate = gate;
    }

    /**
     * The value; 0 at generation 0.
     *
     * @throws MisuseException before the first step, outside of initialize
     */
    public double get() {
        gate.requireState();
        return memory.get(ValueLayout.JAVA_DOUBLE, 0);
    }

    /** Sets the value, with all its bits. */
    public void set(double value) {
        memory.set(ValueLayout.JAVA_DOUBLE, 0, value);
    }

    /** Adds to the value; returns the sum. Not atomic. */
    public double add(double summand) {
        double sum = get() + summand;
        set(sum);
        return sum;
    }

    @Override
    public String toString() {
        return Double.toString(memory.get(ValueLayout.JAVA_DOUBLE, 0));
    }
}
