package org.ftrma.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ftrma.FtrmaException;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.Program;
import org.ftrma.apps.kvstore.KvStore;
import org.ftrma.apps.samples.Stencil;
import org.ftrma.core.control.RecoveryFigures;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.launch.JobReport;
import org.ftrma.launch.figures.Figure;
import org.ftrma.launch.figures.FigureFiles;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.SingleOption;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.ftrma.options.Protocol;
import org.ftrma.options.Units;
import org.ftrma.testkit.SimCluster;
import org.ftrma.testkit.SimResult;
import org.ftrma.testkit.SimulateOption;
import org.ftrma.testkit.programs.SimProgram;

/**
 * {@code simulate --scale}: the stencil and the key-value store on more and more simulated ranks, each rank with the
 * same work, once without failures
 * and once with a rank killed after a checkpoint; and how what is moved, logged and repeated grows. One thread.
 */
final class ScalingRun {
    private static final int FEWEST = 16;
    private static final int MOST = 1024;
    private static final int GROUP = 16;
    /** What the caller chooses. */
    private static final Set<SimulateOption> TAKEN = EnumSet.of(SimulateOption.RANKS, SimulateOption.SEED,
        SimulateOption.PROTOCOL,
        SimulateOption.JSON);
    private static final long STEP_LIMIT = 1_000_000_000L;
    /** After the commit: the rank is in its next step. */
    private static final long KILL_AFTER_NANOS = 20_000;
    private static final List<String> HEADS = List.of("ranks", "checksums", "accessesPerRank", "accessBytesPerRank",
        "framesPerRank",
        "frameBytesPerRank", "logBytesPerRank", "exposedBytes", "recovery", "recoveryAccesses", "recoveryFrames",
        "stepsRepeated",
        "resultsReplayed", "putsApplied", "simulatedMillis");

    private final PrintStream out;
    private final PrintStream err;

    /**
     * A program of which each rank does the same, however many there are.
     *
     * @param name what it is called
     * @param title of its table
     */
    private record Load(String name, String title, String interval) {
        Program program(int ranks) {
            if (name.equals("kv")) {
                return KvStore.program("--inserts 4 --batch 2 --slots 16 --work 0 --warm-up 0".split(" "));
            }
            int side = 4 * (int) Math.ceil(Math.sqrt(ranks));
            return Stencil.program(("--steps 4 --residual-every 2 --verify no --size " + side + "x" + side).split(" "));
        }
    }

    private static final List<Load> LOADS = List.of(
        new Load("stencil", "Stencil, 4 x 4 cells and 4 steps of each rank, on simulated ranks", "2"),
        new Load("kv", "Key-value store, 4 inserts of each rank, on simulated ranks", "1"));

    ScalingRun(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    int execute(GivenOptions given) {
        for (SimulateOption option : SimulateOption.values()) {
            if (given.has(option) && !TAKEN.contains(option)) {
                throw new MisuseException("--" + option.key() + ": --scale chooses that itself; it takes --ranks, "
                    + "--protocol, --seed and --out");
            }
        }
        int ranks = (int) Units.count(SimulateOption.RANKS.key(), given.text(SimulateOption.RANKS,
            Integer.toString(MOST)), FEWEST, MOST);
        long seed = given.number(SimulateOption.SEED);
        String protocol = given.text(SimulateOption.PROTOCOL, Protocol.FULL.word());
        Path directory = Path.of(given.text(SingleOption.OUT));
        FigureFiles files = new FigureFiles(directory, FigureFiles.origin("./ftrma simulate --scale --ranks " + ranks
            + " --protocol " + protocol
            + " --seed " + seed));
        List<Map<String, Object>> tables = new ArrayList<>();
        boolean good = true;
        for (Load load : LOADS) {
            List<List<Object>> rows = new ArrayList<>();
            for (int size : sizes(ranks)) {
                good &= measure(load, size, protocol, seed, rows);
            }
            Figure figure = new Figure("scaling-" + load.name(), load.title() + ", protocol " + protocol, HEADS, rows,
                List.of(),
                List.of("accesses: of other ranks, by calls of the fabric; frames: between ranks and the coordinator; "
                + "log bytes: of the run without "
                    + "failures;", "recovery: what the run with a killed rank has more of, all ranks together"));
            out.println(FigureFiles.table(figure));
            try {
                err.println("written: " + String.join(", ", files.write(figure).stream().map(Path::toString).toList()));
            } catch (IOException e) {
                throw new FtrmaException(FtrmaException.Category.SETUP, "--" + SingleOption.OUT.key() + "=" + directory
                    + ": cannot be written: "
                    + e.getMessage(), e);
            }
            tables.add(figure.json());
        }
        if (given.has(SimulateOption.JSON)) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("good", good);
            json.put("seed", seed);
            json.put("protocol", protocol);
            json.put("figures", tables);
            out.println(JobReport.text(json));
        }
        return good ? 0 : 1;
    }

    private static Iterable<Integer> sizes(int ranks) {
        TreeSet<Integer> sizes = new TreeSet<>(List.of(ranks));
        for (int size = FEWEST; size < ranks; size *= 4) {
            sizes.add(size);
        }
        return sizes;
    }

    /** Two runs; adds a row. Returns whether both ended as they should, with the same result. */
    private boolean measure(Load load, int ranks, String protocol, long seed, List<List<Object>> rows) {
        int checksums = Math.ceilDiv(ranks, GROUP);
        JobOptions options = JobOptions.builder().set(JobOption.RANKS, ranks).set(JobOption.CHECKSUMS,
            checksums).set(JobOption.SPARES, 1)
            .set(JobOption.PROTOCOL, protocol).set(JobOption.INTERVAL, load.interval()).set(JobOption.LOG_BUDGET,
            "1MiB")
            .set(JobOption.DEADLINE, "10m").set(JobOption.CUT_DEADLINE, "10m").set(JobOption.RECOVERY_DEADLINE,
            "30m").build();
        long begin = System.nanoTime();
        SimResult clean = new SimCluster(options, program(load, ranks), seed, STEP_LIMIT).run();
        SimResult hurt = new SimCluster(options, program(load, ranks), seed, STEP_LIMIT)
            .when(JobEvent.Committed.class, committed -> committed.step() > 0,
                cluster -> cluster.after(KILL_AFTER_NANOS, c -> c.kill(ranks / 2)))
            .run();
        String fault = !clean.succeeded() ? clean.story() : !hurt.succeeded() ? hurt.story() : same(clean, hurt) ? null
            : "the results differ";
        err.printf(Locale.ROOT, "%s on %d+%d ranks: %.1f s%s%n", load.name(), ranks, checksums,
            1e-9 * (System.nanoTime() - begin),
            fault == null ? "" : ", WRONG: " + fault);
        if (fault == null) {
            rows.add(row(ranks, checksums, clean, hurt));
        }
        return fault == null;
    }

    private static boolean same(SimResult clean, SimResult hurt) {
        Object digest = clean.outcome().reports().get("checksumDigest");
        return digest != null && digest.equals(hurt.outcome().reports().get("checksumDigest"));
    }

    private static SimProgram program(Load load, int ranks) {
        return new SimProgram() {
            private final Map<Integer, Program> programs = new TreeMap<>();

            @Override
            public String name() {
                return load.name();
            }

            /** Each process has a program of its own, as in a JVM of its own. */
            @Override
            public void run(Job job, Results results) throws Exception {
                Program mine;
                synchronized (programs) {
                    mine = job.incarnation() == 0 ? programs.computeIfAbsent(job.rank(), rank -> load.program(ranks))
                        : load.program(ranks);
                }
                mine.run(job);
            }
        };
    }

    private static List<Object> row(int ranks, int checksums, SimResult clean, SimResult hurt) {
        double each = ranks;
        long logged = 0;
        for (Map.Entry<String, Object> report : clean.outcome().reports().entrySet()) {
            boolean bytes = report.getKey().startsWith("log.") && (report.getKey().endsWith(".putBytes")
                || report.getKey().endsWith(".getBytes"));
            logged += bytes ? ((Number) report.getValue()).longValue() : 0;
        }
        long[] figures = new long[RecoveryFigures.values().length];
        String how = "none";
        long lost = 0;
        double millis = 0;
        for (SimResult.TimedEvent event : hurt.events()) {
            if (event.event() instanceof JobEvent.MemberLost) {
                lost = event.nanos();
            } else if (event.event() instanceof JobEvent.Replayed replayed) {
                figures = replayed.figures();
            } else if (event.event() instanceof JobEvent.Recovered recovered) {
                how = recovered.how();
                millis = 1e-6 * (event.nanos() - lost);
            }
        }
        long frames = clean.traffic().framesUp() + clean.traffic().framesDown();
        return List.of(ranks, checksums, clean.traffic().accesses() / each, clean.traffic().accessBytes() / each,
            frames / each,
            clean.traffic().frameBytes() / each, logged / each, clean.traffic().mostExposedBytes(), how,
            Math.max(0, hurt.traffic().accesses() - clean.traffic().accesses()),
            Math.max(0, hurt.traffic().framesUp() + hurt.traffic().framesDown() - frames),
            figures[RecoveryFigures.STEPS_REPEATED.ordinal()],
            figures[RecoveryFigures.RESULTS_REPLAYED.ordinal()], figures[RecoveryFigures.PUTS_APPLIED.ordinal()],
            millis);
    }
}
