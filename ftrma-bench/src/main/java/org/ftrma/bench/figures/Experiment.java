package org.ftrma.bench.figures;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ftrma.launch.figures.Figure;

/**
 * Experiments of the papers that are reproduced: of section 7 of the one on accesses, and of section 4 of that on
 * message logging (Open MPI-V). Each runs its jobs in turn ({@link InTurn}), and compares their times with those of the
 * first one.
 */
enum Experiment {
    /** The formula of section 5.2. */
    FIG10C("fig10c",
        "Probability of a catastrophic failure in a day, 4,000 processes of TSUBAME2.0 (paper: figure 10c)") {
        @Override
        int runs(boolean quick) {
            return 1;
        }

        @Override
        Figure measure(boolean quick, JobRuns runs, RunProgress progress) throws IOException, InterruptedException {
            Variant sweep = Variant.of("sweep", "pcf --machine tsubame2 --processes 4000 --sweep");
            progress.begin(sweep.label());
            Map<String, Object> result = runs.run(sweep.arguments());
            progress.end();
            List<List<Object>> rows = new ArrayList<>();
            for (Object one : (List<?>) result.get("points")) {
                Map<?, ?> point = (Map<?, ?>) one;
                if (Boolean.TRUE.equals(point.get("placeable"))) {
                    rows.add(List.of(point.get("percent"), point.get("checksums"), point.get("aware"),
                        point.get("pcfPerDay")));
                }
            }
            return new Figure(label(), title(), List.of("percent", "checksums", "aware", "pcfPerDay"), rows,
                List.of(sweep.command()),
                List.of("formula: " + result.get("formula")));
        }
    },
    /** Coordinated checkpoints. */
    FIG10D("fig10d", "NAS FFT without failures: coordinated checkpoints (paper: figure 10d)") {
        @Override
        List<Variant> variants(boolean quick) {
            String fft = quick ? "fft --class A --iterations 40 --ranks 2" : "fft --class B --iterations 120 --ranks 2";
            String often = quick ? "0.5s" : "2.7s";
            return List.of(Variant.of("none", fft + " --protocol none"),
                Variant.of("daly", fft + " --checksums 1 --protocol coordinated --mtbf 1h"),
                Variant.of("every " + often, fft + " --checksums 1 --protocol coordinated --interval " + often),
                Variant.of("files in tmpfs", fft + " --protocol none --files-every 9 --files " + ProcessRuns.TMPFS),
                Variant.of("files on disk", fft + " --protocol none --files-every 9 --files " + ProcessRuns.DISK));
        }
    },
    /** Demand checkpoints. */
    FIG11A("fig11a", "NAS FFT without failures: demand checkpoints against the log budget (paper: figure 11a)") {
        @Override
        List<Variant> variants(boolean quick) {
            String fft = quick ? "fft --class W --iterations 100 --ranks 2"
                : "fft --class A --iterations 100 --ranks 2";
            int unit = quick ? 16 : 256;
            List<Variant> variants = new ArrayList<>();
            variants.add(Variant.of("none", fft + " --protocol none"));
            for (int times = 1; times <= (quick ? 8 : 16); times *= 2) {
                variants.add(Variant.of(Integer.toString(unit * times),
                    fft + " --checksums 1 --protocol full --interval none --log-budget "
                    + unit * times + "MiB"));
            }
            return variants;
        }

        @Override
        Figure figure(List<InTurn> all, List<String> notes) {
            List<List<Object>> rows = new ArrayList<>();
            for (InTurn one : all.subList(1, all.size())) {
                rows.add(List.of(Integer.parseInt(one.variant().label()),
                    one.median(json -> number(json, "demandCheckpoints")),
                    one.median(json -> number(json, "checkpoints")), one.median(), one.medianRatio(), one.leastRatio(),
                    one.greatestRatio()));
            }
            return new Figure(label(), title(), List.of("budgetMiB", "demandCheckpoints", "coordinatedCheckpoints",
                "seconds", "ratio", "leastRatio",
                "greatestRatio"), rows, commands(all), notes);
        }
    },
    /** Access logging. */
    FIG11B("fig11b", "NAS FFT without failures: access logging (paper: figure 11b)") {
        @Override
        List<Variant> variants(boolean quick) {
            String fft = quick ? "fft --class W --iterations 100 --ranks 2"
                : "fft --class A --iterations 150 --ranks 2";
            String logged = " --checksums 1 --interval none --log-budget 1GiB --protocol ";
            return List.of(Variant.of("none", fft + " --protocol none"), Variant.of("full", fft + logged + "full"),
                Variant.of("ml", fft + logged + "ml"));
        }
    },
    /** Access logging of atomics. */
    FIG11C("fig11c", "Key-value store without failures: access logging (paper: figure 11c)") {
        @Override
        int runs(boolean quick) {
            return 1 + super.runs(quick);
        }

        @Override
        List<Variant> variants(boolean quick) {
            String kv = "kv --ranks 2 --slots 2000000 --inserts " + (quick ? 200_000 : 1_000_000);
            String logged = " --checksums 1 --interval none --log-budget 1GiB --protocol ";
            return List.of(Variant.of("none", kv + " --protocol none"), Variant.of("puts", kv + logged + "puts"),
                Variant.of("full", kv + logged + "full"), Variant.of("ml", kv + logged + "ml"));
        }

        /** The waits that make 7% of the time of the unprotected store inserting are those of all. */
        @Override
        Figure measure(boolean quick, JobRuns runs, RunProgress progress) throws IOException, InterruptedException {
            List<Variant> variants = variants(quick);
            List<String> first = new ArrayList<>(variants.getFirst().arguments());
            first.addAll(List.of("--work", "0.07"));
            progress.begin("how long to wait");
            Map<String, Object> result = runs.run(first);
            progress.end();
            String wait = Math.max(1, Math.round(number(reports(result), "meanWaitNanos"))) + "ns";
            List<Variant> alike = new ArrayList<>();
            for (Variant one : variants) {
                List<String> arguments = new ArrayList<>(one.arguments());
                arguments.addAll(List.of("--wait", wait));
                alike.add(new Variant(one.label(), arguments));
            }
            return figure(InTurn.run(alike, rounds(quick), this::value, runs, progress),
                List.of("all wait for " + wait + " on average between inserts: " + new Variant("", first).command()
                    + String.format(Locale.ROOT, " spent %.1f%% of its time inserting so",
                    100 * number(reports(result), "insertingShare"))));
        }
    },
    /** Recovery. */
    FIG12("fig12", "NAS FFT: recovery of a rank from its demand checkpoint (paper: figure 12)") {
        @Override
        int rounds(boolean quick) {
            return quick ? 1 : 5;
        }

        @Override
        List<Variant> variants(boolean quick) {
            String fft = "fft --class " + (quick ? "W" : "A") + " --iterations 30 --ranks 16";
            String budget = quick ? "8MiB" : "128MiB";
            String killed = " --spares 1 --interval none --protocol full --log-budget " + budget
                + " --kill 3@24 --seed 1 --checksums ";
            return List.of(Variant.of("none", fft + " --protocol none"), Variant.of("12.5%", fft + killed + "2"),
                Variant.of("6.25%", fft + killed + "1"));
        }

        @Override
        Figure figure(List<InTurn> all, List<String> notes) {
            List<List<Object>> rows = new ArrayList<>();
            for (InTurn one : all) {
                rows.add(Arrays.asList(one.variant().label(), one.median(), one.medianRatio(), one.leastRatio(),
                    one.greatestRatio(),
                    one.median(json -> number(json, "demandCheckpoints")),
                    one.median(json -> failure(json, "recoverMillis")),
                    one.median(json -> failure(json, "rebuildMillis")),
                    one.median(json -> failure(json, "stepsRepeated")),
                    one.median(json -> number(json, "localRecoveries"))));
            }
            return new Figure(label(), title(), List.of("checksums", "seconds", "ratio", "leastRatio", "greatestRatio",
                "demandCheckpoints",
                "recoverMillis", "rebuildMillis", "stepsRepeated", "byReplay"), rows, commands(all), notes);
        }

        private static double failure(Map<String, Object> json, String key) {
            List<?> failures = (List<?>) json.get("failures");
            Object value = failures == null || failures.isEmpty() ? null : ((Map<?, ?>) failures.getFirst()).get(key);
            return value instanceof Number number ? number.doubleValue() : 0;
        }
    },
    /** Checksum ranks and their placement. */
    GROUPS("groups", "NAS FFT without failures: checksum ranks and their placement (paper: section 7.2.1)") {
        @Override
        int rounds(boolean quick) {
            return quick ? 1 : 5;
        }

        @Override
        List<Variant> variants(boolean quick) {
            String fft = "fft --class " + (quick ? "W" : "A") + " --iterations " + (quick ? 30 : 60) + " --ranks 16";
            String guarded = " --nodes 20 --interval " + (quick ? 10 : 20) + " --protocol coordinated --checksums ";
            List<Variant> variants = new ArrayList<>();
            variants.add(Variant.of("none", fft + " --protocol none"));
            for (int checksums = 2; checksums >= 1; checksums--) {
                for (String aware : List.of("none", "node")) {
                    variants.add(Variant.of(6.25 * checksums + "% " + (aware.equals("none") ? "no-topo" : "nodes"),
                        fft + guarded + checksums
                        + " --aware " + aware));
                }
            }
            return variants;
        }
    },
    /** The latency and bandwidth of logged messages. */
    V_PINGPONG("v-pingpong", "Messages there and back, logged or not (Open MPI-V: figures 4 and 5)") {
        @Override
        List<Variant> variants(boolean quick) {
            return PingPong.variants(quick);
        }

        @Override
        Figure measure(boolean quick, JobRuns runs, RunProgress progress) throws IOException, InterruptedException {
            return PingPong.measure(this, quick, runs, progress);
        }
    },
    /** What has to be logged of the order of messages. */
    V_EVENTS("v-events", "NAS CG, IS, MG: events for each message (Open MPI-V: table I)") {
        @Override
        int rounds(boolean quick) {
            return 1;
        }

        @Override
        List<Variant> variants(boolean quick) {
            return Events.variants(quick);
        }

        @Override
        Figure measure(boolean quick, JobRuns runs, RunProgress progress) throws IOException, InterruptedException {
            return Events.measure(this, quick, runs, progress);
        }
    },
    /** Message logging without failures. */
    V_NAS("v-nas", "NAS CG and MG without failures: message logging (Open MPI-V: figure 6a)") {
        @Override
        int rounds(boolean quick) {
            return quick ? 1 : 9;
        }

        @Override
        List<Variant> variants(boolean quick) {
            return NasRuns.variants(quick);
        }

        @Override
        Figure measure(boolean quick, JobRuns runs, RunProgress progress) throws IOException, InterruptedException {
            return NasRuns.measure(this, quick, runs, progress);
        }
    };

    private static final int ROUNDS = 5;
    private static final int QUICK_ROUNDS = 2;

    private final String label;
    private final String title;

    Experiment(String label, String title) {
        this.label = label;
        this.title = title;
    }

    /** As it is asked for. */
    String label() {
        return label;
    }

    String title() {
        return title;
    }

    /** The jobs; the first is what the others are compared with. */
    List<Variant> variants(boolean quick) {
        return List.of();
    }

    int rounds(boolean quick) {
        return quick ? QUICK_ROUNDS : ROUNDS;
    }

    /** How many jobs are run in all. */
    int runs(boolean quick) {
        return rounds(quick) * variants(quick).size();
    }

    /** Runs them. */
    Figure measure(boolean quick, JobRuns runs, RunProgress progress) throws IOException, InterruptedException {
        return figure(InTurn.run(variants(quick), rounds(quick), this::value, runs, progress), List.of());
    }

    /** What is compared. */
    double value(Map<String, Object> json) {
        return number(json, "seconds");
    }

    Figure figure(List<InTurn> all, List<String> notes) {
        List<List<Object>> rows = new ArrayList<>();
        for (InTurn one : all) {
            rows.add(List.of(one.variant().label(), one.median(), one.medianRatio(), one.leastRatio(),
                one.greatestRatio(),
                one.median(json -> number(json, "checkpoints")), one.median(json -> number(json, "checkpointMillis")),
                one.median(json -> number(json, "checksumCpuMillis")), one.median(Experiment::logMebibytes)));
        }
        return new Figure(label, title, List.of("protection", "seconds", "ratio", "leastRatio", "greatestRatio",
            "checkpoints", "blockedMillis",
            "checksumCpuMillis", "logMiB"), rows, commands(all), notes);
    }

    static List<String> commands(List<InTurn> all) {
        return all.stream().map(one -> one.variant().command()).toList();
    }

    private static double logMebibytes(Map<String, Object> json) {
        double bytes = number(reports(json), "messageLogBytes");
        for (Object rank : json.get("log") instanceof List<?> ranks ? ranks : List.of()) {
            Map<?, ?> figures = (Map<?, ?>) rank;
            bytes += ((Number) figures.get("putBytes")).doubleValue() + ((Number) figures.get("getBytes"))
                .doubleValue();
        }
        return bytes / (1 << 20);
    }

    static Map<?, ?> reports(Map<String, Object> json) {
        return json.get("reports") instanceof Map<?, ?> reports ? reports : Map.of();
    }

    /** 0 where there is none. */
    static double number(Map<?, ?> json, String key) {
        return json.get(key) instanceof Number number ? number.doubleValue() : 0;
    }

    /** The experiment of that name, or null. */
    static Experiment byLabel(String label) {
        return Arrays.stream(values()).filter(one -> one.label.equals(label)).findFirst().orElse(null);
    }
}
