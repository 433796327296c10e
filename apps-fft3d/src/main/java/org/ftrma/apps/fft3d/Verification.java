package org.ftrma.apps.fft3d;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Compares checksums, pairs of doubles in a segment, with a class's reference. Pure functions: any thread. */
final class Verification {
    /** NPB's bound on |sum - reference| / |reference|. */
    static final double TOLERANCE = 1e-12;

    private Verification() {
    }

    /**
     * The largest relative error of the steps that have a reference; NaN if any of them is not a number.
     *
     * @param checksums one pair for each of {@code steps} time steps
     */
    static double largestError(FtClass problem, MemorySegment checksums, int steps) {
        double worst = 0;
        for (int t = 0; t < Math.min(steps, problem.checksums().size()); t++) {
            FtClass.Complex want = problem.checksums().get(t);
            double re = checksums.getAtIndex(ValueLayout.JAVA_DOUBLE, 2 * t) - want.re();
            double im = checksums.getAtIndex(ValueLayout.JAVA_DOUBLE, 2 * t + 1) - want.im();
            // Math.max passes NaN on.
            worst = Math.max(worst, Math.hypot(re, im) / Math.hypot(want.re(), want.im()));
        }
        return worst;
    }

    /** NPB's verdict; NaN fails. */
    static boolean passes(double error) {
        return error <= TOLERANCE;
    }

    /**
     * 16 hexadecimal digits that depend on every bit of every checksum (FNV-1a over the bytes): equal runs have equal
     * digests.
     */
    static String digest(MemorySegment checksums) {
        long hash = 0xcbf29ce484222325L;
        for (long i = 0; i < checksums.byteSize(); i++) {
            hash = (hash ^ checksums.get(ValueLayout.JAVA_BYTE, i) & 0xff) * 0x100000001b3L;
        }
        return String.format("%016x", hash);
    }
}
