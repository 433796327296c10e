package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Limits of the structure inside of packages: how many classes may know each other in a circle, and who reads the
 * machine's clock. Circles between packages are excluded by {@link PackageRulesTest}.
 */
class TanglesTest {
    private static final int MOST = 6;
    /** Comments, text blocks, strings: names in there are no dependencies. */
    private static final Pattern NO_CODE =
        Pattern.compile("/\\*.*?\\*/|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|//[^\n]*", Pattern.DOTALL);
    private static final Pattern HEADER = Pattern.compile("(?m)^(?:import|package)\\b.*$");
    private static final Pattern TYPE = Pattern.compile("\\b[A-Z]\\w*\\b");
    private static final Path ROOT = root();

    private static Path root() {
        Path place = Path.of("").toAbsolutePath();
        while (!Files.exists(place.resolve("docs/README.md"))) {
            place = place.getParent();
        }
        return place;
    }

    private static List<Path> sources(Path module) {
        Path place = module.resolve("src/main/java");
        if (!Files.exists(place)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(place)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String code(Path file) {
        try {
            return HEADER.matcher(NO_CODE.matcher(Files.readString(file)).replaceAll(" ")).replaceAll("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    /** By package: its classes, each with those of the package that it names. */
    private static Collection<Map<String, Set<String>>> packages() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            Map<Path, List<Path>> files = modules.flatMap(module -> sources(module).stream())
                .collect(Collectors.groupingBy(Path::getParent));
            return files.values().stream().map(TanglesTest::known).toList();
        }
    }

    private static Map<String, Set<String>> known(List<Path> files) {
        Set<String> names = files.stream().map(TanglesTest::name).collect(Collectors.toSet());
        Map<String, Set<String>> known = new TreeMap<>();
        for (Path file : files) {
            Set<String> others = TYPE.matcher(code(file)).results().map(MatchResult::group).filter(names::contains)
                .collect(Collectors.toCollection(TreeSet::new));
            others.remove(name(file));
            known.put(name(file), others);
        }
        return known;
    }

    private static Set<String> reached(String from, Map<String, Set<String>> known) {
        Set<String> found = new TreeSet<>();
        Deque<String> next = new ArrayDeque<>(known.get(from));
        while (!next.isEmpty()) {
            String one = next.pop();
            if (found.add(one)) {
                next.addAll(known.get(one));
            }
        }
        return found;
    }

    @Test
    void fewClassesKnowEachOtherInACircle() throws IOException {
        int classes = 0;
        for (Map<String, Set<String>> known : packages()) {
            Map<String, Set<String>> reached = new HashMap<>();
            known.keySet().forEach(one -> reached.put(one, reached(one, known)));
            for (String one : known.keySet()) {
                Set<String> circle = reached.get(one).stream().filter(other -> reached.get(other).contains(one))
                    .collect(Collectors.toCollection(TreeSet::new));
                assertTrue(circle.size() <= MOST, () -> circle.size() + " classes know each other: " + circle);
                classes++;
            }
        }
        assertTrue(classes > 800, "only " + classes + " classes were read");
    }

    /** So the same code could run by a simulated clock. */
    @Test
    void theLauncherReadsTheMachinesClockInOnePlace() {
        List<String> readers = sources(ROOT.resolve("ftrma-launch")).stream()
            .filter(file -> code(file).contains("System.nanoTime()")).map(TanglesTest::name).sorted().toList();
        assertEquals(List.of("JobView"), readers, "the others are given a MachineClock");
    }
}
