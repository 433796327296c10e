package org.ftrma.apps.kvstore;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * CPU time of this thread in the second half of the inserts; in the first half, code is still linked and compiled.
 * Beside the time that passed, time on the processor says what a busy machine took away. Nothing of it is known of
 * virtual threads. Data thread only.
 */
final class Usage {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private long beginInsert;
    private long beginBytes;
    private long beginNanos;
    private long inserts;
    private long bytes;
    private long nanos;

    static long processorNanos() {
        return Thread.currentThread().isVirtual() ? 0 : THREADS.getCurrentThreadCpuTime();
    }

    private static long allocatedBytes() {
        return Thread.currentThread().isVirtual() ? 0 : THREADS.getCurrentThreadAllocatedBytes();
    }

    /** Before the insert of this number. */
    void begin(long insert) {
        beginInsert = insert;
        beginBytes = allocatedBytes();
        beginNanos = processorNanos();
    }

    /** Before the insert of this number, which there is not. */
    void end(long insert) {
        inserts = insert - beginInsert;
        bytes = allocatedBytes() - beginBytes;
        nanos = processorNanos() - beginNanos;
    }

    double bytesPerInsert() {
        return (double) bytes / inserts;
    }

    double nanosPerInsert() {
        return (double) nanos / inserts;
    }
}
