package org.ftrma.bench.figures;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ftrma.launch.figures.Figure;

/**
 * Counts events per message: the nondeterminism of the NAS benchmarks (Open MPI-V, table I). Counts, which need no time
 * and no rounds.
 */
final class Events {
    private static final String PAPER = "MG B in the paper";
    /** The paper's: processes, percent. */
    private static final double[][] IN_THE_PAPER = {{4, 40.33}, {32, 29.35}, {64, 27.10}, {256, 22.23}, {512, 20.67},
        {1024, 19.99}};
    private static final List<String> PROGRAMS = List.of("cg", "is", "mg", "mg --any-source");

    private Events() {
    }

    /** Large classes are for few processes: all of them share this machine. */
    static List<Variant> variants(boolean quick) {
        List<Variant> variants = new ArrayList<>();
        for (String program : PROGRAMS) {
            if (quick) {
                add(variants, program, "S", 4);
            } else {
                add(variants, program, "S", 4, 8, 16);
                add(variants, program, "W", 4, 8, 16);
                add(variants, program, "A", 4);
            }
        }
        return variants;
    }

    private static void add(List<Variant> variants, String program, String problem, int... processes) {
        String name = program.substring(0, 2).toUpperCase(Locale.ROOT) + " " + problem + program.substring(2);
        for (int ranks : processes) {
            variants.add(Variant.of(name + ", " + ranks, "npb " + program + " --class " + problem
                + " --ranks " + ranks + " --warm-up 0 --checksums 1 --interval none --protocol pessimistic-v"));
        }
    }

    static Figure measure(Experiment which, boolean quick, JobRuns runs, RunProgress progress) throws IOException,
        InterruptedException {
        List<List<Object>> rows = new ArrayList<>();
        List<Variant> variants = which.variants(quick);
        for (Variant one : variants) {
            progress.begin(one.label());
            rows.add(row(one, runs.run(one.arguments())));
            progress.end();
        }
        for (double[] one : IN_THE_PAPER) {
            rows.add(Arrays.asList(PAPER, (int) one[0], null, null, one[1]));
        }
        return new Figure(which.label(), which.title(),
            List.of("program", "processes", "messages", "events", "percent"), rows,
            variants.stream().map(Variant::command).toList(), List.of(
            "messages: sent by all ranks, those of collectives among them; events: what is not determined by the "
            + "program, without the value of the clock that each rank takes at the end",
            "in the paper CG has none, as here; IS is not in it"));
    }

    private static List<Object> row(Variant one, Map<String, Object> json) {
        int cut = one.label().lastIndexOf(", ");
        long messages = sum(json, "sent");
        long events = sum(json, "events") - sum(json, "values");
        return List.of(one.label().substring(0, cut), Integer.parseInt(one.label().substring(cut + 2)), messages,
            events, 100.0 * events / messages);
    }

    /** Over all ranks. */
    private static long sum(Map<String, Object> json, String what) {
        long sum = 0;
        int ranks = (int) Experiment.number(json, "ranks");
        for (int rank = 0; rank < ranks; rank++) {
            String key = "messages." + what + "." + rank;
            if (!(Experiment.reports(json).get(key) instanceof Number number)) {
                throw new IllegalStateException("the job does not tell " + key + ": " + json);
            }
            sum += number.longValue();
        }
        return sum;
    }
}
