package org.ftrma.launch;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.ftrma.apps.fft3d.Fft3d;
import org.ftrma.apps.fft3d.FtOption;
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
 * The command that shows it all: an FFT, a rank killed in the middle of it, its recovery, and whether the result is
 * right. One thread.
 */
final class DemoCommand {
    private static final int ITERATIONS = 240;
    private static final int RANKS = 4;
    private static final int INTERVAL = 12;
    private final PrintStream out;
    private final PrintStream err;
    private final Interrupts interrupts;

    DemoCommand(PrintStream out, PrintStream err, Interrupts interrupts) {
        this.out = out;
        this.err = err;
        this.interrupts = interrupts;
    }

    int execute(ParseResult parsed) {
        GivenOptions given = new GivenOptions(parsed);
        boolean json = given.has(LauncherOption.JSON);
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
        JobReport report = new JobReport("fft", request, plan);
        JobResult result;
        try (KeptJob kept = KeptJob.of(given, "fft", List.of("demo", "--seed", Long.toString(seed)), options,
            process -> Surroundings.hostName(), err)) {
            result = run(kept.request(request), plan, options, given.has(LauncherOption.VERBOSE), kept);
            report.add(result);
            kept.ended(report.figures());
        }
        if (result.exitCode() == 0) {
            say("The same once more without failures and without protection, to compare:");
            report.compareWith(runUnprotected(request));
        }
        report.problems().forEach(problem -> err.println("ftrma: " + problem));
        if (json) {
            out.println(report.json());
        } else {
            summary(report, result);
        }
        return report.exitCode();
    }

    private void say(String text) {
        err.println(text);
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

    private void summary(JobReport report, JobResult result) {
        out.println();
        out.print(report.text());
        if (report.exitCode() != 0 || result.record().failures().isEmpty()) {
            return;
        }
        JobRecord.Failure failure = result.record().failures().getFirst();
        int checkpoints = result.outcome().checkpoints();
        double blocked = 1e-6 * result.outcome().checkpointNanos();
        out.println();
        line("What happened: rank %d was killed in step %d. All ranks went back to their last checkpoint in memory, "
            + "the lost",
            failure.member(),
            failure.step());
        line("one's part was rebuilt from the parity, and the run went on. NAS verification passed, and the checksums "
            + "of all");
        line("steps have the same bits as without failures.");
        line("What it cost: %.1f ms until the death was known, %.0f ms more until all ranks ran again; %d checkpoints "
            + "that",
            1e-6 * failure.detectNanos(), 1e-6 * failure.recoverNanos(), checkpoints);
        line("blocked the ranks for %.1f ms in all (%.2f ms each), their parity being computed in the background.",
            blocked,
            blocked / Math.max(1, checkpoints));
    }

    private void line(String format, Object... arguments) {
        out.println(String.format(Locale.ROOT, format, arguments));
    }
}
