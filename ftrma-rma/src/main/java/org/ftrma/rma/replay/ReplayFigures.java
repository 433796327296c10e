package org.ftrma.rma.replay;

import org.ftrma.core.control.RecoveryFigures;

/** Figures of one recovery, for its result. Data thread only. */
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
