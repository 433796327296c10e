package org.ftrma.apps.fft3d;

import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.Program;

/**
 * NAS FT: {@code ./ftrma fft --class A --ranks 2}, or {@code ./ftrma run … -- org.ftrma.apps.fft3d.Fft3d --class A}.
 */
public final class Fft3d implements Program {
    private static final String[] REHEARSED = {"--class", "S", "--iterations", "24", "--warm-up", "0"};

    private final FtProgram program;

    /** What a spare makes, to rehearse; ranks warm up in their job. */
    Fft3d(String[] args) {
        program = new FtProgram(FtOptions.parse(args));
    }

    @Override
    public void run(Job job) {
        program.run(job);
    }

    /** Class S: it takes the same way, whatever the class of the job is. */
    @Override
    public Program rehearsal() {
        return new FtProgram(FtOptions.parse(REHEARSED));
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new FtProgram(FtOptions.parse(args)));
    }

    /**
     * Checks a job's arguments before any process is started.
     *
     * @param args the program's arguments
     * @param ranks the number of computing ranks
     * @throws MisuseException with the argument, its value and what is allowed
     */
    public static void check(String[] args, int ranks) {
        FtOptions.parse(args).grid(ranks, 0);
    }
}
