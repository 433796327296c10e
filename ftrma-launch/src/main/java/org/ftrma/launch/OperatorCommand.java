package org.ftrma.launch;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.ftrma.launch.hosts.OperatorSocket;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;

/** The common part of commands that ask a running job for something. One thread. */
abstract class OperatorCommand {
    private final PrintStream out;
    private final PrintStream err;

    OperatorCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** What is asked of the job that was found. */
    @FunctionalInterface
    interface Question {
        OperatorSocket.Answer ask(OperatorSocket.Door door, Consumer<String> notes) throws IOException;
    }

    /**
     * Asks the one job that there is.
     *
     * @param all those that it may be
     * @param launcher the process of its launcher, or -1
     * @param choice how to say which one is meant
     * @param none what there is no job of
     */
    OperatorSocket.Answer ask(List<OperatorSocket.Door> all, long launcher, String choice, String none,
        Question question) {
        List<OperatorSocket.Door> doors = all.stream().filter(door -> launcher < 0 || door.launcher() == launcher)
            .toList();
        if (doors.size() > 1) {
            return new OperatorSocket.Answer(false, "there are several jobs; " + choice + " says which one: "
                + doors.stream().map(door -> Long.toString(door.launcher())).collect(Collectors.joining(", ")));
        }
        if (doors.isEmpty()) {
            return new OperatorSocket.Answer(false, "there is no job" + none + " with a launcher on this machine"
                + (launcher < 0 ? "" : " whose process is " + launcher) + ", of this user");
        }
        try {
            return question.ask(doors.getFirst(), text -> err.println("ftrma: " + text));
        } catch (IOException e) {
            return new OperatorSocket.Answer(false, "the job of launcher " + doors.getFirst().launcher()
                + " does not answer: " + e.getMessage());
        }
    }

    /** Tells the answer; returns the exit code. */
    int tell(String command, GivenOptions given, OperatorSocket.Answer answer) {
        if (given.has(LauncherOption.JSON)) {
            out.println(ErrorResult.json(command, answer.isDone() ? 0 : 1, answer.isDone() ? "success" : "failed",
                answer.text()));
        } else {
            (answer.isDone() ? out : err).println("ftrma: " + answer.text());
        }
        return answer.isDone() ? 0 : 1;
    }
}
