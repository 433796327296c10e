package org.ftrma.rank;

import java.util.function.Consumer;
import org.ftrma.Job;
import org.ftrma.JobRuntime;
import org.ftrma.Program;
import org.ftrma.check.race.RaceCheck;
import org.ftrma.check.restart.RestartCheck;
import org.ftrma.rank.control.RankCheck;
import org.ftrma.runtime.RankProcess;

/**
 * Connects a program's {@link org.ftrma.Ftrma#run} to the rank that its process plays. Bound to the thread that called
 * the program's main method.
 */
public final class LaunchedRuntime implements JobRuntime {
    private static final ScopedValue<LaunchedRank> CURRENT = ScopedValue.newInstance();

    /** Found by its name in META-INF/services. */
    public LaunchedRuntime() {
    }

    @Override
    public boolean available() {
        return CURRENT.isBound();
    }

    @Override
    public void run(String[] args, Program program) {
        CURRENT.get().run(program);
    }

    /** Calls {@code body} with the rank bound to this thread. */
    static <X extends Throwable> void call(LaunchedRank rank, ScopedValue.CallableOp<Void, X> body) throws X {
        ScopedValue.where(CURRENT, rank).call(body);
    }

    /** A rank, and how far a program was run on it. Data thread only, unless said otherwise. */
    static final class LaunchedRank {
        private final RankProcess rank;
        private final RankCheck check;
        private final Consumer<Job> atEnd;
        private volatile boolean entered;
        private volatile boolean failed;
        private boolean returned;
        private boolean warm;

        LaunchedRank(RankProcess rank, RankCheck check, Consumer<Job> atEnd) {
            this.rank = rank;
            this.check = check;
            this.atEnd = atEnd;
        }

        void run(Program program) {
            if (entered) {
                throw new org.ftrma.MisuseException("Ftrma.run was called a second time: a process plays one rank of "
                    + "one job;"
                    + " make both phases one program, or start a second job");
            }
            entered = true;
            Program entry = switch (check) {
                case NONE -> program;
                case RESTART -> new RestartCheck(program, rank.clock(), rank.options().deadlineNanos());
                case RACES -> new RaceCheck(program, rank.clock(), rank.options().deadlineNanos());
            };
            rank.runProgram(job -> {
                warmUp(program, job);
                entry.run(job);
                atEnd.accept(job);
            });
            returned = true;
        }

        /** A process that takes a lost rank's place was a spare, or has no time for it. */
        private void warmUp(Program program, Job job) {
            if (!warm && job.incarnation() == 0) {
                program.warmUp();
            }
            warm = true;
        }

        /** Ends the job: its program cannot begin. Once; a thread that ends the process, too. */
        void failedBeforeRun(String why) {
            if (!failed) {
                failed = true;
                rank.failedBeforeRun(why);
            }
        }

        /** Whether the program is still on its way to {@code Ftrma.run}. Any thread. */
        boolean isBeforeRun() {
            return !entered && !failed;
        }

        /** Tells the launcher what the program threw when the job was done. */
        void failedAfterRun(Throwable e) {
            rank.failedAfterEnd(e);
        }

        /** Whether {@code Ftrma.run} has returned. */
        boolean returned() {
            return returned;
        }

        boolean entered() {
            return entered;
        }
    }
}
