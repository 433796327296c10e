package org.ftrma;

import java.util.ServiceLoader;

/** The entry point of a program. */
public final class Ftrma {
    private Ftrma() {
    }

    /**
     * Runs a resilient program as the rank that this process plays, and returns when the whole job is done. The process
     * must have been started by {@code ./ftrma run}. Once in a process. What the program does afterwards counts: an
     * exception there, or a status of {@code System.exit} other than 0, makes the command fail.
     *
     * @param args the program's arguments, for messages only
     * @param program entered once, and again after each rollback
     * @throws FtrmaException if the process was not started as a rank, or what this rank did failed; {@link
     *     MisuseException} if it was run before. Where another rank fails the job, this one returns, and the command
     *     fails
     */
    public static void run(String[] args, Program program) {
        for (JobRuntime runtime : ServiceLoader.load(JobRuntime.class, Ftrma.class.getClassLoader())) {
            if (runtime.available()) {
                runtime.run(args, program);
                return;
            }
        }
        throw new FtrmaException(FtrmaException.Category.SETUP,
            "this process is not a rank of a job; start the program with: ./ftrma run --ranks N -- MainClass args");
    }
}
