package org.ftrma.apps.fft3d;

/** Times of one rank by phase. One thread. */
final class PhaseTimes {
    /** What is told apart; stages include their puts. */
    enum Phase {
        /** Initial field and forward transform. */
        FORWARD("forward"),
        /** Before the first time step: memory and first image of the protection. */
        SETUP("setup"),
        /** Evolution, and the inverse transform in z. */
        EVOLVE_Z("evolveZ"),
        /** The inverse transforms in y and x. */
        INVERSE_XY("inverseXY"),
        /** Waiting for others. */
        FENCE("fence"),
        /** Checksum and its reduction. */
        CHECKSUM("checksum");

        private final String label;

        Phase(String label) {
            this.label = label;
        }

        /** The name in reports. */
        String label() {
            return label;
        }
    }

    private final long[] nanos = new long[Phase.values().length];
    private long mark;

    /** Starts the clock of the first phase that {@link #end ends}. */
    void begin() {
        mark = System.nanoTime();
    }

    /** Adds the time since the last begin or end to the phase. */
    void end(Phase phase) {
        long now = System.nanoTime();
        nanos[phase.ordinal()] += now - mark;
        mark = now;
    }

    double seconds(Phase phase) {
        return 1e-9 * nanos[phase.ordinal()];
    }
}
