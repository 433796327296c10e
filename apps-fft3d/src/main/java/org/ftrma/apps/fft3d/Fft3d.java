package org.ftrma.apps.fft3d;

import org.ftrma.Ftrma;
import org.ftrma.MisuseException;

/**
 * NAS FT: {@code ./ftrma fft --class A --ranks 2}, or {@code ./ftrma run … -- org.ftrma.apps.fft3d.Fft3d --class A}.
 */
public final class Fft3d {
    private Fft3d() {
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new FtProgram(FtOptions.parse(args)));
    }

    /**
     * Checks a job's arguments before any process is started.
     *
     * @param args the program's arguments
     * @param ranks the number of computing ranks
     * @throws MisuseException with the argument, its value and what is allowed
     */
    public static void check(String[] args, int ranks) {
        FtOptions.parse(args).grid(ranks, 0);
    }
}
