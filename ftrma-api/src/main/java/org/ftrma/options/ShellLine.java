package org.ftrma.options;

import java.util.List;
import java.util.stream.Collectors;

/** A command line as one line for a shell, to be pasted there. Pure functions; any thread. */
public final class ShellLine {
    private static final String PLAIN = "[A-Za-z0-9_@%+=:,./-][A-Za-z0-9_@%+=:,./#-]*";

    private ShellLine() {
    }

    /** Words with spaces between them; what a shell would take for something else is in quotes. */
    public static String of(List<String> words) {
        return words.stream().map(ShellLine::word).collect(Collectors.joining(" "));
    }

    /** One word. */
    public static String word(String word) {
        return word.matches(PLAIN) ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
