package org.ftrma.launch;

import java.io.PrintStream;
import java.util.List;
import org.ftrma.MisuseException;
import org.ftrma.launch.hosts.OperatorSocket;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.SingleOption;
import picocli.CommandLine.ParseResult;

/** The command that asks a job on several hosts to leave one of them, and waits until it has. One thread. */
final class DrainCommand extends OperatorCommand {
    DrainCommand(PrintStream out, PrintStream err) {
        super(out, err);
    }

    /** Returns the exit code: 0 where the host is left, 1 where not. */
    int execute(ParseResult parsed) {
        GivenOptions given = new GivenOptions(parsed);
        List<String> words = given.words();
        if (words.size() != 1 || words.getFirst().isBlank()) {
            throw new MisuseException("drain: the name of one host is needed: ftrma drain HOST");
        }
        return tell(CommandNames.DRAIN, given, ask(OperatorSocket.Door.ofHosts(), given.number(SingleOption.JOB, -1),
            "--job", " on several hosts", (door, notes) -> door.drain(words.getFirst(), notes)));
    }
}
