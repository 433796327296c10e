package org.ftrma.apps.kvstore;

import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Program;

/**
 * The key-value benchmark: {@code ./ftrma kv --ranks 2}, or
 * {@code ./ftrma run … -- org.ftrma.apps.kvstore.KvStore --inserts 1000}.
 */
public final class KvStore implements Program {
    private static final String[] REHEARSED = {"--inserts", "24000", "--batch", "1000", "--warm-up", "0"};

    private final KvProgram program;

    /** What a spare makes, to rehearse; ranks warm up in their job. */
    KvStore(String[] args) {
        program = new KvProgram(KvOptions.parse(args));
    }

    @Override
    public void run(Job job) {
        program.run(job);
    }

    @Override
    public Program rehearsal() {
        return new KvProgram(KvOptions.parse(REHEARSED));
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, program(args));
    }

    /** The program that {@link #main} runs, with these arguments. */
    public static Program program(String[] args) {
        return new KvProgram(KvOptions.parse(args));
    }

    /**
     * Checks a job's arguments before any process is started.
     *
     * @param args the program's arguments
     * @throws org.ftrma.MisuseException with the argument, its value and what is allowed
     */
    public static void check(String[] args) {
        KvOptions.parse(args);
    }

    /** The number of inserts of a rank in one step, with these arguments. */
    public static int batch(String[] args) {
        return KvOptions.parse(args).batch();
    }
}
