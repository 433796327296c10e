package org.ftrma.apps.npb;

import org.ftrma.Ftrma;

/** NAS IS: {@code ./ftrma npb is --class A --ranks 2}, or {@code ./ftrma run … -- org.ftrma.apps.npb.Is --class A}. */
public final class Is {
    private Is() {
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new IsProgram(NpbOptions.parse(args)));
    }
}
