package org.ftrma.bench.figures;

import java.util.List;

/**
 * One way to run a job. Immutable.
 *
 * @param label what it is called in tables and pictures
 * @param arguments of the ftrma command, without {@code --json}
 */
record Variant(String label, List<String> arguments) {
    /** With arguments that are separated by spaces. */
    static Variant of(String label, String arguments) {
        return new Variant(label, List.of(arguments.trim().split(" +")));
    }

    /** As it is typed. */
    String command() {
        return "./ftrma " + String.join(" ", arguments);
    }
}
