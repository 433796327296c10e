package org.ftrma.bench.figures;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.launch.figures.Figure;

/**
 * Messages of 1 byte to 8 MiB there and back, as NetPIPE sends them: logged, and logged where receives name no source,
 * against the same without protection; also with an event logger that acknowledges; and beside them with MPI where that
 * is installed.
 */
final class PingPong {
    private static final int SIZES = 24;
    /** Those before the last ones are for the compilers. */
    private static final int STEPS = 3 * SIZES;
    /** Each message waits for a process that shares the cores: some milliseconds. */
    private static final int ACKNOWLEDGED = 20;
    private static final int REPETITIONS = 2000;
    private static final int QUICK_REPETITIONS = 50;
    private static final Pattern MICROS = Pattern.compile("^([0-9.]+) us");

    private PingPong() {
    }

    private static int steps(boolean quick) {
        return quick ? 2 * SIZES : STEPS;
    }

    private static int repetitions(boolean quick) {
        return quick ? QUICK_REPETITIONS : REPETITIONS;
    }

    static List<Variant> variants(boolean quick) {
        String pingPong = "sample pingpong --ranks 2 --steps " + steps(quick) + " --repetitions ";
        String job = pingPong + repetitions(quick);
        String logged = " --checksums 1 --interval none --protocol pessimistic-v";
        return List.of(Variant.of("none", job + " --protocol none"), Variant.of("named", job + logged),
            Variant.of("any", job + logged + " --any-source"), Variant.of("acknowledged", pingPong
            + Math.min(repetitions(quick), ACKNOWLEDGED) + logged + " --event-logger active --any-source"));
    }

    static Figure measure(Experiment which, boolean quick, JobRuns runs, RunProgress progress) throws IOException,
        InterruptedException {
        int rounds = which.rounds(quick);
        List<Variant> variants = new ArrayList<>(which.variants(quick));
        try (MpiPingPong mpi = new MpiPingPong(runs)) {
            mpi.make();
            if (mpi.isMade()) {
                variants.add(MpiPingPong.variant(steps(quick), repetitions(quick)));
                progress.more(rounds);
            }
            List<InTurn> all = InTurn.run(variants, rounds, json -> micros(json, 1), mpi, progress);
            return figure(which, all, mpi.whyNot(), version(mpi, runs));
        }
    }

    private static String version(MpiPingPong mpi, JobRuns runs) throws IOException, InterruptedException {
        return mpi.isMade() ? runs.other(Path.of("."), List.of(MpiProgram.MPIRUN, "--version")).getFirst()
            : "";
    }

    private static Figure figure(Experiment which, List<InTurn> all, String whyNot, String version) {
        boolean isThere = whyNot.isEmpty();
        List<String> heads = new ArrayList<>(List.of("bytes", "noneMicros", "noneMBs", "named", "namedLeast",
            "namedGreatest", "any", "anyLeast", "anyGreatest", "acknowledged", "acknowledgedLeast",
            "acknowledgedGreatest"));
        List<Integer> curves = new ArrayList<>(List.of(3, 6, 9));
        List<String> notes = new ArrayList<>(List.of("noneMicros: half of a round trip without protection; named, any, "
            + "acknowledged (any, with --event-logger active): that time with pessimistic-v over it (its inverse is "
            + "the relative bandwidth), the median of all rounds, of which there are "
            + all.getFirst().results().size()));
        if (isThere) {
            heads.addAll(List.of("mpiMicros", "mpi"));
            curves.add(13);
            notes.add("mpi: that time with " + version + " over it");
        } else {
            notes.add("no column of MPI: " + whyNot);
        }
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < SIZES; i++) {
            long bytes = 1L << i;
            InTurn none = all.getFirst();
            double micros = none.median(json -> micros(json, bytes));
            List<Object> row = new ArrayList<>(List.of(bytes, micros, bytes / micros));
            for (InTurn one : all.subList(1, 4)) {
                Spread ratio = one.ratios(none, json -> micros(json, bytes));
                row.addAll(List.of(ratio.median(), ratio.least(), ratio.greatest()));
            }
            if (isThere) {
                InTurn mpi = all.getLast();
                row.add(mpi.median(json -> micros(json, bytes)));
                row.add(mpi.ratios(none, json -> micros(json, bytes)).median());
            }
            rows.add(row);
        }
        return new Figure(which.label(), which.title(), heads, rows, Experiment.commands(all), notes);
    }

    /** Half of a round trip of messages of that size. */
    private static double micros(Map<String, Object> json, long bytes) {
        Object told = Experiment.reports(json).get(bytes + " B");
        Matcher time = MICROS.matcher(told == null ? "" : told.toString());
        if (!time.find()) {
            throw new IllegalStateException("the ping-pong tells no time of " + bytes + " B: " + json);
        }
        return Double.parseDouble(time.group(1));
    }
}
