package org.ftrma.rank.control;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The machine's clock without the time in which this process did not run: it was stopped, or swapped out, or its
 * machine was suspended or moved. Time in which nobody ran counts against nobody, so deadlines are measured by this
 * clock. Who waits looks at it often, and the thread of the control connection at least every second; so a longer time
 * in which nobody looked, and in which the process hardly used the processor, is such a gap. Any thread.
 */
public final class RunningClock {
    /** That of this process. */
    public static final RunningClock HERE = new RunningClock(System::nanoTime, RunningClock::processorNanos);
    /** Somebody looks more often than that. */
    public static final long LOOK_NANOS = 1_000_000_000L;
    private static final long FRESH_NANOS = LOOK_NANOS / 2;
    private static final long GAP_NANOS = 2 * LOOK_NANOS;

    private final LongSupplier machine;
    private final LongSupplier processor;
    private volatile long lookedNanos;
    private volatile long lostNanos;
    private long processorNanos;

    /**
     * One of a process.
     *
     * @param machine the clock that goes on
     * @param processor processor time that the process has used
     */
    RunningClock(LongSupplier machine, LongSupplier processor) {
        this.machine = machine;
        this.processor = processor;
        this.lookedNanos = machine.getAsLong();
        this.processorNanos = processor.getAsLong();
    }

    private static long processorNanos() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    /** The time in ns, as {@link System#nanoTime} has it, less all gaps so far. */
    public long nanoTime() {
        while (true) {
            long lost = lostNanos;
            long now = machine.getAsLong();
            if (now - lookedNanos >= FRESH_NANOS) {
                look(now);
            }
            if (lost == lostNanos) { // else the process was stopped in between
                return now - lost;
            }
        }
    }

    private synchronized void look(long now) {
        long since = now - lookedNanos;
        if (since < FRESH_NANOS) {
            return; // another thread has looked
        }
        long used = processor.getAsLong();
        if (since >= GAP_NANOS && used - processorNanos < since / 2) {
            lostNanos += since;
        }
        processorNanos = used;
        lookedNanos = now;
    }
}
