package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The code has the number of each rule of the protocol in a comment where it keeps that rule, and no other numbers:
 * {@code // C1}, {@code // M14, M15}, or {@code // L13: a few words}.
 */
class RuleNumbersTest {
    private static final Path ROOT = root();
    private static final List<String> PAGES = List.of("membership.md", "checkpoint.md", "demand-checkpoint.md",
        "logging.md", "recovery.md");
    private static final Pattern RULE = Pattern.compile("(?m)^\\*\\*([MCDLR]\\d+)\\.\\*\\*");
    private static final Pattern COMMENT = Pattern.compile("// ?([MCDLR]\\d+(?:, ?[MCDLR]\\d+)*)\\b");

    private static Path root() {
        Path place = Path.of("").toAbsolutePath();
        while (!Files.exists(place.resolve("docs/README.md"))) {
            place = place.getParent();
        }
        return place;
    }

    private static Set<String> rules() throws IOException {
        Set<String> rules = new TreeSet<>();
        for (String page : PAGES) {
            RULE.matcher(Files.readString(ROOT.resolve("docs/internals").resolve(page))).results()
                .forEach(rule -> rules.add(rule.group(1)));
        }
        return rules;
    }

    /** The main sources' comments with numbers: each number with a place that has it. */
    private static Map<String, String> cited() throws IOException {
        Map<String, String> cited = new TreeMap<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.map(place -> place.resolve("src/main/java")).filter(Files::exists).toList()) {
                try (Stream<Path> files = Files.walk(module)) {
                    for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
                        COMMENT.matcher(Files.readString(file)).results().forEach(comment -> {
                            for (String number : comment.group(1).split(", ?")) {
                                cited.put(number, ROOT.relativize(file).toString());
                            }
                        });
                    }
                }
            }
        }
        return cited;
    }

    @Test
    void eachRuleIsCitedInTheCode() throws IOException {
        Set<String> missing = rules();
        missing.removeAll(cited().keySet());
        assertEquals(Set.of(), missing, "rules without a comment that has their number");
    }

    @Test
    void eachNumberInTheCodeIsOfARule() throws IOException {
        Map<String, String> unknown = cited();
        unknown.keySet().removeAll(rules());
        assertEquals(Map.of(), unknown, "comments with the number of no rule");
    }
}
