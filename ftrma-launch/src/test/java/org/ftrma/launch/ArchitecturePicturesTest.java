package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The pictures of modules and packages in docs/architecture.md show what the poms and the table of packages say. */
class ArchitecturePicturesTest {
    private static final Path ROOT = root();
    private static final Pattern MODULE = Pattern.compile("<module>([\\w-]+)</module>");
    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>\\s*<groupId>org\\.ftrma</groupId>\\s*"
        + "<artifactId>([\\w-]+)</artifactId>(?:(?!</dependency>).)*?</dependency>", Pattern.DOTALL);
    private static final Pattern ARROW = Pattern.compile("(?m)^ {2}([\\w-]+) --> ([\\w-]+)$");
    private static final Pattern FLOOR = Pattern.compile("(?s)subgraph floor(\\d+).*?\\n {2}end");
    private static final Pattern ON_FLOOR = Pattern.compile("\\[\"([a-z][\\w.]*)\"\\]");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([\\w.]+)` \\| [^|]*\\| ([^|]*) \\|$");

    private static Path root() {
        Path place = Path.of("").toAbsolutePath();
        while (!Files.exists(place.resolve("docs/architecture.md"))) {
            place = place.getParent();
        }
        return place;
    }

    private static String picture(String name) throws IOException {
        String page = Files.readString(ROOT.resolve("docs/architecture.md"));
        int from = page.indexOf("<!-- " + name + " -->");
        assertTrue(from >= 0, "docs/architecture.md has no picture of " + name);
        return page.substring(from, page.indexOf("<!-- end -->", from));
    }

    private static List<String> all(Pattern pattern, String text) {
        List<String> found = new ArrayList<>();
        for (Matcher one = pattern.matcher(text); one.find();) {
            found.add(one.group(1));
        }
        return found;
    }

    /** By module: those that it needs to run. */
    private static Map<String, Set<String>> poms() throws IOException {
        Map<String, Set<String>> needs = new TreeMap<>();
        for (String module : all(MODULE, Files.readString(ROOT.resolve("pom.xml")))) {
            if (!Files.exists(ROOT.resolve(module).resolve("src"))) {
                continue; // it is a list of the others, and has no code
            }
            Set<String> others = needs.computeIfAbsent(module, name -> new TreeSet<>());
            Matcher other = DEPENDENCY.matcher(Files.readString(ROOT.resolve(module).resolve("pom.xml")));
            while (other.find()) {
                if (!other.group().contains("<scope>test</scope>")) {
                    others.add(other.group(1));
                }
            }
        }
        return needs;
    }

    private static Set<String> reached(String from, Map<String, Set<String>> arrows) {
        Set<String> found = new TreeSet<>();
        List<String> next = new ArrayList<>(arrows.getOrDefault(from, Set.of()));
        while (!next.isEmpty()) {
            String one = next.removeLast();
            if (found.add(one)) {
                next.addAll(arrows.getOrDefault(one, Set.of()));
            }
        }
        return found;
    }

    @Test
    void modulesNeedInThePictureWhatTheyNeedInThePoms() throws IOException {
        Map<String, Set<String>> poms = poms();
        Map<String, Set<String>> drawn = new TreeMap<>();
        String picture = picture("modules");
        for (Matcher arrow = ARROW.matcher(picture); arrow.find();) {
            drawn.computeIfAbsent(arrow.group(1), name -> new TreeSet<>()).add(arrow.group(2));
        }
        for (String module : poms.keySet()) {
            assertTrue(picture.contains(module), module + " is not in the picture");
            assertEquals(reached(module, poms), reached(module, drawn), module + " needs, in the poms (expected) and in"
                + " the picture (actual)");
        }
    }

    @Test
    void aPackageKnowsThoseOfLowerFloors() throws IOException {
        Map<String, Integer> floors = new HashMap<>();
        for (Matcher floor = FLOOR.matcher(picture("packages")); floor.find();) {
            all(ON_FLOOR, floor.group()).forEach(name -> floors.put(name, Integer.parseInt(floor.group(1))));
        }
        int known = 0;
        String page = Files.readString(ROOT.resolve("docs/architecture.md")).replace(" |\n| | | ", ", ");
        for (Matcher row = ROW.matcher(page); row.find();) {
            Integer own = floors.remove(row.group(1)) instanceof Integer floor ? floor : null;
            if (own != null) {
                known++;
                for (String other : all(Pattern.compile("`([\\w.]+)`"), row.group(2))) {
                    Integer below = floorOf(other);
                    assertTrue(below != null && below < own, row.group(1) + " is on floor " + own + " and knows "
                        + other + ", which is on " + below);
                }
            }
        }
        assertTrue(known > 20, "only " + known + " packages are in the picture");
        assertEquals(Map.of(), floors, "these are in the picture and not in the table");
    }

    private static Integer floorOf(String name) throws IOException {
        for (Matcher floor = FLOOR.matcher(picture("packages")); floor.find();) {
            if (all(ON_FLOOR, floor.group()).contains(name)) {
                return Integer.parseInt(floor.group(1));
            }
        }
        return null;
    }
}
