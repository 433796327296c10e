package org.ftrma.cli;

import java.io.PrintStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.ftrma.apps.fft3d.Fft3d;
import org.ftrma.apps.fft3d.FtOption;
import org.ftrma.launch.Interrupts;
import org.ftrma.launch.JobCommand;
import org.ftrma.launch.JobReport;
import org.ftrma.launch.KeptJob;
import org.ftrma.launch.RankSettings;
import org.ftrma.launch.agent.Surroundings;
import org.ftrma.launch.inject.FaultPlan;
import org.ftrma.launch.inject.InjectedFailure;
import org.ftrma.launch.job.JobHost;
import org.ftrma.launch.job.JobRequest;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.launch.record.JobRecord;
import org.ftrma.launch.record.JobResult;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.ftrma.options.Protocol;
import org.ftrma.rank.control.RankCheck;
import picocli.CommandLine.ParseResult;

/**
 * Shows what a kill costs: an FFT in the middle of which a rank is killed, once where all ranks go back and once where
 * the lost one alone does, and whether both results are right. One thread.
 */
final class DemoCommand {
    private static final int ITERATIONS = 120;
    private static final int RANKS = 4;
    private static final int INTERVAL = 12;
    /** Keys of the result that tell how the command ended. */
    private static final List<String> ENDING = List.of("exitCode", "outcome", "message", "programStatus", "verified");
    private final PrintStream out;
    private final PrintStream err;
    private final Interrupts interrupts;

    /** One of the two jobs. */
    private record Shown(JobReport report, JobResult result) {
    }

    DemoCommand(PrintStream out, PrintStream err, Interrupts interrupts) {
        this.out = out;
        this.err = err;
        this.interrupts = interrupts;
    }

    int execute(ParseResult parsed) {
        GivenOptions given = new GivenOptions(parsed);
        long seed = JobCommand.seed(given);
        Random random = new Random(seed);
        int victim = random.nextInt(RANKS);
        long step = ITERATIONS / 3 + random.nextInt(ITERATIONS / 3);
        JobOptions options = JobOptions.builder().set(JobOption.RANKS, RANKS).set(JobOption.CHECKSUMS,
            1).set(JobOption.SPARES, 1)
            .set(JobOption.INTERVAL, INTERVAL).build();
        List<String> arguments = FtOption.TABLE.values(Map.of(FtOption.CLASS, "W", FtOption.ITERATIONS,
            Integer.toString(ITERATIONS),
            FtOption.WARM_UP, "0.3")).arguments();
        JobRequest request = new JobRequest(options, Fft3d.class.getName(), arguments,
            RankSettings.placesOf(Fft3d.class), "",
            RankCheck.NONE, List.of(),
            RankSettings.aotCache(),
            false, 0);
        InjectedFailure kill = new InjectedFailure(InjectedFailure.Action.KILL, List.of(victim), victim, step);
        FaultPlan plan = new FaultPlan(List.of(kill), 0, seed);
        say("NAS FT class W, " + ITERATIONS + " time steps: " + RANKS
            + " computing ranks, 1 checksum rank and 1 spare, a process each.");
        say("Every " + INTERVAL + " steps a checkpoint goes into the ranks' own memory and, as parity, to the "
            + "checksum rank; nothing goes to disk.");
        say("Somewhere in the middle third one rank gets SIGKILL from outside (--seed " + seed
            + " repeats the choice).");
        say("First with --protocol coordinated: all ranks go back to the last checkpoint.");
        Shown coordinated = show(request, Protocol.COORDINATED, plan, given);
        Shown full = null;
        if (coordinated.result.exitCode() == 0) {
            say("The same kill with --protocol full: accesses are logged, and the lost rank alone goes back.");
            full = show(request, Protocol.FULL, plan, given);
        }
        JobResult reference = null;
        if (full != null && full.result.exitCode() == 0) {
            say("The same once more without failures and without protection, to compare:");
            reference = runUnprotected(request);
            coordinated.report.compareWith(reference);
            full.report.compareWith(reference);
        }
        return tell(coordinated, full, reference, given.has(LauncherOption.JSON));
    }

    private int tell(Shown coordinated, Shown full, JobResult reference, boolean json) {
        Set<String> problems = new LinkedHashSet<>(coordinated.report.problems());
        if (full != null) {
            problems.addAll(full.report.problems());
        }
        problems.forEach(problem -> err.println("ftrma: " + problem));
        int status = coordinated.report.exitCode() != 0 || full == null ? coordinated.report.exitCode()
            : full.report.exitCode();
        if (json) {
            Map<String, Object> figures = coordinated.report.figures();
            Map<String, Object> second = full == null ? null : full.report.figures();
            if (second != null && coordinated.report.exitCode() == 0) {
                ENDING.forEach(key -> figures.put(key, second.get(key)));
            }
            figures.put("full", second);
            out.println(JobReport.text(figures));
            return status;
        }
        out.println();
        out.print(coordinated.report.text());
        if (full != null) {
            out.print(full.report.text());
        }
        if (status == 0) {
            out.println();
            compare(coordinated.result, full.result, reference);
        }
        return status;
    }

    private void say(String text) {
        err.println(text);
    }

    private Shown show(JobRequest request, Protocol protocol, FaultPlan plan, GivenOptions given) {
        JobOptions options = request.options().with().set(JobOption.PROTOCOL, protocol).build();
        JobRequest own = request.with(options, request.arguments());
        JobReport report = new JobReport("fft", own, plan);
        try (KeptJob kept = KeptJob.of(given, "fft", List.of("demo", "--seed", Long.toString(plan.seed())), options,
            process -> Surroundings.hostName(), err)) {
            JobResult result = run(kept.request(own), plan, options, given.has(LauncherOption.VERBOSE), kept);
            report.add(result);
            kept.ended(report.figures());
            return new Shown(report, result);
        }
    }

    private JobResult run(JobRequest request, FaultPlan plan, JobOptions options, boolean verbose, KeptJob kept) {
        try (ProgressView view = new ProgressView(options, err, verbose)) {
            JobHost host = new JobHost(request, plan, err, view.log()).observe(view);
            kept.observe(host);
            return interrupts.run(host);
        }
    }

    private JobResult runUnprotected(JobRequest request) {
        JobOptions options = request.options().with().set(JobOption.PROTOCOL, Protocol.NONE).set(JobOption.CHECKSUMS,
            0).set(JobOption.SPARES, 0).build();
        return run(request.with(options, request.arguments()), FaultPlan.none(), options, false,
            KeptJob.none());
    }

    /** What the kill cost each way. */
    private void compare(JobResult coordinated, JobResult full, JobResult reference) {
        if (coordinated.record().failures().isEmpty() || full.record().failures().isEmpty()) {
            return;
        }
        JobRecord.Failure failure = coordinated.record().failures().getFirst();
        line("Rank %d was killed in step %d. Its part was rebuilt from the parity, NAS verification passed, and the "
            + "checksums", failure.member(), failure.step());
        line("of all steps have the same bits as without failures. What the kill cost:");
        out.println();
        row("", one -> one == coordinated ? Protocol.COORDINATED.word() : Protocol.FULL.word(), coordinated, full);
        row("ranks that went back", one -> back(one) + " of " + RANKS, coordinated, full);
        row("steps repeated by each of them", one -> Long.toString(lost(one).stepsRepeated()), coordinated, full);
        row("steps repeated in all", one -> Long.toString(back(one) * lost(one).stepsRepeated()), coordinated, full);
        row("until the death was known", one -> millis(lost(one).detectNanos()), coordinated, full);
        row("until it ran again", one -> millis(lost(one).recoverNanos()), coordinated, full);
        row("blocked by checkpoints", one -> millis(one.outcome().checkpointNanos()) + " (" + one.outcome()
            .checkpoints() + ")", coordinated, full);
        row("time lost, with those steps", one -> millis(lostNanos(one)), coordinated, full);
        row("time of the run", one -> time(one), coordinated, full);
        out.println();
        line("Without failures and without protection it takes %s.", time(reference));
    }

    private void row(String what, Function<JobResult, String> cell, JobResult coordinated, JobResult full) {
        out.println(String.format(Locale.ROOT, "  %-30s  %16s  %16s", what, cell.apply(coordinated), cell.apply(full))
            .stripTrailing());
    }

    private static JobRecord.Failure lost(JobResult result) {
        return result.record().failures().getFirst();
    }

    private static int back(JobResult result) {
        return result.outcome().rollbacks() > 0 ? RANKS : 1;
    }

    private static double seconds(JobResult result) {
        return ((Number) result.outcome().reports().get("seconds")).doubleValue();
    }

    private static String time(JobResult result) {
        return String.format(Locale.ROOT, "%.2f s", seconds(result));
    }

    /** A rank that is back by replay has repeated its steps by then; where all went back they are still to come. */
    private static long lostNanos(JobResult result) {
        JobRecord.Failure failure = lost(result);
        long steps = result.outcome().rollbacks() > 0 ? failure.stepsRepeated() : 0;
        double step = seconds(result) / (ITERATIONS + steps);
        return failure.detectNanos() + failure.recoverNanos() + Math.round(1e9 * step * steps);
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f ms", 1e-6 * nanos);
    }

    private void line(String format, Object... arguments) {
        out.println(String.format(Locale.ROOT, format, arguments));
    }
}
