package org.ftrma.apps.samples;

import org.ftrma.Ftrma;

/**
 * Accounts under locks: {@code ./ftrma sample locks --ranks 4}, or
 * {@code ./ftrma run … -- org.ftrma.apps.samples.Locks}.
 */
public final class Locks {
    private Locks() {
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new LocksProgram(LocksOptions.parse(args)));
    }
}
