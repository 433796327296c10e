package org.ftrma.bench.figures;

import java.io.IOException;
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
}
