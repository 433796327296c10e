package org.ftrma.launch;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.apps.npb.Npb;
import org.ftrma.apps.samples.Samples;
import org.ftrma.launch.disk.ImagesCommand;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.Settings;
import org.ftrma.launch.options.SingleOption;
import org.ftrma.launch.record.JobResult;
import org.ftrma.launch.topology.MapCommand;
import org.ftrma.launch.topology.PcfCommand;
import org.ftrma.launch.topology.PlanCommand;
import org.ftrma.launch.watch.WatchCommands;
import org.ftrma.launch.web.WebCommand;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Understands a command line and runs the command. One thread. */
public final class Cli {
    /** The exit code for a command line that is wrong. */
    public static final int USAGE = 2;
    private final MoreCommands more;
    private final PrintStream out;
    private final PrintStream err;
    private final Interrupts interrupts;
    private final Map<String, String> environment;

    /** A command line interface that prints results to {@code out} and everything else to {@code err}. */
    public Cli(PrintStream out, PrintStream err) {
        this(MoreCommands.NONE, out, err, new Interrupts());
    }

    /** The same with more commands. */
    public Cli(MoreCommands more, PrintStream out, PrintStream err, Interrupts interrupts) {
        this(more, out, err, interrupts, System.getenv());
    }

    Cli(MoreCommands more, PrintStream out, PrintStream err, Interrupts interrupts, Map<String, String> environment) {
        this.more = more;
        this.environment = environment;
        this.out = out;
        this.err = err;
        this.interrupts = interrupts;
    }

    /** Runs the command; returns the exit code. */
    public int execute(String... given) {
        CommandLine root = CommandTree.create(more);
        String[] args = given;
        try {
            if (given.length > 1 && given[0].equals(CommandNames.HELP) && !given[1].startsWith("-")) {
                args = Arrays.copyOfRange(given, 1, given.length + 1);
                args[args.length - 1] = "--help";
            }
            return dispatch(root, root.parseArgs(args));
        } catch (ParameterException e) {
            return refuse(given, name(e.getCommandLine()), why(e, root));
        } catch (MisuseException e) {
            return refuse(given, hasParts(args[0]) && args.length > 1 ? args[0] + " " + args[1] : args[0],
                e.getMessage());
        } catch (FtrmaException e) {
            return failed(given, e.category() == FtrmaException.Category.SETUP ? JobResult.SETUP : 1, e.getMessage());
        } catch (OutOfMemoryError e) {
            return failed(given, 1, "this is too large for the memory of this command: " + e.getMessage());
        } catch (RuntimeException | Error e) {
            e.printStackTrace(err);
            return failed(given, 1, "an error of ftrma itself: " + e);
        }
    }

    /** As it is typed after the script's name. */
    private static String name(CommandLine line) {
        CommandLine parent = line.getParent();
        return parent == null || parent.getParent() == null ? line.getCommandName()
            : parent.getCommandName() + " " + line.getCommandName();
    }

    private static String why(ParameterException e, CommandLine root) {
        if (e.getCommandLine() == root && e instanceof CommandLine.UnmatchedArgumentException unmatched
            && !unmatched.getUnmatched().getFirst().startsWith("-")) {
            return "'" + unmatched.getUnmatched().getFirst() + "': no such command; there are "
                + String.join(", ", root.getSubcommands().keySet());
        }
        String command = e.getCommandLine().getCommandName();
        if (hasParts(command) && e instanceof CommandLine.UnmatchedArgumentException unmatched
            && !unmatched.getUnmatched().getFirst().startsWith("-")) {
            return "'" + unmatched.getUnmatched().getFirst() + "': no such "
                + (command.equals(CommandNames.SAMPLE) ? "sample" : "benchmark") + "; there are " + parts(command);
        }
        return e.getMessage();
    }

    /** Whether a command's name is followed by that of a program. */
    private static boolean hasParts(String command) {
        return command.equals(CommandNames.SAMPLE) || command.equals(CommandNames.NPB);
    }

    private static String parts(String command) {
        return (command.equals(CommandNames.SAMPLE) ? Samples.all().stream().map(Samples.Sample::name)
            : Npb.all().stream().map(Npb.Benchmark::name)).collect(Collectors.joining(", "));
    }

    private int refuse(String[] args, String command, String why) {
        int status = failed(args, USAGE, why);
        err.println("Try: ./ftrma " + (command.equals("ftrma") ? "" : command + " ") + "--help");
        return status;
    }

    private int failed(String[] args, int status, String why) {
        err.println("ftrma: " + why);
        if (ErrorResult.isAskedFor(args)) {
            out.println(ErrorResult.json(args[0], status, status == JobResult.SETUP ? "unfit" : "failed", why));
        }
        return status;
    }

    /** Shows what was asked for; help for what does not exist is wrong usage. */
    private int help(ParseResult command, CommandLine root) {
        for (ParseResult one = command; one != null; one = one.hasSubcommand() ? one.subcommand() : null) {
            if (!one.unmatched().isEmpty()) {
                throw new CommandLine.UnmatchedArgumentException(one.commandSpec().commandLine(), one.unmatched());
            }
        }
        (command.commandSpec().name().equals(CommandNames.HELP) && !command.isUsageHelpRequested() ? root
            : command.commandSpec().commandLine())
            .usage(out);
        return 0;
    }

    private int part(ParseResult command) {
        if (!command.hasSubcommand()) {
            String name = command.commandSpec().name();
            throw new CommandLine.ParameterException(command.commandSpec().commandLine(),
                name + ": its name is missing; there are " + parts(name));
        }
        ParseResult part = command.subcommand();
        return part.isUsageHelpRequested() ? help(part, null) : job(part);
    }

    /** What the environment and a file say besides is told, and is as if it had been typed. */
    private int job(ParseResult typed) {
        Settings settings = Settings.of(typed, environment, Path.of(""));
        ParseResult effective = typed;
        if (!settings.isTyped()) {
            effective = CommandTree.innermost(CommandTree.create(more).parseArgs(settings.applied(typed.originalArgs()
                .toArray(String[]::new))));
            if (!settings.isQuiet()) {
                err.println("ftrma: " + settings.told());
            }
        }
        JobCommand command = new JobCommand(out, err, interrupts).typedAs(typed);
        return new GivenOptions(effective).has(SingleOption.COMPARE)
            ? more.compare(effective, command::job, new MoreCommands.Streams(out, err)) : command.execute(effective);
    }

    /** What is printed works in both shells. */
    private int completion(ParseResult command) {
        List<String> shells = command.matchedPositionalValue(0, List.of());
        if (shells.size() > 1 || !CommandTree.SHELLS.containsAll(shells)) {
            throw new MisuseException("'" + String.join(" ", shells) + "': no shell that can be completed for; there "
                + "are " + String.join(" and ", CommandTree.SHELLS));
        }
        CommandLine tree = CommandTree.forCompletion(more);
        out.print(AutoComplete.bash(tree.getCommandName(), tree));
        return 0;
    }

    private int dispatch(CommandLine root, ParseResult parsed) {
        ParseResult command = parsed.hasSubcommand() ? parsed.subcommand() : parsed;
        if (command.isUsageHelpRequested() || command.commandSpec().name().equals(CommandNames.HELP)) {
            return help(command, root);
        }
        if (!parsed.hasSubcommand() && parsed.isVersionHelpRequested()) {
            root.printVersionHelp(out);
            return 0;
        }
        if (!parsed.hasSubcommand()) {
            root.usage(err);
            return USAGE;
        }
        return switch (command.commandSpec().name()) {
            case CommandNames.RUN, CommandNames.FFT, CommandNames.KV -> job(command);
            case CommandNames.NPB, CommandNames.SAMPLE -> part(command);
            case CommandNames.MAP -> new MapCommand(out).execute(command);
            case CommandNames.PCF -> new PcfCommand(out).execute(command);
            case CommandNames.PLAN -> new PlanCommand(out).execute(command);
            case CommandNames.IMAGES -> new ImagesCommand(out).execute(command);
            case CommandNames.AGENT -> new AgentCommand(err).execute(command);
            case CommandNames.CHECKPOINT -> new CheckpointCommand(out, err).execute(command);
            case CommandNames.DRAIN -> new DrainCommand(out, err).execute(command);
            case CommandNames.JOBS -> new WatchCommands(out, err).jobs(command);
            case CommandNames.STAT -> new WatchCommands(out, err).stat(command);
            case CommandNames.EVENTS -> new WatchCommands(out, err).events(command);
            case CommandNames.WHY -> new WatchCommands(out, err).why(command);
            case CommandNames.REPORT -> new WatchCommands(out, err).report(command);
            case CommandNames.WEB -> new WebCommand(err).execute(command);
            case CommandNames.INFO -> new InfoCommand(out).execute(command);
            case CommandNames.OPTIONS -> new OptionsCommand(out, environment).execute(command);
            case CommandNames.COMPLETION -> completion(command);
            case CommandNames.TEST, CommandNames.MUTATE, CommandNames.BENCH, CommandNames.PACKAGE,
                CommandNames.INSTALL, CommandNames.JAVAC -> throw new MisuseException(command.commandSpec().name()
                    + " is a command of the ftrma script in the project's root");
            default -> more.execute(command, new MoreCommands.Streams(out, err), interrupts);
        };
    }
}
