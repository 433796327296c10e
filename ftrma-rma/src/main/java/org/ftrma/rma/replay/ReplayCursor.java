package org.ftrma.rma.replay;

import java.lang.foreign.Arena;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.session.Waiter;
import org.ftrma.rma.log.LogReader;
import org.ftrma.rma.log.LogRecord;
import org.ftrma.rma.log.LogRegion;
import org.ftrma.rma.log.SeenSignals;

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

    /**
     * A cursor after what an image includes, in a log of results that a rank keeps. Where the log lacks records from
     * before that, all go back.
     *
     * @param mark where the image stands in the log
     */
    static ReplayCursor after(Waiter waiter, LogRegion region, int log, long mark, Arena arena) {
        LogReader reader = new LogReader(region, arena).open(log);
        if (reader.hasGap() && mark < reader.gapMark()) {
            throw reader.lacksUntold() ? waiter.fallBack(FallbackReason.CAUGHT_EXCEPTION, LogReader.UNTOLD)
                : waiter.fallBack(FallbackReason.LOG_GAP, region.layout().logName(region.home(), log)
                + " lacks records up to epoch " + reader.gapEc());
        }
        return new ReplayCursor(reader.seek(mark), true);
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

    /** The record is that of a wait for a signal: takes all of it, and goes on behind it. */
    void readWait(SeenSignals seen) {
        boolean isFirst = true;
        boolean more;
        do {
            seen.read(record(), isFirst);
            isFirst = false;
            more = record().more();
            advance();
        } while (more);
    }

    private void advance() {
        has = reader.next();
        repeatsLeft = has && hasRepeats ? reader.record().repeats() : 0;
    }
}
