package org.ftrma.rma.log;

import java.lang.foreign.MemorySegment;

/** Staging of puts to one rank, for {@link StagedPuts}. Data thread only. */
final class StagedPut {
    final LogWriter puts;
    /** What {@link AccessLog#stage} gave, until its put. */
    MemorySegment segment;
    int window;
    boolean isInLog;
    /** Where puts are packed that are logged later; null: none was yet. */
    PackingBuffers packing;
    /** Among the logs that data may be on its way to. */
    boolean isLate;

    StagedPut(LogWriter puts) {
        this.puts = puts;
    }

    /**
     * The peer is lost, and may come back on another host. What was staged for it is copied when it is put, and used
     * for nothing else, since that put may take its time then.
     */
    void forget() {
        segment = null;
        packing = null;
    }
}
