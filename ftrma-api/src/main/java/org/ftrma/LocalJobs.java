package org.ftrma;

import java.util.List;

/** Found by {@link java.util.ServiceLoader}: runs jobs for {@link Ftrma#local(int, LocalOptions, LocalProgram)}. */
public interface LocalJobs {
    /**
     * Runs a job with processes of this one's class path; returns when all of it is gone.
     *
     * @param ranks computing ranks
     * @param name of the program, for people
     * @param mainClass with a main method, which calls {@link Ftrma#run}
     * @param arguments of that
     */
    LocalResult run(int ranks, LocalOptions options, String name, String mainClass, List<String> arguments);
}
