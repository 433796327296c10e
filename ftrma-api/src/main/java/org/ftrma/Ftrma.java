package org.ftrma;

import java.util.List;
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
            "this process is not a rank of a job; start the program with: ./ftrma run --ranks N -- MainClass args; or, "
            + "from an IDE, by a main method that calls Ftrma.local(N, LocalOptions.none(), MainClass.class, args) and "
            + "has the artifact org.ftrma:ftrma-launch on its class path");
    }

    /**
     * Runs a job whose processes have the class path of this one, and returns when all of it is gone: from a main
     * method, an IDE or a test, without {@code ./ftrma}. This process is the launcher, and no rank; it needs
     * {@code ftrma-launch} on its class path. Modules of this process are on the class path of the job's processes: a
     * service that only a module-info provides is refused, since it would not be found there. What ranks print goes to
     * this process's output, and what goes wrong to its error output, too. An interrupt of the calling thread ends the
     * job. Any thread, also several at a time.
     *
     * @param ranks computing ranks
     * @param program run by each of them, in a process of its own
     * @return how it ended, also where it failed
     * @throws MisuseException if an option is wrong, or the program cannot be written into bytes
     */
    public static LocalResult local(int ranks, LocalOptions options, LocalProgram program) {
        String name = program.getClass().getName();
        int lambda = name.indexOf("$$Lambda");
        return jobs().run(ranks, options, lambda < 0 ? name : name.substring(0, lambda), LocalMain.class.getName(),
            List.of(LocalMain.write(program)));
    }

    /**
     * The same with a program that is a class with a main method, which calls {@link #run}.
     *
     * @param arguments of the main method
     */
    public static LocalResult local(int ranks, LocalOptions options, Class<?> main, String... arguments) {
        return jobs().run(ranks, options, main.getName(), main.getName(), List.of(arguments));
    }

    private static LocalJobs jobs() {
        return ServiceLoader.load(LocalJobs.class, Ftrma.class.getClassLoader()).findFirst()
            .orElseThrow(() -> new FtrmaException(FtrmaException.Category.SETUP,
                "no launcher is on the class path of this process; add the artifact org.ftrma:ftrma-launch"));
    }
}
