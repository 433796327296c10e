package org.ftrma.apps.npb;

import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Program;

/** NAS CG: {@code ./ftrma npb cg --class A --ranks 2}, or {@code ./ftrma run … -- org.ftrma.apps.npb.Cg --class A}. */
public final class Cg implements Program {
    private static final String[] REHEARSED = {"--class", "S", "--iterations", "24", "--warm-up", "0"};

    private final CgProgram program;

    /** What a spare makes, to rehearse; ranks warm up in their job. */
    Cg(String[] args) {
        program = new CgProgram(NpbOptions.parse(args));
    }

    @Override
    public void run(Job job) {
        program.run(job);
    }

    /** Class S: it takes the same way, whatever the class of the job is. */
    @Override
    public Program rehearsal() {
        return new CgProgram(NpbOptions.parse(REHEARSED));
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new CgProgram(NpbOptions.parse(args)));
    }
}
