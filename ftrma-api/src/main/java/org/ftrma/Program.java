package org.ftrma;

/**
 * A resilient program; see {@link Ftrma#run}. It may be entered several times: once at start, and again after each
 * rollback.
 */
@FunctionalInterface
public interface Program {
    /**
     * Runs on the rank's data thread.
     *
     * @param job the rank's view of the job, the same object at every entry
     * @throws Exception ends the job with exit code 1 and this exception's message
     */
    void run(Job job) throws Exception;

    /**
     * Runs what a process should have compiled before it is needed, such as the arithmetic of a step on a few thousand
     * numbers of its own, until it is: a process that takes a lost rank's place runs its first steps at full speed
     * then. It is called at most once in a process, on its data thread:
     * <ul>
     * <li>of each rank that begins with the job, when it enters the program for the first time;
     * <li>of a spare, while it waits for a role. A spare has not called the program's main method: it makes an object
     * of the main class, if that is a {@code Program} and has a constructor without parameters, or with the arguments
     * of main ({@code String[]}), and calls this method on it. One that has a role already when it comes to that does
     * without.
     * </ul>
     * There is no job yet: it computes, and leaves nothing that {@link #run} could see. A spare that is needed
     * meanwhile takes its role when it returns, so it should take a second at most. What it throws on a rank the
     * program has thrown; a spare tells so, and goes on without. Nothing calls it where a job is simulated.
     */
    default void warmUp() {
        // then a process compiles what it runs when it does so
    }

    /**
     * A small program that shares its code with this one, such as the same on a small grid: a spare of a job that
     * recovers single ranks runs it as a job of its own while it waits, so that its process has loaded and compiled
     * what a replacement runs, also of the library, in a replay as well as behind it. That job is one of two ranks, two
     * threads of the spare: it takes a checkpoint after every eighth step, one of its ranks is lost in the fifteenth,
     * and it runs several times, as long as there is time; some twenty steps of a few milliseconds are enough. It
     * leaves nothing: what it reports is dropped. A spare that is needed meanwhile takes its role at once. The spare
     * makes the object that it asks as {@link #warmUp} says, and asks one for each rank.
     *
     * @return null for one of the library's own, which puts and gets
     */
    default Program rehearsal() {
        return null;
    }
}
