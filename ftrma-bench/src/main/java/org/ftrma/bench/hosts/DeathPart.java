package org.ftrma.bench.hosts;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.bench.command.JobProcess;

/**
 * The time from a host's death until all ranks run again. A job of NAS FFT has a rank on each of two hosts, a checksum
 * rank on a third one, and a free slot there; the host of rank 1 dies in a random step. By the launcher's own messages
 * that time is split: until the host is known to be lost, until another process plays its rank, and until all run.
 */
final class DeathPart implements Part {
    private static final long TIMEOUT_SECONDS = 300;
    private static final int VICTIM = 2;
    private static final List<Integer> SLOTS = List.of(1, 1, 2);
    private static final int STEPS = 200;
    private static final int FIRST_STEP = 20;
    private static final int LAST_STEP = 120;
    private static final Pattern LINE = Pattern.compile("ftrma: +([0-9.]+) s  (.*)");
    private static final double[] SHARES = {0, 0.25, 0.5, 0.75, 1};

    /** What is measured. */
    private enum Variant {
        /** The lost rank alone goes back. */
        FULL("full", "--protocol full"),
        /** The same, with a shorter timeout. */
        SOON("full, --host-timeout 2s", "--protocol full --host-timeout 2s"),
        /** All go back. */
        COORDINATED("coordinated", "--protocol coordinated");

        private final String text;
        private final List<String> options;

        Variant(String text, String options) {
            this.text = text;
            this.options = List.of(options.split(" "));
        }
    }

    /** Times of one loss, in milliseconds. */
    private record Trial(double detection, double start, double rest) {
        double all() {
            return detection + start + rest;
        }
    }

    /** What the launcher said, and when that was read. */
    private static final class Heard {
        private record Line(long nanos, double seconds, String text) {
        }

        private final ConcurrentLinkedQueue<Line> lines = new ConcurrentLinkedQueue<>();

        void hear(String text) {
            Matcher matcher = LINE.matcher(text);
            if (matcher.matches()) {
                lines.add(new Line(System.nanoTime(), Double.parseDouble(matcher.group(1)), matcher.group(2)));
            }
        }

        /** The first one like this, not before another one. */
        Line first(String what, double fromSeconds, Predicate<String> isIt) {
            return lines.stream().filter(line -> line.seconds >= fromSeconds && isIt.test(line.text)).findFirst()
                .orElseThrow(() -> new IllegalStateException("the launcher did not say that " + what));
        }
    }

    private final List<Map<String, Object>> rows = new ArrayList<>();

    @Override
    public List<Integer> slots() {
        return SLOTS;
    }

    @Override
    public void measure(BenchHosts hosts, Effort effort) throws IOException, InterruptedException {
        Random random = new Random(1);
        for (Variant variant : Variant.values()) {
            List<Trial> trials = new ArrayList<>();
            int alone = 0;
            for (int i = 0; i < effort.trials(); i++) {
                Heard heard = new Heard();
                Map<String, Object> result = lose(hosts, variant, FIRST_STEP + random.nextInt(LAST_STEP - FIRST_STEP),
                    heard, trials);
                alone += (int) Part.number(result, "localRecoveries");
                Trial trial = trials.getLast();
                System.err.printf(Locale.ROOT, "bench hosts: death: %s, %d of %d: %.0f ms: known after %.0f, replaced "
                    + "after %.0f, all run after %.0f%n", variant.text, i + 1, effort.trials(), trial.all(),
                    trial.detection, trial.start, trial.rest);
            }
            add(variant, trials, alone);
        }
    }

    private static Map<String, Object> lose(BenchHosts hosts, Variant variant, int step, Heard heard,
        List<Trial> trials) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("fft", "--class", "W", "--ranks", "2", "--checksums", "1",
            "--interval", "10", "--iterations", Integer.toString(STEPS), "--warm-up", "0.3", "--verbose"));
        arguments.addAll(variant.options);
        if (!hosts.canLose()) {
            arguments.addAll(List.of("--chaos-hosts", "1"));
        }
        try (JobProcess job = hosts.start(SLOTS, arguments, heard::hear, TIMEOUT_SECONDS)) {
            long died = 0;
            if (hosts.canLose() && job.awaitStep(step)) {
                died = System.nanoTime();
                hosts.lose(VICTIM);
            }
            Map<String, Object> result = job.result();
            Heard.Line lost = heard.first("a host is lost", 0, text -> text.startsWith("host ")
                && text.contains(" is lost: "));
            String member = hosts.canLose() ? "rank 1" : whoWasLost(result);
            double known = hosts.canLose() ? 1e-6 * (lost.nanos - died)
                : Part.number(firstFailure(result), "detectMillis");
            Heard.Line replaced = heard.first("another process plays " + member, lost.seconds,
                text -> text.contains(" plays " + member + ","));
            Heard.Line back = heard.first(member + " is back", lost.seconds,
                text -> text.startsWith(member + " is back ("));
            trials.add(new Trial(known, 1e3 * (replaced.seconds - lost.seconds),
                1e3 * (back.seconds - replaced.seconds)));
            return result;
        } finally {
            if (hosts.canLose()) {
                hosts.restore(VICTIM);
            }
        }
    }

    private static String whoWasLost(Map<String, Object> result) {
        Map<String, Object> failure = firstFailure(result);
        int member = (int) Part.number(failure, "rank");
        return "computing".equals(failure.get("role")) ? "rank " + member : "checksum rank " + (member - 2);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> firstFailure(Map<String, Object> result) {
        List<Map<String, Object>> failures = (List<Map<String, Object>>) result.get("failures");
        if (failures.isEmpty()) {
            throw new IllegalStateException("no host was lost: " + result);
        }
        return failures.getFirst();
    }

    private void add(Variant variant, List<Trial> trials, int alone) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("variant", variant.text);
        row.put("options", String.join(" ", variant.options));
        row.put("trials", trials.size());
        row.put("localRecoveries", alone);
        row.put("detectionMillis", spread(trials.stream().mapToDouble(Trial::detection).toArray()));
        row.put("startMillis", spread(trials.stream().mapToDouble(Trial::start).toArray()));
        row.put("restMillis", spread(trials.stream().mapToDouble(Trial::rest).toArray()));
        row.put("allMillis", spread(trials.stream().mapToDouble(Trial::all).toArray()));
        rows.add(row);
    }

    /** Least, lower quartile, median, upper quartile, greatest. */
    private static List<Double> spread(double[] millis) {
        List<Double> spread = new ArrayList<>();
        for (double share : SHARES) {
            spread.add(Part.quantile(millis, share));
        }
        return spread;
    }

    @Override
    public List<String> table() {
        List<String> table = new ArrayList<>();
        table.add("ms from a host's death: least, lower quartile, median, upper quartile, greatest");
        for (Map<String, Object> row : rows) {
            table.add(row.get("variant") + ": " + row.get("trials") + " trials, " + row.get("localRecoveries")
                + " recovered alone");
            table.add(line("until it is known", row.get("detectionMillis")));
            table.add(line("then until it is replaced", row.get("startMillis")));
            table.add(line("then until all run", row.get("restMillis")));
            table.add(line("all of it", row.get("allMillis")));
        }
        return table;
    }

    private static String line(String text, Object spread) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "  %-26s", text));
        ((List<?>) spread).forEach(value -> line.append(String.format(Locale.ROOT, " %8.0f", value)));
        return line.toString();
    }

    @Override
    public Object figures() {
        return rows;
    }
}
