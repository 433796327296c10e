package org.ftrma.launch;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.MisuseException;
import org.ftrma.apps.fft3d.Fft3d;
import org.ftrma.apps.fft3d.FtOption;
import org.ftrma.apps.kvstore.KvOption;
import org.ftrma.apps.kvstore.KvStore;
import org.ftrma.apps.npb.Npb;
import org.ftrma.apps.samples.Samples;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.launch.agent.Surroundings;
import org.ftrma.launch.disk.RestartChoice;
import org.ftrma.launch.hosts.HostOption;
import org.ftrma.launch.hosts.SlurmClient;
import org.ftrma.launch.inject.FaultPlan;
import org.ftrma.launch.inject.InjectedFailure;
import org.ftrma.launch.job.JobHost;
import org.ftrma.launch.job.JobRequest;
import org.ftrma.launch.journal.Launcher;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.launch.record.JobObserver;
import org.ftrma.launch.record.JobResult;
import org.ftrma.launch.topology.TopologyFile;
import org.ftrma.options.CommandOption;
import org.ftrma.options.DemandForm;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.ftrma.options.OptionTable;
import org.ftrma.options.Protocol;
import org.ftrma.rank.control.MachineClock;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The commands that run one job: run, fft, kv, npb and sample. One thread. */
public final class JobCommand {
    /** One class of each place with programs that come with the command. */
    private static final Class<?>[] PROGRAMS = {Fft3d.class, KvStore.class, Npb.class, Samples.class};
    private static final int CHAOS_ITERATIONS_PER_KILL = 40;
    private static final String CHAOS_INTERVAL = "10";
    /** The last number after an at sign; what follows is left to the parser. */
    private static final Pattern POSITION = Pattern.compile("@([0-9]{1,9})(?=$|\\+)");

    /**
     * A program that comes with the command.
     *
     * @param name as it is typed and shown
     * @param mainClass the class to run
     * @param options its own options
     * @param length of these, the one that says how long it runs; null: it finds that out
     * @param check refuses wrong arguments, given the number of ranks
     */
    private record Application(String name, String mainClass, OptionTable<?> options, CommandOption length,
        BiConsumer<String[], Integer> check) {
        /** The one of a command, or null for the command that runs any program. */
        static Application of(CommandSpec spec) {
            String command = spec.name();
            boolean isSample = spec.parent() != null && spec.parent().name().equals(CommandNames.SAMPLE);
            return switch (command) {
                case CommandNames.RUN -> null;
                case CommandNames.FFT -> new Application(command, Fft3d.class.getName(), FtOption.TABLE,
                    FtOption.ITERATIONS, Fft3d::check);
                case CommandNames.KV -> new Application(command, KvStore.class.getName(), KvOption.TABLE,
                    KvOption.INSERTS,
                    (arguments, ranks) -> KvStore.check(arguments));
                default -> {
                    for (Npb.Benchmark one : Npb.all()) {
                        if (one.name().equals(command) && !isSample) {
                            yield new Application(command, one.mainClass(), one.options(), one.length(), one.check());
                        }
                    }
                    Samples.Sample sample = Samples.byName(command);
                    yield new Application(command, sample.mainClass(), sample.options(), sample.length(),
                        (arguments, ranks) -> Samples.check(command, arguments, ranks));
                }
            };
        }

        /** How much of its length a program does in one step: inserts for the key-value store, else steps. */
        int lengthOfStep(List<String> arguments) {
            return name.equals(CommandNames.KV) ? KvStore.batch(arguments.toArray(String[]::new)) : 1;
        }
    }

    private final PrintStream out;
    private PrintStream err;
    private final Interrupts interrupts;
    private ParseResult typed;
    private JobConsole.Level level = JobConsole.Level.HEADLINES;
    /** What is good to know, and no error. */
    private PrintStream notes;

    JobCommand(PrintStream out, PrintStream err, Interrupts interrupts) {
        this.out = out;
        this.err = err;
        this.interrupts = interrupts;
        this.notes = err;
    }

    /** The command line that goes on with the job is this one, whatever else is given besides. */
    JobCommand typedAs(ParseResult parsed) {
        typed = parsed;
        return this;
    }

    int execute(ParseResult parsed) {
        JobReport report = job(parsed, Map.of());
        if (new GivenOptions(parsed).has(LauncherOption.JSON)) {
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
    public JobReport job(ParseResult parsed, Map<? extends CommandOption, String> instead) {
        GivenOptions given = new GivenOptions(parsed);
        PrintStream plain = err;
        try (MessageLog log = MessageLog.of(given, plain)) {
            err = log.stream();
            return job(parsed, instead, given);
        } finally {
            err = plain;
        }
    }

    private JobReport job(ParseResult parsed, Map<? extends CommandOption, String> instead, GivenOptions given) {
        choose(given);
        Application application = Application.of(parsed.commandSpec());
        int chaos = (int) (given.number(LauncherOption.CHAOS) + given.number(HostOption.CHAOS_HOSTS));
        List<String> arguments = application == null ? programArguments(given) : ownArguments(application, given, chaos,
            instead);
        Map<JobOption, String> jobOptions = jobOptions(given, chaos);
        NamedHosts named = NamedHosts.of(given, System.getenv(), Surroundings.hostName(),
            new SlurmClient(note -> notes.println("ftrma: " + note)));
        JobOptions first = JobOptions.from(named.isThisHost() ? jobOptions : OpenHosts.withoutThem(jobOptions));
        refuseDemandOfPuts(first, given);
        if (first.isProtected()) {
            JobGroups.of(first);
        }
        RestartChoice from = JobDisk.choose(first, application != null ? application.mainClass : arguments.getFirst(),
            application != null ? arguments : arguments.subList(1, arguments.size()), given, err, notes);
        try (OpenHosts hosts = new OpenHosts(given, named, first, err, notes, interrupts::haveArrived)) {
            JobOptions options = hosts.isThisHost() ? first : hosts.settle(jobOptions);
            return job(new Wanted(given, application, arguments, chaos,
                parsed.commandSpec().optionsMap().keySet(), restartCommand(parsed, options), from,
                parsed.originalArgs()), jobOptions.keySet(),
                options, hosts);
        }
    }

    /**
     * What is to be run.
     *
     * @param application one that comes with the command; null: another one
     * @param arguments the program's, after its name if it does not come with the command
     * @param chaos random failures
     * @param known names of the command's own options
     * @param restart the command that goes on with the job, if it is stopped
     * @param from what it starts from, or null
     * @param command the command line
     */
    private record Wanted(GivenOptions given, Application application, List<String> arguments, int chaos,
        Set<String> known, String restart, RestartChoice from, List<String> command) {
    }

    private JobReport job(Wanted wanted, Set<JobOption> givenOptions, JobOptions options, OpenHosts hosts) {
        GivenOptions given = wanted.given;
        Application application = wanted.application;
        List<String> arguments = wanted.arguments;
        int chaos = wanted.chaos;
        String mainClass = application == null ? arguments.removeFirst() : application.mainClass;
        if (application == null) {
            MisplacedOptions.of(wanted.known, mainClass, arguments)
                .forEach(note -> notes.println("ftrma: " + note));
        } else {
            application.check.accept(arguments.toArray(String[]::new), options.ranks());
        }
        FaultPlan plan = plan(given, options, chaos, application == null ? 1 : application.lengthOfStep(arguments));
        refuseChecksOfFailures(given, options, plan);
        RankSettings settings = new RankSettings(given);
        JobRequest request = new JobRequest(options, mainClass, arguments, settings.classPath(PROGRAMS),
            settings.givenPath(),
            settings.check(), settings.jvmArguments(), RankSettings.aotCache(),
            given.has(LauncherOption.PREFIX), given.number(LauncherOption.TIMEOUT, 0));
        JobDisk disk = JobDisk.of(request, wanted.from, given, err);
        hosts.checkShared(disk);
        OptionsWithoutEffect.of(givenOptions, options, plan, given.allOf(LauncherOption.class))
            .forEach(note -> notes.println("ftrma: " + note));
        JobReport report = new JobReport(application == null ? mainClass : application.name, request,
            plan).restarted(disk.restart()).restartedBy(wanted.restart);
        JobObserver console = new JobConsole(options, err, level);
        PageProcess.checkPort(given);
        try (KeptJob kept = KeptJob.of(given, application == null ? mainClass : application.name, wanted.command,
                options, hosts::hostOf, notes);
             PageProcess page = new PageProcess(given, kept.folder(), err)) {
            removeLeftPlaces(console, kept);
            JobResult result = run(request, plan, console, disk, hosts, kept);
            report.add(result);
            kept.ended(report.figures());
            page.ended();
            if (application != null && chaos > 0 && result.exitCode() == 0) {
                compareWithFailureFree(request, report, hosts);
            }
        }
        report.problems().forEach(problem -> err.println("ftrma: " + problem));
        return report;
    }

    /** Of jobs whose processes were all killed. */
    private static void removeLeftPlaces(JobObserver console, KeptJob kept) {
        List<Path> removed = Launcher.removeLeftPlaces();
        if (!removed.isEmpty()) {
            JobEvent note = new JobEvent.Note("removed directories of jobs whose processes were all killed: "
                + removed);
            console.event(note, MachineClock.HERE.nanoTime());
            kept.event(note);
        }
    }

    private String restartCommand(ParseResult parsed, JobOptions options) {
        return options.isFlushed() ? RestartCommand.of(typed == null ? parsed : typed,
            options.value(JobOption.FLUSH)) : null;
    }

    /** How much is told. */
    private void choose(GivenOptions given) {
        boolean quiet = given.has(LauncherOption.QUIET);
        if (quiet && given.has(LauncherOption.VERBOSE)) {
            throw new MisuseException("--quiet: not together with --verbose");
        }
        level = quiet ? JobConsole.Level.ERRORS : given.has(LauncherOption.VERBOSE) ? JobConsole.Level.ALL
            : JobConsole.Level.HEADLINES;
        notes = quiet ? new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8) : err;
    }

    private Map<JobOption, String> jobOptions(GivenOptions given, int chaos) {
        Map<JobOption, String> options = given.of(JobOption.class);
        options.computeIfPresent(JobOption.TOPOLOGY, (option, file) -> TopologyFile.asText(file));
        if (chaos > 0 && options.putIfAbsent(JobOption.INTERVAL, CHAOS_INTERVAL) == null) {
            notes.println("ftrma: chaos: --" + JobOption.INTERVAL.key() + " " + CHAOS_INTERVAL);
        }
        return options;
    }

    private static void refuseDemandOfPuts(JobOptions options, GivenOptions given) {
        String demand = given.text(JobOption.DEMAND, DemandForm.OFF.word());
        if (options.protocol().logsPuts() && !options.protocol().recoversLocally()
            && !demand.equals(DemandForm.OFF.word())) {
            throw new MisuseException("--demand=" + demand + ": --protocol " + options.protocol()
                + " has no demand checkpoints, since no rank goes back "
                + "alone; use --protocol " + Protocol.FULL);
        }
    }

    private static void refuseChecksOfFailures(GivenOptions given, JobOptions options, FaultPlan plan) {
        boolean verified = given.has(LauncherOption.VERIFY_RESTART);
        if (verified && (options.isProtected() || !plan.faults().isEmpty())) {
            throw new MisuseException("--verify-restart: needs an unprotected run without failures; drop --checksums, "
                + "--protocol, --kill, --stop");
        }
        if (given.has(LauncherOption.CHECK_RACES) && (verified || !plan.faults().isEmpty() || plan.chaos() > 0)) {
            throw new MisuseException("--check-races: needs a run without failures; drop --verify-restart, --kill, "
                + "--stop, --chaos");
        }
    }

    private List<String> ownArguments(Application application, GivenOptions given, int chaos,
        Map<? extends CommandOption, String> instead) {
        List<String> arguments = new ArrayList<>();
        for (CommandOption option : application.options.options()) {
            String value = instead.get(option);
            if (value == null && !given.has(option)) {
                continue;
            }
            arguments.add("--" + option.key());
            if (!option.form().isFlag()) {
                arguments.add(value == null ? given.text(option) : value);
            }
        }
        if (chaos > 0 && application.length != null && !given.has(application.length)) {
            String length = Long.toString((long) chaos * CHAOS_ITERATIONS_PER_KILL
                * application.lengthOfStep(arguments));
            notes.println("ftrma: chaos: --" + application.length.key() + " " + length);
            arguments.add("--" + application.length.key());
            arguments.add(length);
        }
        return arguments;
    }

    private static List<String> programArguments(GivenOptions given) {
        List<String> arguments = new ArrayList<>(given.words());
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

    private FaultPlan plan(GivenOptions given, JobOptions options, int chaos, int lengthOfStep) {
        List<InjectedFailure> faults = new ArrayList<>();
        for (String text : given.all(LauncherOption.KILL)) {
            faults.add(InjectedFailure.parse(InjectedFailure.Action.KILL, inSteps(text, lengthOfStep), options));
        }
        for (String text : given.all(LauncherOption.STOP)) {
            faults.add(InjectedFailure.parse(InjectedFailure.Action.STOP, inSteps(text, lengthOfStep), options));
        }
        if (chaos > 0 && !options.isProtected()) {
            throw new MisuseException((given.has(LauncherOption.CHAOS) ? "--chaos=" + given.number(LauncherOption.CHAOS)
                : "--chaos-hosts=" + chaos) + ": the job is not protected; add --checksums 1 --protocol "
                + "coordinated");
        }
        long seed = seed(given);
        if (chaos > 0 || !faults.isEmpty()) {
            notes.println("ftrma: --seed " + seed + " repeats the random choices");
        }
        int hosts = (int) given.number(HostOption.CHAOS_HOSTS);
        return new FaultPlan(faults, chaos - hosts, hosts, seed);
    }

    public static long seed(GivenOptions given) {
        return given.has(LauncherOption.SEED) ? given.number(LauncherOption.SEED)
            : Math.abs(new SecureRandom().nextInt());
    }

    private JobResult run(JobRequest request, FaultPlan plan, JobObserver observer, JobDisk disk, OpenHosts hosts,
        KeptJob kept) {
        JobHost host = hosts.job(kept.request(request), plan, out).observe(observer).telling(notes);
        kept.observe(host);
        disk.attach(host);
        AllocationEnd end = disk.flushes() == null ? null
            : AllocationEnd.of(System.getenv(), disk.drainNanos(), host::stopAhead, notes);
        if (end == null) {
            return interrupts.run(host);
        }
        host.observe(end);
        try (end) {
            end.watch();
            return interrupts.run(host);
        }
    }

    private void compareWithFailureFree(JobRequest request, JobReport report, OpenHosts hosts) {
        notes.println("ftrma: chaos: running the same once more without failures, to compare");
        JobOptions options = request.options().with().set(JobOption.PROTOCOL, Protocol.NONE).set(JobOption.CHECKSUMS,
            0).set(JobOption.SPARES, 0)
            .set(JobOption.FLUSH, JobOption.FLUSH.defaultText()).build();
        JobConsole console = new JobConsole(options, err, level == JobConsole.Level.ERRORS ? level
            : JobConsole.Level.HEADLINES);
        JobResult reference = run(request.with(options, request.arguments()), FaultPlan.none(), console, JobDisk.NONE,
            hosts, KeptJob.none());
        report.compareWith(reference);
    }
}
