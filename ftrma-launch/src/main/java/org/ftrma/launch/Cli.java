package org.ftrma.launch;

import java.io.PrintStream;
import java.util.Arrays;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.launch.disk.ImagesCommand;
import org.ftrma.launch.topology.MapCommand;
import org.ftrma.launch.topology.PcfCommand;
import org.ftrma.launch.topology.PlanCommand;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Understands a command line and runs the command. One thread. */
public final class Cli {
    /** The exit code for a command line that is wrong. */
    public static final int USAGE = 2;
    private final PrintStream out;
    private final PrintStream err;

    /** A command line interface that prints results to {@code out} and everything else to {@code err}. */
    public Cli(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs the command; returns the exit code. */
    public int execute(String... given) {
        String[] args = given;
        if (args.length > 0 && args[0].equals("help")) {
            String[] words = args;
            args = Arrays.copyOfRange(words, 1, words.length + 1);
            args[args.length - 1] = "--help";
        }
        CommandLine root = CommandTree.create();
        try {
            ParseResult parsed = root.parseArgs(args);
            return dispatch(root, parsed);
        } catch (ParameterException e) {
            return refuse(name(e.getCommandLine()), e.getMessage());
        } catch (MisuseException e) {
            return refuse(args[0].equals(CommandTree.SAMPLE) && args.length > 1 ? args[0] + " " + args[1] : args[0], e.getMessage());
        } catch (FtrmaException e) {
            err.println("ftrma: " + e.getMessage());
            return 1;
        }
    }

    /** As it is typed after the script's name. */
    private static String name(CommandLine line) {
        CommandLine parent = line.getParent();
        return parent == null || parent.getParent() == null ? line.getCommandName() : parent.getCommandName() + " " + line.getCommandName();
    }

    private int refuse(String command, String why) {
        err.println("ftrma: " + why);
        err.println("Try: ./ftrma " + (command.equals("ftrma") ? "" : command + " ") + "--help");
        return USAGE;
    }

    private int sample(ParseResult command) {
        if (!command.hasSubcommand()) {
            return refuse(CommandTree.SAMPLE, "sample: its name is missing");
        }
        ParseResult sample = command.subcommand();
        if (sample.isUsageHelpRequested()) {
            sample.commandSpec().commandLine().usage(out);
            return 0;
        }
        return new JobCommand(out, err).execute(sample);
    }

    private int dispatch(CommandLine root, ParseResult parsed) {
        ParseResult command = parsed.hasSubcommand() ? parsed.subcommand() : parsed;
        if (command.isUsageHelpRequested()) {
            command.commandSpec().commandLine().usage(out);
            return 0;
        }
        if (!parsed.hasSubcommand()) {
            root.usage(err);
            return USAGE;
        }
        return switch (command.commandSpec().name()) {
            case CommandTree.RUN, CommandTree.FFT, CommandTree.KV -> new JobCommand(out, err).execute(command);
            case CommandTree.SAMPLE -> sample(command);
            case CommandTree.DEMO -> new DemoCommand(out, err).execute(command);
            case CommandTree.SIMULATE -> SimulateCommand.execute(command);
            case CommandTree.MAP -> new MapCommand(out).execute(command);
            case CommandTree.PCF -> new PcfCommand(out).execute(command);
            case CommandTree.PLAN -> new PlanCommand(out).execute(command);
            case CommandTree.IMAGES -> new ImagesCommand(out).execute(command);
            case CommandTree.INFO -> new InfoCommand(out).execute(command);
            case CommandTree.TEST -> {
                err.println("ftrma: test is a command of the ftrma script in the project's root, which runs Maven");
                yield USAGE;
            }
            default -> throw new MisuseException(Arrays.toString(parsed.originalArgs().toArray()) + ": no such command");
        };
    }
}
