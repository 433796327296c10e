package org.ftrma.launch;

import java.io.PrintStream;
import java.util.List;
import org.ftrma.MisuseException;
import org.ftrma.launch.hosts.OperatorSocket;
import org.ftrma.launch.options.GivenOptions;
import picocli.CommandLine.ParseResult;

/** The command that asks a job for a checkpoint, and waits until it is committed. One thread. */
final class CheckpointCommand extends OperatorCommand {
    CheckpointCommand(PrintStream out, PrintStream err) {
        super(out, err);
    }

    /** Returns the exit code: 0 where the checkpoint is there, 1 where it will not be. */
    int execute(ParseResult parsed) {
        GivenOptions given = new GivenOptions(parsed);
        List<String> words = given.words();
        if (words.size() > 1 || !words.isEmpty() && !words.getFirst().matches("[0-9]{1,9}")) {
            throw new MisuseException("checkpoint " + String.join(" ", words)
                + ": JOB is the number of the process of the job's launcher: ftrma checkpoint [JOB]");
        }
        return tell(CommandTree.CHECKPOINT, given, ask(OperatorSocket.Door.all(),
            words.isEmpty() ? -1 : Long.parseLong(words.getFirst()), "ftrma checkpoint JOB", "",
            OperatorSocket.Door::checkpoint));
    }
}
