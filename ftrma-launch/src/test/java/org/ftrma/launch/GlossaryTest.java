package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No identifier of main code has a word that docs/glossary.md lists under "Retired". */
class GlossaryTest {
    private static final Pattern NO_IDENTIFIER = Pattern.compile(
        "/\\*.*?\\*/|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\])'|//[^\n]*", Pattern.DOTALL);
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_]\\w*");
    private static final Pattern PART = Pattern.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+");
    private static final int FILES = 300;

    /** Words are in lower case, names of classes begin with a capital. */
    private static Set<String> retired() throws IOException {
        String page = Files.readString(DocumentationTest.ROOT.resolve("docs/glossary.md"));
        int from = page.indexOf("\n## Retired\n");
        assertTrue(from >= 0, "docs/glossary.md has no section Retired");
        String section = page.substring(from, page.indexOf("\n## ", from + 1));
        return Pattern.compile("(?m)^- (\\w+): \\S").matcher(section).results().map(item -> item.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(DocumentationTest.ROOT)) {
            for (Path module : modules.filter(each -> Files.exists(each.resolve("src/main/java"))).toList()) {
                try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                }
            }
        }
        return sources;
    }

    /** The identifiers of a source that have a retired word, or are a retired name. */
    private static Set<String> found(String source, Set<String> retired) {
        return IDENTIFIER.matcher(NO_IDENTIFIER.matcher(source).replaceAll(" ")).results().map(each -> each.group())
            .filter(name -> retired.contains(name) || PART.matcher(name).results()
                .anyMatch(part -> retired.contains(part.group().toLowerCase())))
            .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void noIdentifierHasARetiredWord() throws IOException {
        Set<String> retired = retired();
        assertFalse(retired.isEmpty(), "no word is retired");
        List<String> wrong = new ArrayList<>();
        List<Path> sources = sources();
        assertTrue(sources.size() > FILES, "the sources of all modules: " + sources.size());
        for (Path file : sources) {
            found(Files.readString(file), retired).forEach(name -> wrong.add(file.getFileName() + ": " + name));
        }
        assertEquals("", String.join("\n", wrong), "see docs/glossary.md");
    }

    @Test
    void wordsAreFoundInIdentifiersAndNowhereElse() {
        String source = """
            class LockRules { // says
                int whatItSays = "says".length() + 's'; /* says */
                int SAYS_LAST, essays, says;
            }
            """;
        assertEquals(Set.of("LockRules", "whatItSays", "SAYS_LAST", "says"),
            found(source, Set.of("says", "LockRules")));
    }
}
