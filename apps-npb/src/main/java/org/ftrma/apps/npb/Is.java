package org.ftrma.apps.npb;

import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Program;

/** NAS IS: {@code ./ftrma npb is --class A --ranks 2}, or {@code ./ftrma run … -- org.ftrma.apps.npb.Is --class A}. */
public final class Is implements Program {
    private static final String[] REHEARSED = {"--class", "S", "--iterations", "24", "--warm-up", "0"};

    private final IsProgram program;

    /** What a spare makes, to rehearse; ranks warm up in their job. */
    Is(String[] args) {
        program = new IsProgram(NpbOptions.parse(args));
    }

    @Override
    public void run(Job job) {
        program.run(job);
    }

    /** Class S: it takes the same way, whatever the class of the job is. */
    @Override
    public Program rehearsal() {
        return new IsProgram(NpbOptions.parse(REHEARSED));
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new IsProgram(NpbOptions.parse(args)));
    }
}
