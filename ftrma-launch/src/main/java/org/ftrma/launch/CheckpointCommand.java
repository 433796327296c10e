package org.ftrma.launch;

import java.io.PrintStream;
import java.util.List;
import org.ftrma.MisuseException;
import org.ftrma.launch.hosts.OperatorSocket;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.SingleOption;
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
        if (words.size() > 1) {
            throw new MisuseException("checkpoint " + String.join(" ", words) + ": one job is asked: ftrma checkpoint "
                + "[JOB]");
        }
        return tell(CommandNames.CHECKPOINT, given, ask(OperatorSocket.Door.all(),
            words.isEmpty() ? -1 : SingleOption.launcher(SingleOption.JOB.key(), words.getFirst()),
            "ftrma checkpoint JOB", "",
            OperatorSocket.Door::checkpoint));
    }
}
