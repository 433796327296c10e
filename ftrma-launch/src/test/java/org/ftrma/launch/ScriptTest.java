package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the script needs, what it builds, and how it ends. */
@Tag("long")
class ScriptTest extends ScriptWorld {
    @Test
    void theJdkComesFromJavaHomeThenThePathThenTheUsualFolders() throws Exception {
        Path chosen = jdk("chosen", "25.0.1");
        Path found = jdk("found", "26");
        jdk("usr/lib/jvm/usual", "25");
        Path old = jdk("old", "17.0.9");
        assertRunsOn("usr/lib/jvm/usual", Map.of());
        Files.createSymbolicLink(bin.resolve("java"), found.resolve("bin/java"));
        assertRunsOn("found", Map.of());
        assertRunsOn("chosen", Map.of("JAVA_HOME", chosen.toString()));
        assertRunsOn("found", Map.of("JAVA_HOME", old.toString()));
        assertRunsOn("found", Map.of("JAVA_HOME", place.resolve("nowhere").toString()));
        assertTrue(Files.readAllLines(place.resolve("maven.log")).get(2).startsWith(chosen + " -f "),
            "Maven is run by the same JDK");
    }

    @Test
    void itIsBuiltOnceAndAgainWhenASourceIsNewerOrGone() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        assertRunsOn("usr/lib/jvm/usual", Map.of());
        assertEquals(1, builds());
        age();
        assertRunsOn("usr/lib/jvm/usual", Map.of());
        assertEquals(1, builds(), "nothing has changed");
        long expected = 1;
        for (String changed : List.of(SOURCE, "pom.xml", "ftrma-api/pom.xml", "ftrma")) {
            age();
            Files.setLastModifiedTime(project.resolve(changed), FileTime.from(Instant.now()));
            assertRunsOn("usr/lib/jvm/usual", Map.of());
            assertEquals(++expected, builds(), changed);
        }
        age();
        Files.delete(project.resolve("ftrma-api/src/main/java/Removed.java"));
        assertRunsOn("usr/lib/jvm/usual", Map.of());
        assertEquals(++expected, builds(), "a source that has gone");
        age();
        Files.writeString(project.resolve("ftrma-bench/src/main/java/Bench.java"), "// changed");
        assertRunsOn("usr/lib/jvm/usual", Map.of());
        assertEquals(expected, builds(), "benchmarks are built apart");
        try (Stream<Path> copies = Files.list(project.resolve(".build"))) {
            assertEquals(1, copies.filter(path -> path.getFileName().toString().startsWith("app.")).count(),
                "old copies are removed");
        }
    }

    @Test
    void aBuildThatFailsIsAnErrorAndTheNextOneTriesAgain() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        Files.writeString(place.resolve("broken"), "");
        assertEquals(1, ftrma(Map.of(), "info"), output);
        assertTrue(output.contains("it does not compile") && output.contains("the build failed"), output);
        Files.delete(place.resolve("broken"));
        assertRunsOn("usr/lib/jvm/usual", Map.of());
    }

    @Test
    void itRunsThroughALinkFromAnywhere() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        Files.move(project.resolve("ftrma"), project.resolve("ftrma.real"));
        Files.createSymbolicLink(place.resolve("link"), project.resolve("ftrma.real"));
        Files.createSymbolicLink(project.resolve("ftrma"), place.resolve("link"));
        assertRunsOn("usr/lib/jvm/usual", Map.of());
        assertTrue(Files.exists(project.resolve(".build/current/stamp")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void aSignalBeforeTheLauncherCanTakeNoticeIsAnInterruptWithAResult(String signal) throws Exception {
        jdkThat("echo $$ > " + place + "/begun; exec sleep 60");
        Process script = begin(Map.of(), "fft", "--json", "--", "\"quoted\"");
        await("the launcher", () -> Files.exists(place.resolve("begun")));
        assertEquals(0, new ProcessBuilder("/bin/kill", "-" + signal, Long.toString(script.pid())).start().waitFor());
        assertEquals(130, ended(script), output);
        assertEquals("{\"app\":\"fft\",\"exitCode\":130,\"outcome\":\"interrupted\",\"message\":\"interrupted before "
            + "it had begun\"}", lastLine());
    }

    /** It may take its time to end, and ends at once when it hears the second one. */
    @Test
    void theLauncherHearsOfEverySignal() throws Exception {
        // what the script runs before is no launcher
        jdkThat("[[ $* == *status.told* ]] || exit 0; trap 'n=$((n + 1)); echo > " + place
            + "/signal$n; (( n == 1 )) || exit 105' TERM; echo > " + place
            + "/begun; while true; do sleep 0.1; done");
        Process script = begin(Map.of(), "fft", "--json");
        await("the launcher", () -> Files.exists(place.resolve("begun")));
        script.destroy();
        await("the first signal", () -> Files.exists(place.resolve("signal1")));
        assertTrue(script.isAlive());
        script.destroy();
        assertEquals(5, ended(script), output);
    }

    @Test
    void theLauncherEndsWithTheScriptWhateverHappens() throws Exception {
        jdkThat("echo $$ > " + place + "/pid; mv " + place + "/pid " + place + "/begun; exec sleep 60");
        Process script = begin(Map.of(), "fft", "--json");
        await("the launcher", () -> Files.exists(place.resolve("begun")));
        long launcher = Long.parseLong(Files.readString(place.resolve("begun")).trim());
        script.destroyForcibly();
        await("the launcher's end", () -> ProcessHandle.of(launcher).isEmpty());
    }

    @Test
    void theEndOfTheLauncherIsTheScripts() throws Exception {
        jdkThat("echo '{\"its\":\"own\"}'; exit 103");
        assertEquals(3, ftrma(Map.of(), "fft", "--json"), output);
        assertEquals("{\"its\":\"own\"}", lastLine());
        executable(place.resolve("usr/lib/jvm/usual/bin/java"), "#!/bin/bash\nexit 1\n");
        assertEquals(1, ftrma(Map.of(), "fft", "--json"), output);
        assertTrue(lastLine().startsWith("{\"app\":\"fft\",\"exitCode\":1,\"outcome\":\"failed\",\"message\":\"the "
            + "Java virtual machine"), output);
        executable(place.resolve("usr/lib/jvm/usual/bin/java"), "#!/bin/bash\nkill -9 $$\n");
        assertEquals(1, ftrma(Map.of(), "fft", "--json"), output);
        assertEquals("{\"app\":\"fft\",\"exitCode\":1,\"outcome\":\"failed\",\"message\":\"the launcher was ended by "
            + "signal 9 (somebody has killed it, or the kernel for want of memory: dmesg tells); ./ftrma why tells how "
            + "far the job has come, and --restart DIR goes on from what --flush DIR has written\"}", lastLine());
        assertFalse(output.contains("Killed"), output);
    }

    @Test
    void aSignalDuringTheBuildEndsIt() throws Exception {
        jdkThat("exit 100");
        Files.writeString(place.resolve("slow"), "");
        Process script = begin(Map.of(), "info", "--json");
        await("the build", () -> Files.exists(place.resolve("begun")));
        script.destroy();
        assertEquals(130, ended(script), output);
        assertTrue(lastLine().startsWith("{\"app\":\"info\",\"exitCode\":130,"), output);
        Files.delete(place.resolve("slow"));
        assertEquals(0, ftrma(Map.of(), "info"), output);
    }

    @Test
    void whatTheMachineLacksIsAResultToo() throws Exception {
        assertEquals(4, ftrma(Map.of(), "fft", "--json"), output);
        assertTrue(lastLine()
            .startsWith("{\"app\":\"fft\",\"exitCode\":4,\"outcome\":\"unfit\",\"message\":\"no JDK 25"), output);
    }

    @Test
    void aPlaceThatJavaCannotUseIsRefused() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        Path odd = Files.createDirectory(place.resolve("a:b"));
        Files.move(project.resolve("ftrma"), odd.resolve("ftrma"));
        project = odd;
        assertEquals(4, ftrma(Map.of(), "info"), output);
        assertTrue(output.contains("a:b: ") && output.contains("colon"), output);
    }

    @Test
    void tooFewFilesAreRefusedBeforeJavaStumblesOverThem() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        executable(place.resolve("few"), "#!/bin/bash\nulimit -n 40; exec " + project + "/ftrma info --json\n");
        Process process = new ProcessBuilder(place.resolve("few").toString()).redirectErrorStream(true)
            .redirectOutput(place.resolve("output").toFile()).start();
        assertEquals(4, ended(process), output);
        assertTrue(lastLine().contains("a process may open 40 files here (ulimit -n), and ftRMA needs 64"), output);
    }

    @Test
    void aFolderThatIsGoneIsNamedAsTheReason() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        executable(place.resolve("inside"), "#!/bin/bash\nmkdir gone && cd gone && rm -r ../gone && exec " + project
            + "/ftrma info --json\n");
        Process process = new ProcessBuilder(place.resolve("inside").toString()).directory(place.toFile())
            .redirectErrorStream(true)
            .redirectOutput(place.resolve("output").toFile()).start();
        assertEquals(4, ended(process), output);
        assertTrue(lastLine().contains("the current folder is gone"), output);
    }

    @Test
    void spacesInItsPathAreNoMatter() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        Path spaced = place.resolve("two words [1]");
        Files.move(project, spaced);
        project = spaced;
        assertRunsOn("usr/lib/jvm/usual", Map.of());
    }

    /** A locale that is not installed is C for whoever uses it. */
    @Test
    void javaIsGivenALocaleThatHasAllCharacters() throws Exception {
        jdkThat("echo \"locale ${LC_ALL-none} of $* \"");
        Files.createSymbolicLink(bin.resolve("locale"), Path.of("/usr/bin/locale"));
        for (Map<String, String> environment : List.of(Map.<String, String>of(), Map.of("LC_ALL", "C"),
            Map.of("LANG", "POSIX"),
            Map.of("LC_CTYPE", "xx_XX.UTF-8"))) {
            ftrma(environment, "info", "\u00e4");
            assertTrue(output.contains("locale C.UTF-8 of ") && output.contains(" info \u00e4 "),
                environment + ": " + output);
        }
        ftrma(Map.of("LANG", "C.UTF-8"), "info");
        assertTrue(output.contains("locale none of "), output);
    }
}
