package org.ftrma.launch;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.ftrma.MisuseException;
import org.ftrma.options.CommandOption;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Commands of another module beside those of the launcher: trials, which no job needs. Immutable. */
public interface MoreCommands {
    /** The launcher's commands alone. */
    MoreCommands NONE = new MoreCommands() {
        @Override
        public List<CommandSpec> specs() {
            return List.of();
        }

        @Override
        public int execute(ParseResult command, Streams streams, Interrupts interrupts) {
            throw new MisuseException(command.commandSpec().name() + ": no such command");
        }

        @Override
        public int compare(ParseResult kv, Jobs jobs, Streams streams) {
            throw new MisuseException("--compare: there is nothing here to compare with");
        }
    };

    /** Standard output and standard error. */
    record Streams(PrintStream out, PrintStream err) {
    }

    /** Runs the job that a command line describes; {@code instead}: other values of the program's own options. */
    interface Jobs {
        /** Returns its result. */
        JobReport run(ParseResult parsed, Map<? extends CommandOption, String> instead);
    }

    /** The commands, in the order of the help. */
    List<CommandSpec> specs();

    /** Runs one of them; returns the exit code. */
    int execute(ParseResult command, Streams streams, Interrupts interrupts);

    /**
     * Runs {@code kv --compare}; returns the exit code.
     *
     * @param jobs runs jobs for that
     */
    int compare(ParseResult kv, Jobs jobs, Streams streams);
}
