package org.ftrma.launch;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;
import org.ftrma.MisuseException;
import org.ftrma.launch.hosts.OperatorSocket;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.launch.options.SingleOption;
import picocli.CommandLine.ParseResult;

/** The command that asks a job on several hosts to leave one of them, and waits until it has. One thread. */
final class DrainCommand {
    private final PrintStream out;
    private final PrintStream err;

    DrainCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Returns the exit code: 0 where the host is left, 1 where not. */
    int execute(ParseResult parsed) {
        GivenOptions given = new GivenOptions(parsed);
        List<String> words = given.words();
        if (words.size() != 1 || words.getFirst().isBlank()) {
            throw new MisuseException("drain: the name of one host is needed: ftrma drain HOST");
        }
        OperatorSocket.Answer answer = ask(words.getFirst(), given.number(SingleOption.JOB, -1));
        if (given.has(LauncherOption.JSON)) {
            out.println(Ending.json(CommandTree.DRAIN, answer.isDone() ? 0 : 1, answer.isDone() ? "success" : "failed",
                answer.text()));
        } else {
            (answer.isDone() ? out : err).println("ftrma: " + answer.text());
        }
        return answer.isDone() ? 0 : 1;
    }

    private OperatorSocket.Answer ask(String host, long launcher) {
        List<OperatorSocket.Door> all = OperatorSocket.Door.all();
        List<OperatorSocket.Door> doors = all.stream().filter(door -> launcher < 0 || door.launcher() == launcher)
            .toList();
        if (doors.size() > 1) {
            return new OperatorSocket.Answer(false, "there are several jobs; --job says which one: " + doors.stream()
                .map(door -> Long.toString(door.launcher())).collect(Collectors.joining(", ")));
        }
        if (doors.isEmpty()) {
            return new OperatorSocket.Answer(false, "there is no job on several hosts with a launcher on this machine"
                + (launcher < 0 ? "" : " whose process is " + launcher) + ", of this user");
        }
        try {
            return doors.getFirst().drain(host, text -> err.println("ftrma: " + text));
        } catch (IOException e) {
            return new OperatorSocket.Answer(false, "the job of launcher " + doors.getFirst().launcher()
                + " does not answer: " + e.getMessage());
        }
    }
}
