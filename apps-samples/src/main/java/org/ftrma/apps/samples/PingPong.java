package org.ftrma.apps.samples;

import org.ftrma.Ftrma;

/**
 * Messages there and back: {@code ./ftrma sample pingpong --ranks 2}, or
 * {@code ./ftrma run … -- org.ftrma.apps.samples.PingPong}.
 */
public final class PingPong {
    private PingPong() {
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new PingPongProgram(PingPongOptions.parse(args)));
    }
}
