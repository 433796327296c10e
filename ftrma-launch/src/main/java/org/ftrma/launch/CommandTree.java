package org.ftrma.launch;

import java.util.List;
import java.util.Map;
import org.ftrma.apps.kvstore.KvOption;
import org.ftrma.apps.samples.SampleOption;
import org.ftrma.apps.samples.Samples;
import org.ftrma.launch.topology.MachineOption;
import org.ftrma.launch.topology.MapCommand;
import org.ftrma.launch.topology.PcfCommand;
import org.ftrma.launch.topology.PlanCommand;
import org.ftrma.options.JobOption;
import org.ftrma.options.OptionText;
import org.ftrma.testkit.SimulateOption;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The commands and their options as picocli sees them. Job options come from their one table. */
final class CommandTree {
    static final String RUN = "run";
    static final String FFT = "fft";
    static final String KV = "kv";
    static final String SAMPLE = "sample";
    static final String DEMO = "demo";
    static final String SIMULATE = "simulate";
    static final String MAP = "map";
    static final String PCF = "pcf";
    static final String PLAN = "plan";
    static final String IMAGES = "images";
    static final String INFO = "info";
    static final String TEST = "test";
    static final String MUTATE = "mutate";
    static final String BENCH = "bench";
    static final String JAVAC = "javac";
    static final String HELP = "help";
    /** The root's own switch. */
    static final String VERSION = "version";
    /** Options of the fft command that are the program's own. */
    static final List<String> FFT_OPTIONS = List.of("class", "iterations", "grid", "warm-up", "files", "files-every");
    /** The same, without a value. */
    static final List<String> FFT_FLAGS = List.of("print-checksums");
    /** The kv command's own switch. */
    static final String COMPARE = "compare";
    /** The simulate command's own switch. */
    static final String SCALE = "scale";
    /** Where {@link #SCALE} writes. */
    static final String OUT = "out";

    private static final String[] EXIT_CODES = {
        "0:success", "1:the program failed or did not verify", "2:wrong usage", "3:catastrophic: more was lost than can be rebuilt",
        "4:this machine lacks something that the message names", "130:interrupted"
    };

    private CommandTree() {
    }

    static CommandLine create() {
        CommandSpec root = command("ftrma", "Runs one-sided parallel programs whose processes may be killed at any moment.");
        root.addOption(OptionSpec.builder("--" + VERSION).type(boolean.class).arity("0")
            .description("show the versions of ftrma, the JDK and UCX, and end").build());
        root.addSubcommand(RUN, run());
        root.addSubcommand(FFT, fft());
        root.addSubcommand(KV, kv());
        root.addSubcommand(SAMPLE, sample());
        root.addSubcommand(DEMO, demo());
        root.addSubcommand(SIMULATE, simulate());
        root.addSubcommand(MAP, machineCommand(MAP,
            "Places a job's ranks and checksum ranks on the nodes of a machine, so that what fails together can be "
            + "rebuilt; prints and draws the placement.", MapCommand.OPTIONS, Map.of()));
        root.addSubcommand(PCF, machineCommand(PCF, "Tells how likely a catastrophic failure is: by the paper's formula, and for a placement.",
            PcfCommand.OPTIONS, Map.of()));
        root.addSubcommand(PLAN, machineCommand(PLAN,
            "Says how to protect a job: interval, waste, checksum ranks and their placement, memory, with the arithmetic.", PlanCommand.OPTIONS,
            PlanCommand.DEFAULTS));
        root.addSubcommand(IMAGES, images());
        root.addSubcommand(INFO, info());
        root.addSubcommand(TEST, test());
        root.addSubcommand(MUTATE, command(MUTATE, "Tells which tests notice small changes to the protocol. (Done by the ftrma script itself.)"));
        root.addSubcommand(BENCH, command(BENCH, "Runs benchmarks: bench access, bench overhead. (Done by the ftrma script itself.)"));
        root.addSubcommand(JAVAC, command(JAVAC, "Compiles a program against the library, with the JDK that ftrma uses: ftrma javac -d out Main.java; "
            + "all arguments are javac's. (Done by the ftrma script itself.)"));
        root.addSubcommand(HELP, command(HELP, "Tells about a command: help COMMAND."));
        CommandLine line = new CommandLine(root);
        line.setUsageHelpLongOptionsMaxWidth(28);
        line.setUsageHelpWidth(110);
        line.setExpandAtFiles(false);
        line.getSubcommands().get(RUN).setStopAtPositional(true);
        return line;
    }

    private static CommandSpec command(String name, String description) {
        CommandSpec spec = CommandSpec.create().name(name.equals("ftrma") ? "ftrma" : name);
        UsageMessageSpec usage = spec.usageMessage();
        usage.description(description);
        usage.sortOptions(false);
        usage.abbreviateSynopsis(true);
        usage.exitCodeListHeading("%nExit codes:%n");
        usage.exitCodeList(CommandLine.Model.UsageMessageSpec.keyValuesMap(EXIT_CODES));
        spec.addOption(OptionSpec.builder("-h", "--help").usageHelp(true).description("show this help and end").build());
        return spec;
    }

    private static CommandSpec run() {
        CommandSpec spec = command(RUN, "Runs any program: ftrma run --ranks 4 --class-path my.jar -- org.example.MainClass arguments.");
        addJobOptions(spec);
        spec.addOption(OptionSpec.builder("--class-path").paramLabel("PATH").type(String.class)
            .description("where the program's classes are: folders and jars, separated by colons").build());
        spec.addPositional(PositionalParamSpec.builder().index("0..*").arity("0..*").paramLabel("MainClass args").type(List.class)
            .auxiliaryTypes(String.class).description("the program and its arguments, after --").build());
        return spec;
    }

    private static CommandSpec fft() {
        CommandSpec spec = command(FFT, "Runs the NAS FT benchmark (a 3-D FFT) and verifies its result.");
        addFftOptions(spec);
        addJobOptions(spec);
        return spec;
    }

    private static void addFftOptions(CommandSpec spec) {
        spec.addOption(value("class", "NAME", "problem class: S, W, A, B, C (default: S)"));
        spec.addOption(value("iterations", "N", "time steps, 1 to 1000000 (default: the class's own number)"));
        spec.addOption(value("grid", "RxC", "ranks as R rows and C columns, powers of two (default: chosen)"));
        spec.addOption(value("warm-up", "SECONDS", "run the kernels for so long before the measurement, 0 to 60 (default: the program's)"));
        spec.addOption(value("files", "DIR", "to compare with: write checkpoints to files in that directory, with a parity among the ranks, and remove "
            + "them at the end"));
        spec.addOption(value("files-every", "N", "with --files: every so many steps (default: 10)"));
        spec.addOption(OptionSpec.builder("--print-checksums").type(boolean.class).arity("0").description("print each time step's checksum").build());
    }

    private static CommandSpec kv() {
        CommandSpec spec = command(KV, "Inserts random keys into a distributed hash table and verifies that each is there once, with its value.");
        for (KvOption option : KvOption.values()) {
            spec.addOption(option(option.text()));
        }
        spec.addOption(OptionSpec.builder("--" + COMPARE).type(boolean.class).arity("0").description("insert the same keys at full speed in "
            + "batches, one after the other, and into a Chronicle Map that as many processes share, and print the three side by side").build());
        addJobOptions(spec);
        return spec;
    }

    private static CommandSpec sample() {
        CommandSpec spec = command(SAMPLE, "Runs a sample program and verifies its result: ftrma sample NAME [options].");
        for (Samples.Sample sample : Samples.all()) {
            CommandSpec one = command(sample.name(), sample.meaning());
            for (SampleOption option : sample.options()) {
                one.addOption(option(option.text()));
            }
            addJobOptions(one);
            spec.addSubcommand(sample.name(), one);
        }
        return spec;
    }

    private static CommandSpec demo() {
        CommandSpec spec = command(DEMO,
            "Shows a run in which a rank is killed: NAS FT class W, 4 computing ranks, 1 checksum rank, 1 spare.");
        spec.addOption(value(LauncherOption.SEED.key(), "S", "seed of the choice of rank and moment; it is printed (default: random)"));
        addLauncherOptions(spec, List.of(LauncherOption.JSON, LauncherOption.VERBOSE));
        return spec;
    }

    private static CommandSpec simulate() {
        CommandSpec spec = command(SIMULATE,
            "Runs the protocol in simulation with a crash at every point; a failing case prints how to replay it.");
        for (SimulateOption option : SimulateOption.values()) {
            spec.addOption(option(option.text()));
        }
        spec.addOption(OptionSpec.builder("--" + SCALE).type(boolean.class).arity("0").description("instead of all that: the stencil and the key-value "
            + "store on 16, 64, ... up to --ranks ranks (default and most: 1024), without failures and with one: how messages, logs and the work of a "
            + "recovery grow").build());
        spec.addOption(value(OUT, "DIR", "with --scale: where CSV, table and pictures go (default: figures)"));
        addLauncherOptions(spec, List.of(LauncherOption.JSON));
        return spec;
    }

    private static CommandSpec images() {
        CommandSpec spec = command(IMAGES, "Lists the generations that --flush has written to a directory, and verifies every byte: ftrma images DIR. "
            + "The exit code is 1 if one is damaged.");
        addLauncherOptions(spec, List.of(LauncherOption.JSON));
        spec.addPositional(PositionalParamSpec.builder().index("0..*").arity("0..*").paramLabel("DIR").type(List.class)
            .auxiliaryTypes(String.class).description("the directory").build());
        return spec;
    }

    private static CommandSpec info() {
        CommandSpec spec = command(INFO, "Tells what this machine offers: UCX and its transports, shared memory, cores, the JDK.");
        addLauncherOptions(spec, List.of(LauncherOption.JSON));
        return spec;
    }

    private static CommandSpec test() {
        CommandSpec spec = command(TEST, "Builds everything and runs all tests. (Done by the ftrma script itself, with Maven.)");
        spec.addOption(value("modules", "NAME,...", "only those of these modules and of the ones that they need"));
        spec.addOption(value("tests", "NAME,...", "only these classes or methods, such as XorCodeTest or CliTest#helpOfHelp; * stands for anything"));
        addLauncherOptions(spec, List.of(LauncherOption.JSON));
        return spec;
    }

    private static CommandSpec machineCommand(String name, String description, List<MachineOption> options, Map<MachineOption, String> defaults) {
        CommandSpec spec = command(name, description);
        for (MachineOption option : options) {
            String given = defaults.getOrDefault(option, option.defaultText());
            spec.addOption(option(new OptionText(option.key(), option.label(), given, option.meaning())));
        }
        return spec;
    }

    private static void addJobOptions(CommandSpec spec) {
        for (JobOption option : JobOption.values()) {
            spec.addOption(option(option.text()));
        }
        addLauncherOptions(spec, List.of(LauncherOption.values()));
    }

    private static void addLauncherOptions(CommandSpec spec, List<LauncherOption> options) {
        for (LauncherOption option : options) {
            spec.addOption(option.repeatable() ? builder(option.text()).type(List.class).auxiliaryTypes(String.class).build() : option(option.text()));
        }
    }

    private static OptionSpec option(OptionText text) {
        return builder(text).build();
    }

    private static OptionSpec.Builder builder(OptionText text) {
        OptionSpec.Builder builder = OptionSpec.builder("--" + text.key()).description(escape(text.description()));
        return text.label().isEmpty() ? builder.type(boolean.class).arity("0") : builder.paramLabel(text.label()).type(String.class).arity("1");
    }

    private static OptionSpec value(String key, String label, String description) {
        return option(new OptionText(key, label, "", description));
    }

    /** picocli formats descriptions. */
    private static String escape(String text) {
        return text.replace("%", "%%").replace("@|", "@@|");
    }
}
