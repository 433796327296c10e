package org.ftrma.apps.npb;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.ftrma.Job;
import org.ftrma.Program;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.SimCluster;
import org.ftrma.testkit.SimResult;
import org.ftrma.testkit.programs.SimProgram;

/** A benchmark as a program of the simulator; its reports are its result. */
final class SimulatedNpb implements SimProgram {
    private static final long STEP_LIMIT = 40_000_000;
    private final String line;

    private SimulatedNpb(String line) {
        this.line = line;
    }

    /** What a benchmark reports on simulated ranks, under the schedule of a seed. */
    static Map<String, Object> reports(String line, int ranks, long seed) {
        JobOptions options = JobOptions.of(Map.of("ranks", "" + ranks, "path", seed % 2 == 0 ? "network" : "auto"));
        SimResult result = new SimCluster(options, new SimulatedNpb(line), seed, STEP_LIMIT).run();
        assertTrue(result.succeeded(), result::story);
        return result.outcome().reports();
    }

    @Override
    public String name() {
        return line.split(" ")[0];
    }

    private Program program() {
        List<String> words = List.of((line + " --warm-up 0").split(" +"));
        String[] args = words.subList(1, words.size()).toArray(String[]::new);
        return switch (words.getFirst()) {
            case "cg" -> new Cg(args);
            case "is" -> new Is(args);
            case "mg" -> new Mg(args);
            default -> throw new IllegalArgumentException(line);
        };
    }

    @Override
    public void run(Job job, Results results) throws Exception {
        program().run(job);
    }
}
