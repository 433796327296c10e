package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.FallbackReason;
import org.junit.jupiter.api.Test;

/**
 * The pages that tell the protocol say nothing that is not there: each message has its row, each rule its number and
 * what shows it, and each class and test that a page names exists.
 */
class ProtocolPagesTest {
    private static final Path ROOT = root();
    /** The pages, each with the letter of its rules. */
    private static final Map<String, String> PAGES = pages();
    private static final List<String> SECTIONS = List.of("States", "Sequence", "Messages", "Rules");
    private static final String HEAD = "| message | from | to | sent when |";
    /** A class and its method, and the file that has them. */
    private static final Pattern LINK = Pattern.compile("\\[`?(\\w+)#(\\w+)`?]\\(([^)\\s]+)\\)");
    /** A class and its method in backquotes, which must be there. */
    private static final Pattern METHOD = Pattern.compile("`([A-Z]\\w*)#(\\w+)`");
    /** What looks like the name of a class: words with capitals, written as one. */
    private static final Pattern CLASS = Pattern.compile("`([A-Z][a-z0-9]+(?:[A-Z]\\w*)+)`");
    private static final Pattern MEMBER = Pattern.compile("`([A-Z]\\w*)\\.(\\w+)(?:\\([^`]*\\))?`");
    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|interface|enum|record)\\s+([A-Z]\\w*)");
    /** What the kernel calls kinds of memory. */
    private static final Set<String> NO_CLASSES = Set.of("MemAvailable", "ShmemHugePages");
    private static final Pattern SOURCE_LINK = Pattern.compile("]\\((\\.\\.?/[^)#\\s]+|[\\w/-]+\\.md)(#[^)\\s]*)?\\)");
    private static final int LONGEST_LINE = 200;
    private static final Pattern RULE = Pattern.compile("(?m)^(?:[-*] )?\\*\\*([A-Z])(\\d+)\\.?\\*\\*");

    private static Path root() {
        Path place = Path.of("").toAbsolutePath();
        while (!Files.exists(place.resolve("docs/README.md"))) {
            place = place.getParent();
        }
        return place;
    }

    private static Map<String, String> pages() {
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("membership.md", "M");
        pages.put("checkpoint.md", "C");
        pages.put("demand-checkpoint.md", "D");
        pages.put("logging.md", "L");
        pages.put("recovery.md", "R");
        return pages;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String page(String name) {
        Path file = ROOT.resolve("docs/internals").resolve(name);
        assertTrue(Files.exists(file), "docs/internals/" + name + " is missing");
        return text(file);
    }

    /** All documents, and what modules say of themselves, by path from the root. */
    private static Map<String, String> documents() throws IOException {
        Map<String, String> documents = new LinkedHashMap<>();
        try (Stream<Path> files = Stream.concat(Files.walk(ROOT, 2), Files.list(ROOT.resolve("docs/internals")))) {
            files.filter(file -> file.getFileName().toString().equals("README.md")
                || file.toString().endsWith(".md") && file.startsWith(ROOT.resolve("docs"))).sorted()
                .forEach(file -> documents.put(ROOT.relativize(file).toString(), text(file)));
        }
        return documents;
    }

    /** What stands under a heading of second order, up to the next one. */
    private static String section(String page, String name) {
        int from = page.indexOf("\n## " + name + "\n");
        assertTrue(from >= 0, "there is no section " + name + " in the page " + page.lines().findFirst().orElse(""));
        int to = page.indexOf("\n## ", from + 1);
        return page.substring(from, to < 0 ? page.length() : to);
    }

    @Test
    void eachPageHasItsTermsAndSectionsInTheirOrder() {
        for (String name : PAGES.keySet()) {
            String page = page(name);
            assertTrue(page.startsWith("# "), name + " does not begin with its title");
            int last = page.indexOf("\n**Terms.**");
            assertTrue(last > 0, name + " lacks **Terms.**");
            for (String section : SECTIONS) {
                int at = page.indexOf("\n## " + section + "\n");
                assertTrue(at > 0, name + " lacks the section " + section);
                assertTrue(at > last, name + ": the section " + section + " is not where it belongs");
                last = at;
            }
            assertTrue(section(page, "States").contains("```mermaid\nstateDiagram-v2"), name + ": no state diagram");
            assertTrue(section(page, "Sequence").contains("```mermaid\nsequenceDiagram"), name
                + ": no sequence diagram");
        }
    }

    private static Set<String> messages() {
        return Arrays.stream(ControlMessage.class.getPermittedSubclasses())
            .flatMap(direction -> Arrays.stream(direction.getPermittedSubclasses())).map(Class::getSimpleName)
            .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The messages of which a pattern finds the lines, each with the pages that have them. */
    private static Map<String, List<String>> lines(String line, Map<String, String> texts) {
        Map<String, List<String>> lines = new LinkedHashMap<>();
        texts.forEach((name, text) -> Pattern.compile("(?m)^" + line).matcher(text).results()
            .forEach(found -> lines.computeIfAbsent(found.group(1), message -> new ArrayList<>()).add(name)));
        return lines;
    }

    private static void assertEachMessageOnce(Map<String, List<String>> lines) {
        Set<String> missing = messages();
        missing.removeAll(lines.keySet());
        assertEquals(Set.of(), missing, "messages without a line");
        Set<String> unknown = new TreeSet<>(lines.keySet());
        unknown.removeAll(messages());
        assertEquals(Set.of(), unknown, "lines of what is no message");
        lines.forEach((message, where) -> assertEquals(1, where.size(), message + " has lines in " + where));
    }

    /** What each message does is in one page; who sends it, to whom and when, in one table. */
    @Test
    void eachMessageIsInOneTableOfOnePage() {
        Map<String, String> effects = new LinkedHashMap<>();
        PAGES.keySet().forEach(name -> effects.put(name, section(page(name), "Messages")));
        assertEachMessageOnce(lines("- `(\\w+)`: \\S", effects));
        String table = page("control-messages.md");
        assertTrue(table.contains(HEAD), "the table of messages begins with " + HEAD);
        assertEachMessageOnce(lines("\\| `(\\w+)` (?:\\| [^|]+ ){3}\\|$", Map.of("control-messages.md", table)));
    }

    /** A message goes to the coordinator, or comes from it, as its type says. */
    @Test
    void theTableOfMessagesHasTheirDirections() {
        Map<String, String> from = new TreeMap<>();
        Map<String, String> to = new TreeMap<>();
        Pattern.compile("(?m)^\\| `(\\w+)` \\| ([^|]+) \\| ([^|]+) \\|").matcher(page("control-messages.md")).results()
            .forEach(row -> {
                from.put(row.group(1), row.group(2));
                to.put(row.group(1), row.group(3));
            });
        assertEquals(messages(ControlMessage.ToMember.class), coordinator(from), "messages of the coordinator");
        assertEquals(messages(ControlMessage.ToCoordinator.class), coordinator(to), "messages to the coordinator");
    }

    private static Set<String> messages(Class<?> direction) {
        return Arrays.stream(direction.getPermittedSubclasses()).filter(Class::isRecord).map(Class::getSimpleName)
            .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> coordinator(Map<String, String> ends) {
        return ends.entrySet().stream().filter(end -> end.getValue().contains("coordinator")).map(Map.Entry::getKey)
            .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Rules are numbered from 1 on; each says what breaks without it, and what shows that. */
    @Test
    void eachRuleHasItsNumberTheExecutionThatBreaksWithoutItAndWhatShowsIt() {
        PAGES.forEach((name, letter) -> {
            String rules = section(page(name), "Rules");
            Matcher rule = RULE.matcher(rules);
            List<Integer> starts = new ArrayList<>();
            while (rule.find()) {
                assertEquals(letter, rule.group(1), name + " has a rule of another page: " + rule.group());
                assertEquals(starts.size() + 1, Integer.parseInt(rule.group(2)), name + ": the number of a rule");
                starts.add(rule.start());
            }
            assertTrue(!starts.isEmpty(), name + " has no rules");
            starts.add(rules.length());
            for (int i = 0; i + 1 < starts.size(); i++) {
                String text = rules.substring(starts.get(i), starts.get(i + 1));
                String which = name + ": rule " + letter + (i + 1);
                assertTrue(text.contains("*Without it:*"), which + " does not say what breaks without it");
                assertTrue(text.contains("*Shown by:*"), which + " does not say what shows it");
                String shown = text.substring(text.indexOf("*Shown by:*"));
                assertTrue(LINK.matcher(shown).find() || shown.contains("no test"), which + " is shown by nothing");
            }
        });
    }

    /** Whether a source declares a method of that name: its type stands before it. */
    private static boolean hasMethod(String source, String method) {
        return Pattern.compile("[\\w>\\]](?<!\\breturn|\\bnew|\\bthrow|\\belse)\\s+" + method + "\\(").matcher(source)
            .find();
    }

    private static boolean hasWord(String source, String word) {
        return Pattern.compile("\\b" + word + "\\b").matcher(source).find();
    }

    /** Each link to a method leads to a file of that class which has it. */
    @Test
    void eachMethodThatIsLinkedIsThere() throws IOException {
        List<String> wrong = new ArrayList<>();
        int[] links = new int[1];
        documents().forEach((name, text) -> {
            Matcher link = LINK.matcher(text);
            while (link.find()) {
                links[0]++;
                Path file = ROOT.resolve(name).resolveSibling(link.group(3)).normalize();
                if (!Files.exists(file)) {
                    wrong.add(name + ": " + link.group() + ": there is no such file");
                } else if (!file.getFileName().toString().equals(link.group(1) + ".java")) {
                    wrong.add(name + ": " + link.group() + ": the file is of another class");
                } else if (!hasMethod(text(file), link.group(2))) {
                    wrong.add(name + ": " + link.group() + ": the class has no such method");
                }
            }
        });
        assertEquals("", String.join("\n", wrong));
        assertTrue(links[0] > 0, "no document links to a method");
    }

    /** The text of all sources of that file name, by class; a nested class is in the file of the outer one. */
    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new LinkedHashMap<>();
        // examples are projects one folder further down
        try (Stream<Path> modules = Stream.concat(Files.list(ROOT), Files.list(ROOT.resolve("examples")))) {
            for (Path module : modules.filter(place -> Files.exists(place.resolve("pom.xml"))).toList()) {
                Path tree = module.resolve("src");
                if (Files.exists(tree)) {
                    try (Stream<Path> files = Files.walk(tree)) {
                        files.filter(file -> file.toString().endsWith(".java")).forEach(file ->
                            sources.merge(file.getFileName().toString().replace(".java", ""), text(file),
                                String::concat));
                    }
                }
            }
        }
        return sources;
    }

    /** A class that a document names is one of the project, or of the JDK; what it names of it is in its source. */
    @Test
    void eachClassThatIsNamedIsThereWithWhatIsNamedOfIt() throws IOException {
        Map<String, String> sources = sources();
        Set<String> declared = new TreeSet<>(NO_CLASSES);
        sources.values().forEach(source -> DECLARED.matcher(source).results()
            .forEach(found -> declared.add(found.group(1))));
        List<String> wrong = new ArrayList<>();
        documents().forEach((name, text) -> {
            METHOD.matcher(text).results()
                .filter(found -> !hasMethod(sources.getOrDefault(found.group(1), ""), found.group(2)))
                .forEach(found -> wrong.add(name + ": " + found.group()));
            CLASS.matcher(text).results()
                .filter(found -> !declared.contains(found.group(1)) && !isOfTheJdk(found.group(1)))
                .forEach(found -> wrong.add(name + ": " + found.group()));
            MEMBER.matcher(text).results()
                .filter(found -> sources.containsKey(found.group(1))
                    ? !hasWord(sources.get(found.group(1)), found.group(2)) : found.group(1).endsWith("Test"))
                .forEach(found -> wrong.add(name + ": " + found.group()));
        });
        assertEquals("", String.join("\n", wrong));
    }

    private static boolean isOfTheJdk(String name) {
        for (String in : List.of("java.lang.", "java.lang.foreign.")) {
            try {
                Class.forName(in + name);
                return true;
            } catch (ClassNotFoundException e) {
                // perhaps it is of the next one
            }
        }
        return false;
    }

    /** Lines of tables that are longer should be lists. */
    @Test
    void noLineIsLongerThan200Characters() throws IOException {
        List<String> wrong = new ArrayList<>();
        documents().forEach((name, text) -> text.lines().filter(line -> line.length() > LONGEST_LINE)
            .forEach(line -> wrong.add(name + ": " + line)));
        assertEquals("", String.join("\n", wrong));
    }

    /** Links between documents, and from them to files of the project, lead somewhere; so do those to headings. */
    @Test
    void eachLinkLeadsSomewhere() throws IOException {
        List<String> wrong = new ArrayList<>();
        documents().forEach((name, text) -> {
            Matcher link = SOURCE_LINK.matcher(text);
            while (link.find()) {
                Path file = ROOT.resolve(name).resolveSibling(link.group(1)).normalize();
                String anchor = link.group(2);
                if (!Files.exists(file)) {
                    wrong.add(name + ": " + link.group(1));
                } else if (anchor != null && file.toString().endsWith(".md") && !anchors(text(file)).contains(anchor)) {
                    wrong.add(name + ": " + link.group(1) + anchor);
                }
            }
        });
        assertEquals("", String.join("\n", wrong));
    }

    /** What headings are called in links. */
    private static Set<String> anchors(String page) {
        return page.lines().filter(line -> line.startsWith("#"))
            .map(line -> "#" + line.replaceFirst("^#+ ", "").toLowerCase().replaceAll("[^a-z0-9 _-]", "")
                .replace(' ', '-'))
            .collect(Collectors.toSet());
    }

    /** Each reason for which all ranks go back has a row in the page that tells of recoveries. */
    @Test
    void recoveryHasEachReasonOfAFallback() {
        String page = page("recovery.md");
        for (FallbackReason reason : FallbackReason.values()) {
            assertTrue(page.contains("\n- `" + reason + "` ("), "docs/internals/recovery.md has no item of " + reason);
        }
    }
}
