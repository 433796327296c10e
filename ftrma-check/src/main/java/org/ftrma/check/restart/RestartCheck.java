package org.ftrma.check.restart;

import org.ftrma.Job;
import org.ftrma.Program;
import org.ftrma.spi.Clock;

/**
 * Runs a program so that every step is run twice from the same state: at the end of a step all ranks keep a copy of
 * their protected state, go back to the state before the step, and enter the program anew, as after a rollback; at its
 * end the state must be the same, bit for bit. So state that a program keeps in plain Java variables across steps is
 * found without any failure. Scratch windows are filled with rubbish in between.
 *
 * <p>For the second run to be comparable, accesses whose results may depend on the order of the ranks (gets, atomics,
 * locks) are numbered at their target in the first run and take place in the same order in the second one, and
 * {@link Job#nondeterministic} returns the same values. Every access and collective of the second run is compared with
 * that of the first as it is made. What a program changes of its protected state before the loop outside of
 * {@link Job#initialize}, and so again at every entry, is found, too. A step that the program breaks out of is run
 * once. Where the ranks do not {@linkplain org.ftrma.check.layer.Meeting meet} at the end of a step, that is run twice
 * together with those after it, up to one where they do.
 *
 * <p>Works on any {@link Job} that is not protected. A difference is a {@link org.ftrma.MisuseException} that names
 * step, rank, window and range.
 */
public final class RestartCheck implements Program {
    private final Program program;
    private final Clock clock;
    private final long deadlineNanos;

    /**
     * A check.
     *
     * @param program what is checked
     * @param clock the clock of the ranks
     * @param deadlineNanos the longest wait for an access of another rank that came before in the first run
     */
    public RestartCheck(Program program, Clock clock, long deadlineNanos) {
        this.program = program;
        this.clock = clock;
        this.deadlineNanos = deadlineNanos;
    }

    @Override
    public void run(Job job) throws Exception {
        CheckedJob checked = new CheckedJob(job, clock, deadlineNanos);
        while (true) {
            try {
                checked.enter();
                program.run(checked);
                checked.left();
                return;
            } catch (Again e) {
                checked.reentered();
            }
        }
    }

    /** Leaves the program to run the step again. Like {@link org.ftrma.spi.Unwind} it is not for programs. */
    static final class Again extends Error {
        private static final long serialVersionUID = 1L;

        Again() {
            super("the step is run again", null, false, false);
        }
    }
}
