package org.ftrma.bench.figures;

import java.util.List;
import org.ftrma.options.ShellLine;

/**
 * One way to run a job. Immutable.
 *
 * @param label what it is called in tables and pictures
 * @param arguments of the ftrma command, without {@code --json}; or the whole command of a program that is none of ours
 * @param isOurs whether it is the ftrma command
 */
record Variant(String label, List<String> arguments, boolean isOurs) {
    Variant(String label, List<String> arguments) {
        this(label, arguments, true);
    }

    /** With arguments that are separated by spaces. */
    static Variant of(String label, String arguments) {
        return new Variant(label, List.of(arguments.trim().split(" +")));
    }

    /** A program that is compared with jobs. */
    static Variant other(String label, String command) {
        return new Variant(label, List.of(command.split(" ")), false);
    }

    /** As it is typed. */
    String command() {
        return (isOurs ? "./ftrma " : "") + ShellLine.of(arguments);
    }
}
