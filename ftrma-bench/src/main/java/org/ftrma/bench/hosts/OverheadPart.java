package org.ftrma.bench.hosts;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures the cost of {@code --protocol full} between hosts: two ranks and a checksum rank, each on a host of its own,
 * in pairs with the same two ranks without protection; every other pair begins with the protected job.
 */
final class OverheadPart implements Part {
    private static final long TIMEOUT_SECONDS = 600;
    private static final List<Integer> SLOTS = List.of(1, 1, 1);

    private final List<Map<String, Object>> rows = new ArrayList<>();

    @Override
    public List<Integer> slots() {
        return SLOTS;
    }

    @Override
    public void measure(BenchHosts hosts, Effort effort) throws IOException, InterruptedException {
        compare(hosts, effort, "NAS FFT, class W", "fft --class W --ranks 2 --iterations "
            + (effort.quick() ? 20 : 300));
        String kv = "kv --ranks 2 --inserts " + (effort.quick() ? 500 : 3_000);
        compare(hosts, effort, "kv, waiting 93 % of the time", kv + " --wait " + waitOf(hosts, kv));
        compare(hosts, effort, "kv, at full speed", "kv --ranks 2 --work 0 --batch 1000 --inserts "
            + (effort.quick() ? 2_000 : 10_000));
    }

    /** How long ranks wait between inserts when they insert 7 % of the time without protection. */
    private static String waitOf(BenchHosts hosts, String kv) throws IOException, InterruptedException {
        Map<String, Object> result = hosts.run(SLOTS, words(kv + " --work 0.07 --protocol none"), TIMEOUT_SECONDS);
        return Math.max(1, Math.round(Part.number(reports(result), "meanWaitNanos"))) + "ns";
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> reports(Map<String, Object> result) {
        return (Map<String, Object>) result.get("reports");
    }

    private static List<String> words(String command) {
        return Stream.concat(Stream.of(command.split(" ")), PATIENT.stream()).toList();
    }

    private void compare(BenchHosts hosts, Effort effort, String text, String command) throws IOException,
        InterruptedException {
        String plain = command + " --protocol none";
        String full = command + " --protocol full --checksums 1 --interval none";
        double[] plainSeconds = new double[effort.pairs()];
        double[] fullSeconds = new double[effort.pairs()];
        double[] ratios = new double[effort.pairs()];
        for (int pair = 0; pair < effort.pairs(); pair++) {
            boolean fullBegins = pair % 2 == 1;
            double first = seconds(hosts, fullBegins ? full : plain);
            double second = seconds(hosts, fullBegins ? plain : full);
            plainSeconds[pair] = fullBegins ? second : first;
            fullSeconds[pair] = fullBegins ? first : second;
            ratios[pair] = fullSeconds[pair] / plainSeconds[pair];
            System.err.printf(Locale.ROOT, "bench hosts: overhead: %s, pair %d of %d: %.3f s without protection, "
                + "%.3f s with%n", text, pair + 1, effort.pairs(), plainSeconds[pair], fullSeconds[pair]);
        }
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("program", text);
        row.put("command", full);
        row.put("pairs", effort.pairs());
        row.put("unprotectedSeconds", Part.median(plainSeconds));
        row.put("protectedSeconds", Part.median(fullSeconds));
        row.put("ratio", Part.median(ratios));
        row.put("leastRatio", Part.quantile(ratios, 0));
        row.put("greatestRatio", Part.quantile(ratios, 1));
        rows.add(row);
    }

    private static double seconds(BenchHosts hosts, String command) throws IOException, InterruptedException {
        return Part.number(hosts.run(SLOTS, words(command), TIMEOUT_SECONDS), "seconds");
    }

    @Override
    public List<String> table() {
        List<String> table = new ArrayList<>();
        table.add(String.format(Locale.ROOT, "%-30s %10s %10s  %s", "--protocol full", "without", "with",
            "ratio (least, most)"));
        for (Map<String, Object> row : rows) {
            table.add(String.format(Locale.ROOT, "%-30s %8.3f s %8.3f s  %.2f (%.2f, %.2f), %d pairs",
                row.get("program"), row.get("unprotectedSeconds"), row.get("protectedSeconds"), row.get("ratio"),
                row.get("leastRatio"), row.get("greatestRatio"), row.get("pairs")));
        }
        return table;
    }

    @Override
    public Object figures() {
        return rows;
    }
}
