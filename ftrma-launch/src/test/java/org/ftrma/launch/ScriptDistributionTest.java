package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script in a distribution, where there is a Java and what was built, and neither sources nor a compiler. */
class ScriptDistributionTest extends ScriptWorld {
    @BeforeEach
    void unpackADistribution() throws IOException {
        jdk("project/runtime", "25.0.3");
        Files.delete(project.resolve("runtime/bin/javac"));
        Path lib = Files.createDirectories(project.resolve("app/lib"));
        Files.writeString(lib.resolve("ftrma-api-1.jar"), "jar");
        Files.writeString(project.resolve("app/classpath"), "ftrma-api-1.jar\n");
        Files.createDirectories(project.resolve("runtime/lib"));
        Files.writeString(project.resolve("runtime/lib/modules"), "");
    }

    private boolean isUntouched() {
        return !Files.exists(project.resolve(".build")) && !Files.exists(environmentHome.resolve(".cache"));
    }

    @Test
    void itRunsOnItsOwnJavaAndBuildsNothing() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        assertRunsOn("project/runtime", Map.of("JAVA_HOME", jdk("other", "25").toString()));
        assertTrue(lastLine().contains(" -cp " + project + "/app/lib/ftrma-api-1.jar "), output);
        makeItReadOnly();
        assertRunsOn("project/runtime", Map.of());
        assertEquals(0, builds());
        assertTrue(isUntouched(), "it has made something");
    }

    @Test
    void itsCachesAreUsedWhereTheirFilesHaveKeptTheirTimes() throws Exception {
        FileTime made = FileTime.from(Instant.ofEpochSecond(1_700_000_000));
        for (String cache : new String[] {"launcher.aot", "rank.aot"}) {
            Files.writeString(project.resolve("app").resolve(cache), "");
        }
        Files.writeString(project.resolve("app/jdk"), "1700000000\n");
        Files.writeString(project.resolve("app/origin"), "ftrma 1700000000\n");
        Path modules = project.resolve("runtime/lib/modules");
        Files.setLastModifiedTime(modules, made);
        Files.setLastModifiedTime(project.resolve("app/classpath"), made);
        String used = "-XX:AOTCache=" + project + "/app/launcher.aot -Dftrma.rank.aot=" + project + "/app/rank.aot";
        assertRunsOn("project/runtime", Map.of());
        assertTrue(lastLine().contains(used), output);
        for (Path copied : new Path[] {modules, project.resolve("app/classpath")}) {
            Files.setLastModifiedTime(copied, FileTime.from(made.toInstant().plusSeconds(5)));
            assertRunsOn("project/runtime", Map.of());
            assertFalse(lastLine().contains("AOTCache"), output);
            Files.setLastModifiedTime(copied, made);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"test", "bench XorBenchmark", "mutate", "package", "kv --compare"})
    void whatOnlyACheckoutHasIsRefusedWithWhatItNeeds(String command) throws Exception {
        assertEquals(4, ftrma(Map.of(), command.split(" ")), output);
        assertTrue(output.contains("ftrma " + command.replace(" XorBenchmark", "") + " needs the sources of ftRMA, a "
            + "JDK 25 and Maven"), output);
        assertTrue(isUntouched(), "it has made something");
    }

    @Test
    void programsAreCompiledByAnyLaterJdkForTheJavaThatIsThere() throws Exception {
        assertEquals(4, ftrma(Map.of(), "javac", "Main.java"), output);
        assertTrue(output.contains("ftrma javac needs a JDK 25 or later"), output);
        Path later = jdk("usr/lib/jvm/later", "26");
        executable(later.resolve("bin/javac"), "#!/bin/bash\necho \"javac of later: $*\"\n");
        assertEquals(0, ftrma(Map.of(), "javac", "Main.java"), output);
        String library = project + "/app/lib/ftrma-api-1.jar";
        assertEquals("javac of later: --release 25 -cp " + library + " Main.java", lastLine());
        assertEquals(0, ftrma(Map.of(), "javac", "--release", "24", "Main.java"), output);
        assertEquals("javac of later: -cp " + library + " --release 24 Main.java", lastLine());
    }
}
