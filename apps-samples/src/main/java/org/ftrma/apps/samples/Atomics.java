package org.ftrma.apps.samples;

import org.ftrma.Ftrma;

/**
 * Tickets and a hash table: {@code ./ftrma sample atomics --ranks 4}, or
 * {@code ./ftrma run … -- org.ftrma.apps.samples.Atomics}.
 */
public final class Atomics {
    private Atomics() {
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new AtomicsProgram(AtomicsOptions.parse(args)));
    }
}
