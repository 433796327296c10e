package org.ftrma.apps.fft3d;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import org.ftrma.Job;
import org.ftrma.Window;

/**
 * Adds up the ranks' shares of each time step's checksum at rank 0, without a barrier of its own: every rank puts its
 * share into a window of rank 0 and goes on; the next gsync, which is one of the next step's transform, completes the
 * put. Rank 0 adds the shares in the order of the ranks, so that the bits do not depend on who came first.
 *
 * <pre>
 * window (protected): slot of even steps, slot of odd steps; each: (re, im) of rank 0, of rank 1, ...
 * segment (protected): (re, im) of step 1, of step 2, ...; used by rank 0
 * </pre>
 *
 * A step boundary lies between a put and its use: that is why the window is protected. A slot is written again two
 * steps later, after a gsync that rank 0 enters only when it has read the slot. Data thread only.
 */
final class ChecksumReduction {
    private static final long PAIR_BYTES = 2 * Double.BYTES;

    private final Job job;
    private final boolean print;
    private final Window shares;
    private final MemorySegment checksums;
    private final MemorySegment sources = Arena.ofAuto().allocate(2 * PAIR_BYTES, Double.BYTES);

    /** Collective, before the steps. */
    ChecksumReduction(Job job, FtOptions options) {
        this.job = job;
        this.print = options.printChecksums();
        this.shares = job.allocateWindow("shares", 2 * PAIR_BYTES * job.ranks());
        this.checksums = job.protect("checksums", PAIR_BYTES * options.iterations());
    }

    /** Sends this rank's share of {@code step}. */
    void begin(long step, double[] share) {
        long source = (step & 1) * PAIR_BYTES;
        sources.set(ValueLayout.JAVA_DOUBLE, source, share[0]);
        sources.set(ValueLayout.JAVA_DOUBLE, source + Double.BYTES, share[1]);
        shares.put(sources, source, 0, slot(step) + job.rank() * PAIR_BYTES, PAIR_BYTES);
    }

    /** Collective: all of it once, ahead of the steps, the first of which does it again. */
    void rehearse(double[] share) {
        begin(1, share);
        job.gsync();
        if (job.rank() == 0) {
            add(1);
        }
    }

    /** After the gsync that follows {@link #begin} of this step; step 0 has none. Does nothing but at rank 0. */
    void complete(long step) {
        if (step == 0 || job.rank() != 0) {
            return;
        }
        add(step);
        if (print) {
            long at = (step - 1) * PAIR_BYTES;
            System.out.printf(Locale.ROOT, "T = %4d     Checksum = %20.12E %20.12E%n", step,
                checksums.get(ValueLayout.JAVA_DOUBLE, at),
                checksums.get(ValueLayout.JAVA_DOUBLE, at + Double.BYTES));
        }
    }

    private void add(long step) {
        MemorySegment slot = shares.memory();
        double re = 0;
        double im = 0;
        for (int r = 0; r < job.ranks(); r++) {
            re += slot.get(ValueLayout.JAVA_DOUBLE, slot(step) + r * PAIR_BYTES);
            im += slot.get(ValueLayout.JAVA_DOUBLE, slot(step) + r * PAIR_BYTES + Double.BYTES);
        }
        checksums.set(ValueLayout.JAVA_DOUBLE, (step - 1) * PAIR_BYTES, re);
        checksums.set(ValueLayout.JAVA_DOUBLE, (step - 1) * PAIR_BYTES + Double.BYTES, im);
    }

    private long slot(long step) {
        return (step & 1) * PAIR_BYTES * job.ranks();
    }

    /** The sums of all completed steps, at rank 0. */
    MemorySegment checksums() {
        return checksums;
    }
}
