package org.ftrma.testkit.programs;

import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.ftrma.Job;
import org.ftrma.Program;

/**
 * A program for simulated jobs. Its final results depend on nothing but the number of ranks. What it has must be
 * Serializable only where a simulation has bugs in the protocol, whose classes are others.
 */
public interface SimProgram extends Serializable {
    /** Takes what a rank ends with; what is handed in later under the same name counts. */
    @FunctionalInterface
    interface Results {
        /** Copies the segment. */
        void store(String name, MemorySegment contents);
    }

    /** A short name for commands. */
    String name();

    /**
     * Whether its ranks look for changes that others make, again and again: a job that waits for time to pass then
     * takes very many steps.
     */
    default boolean polls() {
        return false;
    }

    /** One rank; as {@link org.ftrma.Program#run}. */
    void run(Job job, Results results) throws Exception;

    /**
     * What a process does that plays a rank: once, on its thread.
     *
     * @param rank takes the program that the process runs
     */
    default void begin(Results results, Consumer<Program> rank) {
        rank.accept(job -> run(job, results));
    }
}
