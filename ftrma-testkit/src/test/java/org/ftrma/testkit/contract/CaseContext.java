package org.ftrma.testkit.contract;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.Team;
import org.ftrma.Window;
import org.ftrma.WindowKind;

/**
 * Resources of a case of the window contract: the job, teams, and two windows that all cases share, empty at the
 * beginning of each. Failed checks throw, so that the job fails, wherever its ranks run. The rank's data thread only.
 */
final class CaseContext {
    static final long WINDOW_BYTES = 40_000;
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    final Job job;
    final Window window;
    final Window other;
    /** Whose size is no multiple of anything. */
    final Window odd;
    final Window unequal;
    final Team all;
    final Team halves;
    final Team others;
    final int rank;
    final int ranks;
    final int next;
    final int previous;

    CaseContext(Job job) {
        this.job = job;
        this.window = job.allocateWindow("contract", WINDOW_BYTES);
        this.other = job.allocateWindow("contract, scratch", WINDOW_BYTES, WindowKind.SCRATCH);
        this.odd = job.allocateWindow("contract, odd", 37);
        this.rank = job.rank();
        this.ranks = job.ranks();
        this.unequal = job.allocateUnequal("contract, unequal", 16L * rank + (ranks == 1 ? 8 : 0));
        this.all = job.team("contract, all", 0, -rank);
        this.halves = job.team("contract, halves", rank % 2, 0);
        this.others = job.team("contract, others", rank == 0 ? -1 : 7, 0);
        this.next = (rank + 1) % ranks;
        this.previous = (rank + ranks - 1) % ranks;
    }

    /** Empties the windows; collective. */
    void clear() {
        job.gsync();
        window.memory().fill((byte) 0);
        other.memory().fill((byte) 0);
        odd.memory().fill((byte) 0);
        job.gsync();
    }

    static MemorySegment local(long bytes) {
        return Arena.ofAuto().allocate(Math.max(8, bytes), 8).asSlice(0, bytes);
    }

    /** Local memory with a pattern. */
    static MemorySegment pattern(long bytes, int seed) {
        MemorySegment segment = local(bytes);
        for (long i = 0; i < bytes; i++) {
            segment.set(ValueLayout.JAVA_BYTE, i, ContractMember.patternByte(i, seed));
        }
        return segment;
    }

    void equal(Object expected, Object actual, String what) {
        if (!Objects.equals(expected, actual)) {
            throw new IllegalStateException("rank=" + rank + " " + what + ": expected " + expected + ", found "
                + actual);
        }
    }

    void same(MemorySegment expected, MemorySegment actual, String what) {
        long at = expected.mismatch(actual);
        if (at >= 0) {
            throw new IllegalStateException("rank=" + rank + " " + what + ": differs at byte " + at + " of "
                + expected.byteSize());
        }
    }

    void holds(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException("rank=" + rank + " " + what);
        }
    }

    /** The call must be refused, with a message that names all of the parts. */
    void misuse(String what, Runnable call, String... parts) {
        try {
            call.run();
        } catch (MisuseException e) {
            for (String part : parts) {
                if (!String.valueOf(e.getMessage()).contains(part)) {
                    throw new IllegalStateException("rank=" + rank + " " + what + ": the message does not name " + part
                        + ": " + e.getMessage(), e);
                }
            }
            return;
        }
        throw new IllegalStateException("rank=" + rank + " " + what + ": was accepted");
    }
}
