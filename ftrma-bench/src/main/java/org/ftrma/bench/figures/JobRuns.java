package org.ftrma.bench.figures;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs commands. One thread. */
@FunctionalInterface
interface JobRuns {
    /**
     * Runs one to its end.
     *
     * @param arguments of the ftrma command, without {@code --json}
     * @return its JSON result
     * @throws IOException if it fails or does not verify, with what it printed
     */
    Map<String, Object> run(List<String> arguments) throws IOException, InterruptedException;

    /** Whether a program that is none of ours is there. */
    default boolean has(String program) {
        return false;
    }

    /**
     * Runs such a program to its end.
     *
     * @param directory in which it runs
     * @return the lines that it printed
     * @throws IOException if it fails, with what it printed
     */
    default List<String> other(Path directory, List<String> command) throws IOException, InterruptedException {
        throw new IOException(command.getFirst() + " is not there");
    }

    /** Where the sources of NPB are that the user has given; null: none. */
    default Path npb() {
        return null;
    }
}
