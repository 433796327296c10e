package org.ftrma.launch;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.MisuseException;
import org.ftrma.apps.fft3d.Fft3d;
import org.ftrma.apps.kvstore.KvOption;
import org.ftrma.apps.kvstore.KvStore;
import org.ftrma.apps.samples.SampleOption;
import org.ftrma.apps.samples.Samples;
import org.ftrma.checkpoint.JobGroups;
import org.ftrma.launch.host.Fault;
import org.ftrma.launch.host.FaultPlan;
import org.ftrma.launch.host.JobHost;
import org.ftrma.launch.host.JobObserver;
import org.ftrma.launch.host.JobRequest;
import org.ftrma.launch.host.JobResult;
import org.ftrma.launch.topology.TopologyFile;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.ftrma.options.Units;
import picocli.CommandLine.ParseResult;

/** The commands that run one job: run, fft, kv and sample. One thread. */
final class JobCommand {
    private static final int CHAOS_ITERATIONS_PER_KILL = 40;
    private static final String CHAOS_INTERVAL = "10";
    /** The last number after an at sign; what follows is left to the parser. */
    private static final Pattern POSITION = Pattern.compile("@([0-9]{1,9})(?=$|\\+)");

    /**
     * A program that comes with the command.
     *
     * @param name as it is typed and shown
     * @param mainClass the class to run
     * @param keys its own options
     * @param lengthKey of these, the one that says how long it runs
     * @param check refuses wrong arguments, given the number of ranks
     */
    private record Application(String name, String mainClass, List<String> keys, String lengthKey, BiConsumer<String[], Integer> check) {
        /** The one of a command, or null for the command that runs any program. */
        static Application of(String command) {
            if (command.equals(CommandTree.RUN)) {
                return null;
            }
            if (command.equals(CommandTree.FFT)) {
                return new Application(command, Fft3d.class.getName(), CommandTree.FFT_OPTIONS, "iterations", Fft3d::check);
            }
            if (command.equals(CommandTree.KV)) {
                return new Application(command, KvStore.class.getName(), Arrays.stream(KvOption.values()).map(KvOption::key).toList(),
                    KvOption.INSERTS.key(), (arguments, ranks) -> KvStore.check(arguments));
            }
            Samples.Sample sample = Samples.byName(command);
            return new Application(command, sample.mainClass(), sample.options().stream().map(SampleOption::key).toList(), "steps",
                (arguments, ranks) -> Samples.check(command, arguments, ranks));
        }

        /** How much of its length a program does in one step: inserts for the key-value store, else steps. */
        int lengthOfStep(List<String> arguments) {
            return name.equals(CommandTree.KV) ? KvStore.batch(arguments.toArray(String[]::new)) : 1;
        }
    }

    private final PrintStream out;
    private final PrintStream err;
    private final Interrupts interrupts;
    private JobConsole.Level level = JobConsole.Level.HEADLINES;
    /** What is good to know, and no error. */
    private PrintStream notes;

    JobCommand(PrintStream out, PrintStream err, Interrupts interrupts) {
        this.out = out;
        this.err = err;
        this.interrupts = interrupts;
        this.notes = err;
    }

    int execute(ParseResult parsed) {
        if (parsed.hasMatchedOption(CommandTree.COMPARE)) {
            return new KvComparison(this, out, err).execute(parsed);
        }
        JobReport report = job(parsed, Map.of());
        if (parsed.hasMatchedOption("json")) {
            out.println(report.json());
        } else {
            out.print(report.text());
        }
        return report.exitCode();
    }

    /**
     * Runs the job that the command line describes.
     *
     * @param instead values of the program's own options that are others than the command line says
     */
    JobReport job(ParseResult parsed, Map<String, String> instead) {
        choose(parsed);
        Application application = Application.of(parsed.commandSpec().name());
        int chaos = (int) Units.count("chaos", parsed.matchedOptionValue("chaos", "0"), 0, 10_000);
        Map<String, String> given = given(parsed);
        List<String> arguments = application == null ? programArguments(parsed) : ownArguments(application, parsed, chaos, instead);
        if (chaos > 0) {
            String interval = given.putIfAbsent(JobOption.INTERVAL.key(), CHAOS_INTERVAL);
            if (interval == null) {
                notes.println("ftrma: chaos: --interval " + CHAOS_INTERVAL);
            }
        }
        JobOptions options = JobOptions.of(given);
        String demand = given.getOrDefault(JobOption.DEMAND.key(), "off");
        if (options.isPutLogged() && !demand.equals("off")) {
            throw new MisuseException("--demand=" + demand + ": --protocol puts has no demand checkpoints, since no rank goes back alone; "
                + "use --protocol full");
        }
        if (options.isProtected()) {
            JobGroups.of(options);
        }
        String mainClass = application == null ? arguments.removeFirst() : application.mainClass;
        if (application != null) {
            application.check.accept(arguments.toArray(String[]::new), options.ranks());
        }
        FaultPlan plan = plan(parsed, options, chaos, application == null ? 1 : application.lengthOfStep(arguments));
        if (parsed.hasMatchedOption(LauncherOption.VERIFY_RESTART.key()) && (options.isProtected() || !plan.faults().isEmpty())) {
            throw new MisuseException("--verify-restart: is for a run without failures and without protection (no --checksums, no --protocol)");
        }
        if (parsed.hasMatchedOption(LauncherOption.CHECK_RACES.key())
            && (parsed.hasMatchedOption(LauncherOption.VERIFY_RESTART.key()) || !plan.faults().isEmpty() || chaos > 0)) {
            throw new MisuseException("--check-races: is for a run without failures and without --verify-restart");
        }
        RankSettings settings = new RankSettings(parsed);
        JobRequest request = new JobRequest(options, mainClass, arguments, settings.classPath(), settings.jvmArguments(), RankSettings.aotCache(),
            parsed.hasMatchedOption("prefix"), timeout(parsed));
        JobDisk disk = JobDisk.of(request, parsed.matchedOptionValue(LauncherOption.RESTART.key(), null), err);
        IdleOptions.of(given.keySet(), options, plan, parsed.hasMatchedOption("seed")).forEach(note -> notes.println("ftrma: " + note));
        JobReport report = new JobReport(application == null ? mainClass : application.name, request, plan).restarted(disk.restart());
        JobObserver console = new JobConsole(options, err, level);
        JobResult result = run(request, plan, console, disk);
        report.add(result);
        if (application != null && chaos > 0 && result.exitCode() == 0) {
            compareWithFailureFree(request, report);
        }
        report.problems().forEach(problem -> err.println("ftrma: " + problem));
        return report;
    }

    /** How much is told. */
    private void choose(ParseResult parsed) {
        boolean quiet = parsed.hasMatchedOption(LauncherOption.QUIET.key());
        if (quiet && parsed.hasMatchedOption(LauncherOption.VERBOSE.key())) {
            throw new MisuseException("--quiet: not together with --verbose");
        }
        level = quiet ? JobConsole.Level.ERRORS : parsed.hasMatchedOption(LauncherOption.VERBOSE.key()) ? JobConsole.Level.ALL
            : JobConsole.Level.HEADLINES;
        notes = quiet ? new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8) : err;
    }

    private Map<String, String> given(ParseResult parsed) {
        Map<String, String> given = new TreeMap<>();
        for (JobOption option : JobOption.values()) {
            if (parsed.hasMatchedOption(option.key())) {
                String value = parsed.matchedOptionValue(option.key(), "");
                given.put(option.key(), option == JobOption.TOPOLOGY ? TopologyFile.asText(value) : value);
            }
        }
        return given;
    }

    private List<String> ownArguments(Application application, ParseResult parsed, int chaos, Map<String, String> instead) {
        List<String> arguments = new ArrayList<>();
        for (String key : application.keys) {
            String value = instead.getOrDefault(key, parsed.matchedOptionValue(key, null));
            if (value != null) {
                arguments.add("--" + key);
                arguments.add(value);
            }
        }
        for (String key : CommandTree.FFT_FLAGS) {
            if (parsed.hasMatchedOption(key)) {
                arguments.add("--" + key);
            }
        }
        if (chaos > 0 && !parsed.hasMatchedOption(application.lengthKey)) {
            String length = Long.toString((long) chaos * CHAOS_ITERATIONS_PER_KILL * application.lengthOfStep(arguments));
            notes.println("ftrma: chaos: --" + application.lengthKey + " " + length);
            arguments.add("--" + application.lengthKey);
            arguments.add(length);
        }
        return arguments;
    }

    private static List<String> programArguments(ParseResult parsed) {
        List<String> arguments = new ArrayList<>();
        if (parsed.hasMatchedPositional(0)) {
            List<String> positional = parsed.matchedPositionalValue(0, List.of());
            arguments.addAll(positional);
        }
        if (arguments.isEmpty() || arguments.getFirst().isBlank()) {
            throw new MisuseException("no program: ftrma run --ranks N -- MainClass arguments");
        }
        return arguments;
    }

    /** {@code R@I}, where I counts what a step does several of, with I's step in its place. */
    private static String inSteps(String text, int lengthOfStep) {
        Matcher matcher = POSITION.matcher(text);
        if (lengthOfStep == 1 || !matcher.find()) {
            return text;
        }
        long step = (Long.parseLong(matcher.group(1)) + lengthOfStep - 1) / lengthOfStep;
        return text.substring(0, matcher.start(1)) + step + text.substring(matcher.end(1));
    }

    private FaultPlan plan(ParseResult parsed, JobOptions options, int chaos, int lengthOfStep) {
        List<Fault> faults = new ArrayList<>();
        for (String text : repeated(parsed, "kill")) {
            faults.add(Fault.parse(Fault.Action.KILL, inSteps(text, lengthOfStep), options));
        }
        for (String text : repeated(parsed, "stop")) {
            faults.add(Fault.parse(Fault.Action.STOP, inSteps(text, lengthOfStep), options));
        }
        if (chaos > 0 && !options.isProtected()) {
            throw new MisuseException("--chaos=" + chaos + ": the job is not protected; add --checksums 1 --protocol coordinated");
        }
        long seed = seed(parsed);
        if (chaos > 0 || !faults.isEmpty()) {
            notes.println("ftrma: --seed " + seed + " repeats the random choices");
        }
        return new FaultPlan(faults, chaos, seed);
    }

    static long seed(ParseResult parsed) {
        String text = parsed.matchedOptionValue("seed", null);
        return text == null ? Math.abs(new SecureRandom().nextInt()) : Units.count("seed", text, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private static List<String> repeated(ParseResult parsed, String key) {
        return parsed.matchedOptionValue(key, List.of());
    }

    private static long timeout(ParseResult parsed) {
        return parsed.hasMatchedOption("timeout") ? Units.durationNanos("timeout", parsed.matchedOptionValue("timeout", "")) : 0;
    }

    private JobResult run(JobRequest request, FaultPlan plan, JobObserver observer, JobDisk disk) {
        JobHost host = new JobHost(request, plan, out, err).observe(observer).telling(notes);
        disk.attach(host);
        return interrupts.run(host);
    }

    private void compareWithFailureFree(JobRequest request, JobReport report) {
        Map<String, String> given = request.options().asMap();
        given.put(JobOption.PROTOCOL.key(), "none");
        given.put(JobOption.CHECKSUMS.key(), "0");
        given.put(JobOption.SPARES.key(), "0");
        given.put(JobOption.FLUSH.key(), JobOption.FLUSH.defaultValue());
        notes.println("ftrma: chaos: running the same once more without failures, to compare");
        JobOptions options = JobOptions.of(given);
        JobConsole console = new JobConsole(options, err, level == JobConsole.Level.ERRORS ? level : JobConsole.Level.HEADLINES);
        JobResult reference = run(request.with(options, request.arguments()), FaultPlan.none(), console, JobDisk.NONE);
        report.compareWith(reference);
    }
}
