package org.ftrma.rma.replay;

import org.ftrma.rma.log.LogReader;
import org.ftrma.rma.log.LogRecord;

/** A log that is replayed record by record: the present record is the next one to be consumed. Data thread only. */
final class ReplayCursor {
    private final LogReader reader;
    private final boolean hasRepeats;
    private boolean has;
    private long repeatsLeft;

    /** A cursor at the reader's next record. hasRepeats: a record may stand for several equal results. */
    ReplayCursor(LogReader reader, boolean hasRepeats) {
        this.reader = reader;
        this.hasRepeats = hasRepeats;
        advance();
    }

    /** Whether there is a record that was not consumed. */
    boolean has() {
        return has;
    }

    /** That record. */
    LogRecord record() {
        return reader.record();
    }

    /** The record is consumed, once: one that stands for several equal results is there again until all are used up. */
    void consume() {
        if (repeatsLeft > 0) {
            repeatsLeft--;
        } else {
            advance();
        }
    }

    private void advance() {
        has = reader.next();
        repeatsLeft = has && hasRepeats ? reader.record().repeats() : 0;
    }
}
