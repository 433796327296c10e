package org.ftrma.apps.npb;

import org.ftrma.Ftrma;

/** NAS MG: {@code ./ftrma npb mg --class A --ranks 2}, or {@code ./ftrma run … -- org.ftrma.apps.npb.Mg --class A}. */
public final class Mg {
    private Mg() {
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new MgProgram(MgOptions.parse(args)));
    }
}
