package org.ftrma.apps.samples;

import org.ftrma.Ftrma;

/** The Jacobi iteration: {@code ./ftrma sample stencil --ranks 4}, or {@code ./ftrma run … -- org.ftrma.apps.samples.Stencil}. */
public final class Stencil {
    private Stencil() {
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new StencilProgram(StencilOptions.parse(args)));
    }
}
