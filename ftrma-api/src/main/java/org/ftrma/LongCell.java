package org.ftrma;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A protected number of 64 bits: {@link Job#protectLong}. It is what it was when the restored image was taken, from
 * the first step on; before that it can be read inside of {@link Job#initialize} only. The data thread, or another
 * one that computes for it in a step; allocates nothing.
 */
public final class LongCell {
    /** Bytes of its memory. */
    static final long BYTES = 8;

    private final MemorySegment memory;
    private final CellGate gate;

    /** Over the first bytes of protected memory. */
    LongCell(MemorySegment memory, CellGate gate) {
        this.memory = memory;
        this.gate = gate;
    }

    /**
     * The value; 0 at generation 0.
     *
     * @throws MisuseException before the first step, outside of initialize
     */
    public long get() {
        gate.requireState();
        return memory.get(ValueLayout.JAVA_LONG, 0);
    }

    /** Sets the value. */
    public void set(long value) {
        memory.set(ValueLayout.JAVA_LONG, 0, value);
    }

    /** Adds to the value, with what overflows left out; returns the sum. Not atomic. */
    public long add(long summand) {
        long sum = get() + summand;
        set(sum);
        return sum;
    }

    @Override
    public String toString() {
        return Long.toString(memory.get(ValueLayout.JAVA_LONG, 0));
    }
}
