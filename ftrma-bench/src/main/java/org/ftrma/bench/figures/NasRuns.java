package org.ftrma.bench.figures;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ftrma.launch.figures.Figure;

/**
 * Measures the cost of logging messages for NAS CG and MG without failures (Open MPI-V, figure 6a), and beside it the
 * speed of NPB's own programs, if the user has their sources.
 */
final class NasRuns {
    /** So long that what a job does once is little of it; their logs have room for all that they send. */
    private static final int CG_ITERATIONS = 60;
    private static final int MG_ITERATIONS = 20;
    private static final long PIECE = 64 << 10;

    private NasRuns() {
    }

    /** Without protection and with it, of one program after the other. */
    static List<Variant> variants(boolean quick) {
        List<Variant> variants = new ArrayList<>(pair("cg", quick, CG_ITERATIONS));
        variants.addAll(pair("mg", quick, MG_ITERATIONS));
        return variants;
    }

    private static List<Variant> pair(String program, boolean quick, int iterations) {
        String job = "npb " + program + " --class " + problem(quick) + " --ranks 2"
            + (quick ? " --warm-up 0.5" : " --iterations " + iterations);
        return List.of(Variant.of(program + " none", job + " --protocol none"), Variant.of(program + " logged", job
            + " --checksums 1 --interval none --protocol pessimistic-v" + (quick ? "" : " --message-log 512MiB")));
    }

    private static String problem(boolean quick) {
        return quick ? "W" : "A";
    }

    static Figure measure(Experiment which, boolean quick, JobRuns runs, RunProgress progress) throws IOException,
        InterruptedException {
        int rounds = which.rounds(quick);
        List<Variant> variants = which.variants(quick);
        List<InTurn> all = new ArrayList<>();
        List<List<Object>> rows = new ArrayList<>();
        String whyNot;
        try (NpbPrograms npb = new NpbPrograms(runs, problem(quick), List.of("cg", "mg"))) {
            npb.make();
            whyNot = npb.whyNot();
            if (npb.isMade()) {
                progress.more(2 * rounds);
            }
            for (int i = 0; i < variants.size(); i += 2) {
                List<Variant> some = new ArrayList<>(variants.subList(i, i + 2));
                String program = some.getFirst().label().substring(0, 2);
                if (npb.isMade()) {
                    some.add(npb.variant(program));
                }
                List<InTurn> measured = InTurn.run(some, rounds, which::value, npb, progress);
                rows.add(row(program.toUpperCase(Locale.ROOT), measured));
                all.addAll(measured);
            }
        }
        List<String> heads = new ArrayList<>(List.of("program", "noneSeconds", "loggedSeconds", "ratio", "leastRatio",
            "greatestRatio", "noneMops", "loggedMops", "logMiB", "checkpoints"));
        List<String> notes = new ArrayList<>(List.of("ratio: run time with pessimistic-v over that without protection, "
            + "the median of all rounds, of which there are " + rounds
            + "; logMiB: what the log of rank 0 had at the end"));
        if (whyNot.isEmpty()) {
            heads.add("npbMops");
            notes.add("npbMops: NPB's own program, compiled from " + runs.npb());
        } else {
            notes.add("no column of NPB's own programs: " + whyNot);
        }
        return new Figure(which.label(), which.title(), heads, rows, Experiment.commands(all), notes);
    }

    private static List<Object> row(String program, List<InTurn> measured) {
        InTurn none = measured.getFirst();
        InTurn logged = measured.get(1);
        List<Object> row = new ArrayList<>(List.of(program, none.median(), logged.median(), logged.medianRatio(),
            logged.leastRatio(), logged.greatestRatio(), none.median(NasRuns::mops), logged.median(NasRuns::mops),
            logged.median(NasRuns::logMebibytes), logged.median(json -> Experiment.number(json, "checkpoints")
            + Experiment.number(json, "demandCheckpoints"))));
        if (measured.size() > 2) {
            row.add(measured.getLast().median(NasRuns::mops));
        }
        return row;
    }

    private static double mops(Map<String, Object> json) {
        return Experiment.number(json, "mops");
    }

    private static double logMebibytes(Map<String, Object> json) {
        return Experiment.number(Experiment.reports(json), "messages.logPieces.0") * PIECE / (1 << 20);
    }
}
