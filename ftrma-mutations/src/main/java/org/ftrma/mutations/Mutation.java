package org.ftrma.mutations;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A small change to one class, and the tests that must notice it.
 *
 * @param name by which it is asked for
 * @param module of the class
 * @param type simple name of the class
 * @param before lines of its source, or the last one's beginning, that are replaced; each one's indentation does not
 *     count
 * @param after what they are replaced with
 * @param why what is wrong then
 * @param tests that must notice it: simple names of classes, with {@code #} and the name of a method if it is one
 * @param harmless why no test can notice it; empty if one must
 */
record Mutation(String name, String module, String type, List<String> before, List<String> after, String why,
    List<String> tests, String harmless) {
    /** The source with the change. An IllegalArgumentException if it does not have the text once. */
    String apply(String source) {
        String pattern = before.stream().map(String::strip).map(Pattern::quote)
            .collect(Collectors.joining("\\s*\\n\\s*"));
        Matcher matcher = Pattern.compile(pattern).matcher(source);
        long found = matcher.results().count();
        if (found != 1) {
            throw new IllegalArgumentException(found + " times in " + module + "/" + type + ": " + before.getFirst()
                + (before.size() > 1 ? " ..." : ""));
        }
        return matcher.reset().replaceFirst(Matcher.quoteReplacement(String.join("\n", after)));
    }

    boolean isHarmless() {
        return !harmless.isEmpty();
    }
}
