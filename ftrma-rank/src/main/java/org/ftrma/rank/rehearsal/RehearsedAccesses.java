package org.ftrma.rank.rehearsal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.Program;
import org.ftrma.Window;
import org.ftrma.WindowKind;

/**
 * Default rehearsal of spares: all common kinds of accesses, often enough to be compiled. Every rank writes what is its
 * own at the other one, and reads it after the next {@code gsync}. Data thread.
 */
public final class RehearsedAccesses implements Program {
    private static final int STEPS = 20;
    private static final int PUTS = 400;
    private static final int BLOCKS = 16;
    private static final int BYTES = 256;
    private static final long PART = (long) PUTS * BYTES;

    /** One for one rank. */
    public RehearsedAccesses() {
        // it has no state beside its windows
    }

    @Override
    public void run(Job job) {
        int self = job.rank();
        int other = 1 - self;
        Window state = job.allocateWindow("state", 4 * PART);
        Window field = job.allocateWindow("field", 2L * PUTS * BLOCKS * BYTES, WindowKind.SCRATCH);
        for (long step : job.steps(STEPS)) {
            MemorySegment memory = state.memory();
            for (int i = 0; i < PUTS; i++) {
                MemorySegment source = field.stage(other, (long) BLOCKS * BYTES);
                source.fill((byte) (step + i));
                field.putStrided(source, 0, BYTES, other, self * PART * BLOCKS + (long) i * BYTES, PART, BYTES, BLOCKS);
                state.putLong(step * i, other, self * PART + (long) i * Long.BYTES);
                state.put(memory, 2 * PART + (long) i * Long.BYTES, other,
                    self * PART + PART / 2 + (long) i * BYTES / 2, Long.BYTES);
            }
            job.gsync();
            long sum = 0;
            for (int i = 0; i < PUTS; i++) {
                sum += state.getLong(other, self * PART + (long) i * Long.BYTES);
                sum += state.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, other, 3 * PART + Long.BYTES * (long) (i % 8));
            }
            memory.set(ValueLayout.JAVA_LONG, 2 * PART, job.allReduce(AtomicOp.SUM, sum));
            job.gsync();
        }
    }
}
