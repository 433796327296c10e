package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The walls between packages: which package may know which is in {@code docs/architecture.md}, and the sources of all
 * modules keep to it. Each package knows what it must, no more, and there is no circle.
 */
class PackageRulesTest {
    private static final Path ROOT = root();
    private static final String OURS = "org.ftrma";
    /** A package and a type in it, in an import or written out. */
    private static final Pattern TYPE = Pattern.compile("\\b(org\\.ftrma(?:\\.[a-z]\\w*)*)\\.[A-Z]\\w*");
    private static final Pattern NO_CODE = Pattern.compile("/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([\\w.]+)` \\| [^|]*\\| ([^|]*) \\|$");

    private static Path root() {
        Path place = Path.of("").toAbsolutePath();
        while (!Files.exists(place.resolve("docs/README.md"))) {
            place = place.getParent();
        }
        return place;
    }

    /** By package: those that its sources name. */
    private static Map<String, Set<String>> known() throws IOException {
        Map<String, Set<String>> known = new TreeMap<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.filter(place -> Files.exists(place.resolve("pom.xml"))).toList()) {
                Path sources = module.resolve("src/main/java");
                if (Files.exists(sources)) {
                    read(sources, known);
                }
            }
        }
        return known;
    }

    private static void read(Path sources, Map<String, Set<String>> known) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(file -> {
                String own = sources.relativize(file.getParent()).toString().replace('/', '.');
                Set<String> others = known.computeIfAbsent(own, name -> new TreeSet<>());
                Matcher type = TYPE.matcher(NO_CODE.matcher(text(file)).replaceAll(""));
                while (type.find()) {
                    if (!type.group(1).equals(own)) {
                        others.add(type.group(1));
                    }
                }
            });
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** By package: those that it may know, as the table says. */
    private static Map<String, Set<String>> allowed() {
        Map<String, Set<String>> allowed = new TreeMap<>();
        // a long row goes on in the next line, whose first two cells are empty
        Matcher row = ROW.matcher(text(ROOT.resolve("docs/architecture.md")).replace(" |\n| | | ", ", "));
        while (row.find()) {
            Set<String> others = new TreeSet<>();
            Matcher other = Pattern.compile("`([\\w.]+)`").matcher(row.group(2));
            while (other.find()) {
                others.add(full(other.group(1)));
            }
            allowed.put(full(row.group(1)), others);
        }
        return allowed;
    }

    private static String full(String name) {
        return name.equals("api") ? OURS : OURS + "." + name;
    }

    @Test
    void packagesKnowWhatTheTableOfTheArchitectureSaysAndNoMore() throws IOException {
        assertEquals(lines(allowed()), lines(known()),
            "docs/architecture.md (expected) and the sources (actual) differ");
    }

    private static String lines(Map<String, Set<String>> table) {
        StringBuilder text = new StringBuilder();
        table.forEach((name, others) -> text.append(name).append(": ").append(others).append('\n'));
        return text.toString();
    }

    @Test
    void noPackageKnowsOneThatKnowsIt() {
        Map<String, Set<String>> left = allowed();
        assertFalse(left.isEmpty(), "docs/architecture.md has no table of packages");
        List<String> ready = new ArrayList<>();
        do {
            ready.clear();
            left.forEach((name, others) -> {
                if (others.stream().noneMatch(left::containsKey)) {
                    ready.add(name);
                }
            });
            ready.forEach(left::remove);
        } while (!ready.isEmpty());
        assertEquals(Set.of(), left.keySet(), "these packages know each other in a circle");
    }
}
