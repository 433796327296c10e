package org.ftrma.check.race;

import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.Program;
import org.ftrma.spi.Clock;

/**
 * Runs a program and looks for races: two accesses of the same bytes, one of which writes, that are not both atomic,
 * when neither was complete before the other was issued as far as its rank could know. Such a program cannot be
 * replayed. What orders ranks (the synchronization order of the paper, section 2): collectives, locks, and atomic
 * accesses, or reads of 8 aligned bytes, that may see what an atomic update before them left. What completes accesses:
 * flush, unlock and gsync, for gets also flushLocal and requests. Within an epoch a rank's own accesses have no order.
 *
 * <p>A race is found whether or not its accesses met in this run; what the program would do in another order is not.
 * Synchronizing accesses to one rank take turns, so that their order is known; at each collective, and at the end of a
 * step where they {@linkplain org.ftrma.check.layer.Meeting meet}, the ranks tell each other what they did. Direct use
 * of {@link org.ftrma.Window#memory} is not seen, apart from sources and destinations.
 *
 * <p>Works on any {@link Job}, for runs without failures. A race is a {@link MisuseException} that names window, range,
 * ranks, steps and counters.
 */
public final class RaceCheck implements Program {
    private final Program program;
    private final Clock clock;
    private final long deadlineNanos;
    private boolean entered;

    /**
     * A check.
     *
     * @param program what is checked
     * @param clock the clock of the ranks
     * @param deadlineNanos how long a rank waits for another one at most
     */
    public RaceCheck(Program program, Clock clock, long deadlineNanos) {
        this.program = program;
        this.clock = clock;
        this.deadlineNanos = deadlineNanos;
    }

    @Override
    public void run(Job job) throws Exception {
        if (entered || job.incarnation() > 0) {
            throw new MisuseException("--check-races: a rank failed, and this check is for runs without failures");
        }
        entered = true;
        TracedJob traced = new TracedJob(job, clock, deadlineNanos);
        program.run(traced);
        traced.end();
    }
}
