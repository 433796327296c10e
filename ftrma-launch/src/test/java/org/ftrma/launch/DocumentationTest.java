package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.ftrma.launch.hosts.AgentOption;
import org.ftrma.launch.hosts.HostOption;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.launch.topology.MachineOption;
import org.ftrma.options.CommandOption;
import org.ftrma.options.JobOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the documentation says holds: its tables are those of the program, and its example runs. */
class DocumentationTest {
    static final Path ROOT = root();

    private static Path root() {
        Path place = Path.of("").toAbsolutePath();
        while (!Files.exists(place.resolve("docs/README.md"))) {
            place = place.getParent();
        }
        return place;
    }

    /** A page in which each list item is one line. */
    private static String items(String page) throws IOException {
        return Files.readString(ROOT.resolve("docs").resolve(page)).replaceAll("\n {2,}", " ");
    }

    /** Asserts that the items of options in a page are those of the commands, word for word as help shows them. */
    private static void assertLists(String page, List<? extends CommandOption> options) throws IOException {
        String text = items(page);
        for (CommandOption option : options) {
            String item = "\n- `--" + option.key() + (option.label().isEmpty() ? "" : " " + option.label()) + "`: "
                + option.text().description() + "\n";
            assertTrue(text.contains(item), "docs/" + page + " lacks this item:" + item);
        }
        Matcher matcher = Pattern.compile("^- `--([a-z-]+)", Pattern.MULTILINE).matcher(text);
        while (matcher.find()) {
            String key = matcher.group(1);
            assertTrue(options.stream().anyMatch(option -> option.key().equals(key)),
                "docs/" + page + " lists --" + key + ", which is no option");
        }
    }

    @Test
    void operationsListEveryOptionWithItsDefaultAndMeaning() throws IOException {
        assertLists("options.md", Stream.<CommandOption>concat(Stream.of(JobOption.values()),
            Stream.of(LauncherOption.values())).toList());
    }

    @Test
    void hostsListEveryOptionOfTheirs() throws IOException {
        assertLists("hosts.md", Stream.<CommandOption>concat(Stream.of(HostOption.values()),
            Stream.of(AgentOption.values())).toList());
    }

    /** Tests run the files. */
    @Test
    void hostsShowTheBatchScriptsThatAreTested() throws IOException {
        String text = Files.readString(ROOT.resolve("docs/hosts.md"));
        for (String script : List.of("slurm.sh", "mpirun.sh")) {
            String file = Files.readString(ROOT.resolve("docs/batch/" + script));
            assertTrue(text.contains("```bash\n" + file + "```\n"), "docs/hosts.md does not show docs/batch/" + script);
        }
    }

    /** A rule of the contract is in both places with what is checked of it, in the same words. */
    @Test
    void conceptsAndTheJavadocOfJobSayTheSameContract() throws IOException {
        String concepts = items("concepts.md");
        String javadoc = Files.readString(ROOT.resolve("ftrma-api/src/main/java/org/ftrma/Job.java"))
            .replaceAll("\n \\* ?", " ")
            .replaceAll("\\{@code ([^}]*)}", "`$1`").replaceAll(" +", " ");
        List<String> rows = Pattern.compile("(?m)^- (.+) - checked: (.+) - found by: (.+)$").matcher(concepts).results()
            .map(row -> "<tr><td>" + row.group(1) + "</td><td>" + row.group(2) + "</td><td>" + row.group(3)
                + "</td></tr>").toList();
        assertTrue(rows.size() > 15, rows.toString());
        for (String wanted : rows) {
            assertTrue(javadoc.contains(wanted), "the Javadoc of Job lacks\n" + wanted);
        }
        assertEquals(rows.size(), javadoc.split("<tr><td>", -1).length - 1);
    }

    @Test
    void failureDomainsListEveryOptionOfTheirCommands() throws IOException {
        assertLists("failure-domains.md", List.of(MachineOption.values()));
    }

    @Test
    void figuresOfFailureDomainsAreThoseOfTheProgram() throws IOException {
        String text = Files.readString(ROOT.resolve("docs/failure-domains.md"));
        for (String line : Command.line("pcf --machine tsubame2 --processes 4000 --sweep").exits(0).out().lines()
            .toList()) {
            String[] words = line.split("\\s+");
            if (List.of("1%", "5%", "10%", "20%").contains(words[0])) {
                String row = " | " + String.join(" | ", List.of(words).subList(3, words.length)) + " |";
                assertTrue(text.contains(row), "docs/failure-domains.md lacks " + row);
            }
        }
    }

    @Test
    void examplesOfFailureDomainsCanBeRead(@TempDir Path directory) throws IOException {
        Matcher matcher = Pattern.compile("```json\\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(ROOT.resolve("docs/failure-domains.md")));
        int examples = 0;
        while (matcher.find()) {
            Path file = Files.writeString(directory.resolve("topology" + examples++ + ".json"), matcher.group(1));
            Command.line("map --ranks 8 --checksums 2 --aware node --topology " + file).exits(0);
        }
        assertEquals(2, examples);
    }

    @Test
    void operationsListEveryExitCodeAndKeyOfTheResult() throws IOException {
        String text = Files.readString(ROOT.resolve("docs/results.md"));
        for (int code : new int[] {0, 1, 2, 3, 4, 5, 130}) {
            assertTrue(text.contains("\n| " + code + " | "), "exit code " + code);
        }
        Map<String, Object> json = Command.line("sample stencil --ranks 2 --checksums 1 --spares 1 --protocol full "
            + "--interval 5 --steps 20 --kill 1@12"
            + " --timeout 60s --json").exits(0).json();
        Recoveries.assertAllLocal(json, 1);
        List<Object> keys = new ArrayList<>(json.keySet());
        keys.addAll(Recoveries.failures(json).getFirst().keySet());
        ((List<?>) json.get("log")).forEach(rank -> keys.addAll(((Map<?, ?>) rank).keySet()));
        keys.addAll(((Map<?, ?>) json.get("ucx")).keySet());
        assertTrue(keys.containsAll(List.of("joinMillis", "rebuildMillis", "agreeMillis", "replayMillis", "peakBytes")),
            keys::toString);
        for (Object key : keys) {
            assertTrue(text.contains("`" + key + "`"), "docs/results.md does not explain the key " + key);
        }
    }

    @Test
    void exampleOfTheReadmeCompilesRunsAndSurvivesAKill(@TempDir Path directory) throws IOException {
        Matcher matcher = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(ROOT.resolve("README.md")));
        assertTrue(matcher.find(), "README.md has no example");
        String source = matcher.group(1);
        assertTrue(source.lines().count() < 40, "the example has " + source.lines().count() + " lines");
        Path file = Files.writeString(directory.resolve("Heat.java"), source);
        int status = ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-Xlint:all", "-Werror", "-proc:none", "-cp",
            LauncherProcess.classPath(), "-d", directory.toString(), file.toString());
        assertEquals(0, status, "the example does not compile");
        String run = "run --ranks 2 --json --timeout 60s --class-path " + directory;
        Object undisturbed = middle(Command.line(run + " -- Heat").exits(0));
        Command killed = Command.line(run + " --checksums 1 --interval 100 --kill 1@700 -- Heat").exits(0);
        assertEquals(1, killed.json().get("rollbacks"));
        assertEquals(undisturbed, middle(killed));
    }

    private static Object middle(Command command) {
        Object middle = ((Map<?, ?>) command.json().get("reports")).get("middle");
        assertTrue(((Number) middle).doubleValue() > 1, "the rod is cold: " + middle);
        return middle;
    }

    @Test
    void readmeListsEveryCommand() throws IOException {
        String text = Files.readString(ROOT.resolve("README.md"));
        for (String command : CommandTree.create().getSubcommands().keySet()) {
            assertTrue(text.contains("`./ftrma " + command), "README.md does not list " + command);
        }
    }
}
