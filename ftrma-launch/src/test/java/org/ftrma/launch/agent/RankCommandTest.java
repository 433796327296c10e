package org.ftrma.launch.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RankCommandTest {
    private static final int RANKS = 3;
    private static final int CHECKSUMS = 2;

    @TempDir
    private Path folder;

    private List<String> cachesOf(int number) {
        RankJvm jvm = new RankJvm(RANKS, CHECKSUMS, List.of(), folder.resolve("rank.aot").toString(), null);
        try (JobDirectory directory = new JobDirectory()) {
            return new RankCommand(jvm, directory, CrashReport.here()).line(number).stream()
                .filter(argument -> argument.startsWith("-XX:AOTCache=")).toList();
        }
    }

    @Test
    void eachRoleHasItsCache() throws IOException {
        for (String name : List.of("rank", "checksum", "spare")) {
            Files.createFile(folder.resolve(name + ".aot"));
        }
        assertEquals(List.of("-XX:AOTCache=" + folder.resolve("rank.aot")), cachesOf(0));
        assertEquals(List.of("-XX:AOTCache=" + folder.resolve("rank.aot")), cachesOf(RANKS - 1));
        assertEquals(List.of("-XX:AOTCache=" + folder.resolve("checksum.aot")), cachesOf(RANKS));
        assertEquals(List.of("-XX:AOTCache=" + folder.resolve("checksum.aot")), cachesOf(RANKS + CHECKSUMS - 1));
        assertEquals(List.of("-XX:AOTCache=" + folder.resolve("spare.aot")), cachesOf(RANKS + CHECKSUMS));
    }

    @Test
    void goesOnWithoutACacheThatIsMissing() throws IOException {
        Files.createFile(folder.resolve("rank.aot"));
        assertEquals(1, cachesOf(0).size());
        assertEquals(List.of(), cachesOf(RANKS));
        assertEquals(List.of(), cachesOf(RANKS + CHECKSUMS));
    }
}
