package org.ftrma.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ftrma.cli.TrialCommands;
import org.ftrma.launch.CommandTree;
import org.ftrma.options.JobOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ManPagesTest {
    private static void addNames(String name, CommandLine command, Set<String> names) {
        names.add(name + ".adoc");
        command.getSubcommands().forEach((own, sub) -> addNames(name + "-" + own, sub, names));
    }

    @Test
    void eachCommandHasAPageAndEachOptionOfAJobAnEntryWithItsMeaning(@TempDir Path directory) throws IOException {
        ManPages.write(directory, "1.2.3");
        Set<String> expected = new TreeSet<>();
        addNames("ftrma", CommandTree.create(new TrialCommands()), expected);
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(expected, files.map(file -> file.getFileName().toString())
                .collect(Collectors.toCollection(TreeSet::new)));
        }
        String page = Files.readString(directory.resolve("ftrma-npb-cg.adoc"));
        assertTrue(page.contains("1.2.3"), page);
        for (JobOption option : JobOption.values()) {
            assertTrue(page.contains("*--" + option.key() + "*=_" + option.label() + "_::"), option.key());
        }
    }
}
