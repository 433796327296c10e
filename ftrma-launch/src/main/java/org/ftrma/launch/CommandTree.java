package org.ftrma.launch;

import static org.ftrma.launch.CommandSpecs.add;
import static org.ftrma.launch.CommandSpecs.addAll;
import static org.ftrma.launch.CommandSpecs.builder;
import static org.ftrma.launch.CommandSpecs.command;

import java.util.List;
import java.util.Map;
import org.ftrma.apps.fft3d.FtOption;
import org.ftrma.apps.kvstore.KvOption;
import org.ftrma.apps.npb.Npb;
import org.ftrma.apps.samples.Samples;
import org.ftrma.launch.hosts.AgentOption;
import org.ftrma.launch.hosts.HostOption;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.launch.options.SingleOption;
import org.ftrma.launch.topology.MachineOption;
import org.ftrma.launch.topology.MapCommand;
import org.ftrma.launch.topology.PcfCommand;
import org.ftrma.launch.topology.PlanCommand;
import org.ftrma.options.JobOption;
import org.ftrma.options.OptionText;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine;

/**
 * The commands and their options as picocli sees them: each option comes from a table. What picocli makes of them
 * besides parsing, completion of shells and man pages, is made of this too. Any thread.
 */
public final class CommandTree {
    /** What {@link CommandNames#COMPLETION} knows. */
    static final List<String> SHELLS = List.of("bash", "zsh");

    private CommandTree() {
    }

    /** The root of the launcher's commands; parsing it runs none. */
    static CommandLine create() {
        return create(MoreCommands.NONE);
    }

    /** The root of all commands; parsing it runs none. */
    public static CommandLine create(MoreCommands more) {
        CommandSpec root = command("ftrma", "Runs parallel programs that survive the loss of processes and hosts.");
        root.addOption(builder(SingleOption.VERSION.text(), false).versionHelp(true).build());
        root.versionProvider(InfoCommand::versions);
        addCommands(root, List.of(run(), fft(), kv(), npb(), sample()));
        addCommands(root, more.specs());
        addCommands(root, List.of(
            machineCommand(CommandNames.MAP, "Places ranks and checksum ranks on the nodes of a machine so that "
                + "simultaneous failures can be rebuilt; prints and draws the placement.", MapCommand.OPTIONS,
                Map.of()),
            machineCommand(CommandNames.PCF, "Computes the probability of a catastrophic failure, by the paper's "
                + "formula and for a placement.", PcfCommand.OPTIONS, Map.of()),
            machineCommand(CommandNames.PLAN, "Plans the protection of a job: interval, waste, checksum ranks and "
                + "their placement, memory, with the arithmetic.", PlanCommand.OPTIONS, PlanCommand.DEFAULTS),
            images(), info(), agent(), drain(), checkpoint()));
        addCommands(root, WatchTree.commands());
        addCommands(root, List.of(test(),
            command(CommandNames.MUTATE, "Finds out which tests detect small changes to the protocol. (Done by the "
                + "ftrma script itself.)"),
            command(CommandNames.BENCH, "Runs benchmarks: bench access, bench overhead. (Done by the ftrma script "
                + "itself.)"),
            command(CommandNames.JAVAC, "Compiles a program against the library, with the JDK that ftrma uses: ftrma "
                + "javac -d out Main.java; all arguments are javac's. (Done by the ftrma script itself.)"),
            packaged(), installed(), options(), completion(),
            command(CommandNames.HELP, "Shows help for a command: help COMMAND.")));
        CommandLine line = new CommandLine(root);
        line.setUsageHelpLongOptionsMaxWidth(28);
        line.setUsageHelpWidth(110);
        line.setExpandAtFiles(false);
        line.getSubcommands().get(CommandNames.RUN).setStopAtPositional(true);
        line.getSubcommands().get(CommandNames.OPTIONS).setStopAtPositional(true);
        return line;
    }

    private static void addCommands(CommandSpec root, List<CommandSpec> commands) {
        commands.forEach(command -> root.addSubcommand(command.name(), command));
    }

    /** What a command line is about, after the names of the command. */
    static ParseResult innermost(ParseResult parsed) {
        ParseResult one = parsed;
        while (one.hasSubcommand()) {
            one = one.subcommand();
        }
        return one;
    }

    /** The same for completion of shells, where picocli keeps an option's words by its label: labels differ there. */
    static CommandLine forCompletion(MoreCommands more) {
        CommandLine root = create(more);
        labelByName(root);
        return root;
    }

    private static void labelByName(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        for (OptionSpec option : List.copyOf(spec.options())) {
            if (option.completionCandidates() != null) {
                spec.remove(option);
                spec.addOption(OptionSpec.builder(option).paramLabel(option.longestName().substring(2)).build());
            }
        }
        command.getSubcommands().values().forEach(CommandTree::labelByName);
    }

    private static CommandSpec run() {
        CommandSpec spec = command(CommandNames.RUN, "Runs any program: ftrma run --ranks 4 --class-path my.jar -- "
            + "org.example.MainClass arguments.");
        addJobOptions(spec);
        add(spec, SingleOption.CLASS_PATH);
        spec.addPositional(PositionalParamSpec.builder().index("0..*").arity("0..*").paramLabel("MainClass "
            + "args").type(List.class)
            .auxiliaryTypes(String.class).description("the program and its arguments, after --").build());
        return spec;
    }

    private static CommandSpec fft() {
        CommandSpec spec = command(CommandNames.FFT, "Runs the NAS FT benchmark (a 3-D FFT) and verifies its result.");
        addAll(spec, FtOption.TABLE.options());
        addJobOptions(spec);
        return spec;
    }

    private static CommandSpec kv() {
        CommandSpec spec = command(CommandNames.KV,
            "Inserts random keys into a distributed hash table and verifies that each "
            + "is there once, with its value.");
        addAll(spec, KvOption.TABLE.options());
        add(spec, SingleOption.COMPARE);
        addJobOptions(spec);
        return spec;
    }

    private static CommandSpec npb() {
        CommandSpec spec = command(CommandNames.NPB,
            "Runs a NAS benchmark on messages and verifies its result: ftrma npb NAME "
            + "[options].");
        for (Npb.Benchmark benchmark : Npb.all()) {
            CommandSpec one = command(benchmark.name(), benchmark.meaning());
            addAll(one, benchmark.options().options());
            addJobOptions(one);
            spec.addSubcommand(benchmark.name(), one);
        }
        return spec;
    }

    private static CommandSpec sample() {
        CommandSpec spec = command(CommandNames.SAMPLE,
            "Runs a sample program and verifies its result: ftrma sample NAME "
            + "[options].");
        for (Samples.Sample sample : Samples.all()) {
            CommandSpec one = command(sample.name(), sample.meaning());
            addAll(one, sample.options().options());
            addJobOptions(one);
            spec.addSubcommand(sample.name(), one);
        }
        return spec;
    }

    private static CommandSpec images() {
        CommandSpec spec = command(CommandNames.IMAGES,
            "Lists the generations that --flush wrote to a directory, and verifies "
            + "every byte: ftrma images DIR. Exits with 1 if one is damaged.");
        add(spec, LauncherOption.JSON);
        spec.addPositional(PositionalParamSpec.builder().index("0..*").arity("0..*").paramLabel("DIR").type(List.class)
            .auxiliaryTypes(String.class).description("the directory").build());
        return spec;
    }

    private static CommandSpec info() {
        CommandSpec spec = command(CommandNames.INFO,
            "Shows what this machine supports: UCX and its transports, shared "
            + "memory, cores, the JDK.");
        add(spec, LauncherOption.JSON);
        return spec;
    }

    private static CommandSpec agent() {
        CommandSpec spec = command(CommandNames.AGENT,
            "Agent of a host in a job on several hosts (--hosts): starts, watches "
            + "and ends the job's processes there. The launcher starts it, or prints how to.");
        addAll(spec, List.of(AgentOption.values()));
        return spec;
    }

    private static CommandSpec drain() {
        CommandSpec spec = command(CommandNames.DRAIN, "Drains a host of a job: its members move to other hosts at a "
            + "checkpoint, without a loss: ftrma drain HOST. Exits with 1 if that is impossible.");
        addAll(spec, List.of(SingleOption.JOB, LauncherOption.JSON));
        spec.addPositional(PositionalParamSpec.builder().index("0..*").arity("0..*").paramLabel("HOST")
            .type(List.class).auxiliaryTypes(String.class).description("the host, by its name in the job").build());
        return spec;
    }

    private static CommandSpec checkpoint() {
        CommandSpec spec = command(CommandNames.CHECKPOINT,
            "Requests a checkpoint of a job at the next step boundary, and "
            + "waits until it is committed: ftrma checkpoint [JOB]. Exits with 1 if that is impossible.");
        add(spec, LauncherOption.JSON);
        spec.addPositional(PositionalParamSpec.builder().index("0..*").arity("0..*").paramLabel("JOB")
            .type(List.class).auxiliaryTypes(String.class).description("job name or launcher PID; needed only if "
                + "several jobs run here").build());
        return spec;
    }

    private static CommandSpec test() {
        CommandSpec spec = command(CommandNames.TEST,
            "Builds everything and runs all tests. (Done by the ftrma script itself, "
            + "with Maven.)");
        addAll(spec, List.of(SingleOption.QUICK, SingleOption.MODULES, SingleOption.TESTS, SingleOption.SLURM));
        add(spec, LauncherOption.JSON);
        return spec;
    }

    private static CommandSpec packaged() {
        CommandSpec spec = command(CommandNames.PACKAGE,
            "Makes a distribution that needs no JDK, a tar.gz. (Done by the ftrma "
            + "script itself, with Maven.)");
        addAll(spec, List.of(SingleOption.PACKAGES, SingleOption.DEB, LauncherOption.JSON));
        return spec;
    }

    private static CommandSpec installed() {
        CommandSpec spec = command(CommandNames.INSTALL,
            "Installs the artifacts in the local Maven repository, for programs "
            + "that depend on them. (Done by the ftrma script itself, with Maven, whose options it accepts.)");
        add(spec, LauncherOption.JSON);
        return spec;
    }

    private static CommandSpec options() {
        CommandSpec spec = command(CommandNames.OPTIONS,
            "Lists the options of a command that runs a job, with their names in "
            + "a file and in the environment: ftrma options [--effective] [COMMAND...].");
        addAll(spec, List.of(SingleOption.EFFECTIVE, LauncherOption.JSON));
        spec.addPositional(PositionalParamSpec.builder().index("0..*").arity("0..*").paramLabel("COMMAND")
            .type(List.class).auxiliaryTypes(String.class).description("a command line that runs a job (default: run)")
            .build());
        return spec;
    }

    private static CommandSpec completion() {
        CommandSpec spec = command(CommandNames.COMPLETION, "Prints a completion script for a shell: source <(./ftrma "
            + "completion bash).");
        spec.addPositional(PositionalParamSpec.builder().index("0..*").arity("0..*").paramLabel("bash|zsh")
            .type(List.class).auxiliaryTypes(String.class).completionCandidates(SHELLS)
            .description("the shell (default: bash)").build());
        return spec;
    }

    private static CommandSpec machineCommand(String name, String description, List<MachineOption> options,
        Map<MachineOption, String> defaults) {
        CommandSpec spec = command(name, description);
        for (MachineOption option : options) {
            String given = defaults.getOrDefault(option, option.defaultText());
            add(spec, new OptionText(option.key(), option.form(), given, option.meaning()), option.repeatable());
        }
        return spec;
    }

    private static void addJobOptions(CommandSpec spec) {
        addAll(spec, JobOption.TABLE.options());
        addAll(spec, List.of(LauncherOption.values()));
        addAll(spec, List.of(HostOption.values()));
    }
}
