package org.ftrma.apps.kvstore;

import org.ftrma.Ftrma;
import org.ftrma.Program;

/**
 * The key-value benchmark: {@code ./ftrma kv --ranks 2}, or
 * {@code ./ftrma run … -- org.ftrma.apps.kvstore.KvStore --inserts 1000}.
 */
public final class KvStore {
    private KvStore() {
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
