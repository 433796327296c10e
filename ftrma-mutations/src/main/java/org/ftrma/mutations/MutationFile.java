package org.ftrma.mutations;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads mutations from text. A mutation is a block of lines, up to an empty one:
 *
 * <pre>
 *   mutation NAME
 *   in MODULE/CLASS
 *   - what is replaced: lines of the source, each up to its end, or a part of one line
 *   + what it is replaced with; nothing after the + removes it
 *   why      what is wrong then
 *   tests    CLASS, CLASS#METHOD
 *   harmless why no test can notice it, if that is so
 * </pre>
 *
 * <p>An indented line goes on with the one before it; a line that begins with {@code #} is a comment.
 */
final class MutationFile {
    private static final String BEFORE = "-";
    private static final String AFTER = "+";
    private static final List<String> KEYS = List.of("mutation", "in", BEFORE, AFTER, "why", "tests", "harmless");

    private MutationFile() {
    }

    /** All mutations of a text. An IllegalArgumentException names the line that cannot be understood. */
    static List<Mutation> parse(String text) {
        Map<String, Mutation> mutations = new LinkedHashMap<>();
        Map<String, List<String>> block = new LinkedHashMap<>();
        String key = null;
        int number = 0;
        for (String line : (text + "\n\n").split("\n", -1)) {
            number++;
            if (line.isBlank()) {
                if (!block.isEmpty()) {
                    Mutation mutation = mutation(block, number - 1);
                    if (mutations.put(mutation.name(), mutation) != null) {
                        throw malformed(number - 1, "there are two mutations " + mutation.name());
                    }
                    block.clear();
                }
                key = null;
            } else if (line.startsWith(" ")) {
                if (key == null || key.equals(BEFORE) || key.equals(AFTER)) {
                    throw malformed(number, "goes on with nothing: " + line);
                }
                block.get(key).add(line.strip());
            } else if (!line.startsWith("#")) {
                String[] words = line.split(" ", 2);
                key = words[0];
                if (!KEYS.contains(key)) {
                    throw malformed(number, "begins with none of " + String.join(", ", KEYS) + ": " + line);
                }
                block.computeIfAbsent(key, _ -> new ArrayList<>()).add(words.length > 1 ? words[1].strip() : "");
            }
        }
        return List.copyOf(mutations.values());
    }

    private static Mutation mutation(Map<String, List<String>> block, int line) {
        for (String key : List.of("mutation", "in", BEFORE, AFTER, "why")) {
            if (!block.containsKey(key)) {
                throw malformed(line, "the mutation that ends here has no line that begins with " + key);
            }
        }
        String[] place = text(block, "in").split("/");
        if (place.length != 2) {
            throw malformed(line, "not MODULE/CLASS: " + text(block, "in"));
        }
        List<String> tests = List.of(text(block, "tests").split("[\\s,]+")).stream().filter(test -> !test.isEmpty())
            .toList();
        String harmless = text(block, "harmless");
        if (tests.isEmpty() && harmless.isEmpty()) {
            throw malformed(line, "the mutation that ends here names no tests, and does not say why it is harmless");
        }
        return new Mutation(text(block, "mutation"), place[0], place[1], List.copyOf(block.get(BEFORE)),
            List.copyOf(block.get(AFTER)),
            text(block, "why"), tests, harmless);
    }

    private static String text(Map<String, List<String>> block, String key) {
        return String.join(" ", block.getOrDefault(key, List.of())).strip();
    }

    private static IllegalArgumentException malformed(int line, String what) {
        return new IllegalArgumentException("line " + line + ": " + what);
    }
}
