package org.ftrma.bench.hosts;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.ftrma.bench.command.JobProcess;

/** Accesses between two hosts, each in turn with its counterpart of ucx_perftest ({@link AccessProgram}). */
final class AccessPart implements Part {
    private static final List<Integer> SLOTS = List.of(1, 1);
    private static final double LIMIT = 1.15;
    private static final int SLICE_MILLIS = 400;
    private static final int QUICK_SLICE_MILLIS = 100;
    private static final long TIMEOUT_SECONDS = 3600;

    private final List<Map<String, Object>> rows = new ArrayList<>();
    private final List<String> table = new ArrayList<>();
    private Set<Access> accesses = Set.of();

    @Override
    public List<Integer> slots() {
        return SLOTS;
    }

    @Override
    public void measure(BenchHosts hosts, Effort effort) throws IOException, InterruptedException {
        accesses = effort.accesses();
        List<String> arguments = new ArrayList<>(List.of("run", "--ranks", "2", "--protocol", "none", "--deadline",
            "10m"));
        arguments.addAll(PATIENT);
        arguments.addAll(List.of("--class-path", classes(), "--", AccessProgram.class.getName(),
            Integer.toString(effort.rounds()),
            Integer.toString(effort.quick() ? QUICK_SLICE_MILLIS : SLICE_MILLIS), hosts.launcherAddress(),
            hosts.device()));
        accesses.forEach(access -> arguments.add(access.name()));
        try (JobProcess job = hosts.start(SLOTS, arguments, AccessPart::hear, TIMEOUT_SECONDS)) {
            add(job.result());
        }
    }

    private static void hear(String line) {
        if (line.contains(AccessProgram.PROGRESS)) {
            System.err.println("bench hosts: " + line);
        }
    }

    private static String classes() {
        try {
            return Path.of(AccessProgram.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("where classes are is no path", e);
        }
    }

    private void add(Map<String, Object> result) throws IOException {
        Map<?, ?> reports = (Map<?, ?>) result.get("reports");
        String transports = String.valueOf(((Map<?, ?>) result.get("ucx")).get("transports"));
        String device = "tcp/" + reports.get("device");
        if (!transports.contains(device)) {
            throw new IOException("ranks reach each other by " + transports + ", and ucx_perftest was measured by "
                + device + "; name the device with --device");
        }
        boolean isCompared = Boolean.TRUE.equals(reports.get("compared"));
        table.add(String.format(Locale.ROOT, "%-24s %12s %12s  %-20s  %s", device, "ftRMA", "ucx_perftest",
            "ratio (least, most)", "of ucx_perftest"));
        for (Access access : accesses) {
            double[] ours = numbers(reports.get(access.name() + ".ours"));
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("access", access.text());
            row.put("oursMicros", 1e-3 * Part.median(ours));
            if (isCompared) {
                compare(row, ours, numbers(reports.get(access.name() + ".theirs")));
            }
            row.put("counterpart", access.counterpart());
            rows.add(row);
            table.add(line(row));
        }
    }

    private static void compare(Map<String, Object> row, double[] ours, double[] theirs) {
        double[] ratios = IntStream.range(0, ours.length).mapToDouble(i -> ours[i] / theirs[i]).toArray();
        row.put("theirsMicros", 1e-3 * Part.median(theirs));
        row.put("ratio", Part.median(ratios));
        row.put("leastRatio", Part.quantile(ratios, 0));
        row.put("greatestRatio", Part.quantile(ratios, 1));
        row.put("within", Part.median(ratios) <= LIMIT);
    }

    private static double[] numbers(Object text) {
        return Arrays.stream(String.valueOf(text).split(" ")).mapToDouble(Double::parseDouble).toArray();
    }

    private static String line(Map<String, Object> row) {
        String ours = String.format(Locale.ROOT, "%-24s %9.2f us", row.get("access"), row.get("oursMicros"));
        return row.containsKey("ratio") ? String.format(Locale.ROOT, "%s %9.2f us  %.2f (%.2f, %.2f)%s  %s", ours,
            row.get("theirsMicros"), row.get("ratio"), row.get("leastRatio"), row.get("greatestRatio"),
            Boolean.TRUE.equals(row.get("within")) ? "    " : " (!)", row.get("counterpart"))
            : ours + "  not installed: apt install ucx-utils";
    }

    @Override
    public List<String> table() {
        return table;
    }

    @Override
    public Object figures() {
        return rows;
    }
}
