package org.ftrma.testkit.contract;

import java.lang.foreign.MemorySegment;
import org.ftrma.Channel;
import org.ftrma.Job;

/** Resources of a case of the message contract. The rank's data thread only. */
final class MessageContext {
    /** The default of --eager. */
    static final int EAGER = 4096;
    static final int SLOT = 64 << 10;
    final Job job;
    final CaseContext checks;
    final Channel world;
    /** The ranks of the same parity. */
    final Channel half;
    /** All, in reverse. */
    final Channel reversed;
    /** All, for collectives that are refused: nothing else goes there. */
    final Channel unlike;
    final int rank;
    final int size;
    final int next;
    final int previous;

    MessageContext(Job job) {
        this.job = job;
        this.checks = new CaseContext(job);
        this.world = job.messages();
        this.rank = world.rank();
        this.size = world.size();
        this.half = world.split(rank % 2, rank);
        this.reversed = world.split(0, -rank);
        this.unlike = world.split(0, rank);
        this.next = (rank + 1) % size;
        this.previous = (rank + size - 1) % size;
    }

    void equal(Object expected, Object actual, String what) {
        checks.equal(expected, actual, what);
    }

    static MemorySegment local(long bytes) {
        return CaseContext.local(bytes);
    }

    static MemorySegment pattern(long bytes, int seed) {
        return CaseContext.pattern(bytes, seed);
    }
}
