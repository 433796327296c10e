package org.ftrma.apps.samples;

import org.ftrma.Ftrma;
import org.ftrma.Program;

/**
 * The Jacobi iteration: {@code ./ftrma sample stencil --ranks 4}, or
 * {@code ./ftrma run … -- org.ftrma.apps.samples.Stencil}.
 */
public final class Stencil {
    private Stencil() {
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, program(args));
    }

    /** The program that {@link #main} runs, with these arguments. */
    public static Program program(String[] args) {
        return new StencilProgram(StencilOptions.parse(args));
    }
}
