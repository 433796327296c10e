package org.ftrma.apps.samples;

import org.ftrma.Ftrma;

/**
 * A linear system by conjugate gradients: {@code ./ftrma sample cg --ranks 4}, or
 * {@code ./ftrma run … -- org.ftrma.apps.samples.ConjugateGradient}.
 */
public final class ConjugateGradient {
    private ConjugateGradient() {
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new CgProgram(CgOptions.parse(args)));
    }
}
