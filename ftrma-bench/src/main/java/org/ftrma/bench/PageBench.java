package org.ftrma.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.ftrma.MisuseException;
import org.ftrma.bench.command.CommandEnd;
import org.ftrma.bench.command.JobProcess;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./ftrma bench page}: what requests to a job's page cost its ranks. Jobs of two ranks that compute
 * ({@link StepTimesProgram}), of which one of each pair is asked for its metrics as fast as they come by a process at
 * the greatest nice value ({@link PageClient}); every other pair begins with that one. The page answers as slowly as
 * its budget of processor time wants it: a job may be over before all requests are answered, which is told. One
 * thread.
 */
@Command(name = "page", description = "What requests to the page of a job cost its ranks: jobs in pairs, of which one "
    + "is asked for its metrics all the time; the distribution of the times of their steps.")
public final class PageBench implements Callable<Integer> {
    /** Of a job without work; and of one that has some, for so much of it ten times what it takes undisturbed. */
    private static final long TIMEOUT_SECONDS = 120;
    private static final long ROUNDS_A_SECOND = 6000;
    private static final Pattern LINK = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)/\\?token=(\\w+)");
    private static final int MOST = 1_000_000;

    @Option(names = "--pairs", paramLabel = "N", description = "pairs of jobs (default: ${DEFAULT-VALUE})")
    private int pairs = 2;

    @Option(names = "--steps", paramLabel = "N", description = "steps of each job, of some 3.5 ms; those of the "
        + "default last for as long as the page takes for thousands of requests (default: ${DEFAULT-VALUE})")
    private int steps = 100_000;

    @Option(names = "--rounds", paramLabel = "N", description =
        "work of a rank in a step, in passes of some 17 us (default: ${DEFAULT-VALUE})")
    private int rounds = 300;

    @Option(names = "--requests", paramLabel = "N", description =
        "to each job that is asked, if it runs for so long (default: ${DEFAULT-VALUE})")
    private int requests = 10_000;

    @Option(names = CommandEnd.ASKED, description = "one JSON object instead of lines")
    private boolean json;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this help and end")
    private boolean help;

    /** One job. */
    private record Run(StepTimes times, int answered, double seconds) {
    }

    /** Returns an exit code: 0 whatever the figures are. */
    @Override
    public Integer call() throws IOException, InterruptedException {
        for (int number : List.of(pairs, steps, rounds, requests)) {
            if (number < 1 || number > MOST) {
                throw new MisuseException("--pairs " + pairs + " --steps " + steps + " --rounds " + rounds
                    + " --requests " + requests + ": each from 1 to " + MOST);
            }
        }
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        List<Run> quiet = new ArrayList<>();
        List<Run> asked = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            if (i % 2 == 1) {
                asked.add(run(true));
            }
            quiet.add(run(false));
            if (i % 2 == 0) {
                asked.add(run(true));
            }
            System.err.printf(Locale.ROOT, "pair %d of %d: %s alone, %s with %d of %d requests in %.1f s%n", i + 1,
                pairs, text(quiet.getLast().times), text(asked.getLast().times), asked.getLast().answered, requests,
                asked.getLast().seconds);
        }
        tell(load, quiet, asked);
        return 0;
    }

    private List<String> line() {
        return List.of("run", "--ranks", "2", "--web", "0", "--class-path", System.getProperty("java.class.path"),
            "--", StepTimesProgram.class.getName(), "" + steps, "" + rounds);
    }

    private long timeoutSeconds() {
        return TIMEOUT_SECONDS + (long) steps * rounds / ROUNDS_A_SECOND;
    }

    private Run run(boolean isAsked) throws IOException, InterruptedException {
        if (!isAsked) {
            return new Run(StepTimes.of(JobProcess.run(line(), timeoutSeconds())), 0, 0);
        }
        Process client = new ProcessBuilder("nice", "-n", "19", ProcessHandle.current().info().command()
            .orElse("java"), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
            System.getProperty("java.class.path"), PageClient.class.getName(), "" + requests)
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        AtomicReference<String> order = new AtomicReference<>();
        try (JobProcess job = JobProcess.start(line(), line -> link(line, order), timeoutSeconds());
            BufferedReader answers = client.inputReader()) {
            try (Writer orders = client.outputWriter()) {
                if (job.awaitLine("the job's page is ")) {
                    orders.write(order.get() + "\n");
                }
            }
            Map<String, Object> result = job.result();
            String told = answers.readLine();
            if (told == null) {
                throw new IOException("the process that asks has ended without a word");
            }
            String[] words = told.split(" ");
            return new Run(StepTimes.of(result), Integer.parseInt(words[0]), Double.parseDouble(words[1]));
        } finally {
            client.destroy();
        }
    }

    private static void link(String line, AtomicReference<String> order) {
        Matcher link = LINK.matcher(line);
        if (link.find()) {
            order.set(link.group(1) + " " + link.group(2));
        }
    }

    private static String text(StepTimes times) {
        return String.format(Locale.ROOT, "%.3f ms a step (99 %% below %.3f, all below %.3f)",
            times.millis().get("medianMillis"), times.millis().get("p99Millis"), times.millis().get("longestMillis"));
    }

    private void tell(double load, List<Run> quiet, List<Run> asked) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("load", load);
        figures.put("pairs", pairs);
        figures.put("steps", steps);
        figures.put("requests", requests);
        figures.put("answered", asked.stream().mapToInt(Run::answered).sum() / pairs);
        figures.put("seconds", asked.stream().mapToDouble(Run::seconds).sum() / pairs);
        for (String name : quiet.getFirst().times.millis().keySet()) {
            double[] alone = sorted(quiet, name);
            double[] withRequests = sorted(asked, name);
            double[] ratios = IntStream.range(0, pairs).mapToDouble(i -> asked.get(i).times.millis().get(name)
                / quiet.get(i).times.millis().get(name)).sorted().toArray();
            MedianInterval interval = MedianInterval.of(ratios);
            Map<String, Object> figure = new LinkedHashMap<>();
            figure.put("alone", median(alone));
            figure.put("aloneLeast", alone[0]);
            figure.put("aloneGreatest", alone[alone.length - 1]);
            figure.put("asked", median(withRequests));
            figure.put("ratio", median(ratios));
            figure.put("ratioLower", Double.isFinite(interval.lower()) ? interval.lower() : null);
            figure.put("ratioUpper", Double.isFinite(interval.upper()) ? interval.upper() : null);
            figures.put(name, figure);
        }
        if (json) {
            System.out.println(CommandEnd.success(figures));
        } else {
            figures.forEach((name, value) -> System.out.println(name + ": " + value));
        }
    }

    private static double[] sorted(List<Run> runs, String name) {
        return runs.stream().mapToDouble(run -> run.times.millis().get(name)).sorted().toArray();
    }

    private static double median(double[] sorted) {
        return Arrays.stream(sorted, (sorted.length - 1) / 2, sorted.length / 2 + 1).average().orElseThrow();
    }
}
