package org.ftrma.rma.logging;

import org.ftrma.Counters;
import org.ftrma.FtrmaException;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.session.Inbox;
import org.ftrma.options.JobOptions;

/**
 * Says when a rank's logs did not fit the budget, and what budget would do; or ends the job then, if it is told to.
 * Data thread only.
 */
final class LogBudget {
    /**
     * Steps that must fit: until the low watermark is reached, until the rank that is asked reaches a boundary, until
     * its image is in the parity; and a log's last chunk is rarely full.
     */
    private static final long STEPS = 16;
    private static final long ROUND = 1L << 20;

    private final Inbox inbox;
    private final JobOptions options;
    private long put;
    private long got;
    private long mostInStep;
    private long dropped;

    LogBudget(Inbox inbox, JobOptions options) {
        this.inbox = inbox;
        this.options = options;
    }

    /** At a step boundary, and at the end of the program. */
    void check(Counters counters) {
        long inStep = counters.putLogBytes() - put + (options.ranks() - 1) * (counters.getLogBytes() - got);
        put = counters.putLogBytes();
        got = counters.getLogBytes();
        mostInStep = Math.max(mostInStep, inStep);
        if (counters.droppedLogs() > dropped) {
            boolean first = dropped == 0;
            dropped = counters.droppedLogs();
            String text = "the access logs do not fit --log-budget " + options.logBudgetBytes() / ROUND
                + "MiB: a log was dropped";
            String remedy = "; --log-budget " + enough() + "MiB would do";
            if (options.isLogOverflowError()) {
                throw new FtrmaException(FtrmaException.Category.FATAL, text + " (--log-overflow error)" + remedy);
            } else if (first) {
                inbox.send(new ControlMessage.Note(text
                    + ", and until the next checkpoint a loss may make all ranks go back" + remedy));
            }
        }
    }

    /** In MiB. */
    private long enough() {
        return Math.max(2 * options.logBudgetBytes(), STEPS * mostInStep) / ROUND + 1;
    }
}
