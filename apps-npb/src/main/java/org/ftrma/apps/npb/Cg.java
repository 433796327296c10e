package org.ftrma.apps.npb;

import org.ftrma.Ftrma;

/** NAS CG: {@code ./ftrma npb cg --class A --ranks 2}, or {@code ./ftrma run … -- org.ftrma.apps.npb.Cg --class A}. */
public final class Cg {
    private Cg() {
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new CgProgram(NpbOptions.parse(args)));
    }
}
