package org.ftrma.apps.npb;

import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Program;

/** NAS MG: {@code ./ftrma npb mg --class A --ranks 2}, or {@code ./ftrma run … -- org.ftrma.apps.npb.Mg --class A}. */
public final class Mg implements Program {
    private static final String[] REHEARSED = {"--class", "S", "--iterations", "24", "--warm-up", "0"};

    private final MgOptions options;
    private final MgProgram program;

    /** What a spare makes, to rehearse; ranks warm up in their job. */
    Mg(String[] args) {
        options = MgOptions.parse(args);
        program = new MgProgram(options);
    }

    @Override
    public void run(Job job) {
        program.run(job);
    }

    /** Class S: it takes the same way, whatever the class of the job is. */
    @Override
    public Program rehearsal() {
        return new MgProgram(new MgOptions(MgOptions.parse(REHEARSED).common(), options.anySource(), null));
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new MgProgram(MgOptions.parse(args)));
    }
}
