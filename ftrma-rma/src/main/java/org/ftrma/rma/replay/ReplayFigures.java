package org.ftrma.rma.replay;

import org.ftrma.core.control.RecoveryFigures;

/** What is counted and timed of one recovery, for its result. Data thread only. */
final class ReplayFigures {
    private final long[] figures = new long[RecoveryFigures.values().length];

    void set(RecoveryFigures figure, long value) {
        figures[figure.ordinal()] = value;
    }

    void count(RecoveryFigures figure) {
        figures[figure.ordinal()]++;
    }

    long[] all() {
        return figures;
    }
}
