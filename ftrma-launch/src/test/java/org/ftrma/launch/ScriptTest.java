package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The ftrma script itself: a copy of it in a project of its own, whose usual places lie in a temporary folder, with a PATH that holds only what
 * the script needs, a Maven that notes its calls, and JDKs that tell who they are.
 */
@Timeout(120)
class ScriptTest {
    private static final List<String> TOOLS = List.of("readlink", "find", "mktemp", "touch", "mkdir", "cp", "ln", "mv", "rm", "flock", "basename",
        "dirname", "grep", "head", "id", "cat", "sort", "xargs", "cksum");
    private static final List<String> NOBODY = List.of("/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups");
    private static final String SOURCE = "ftrma-api/src/main/java/Program.java";

    @TempDir
    private Path place;
    private Path project;
    private Path bin;
    private Path environmentHome;
    private String output;
    private boolean asNobody;

    @BeforeEach
    void makeAWorld() throws IOException {
        project = Files.createDirectories(place.resolve("project"));
        bin = Files.createDirectories(place.resolve("bin"));
        environmentHome = Files.createDirectories(place.resolve("home"));
        String script = Files.readString(repository().resolve("ftrma"));
        for (String usual : List.of("/usr/lib/jvm/*", "/opt/*maven*/", "/opt/*", "/opt/java/*", "/usr/java/*", "/usr/share/maven/", "/usr/lib/*/libucp",
            "/usr/lib64/libucp", "/usr/lib/libucp", "/usr/local/lib/libucp", "/sbin/ldconfig")) {
            assertTrue(script.contains(" " + usual), "the script does not look at " + usual);
            script = script.replace(" " + usual, " " + place + usual);
        }
        executable(project.resolve("ftrma"), script);
        for (String tool : TOOLS) {
            Files.createSymbolicLink(bin.resolve(tool), Path.of("/usr/bin", tool));
        }
        executable(bin.resolve("mvn"), """
            #!/bin/bash
            echo "$JAVA_HOME $*" >> %1$s/maven.log
            [[ -e %1$s/slow ]] && { echo > %1$s/begun; exec sleep 60; }
            [[ -e %1$s/broken ]] && { echo '[ERROR] it does not compile'; exit 1; }
            while [[ $1 != -f ]]; do shift; done
            made=${2%%/pom.xml}/ftrma-launch/target
            mkdir -p "$made/lib"
            echo jar > "$made/ftrma-launch-1.jar"
            echo jar > "$made/lib/other.jar"
            """.formatted(place));
        for (String file : List.of("pom.xml", "ftrma-api/pom.xml", SOURCE, "ftrma-api/src/main/java/Removed.java", "ftrma-bench/pom.xml",
            "ftrma-bench/src/main/java/Bench.java", "ftrma-launch/pom.xml", "ftrma-launch/src/main/java/Main.java")) {
            Files.createDirectories(project.resolve(file).getParent());
            Files.writeString(project.resolve(file), "");
        }
        Path libraries = Files.createDirectories(place.resolve("usr/lib/any"));
        Files.writeString(libraries.resolve("libucp.so.0"), "");
    }

    private static Path repository() {
        Path found = Path.of("").toAbsolutePath();
        while (!Files.exists(found.resolve("ftrma"))) {
            found = found.getParent();
        }
        return found;
    }

    private static void executable(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** A JDK whose java prints where it is and what it was given. */
    private Path jdk(String name, String version) throws IOException {
        Path home = place.resolve(name);
        executable(home.resolve("bin/java"), "#!/bin/bash\necho \"java of " + name + ": $*\"\n");
        executable(home.resolve("bin/javac"), "#!/bin/bash\n");
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"Any\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    private int ftrma(Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
        return ended(begin(environment, arguments));
    }

    private Process begin(Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(LauncherProcess.interruptible());
        if (asNobody) {
            command.addAll(NOBODY);
        }
        command.add(project.resolve("ftrma").toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(place.resolve("output").toFile());
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", bin.toString(), "HOME", environmentHome.toString()));
        builder.environment().putAll(environment);
        return builder.start();
    }

    private int ended(Process process) throws IOException, InterruptedException {
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the script hangs");
        output = Files.readString(place.resolve("output"), StandardCharsets.UTF_8);
        return process.exitValue();
    }

    private void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, "waited 60 s for " + what);
            LockSupport.parkNanos(5_000_000);
        }
    }

    private String lastLine() {
        return output.lines().reduce("", (before, line) -> line);
    }

    /** A JDK whose java does what is given, and the tools with which the script stays its parent. */
    private void jdkThat(String does) throws IOException {
        executable(jdk("usr/lib/jvm/usual", "25").resolve("bin/java"), "#!/bin/bash\n" + does + "\n");
        for (String tool : List.of("setpriv", "true", "sleep")) {
            Files.createSymbolicLink(bin.resolve(tool), Path.of("/usr/bin", tool));
        }
    }

    private long builds() throws IOException {
        Path log = place.resolve("maven.log");
        return Files.exists(log) ? Files.readAllLines(log).size() : 0;
    }

    private void assertRunsOn(String jdk, Map<String, String> environment) throws IOException, InterruptedException {
        assertEquals(0, ftrma(environment, "info", "--json"), output);
        String last = lastLine();
        assertTrue(last.startsWith("java of " + jdk + ": ") && last.endsWith(" org.ftrma.launch.Main info --json"), output);
    }

    /** As if everything had been built ten seconds ago, and been written before. */
    private void age() throws IOException {
        Instant now = Instant.now();
        try (Stream<Path> all = Files.walk(project)) {
            for (Path path : all.filter(path -> !Files.isSymbolicLink(path)).sorted(Comparator.reverseOrder()).toList()) {
                Files.setLastModifiedTime(path, FileTime.from(now.minusSeconds(20)));
            }
        }
        Files.setLastModifiedTime(project.resolve(".build/current/stamp"), FileTime.from(now.minusSeconds(10)));
    }

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
        assertTrue(Files.readAllLines(place.resolve("maven.log")).get(2).startsWith(chosen + " -f "), "Maven is run by the same JDK");
    }

    @Test
    void withoutAJdkOfTheRightVersionTheStatusIsFourAndNothingIsBuilt() throws Exception {
        jdk("usr/lib/jvm/old", "17.0.9");
        Path runtimeOnly = jdk("opt/runtime", "25");
        Files.delete(runtimeOnly.resolve("bin/javac"));
        assertEquals(4, ftrma(Map.of(), "info"), output);
        assertTrue(output.contains("no JDK 25 or later found") && output.contains("JAVA_HOME"), output);
        assertEquals(0, builds());
        assertFalse(Files.exists(project.resolve(".build")));
    }

    @Test
    void withoutMavenOrUcxTheStatusIsFourAndTheCommandIsNamed() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        Files.delete(place.resolve("usr/lib/any/libucp.so.0"));
        assertEquals(4, ftrma(Map.of(), "info"), output);
        assertTrue(output.contains("UCX is missing") && output.contains("apt-get install -y libucx0"), output);
        Path elsewhere = Files.createDirectories(place.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("libucp.so.0"), "");
        assertRunsOn("usr/lib/jvm/usual", Map.of("LD_LIBRARY_PATH", "/nowhere:" + elsewhere));
        Files.delete(bin.resolve("mvn"));
        age();
        Files.setLastModifiedTime(project.resolve(SOURCE), FileTime.from(Instant.now()));
        assertEquals(4, ftrma(Map.of("LD_LIBRARY_PATH", elsewhere.toString()), "info"), output);
        assertTrue(output.contains("Maven is missing") && output.contains("apt-get install -y maven"), output);
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
            assertEquals(1, copies.filter(path -> path.getFileName().toString().startsWith("app.")).count(), "old copies are removed");
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
        assertEquals("{\"app\":\"fft\",\"exitCode\":130,\"outcome\":\"interrupted\",\"message\":\"interrupted before it had begun\"}", lastLine());
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
        assertTrue(lastLine().startsWith("{\"app\":\"fft\",\"exitCode\":1,\"outcome\":\"failed\",\"message\":\"the Java virtual machine"), output);
        executable(place.resolve("usr/lib/jvm/usual/bin/java"), "#!/bin/bash\nkill -9 $$\n");
        assertEquals(1, ftrma(Map.of(), "fft", "--json"), output);
        assertEquals("{\"app\":\"fft\",\"exitCode\":1,\"outcome\":\"failed\",\"message\":\"the launcher was ended by signal 9\"}", lastLine());
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
        assertTrue(lastLine().startsWith("{\"app\":\"fft\",\"exitCode\":4,\"outcome\":\"unfit\",\"message\":\"no JDK 25"), output);
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
    void aFolderThatIsGoneIsNamedAsTheReason() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        executable(place.resolve("inside"), "#!/bin/bash\nmkdir gone && cd gone && rm -r ../gone && exec " + project + "/ftrma info --json\n");
        Process process = new ProcessBuilder(place.resolve("inside").toString()).directory(place.toFile()).redirectErrorStream(true)
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

    /** From here on the project cannot be written to by whoever runs the script; what is beside it can. */
    private void makeItReadOnly() throws IOException {
        asNobody = Files.isWritable(Path.of("/"));
        if (!asNobody) {
            setPermissionsOfFolders("r-xr-xr-x");
            return;
        }
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path log = place.resolve("maven.log");
        Files.writeString(log, "", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-rw-rw-"));
    }

    private void setPermissionsOfFolders(String permissions) throws IOException {
        try (Stream<Path> all = Files.walk(project)) {
            for (Path folder : all.filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)).toList()) {
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
            }
        }
    }

    @AfterEach
    void makeItWritable() throws IOException {
        setPermissionsOfFolders("rwxr-xr-x");
    }

    private void assertRunsFrom(Path lib) throws IOException, InterruptedException {
        assertRunsOn("usr/lib/jvm/usual", Map.of("XDG_CACHE_HOME", place.resolve("cache").toString()));
        assertTrue(lastLine().contains(" -cp " + lib + "/ftrma-launch-1.jar:" + lib + "/other.jar "), output);
    }

    private Path builtHere() throws IOException {
        return project.resolve(".build/current").toRealPath().resolve("lib");
    }

    @Test
    void whatWasBuiltRunsForOthersAndWhereNothingCanBeWritten() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        builtOnce();
        age();
        makeItReadOnly();
        assertRunsFrom(builtHere());
        assertEquals(1, output.lines().count(), output);
        // Times say nothing here, but what is in the files does.
        makeItWritable();
        Files.setLastModifiedTime(project.resolve(SOURCE), FileTime.from(Instant.now()));
        makeItReadOnly();
        assertRunsFrom(builtHere());
        assertEquals(1, builds());
        assertFalse(Files.exists(place.resolve("cache")));
    }

    private Path builtOnce() throws IOException, InterruptedException {
        assertEquals(0, ftrma(Map.of(), "info"), output);
        return builtHere();
    }

    @Test
    void whereItCannotBeBuiltItIsBuiltInAFolderOfTheUsers() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        makeItReadOnly();
        assertRunsOn("usr/lib/jvm/usual", Map.of("XDG_CACHE_HOME", place.resolve("cache").toString()));
        assertTrue(output.contains(project + " cannot be written to: building in " + place.resolve("cache/ftrma/")), output);
        assertRunsOn("usr/lib/jvm/usual", Map.of("XDG_CACHE_HOME", place.resolve("cache").toString()));
        assertTrue(lastLine().contains(" -cp " + place.resolve("cache/ftrma/")), output);
        assertEquals(1, builds());
        assertFalse(Files.exists(project.resolve(".build")));
        makeItWritable();
        Files.writeString(project.resolve(SOURCE), "class Program { }");
        Files.delete(project.resolve("ftrma-api/src/main/java/Removed.java"));
        makeItReadOnly();
        assertRunsOn("usr/lib/jvm/usual", Map.of("XDG_CACHE_HOME", place.resolve("cache").toString()));
        assertEquals(2, builds(), "a source has changed");
        try (Stream<Path> all = Files.walk(place.resolve("cache"))) {
            assertEquals(List.of("Bench.java", "Main.java", "Program.java"),
                all.map(path -> path.getFileName().toString()).filter(name -> name.endsWith(".java")).sorted().toList());
        }
    }

    @Test
    void whereNothingCanBeBuiltTheReasonIsTold() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        makeItReadOnly();
        String nowhere = Files.writeString(place.resolve("file"), "") + "/cache";
        assertEquals(4, ftrma(Map.of("XDG_CACHE_HOME", nowhere), "info"), output);
        assertTrue(output.contains(project + " was not built") && output.contains("cannot be written to, nor can " + nowhere)
            && output.contains("set XDG_CACHE_HOME"), output);
        assertEquals(0, builds());
    }

    @Test
    void aProjectThatWasMovedOrCopiedRunsAsItIs() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        builtOnce();
        for (String cache : List.of("launcher.aot", "rank.aot")) {
            Files.writeString(project.resolve(".build/current").resolve(cache), "");
        }
        Path moved = place.resolve("moved");
        Files.move(project, moved);
        project = moved;
        assertRunsFrom(builtHere());
        assertTrue(lastLine().contains(" -XX:AOTCache=" + builtHere().resolveSibling("launcher.aot")), output);
        // As cp -r does it: all times are new, and a source may be copied last.
        try (Stream<Path> all = Files.walk(project)) {
            for (Path path : all.filter(path -> !Files.isSymbolicLink(path)).toList()) {
                Files.setLastModifiedTime(path, FileTime.from(Instant.now().plusSeconds(path.endsWith("stamp") ? 20 : 30)));
            }
        }
        assertRunsFrom(builtHere());
        assertEquals(1, output.lines().count(), output);
        assertFalse(lastLine().contains("aot"), "caches are of files with other times: " + output);
        assertEquals(1, builds());
        Files.writeString(project.resolve(SOURCE), "class Program { }");
        assertRunsOn("usr/lib/jvm/usual", Map.of());
        assertEquals(2, builds(), "a source has changed");
    }

    /** The result of the tests. */
    private static String tests(int status, String outcome, String message, String figures) {
        return "{\"app\":\"test\",\"exitCode\":" + status + ",\"outcome\":\"" + outcome + "\",\"message\":\"" + message + "\"" + figures + "}";
    }

    /** A Maven whose tests leave two reports, beside one that was there before, and which ends with this status. */
    private void mavenThatTests(int status) throws IOException {
        Path reports = Files.createDirectories(project.resolve("ftrma-api/target/surefire-reports"));
        Files.writeString(reports.resolve("TEST-Old.xml"), "<testsuite name=\"Old\" tests=\"100\" errors=\"0\" skipped=\"0\" failures=\"9\">\n");
        Files.setLastModifiedTime(reports.resolve("TEST-Old.xml"), FileTime.from(Instant.now().minusSeconds(60)));
        executable(bin.resolve("mvn"), """
            #!/bin/bash
            echo "$*" >> %1$s/maven.log
            printf '<testsuite name="A" time="1" tests="5" errors="1" skipped="2" failures="1">\\n</testsuite>' > %2$s/TEST-A.xml
            printf '<testsuite name="B" tests="7" errors="0" skipped="0" failures="0"/>' > %2$s/TEST-B.xml
            exit %3$d
            """.formatted(place, reports, status));
    }

    @Test
    void whatTheTestsComeToIsCounted() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        mavenThatTests(1);
        assertEquals(1, ftrma(Map.of(), "test", "--json"), output);
        String figures = ",\"run\":10,\"failed\":2,\"skipped\":2";
        assertEquals(tests(1, "failed", "2 of 10 tests failed", figures), lastLine());
        mavenThatTests(0);
        assertEquals(0, ftrma(Map.of(), "test", "--json", "--modules", "ftrma-api,ftrma-launch", "--tests=ATest,B*Test#one+two"), output);
        assertEquals(tests(0, "success", "", figures), lastLine());
        List<String> calls = Files.readAllLines(place.resolve("maven.log"));
        assertTrue(calls.get(0).endsWith(" --fail-at-end verify"), calls::toString);
        assertTrue(calls.get(1).endsWith(" --fail-at-end -pl ftrma-api,ftrma-launch -am -Dtest=ATest,B*Test#one+two"
            + " -Dsurefire.failIfNoSpecifiedTests=false verify"), calls::toString);
    }

    @Test
    void testsThatDoNotExistAreRefused() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        assertEquals(2, ftrma(Map.of(), "test", "--tests", "NoSuchTest", "--json"), output);
        assertEquals(tests(2, "failed", "--tests=NoSuchTest: there is no such test", ""), lastLine());
        Files.writeString(place.resolve("broken"), "");
        assertEquals(1, ftrma(Map.of(), "test", "--json"), output);
        assertEquals(tests(1, "failed", "the build or its tests failed; Maven's messages above tell why", ",\"run\":0,\"failed\":0,\"skipped\":0"),
            lastLine());
    }

    @ParameterizedTest
    @ValueSource(strings = {"test -Dmaven.test.skip=true|-Dmaven.test.skip=true: no such option", "test --dance|--dance: no such option",
        "test verify|verify: no such option", "test --tests|--tests: its value is missing", "test --tests -X|--tests=-X: must be names",
        "test --modules=|--modules=: must be names", "test --modules=ftrma-api,nix|there is no module nix", "test --modules ..|there is no module ..",
        "test --json=yes|--json=yes: --json has no value", "bench --json|the name of a benchmark is missing"})
    void wrongUsageIsRefusedBeforeAnythingIsDone(String line) throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        String[] parts = line.split("\\|");
        String[] words = parts[0].split(" ");
        assertEquals(2, ftrma(Map.of(), words), output);
        assertTrue(output.contains("ftrma: ") && output.contains(parts[1]) && output.contains("Usage: ftrma " + words[0]), output);
        assertEquals(0, builds());
        assertFalse(Files.exists(project.resolve(".build")));
    }

    @Test
    void aSignalDuringTheTestsEndsThem() throws Exception {
        jdkThat("exit 100");
        executable(bin.resolve("mvn"), "#!/bin/bash\necho $$ > " + place + "/pid; mv " + place + "/pid " + place + "/begun; exec sleep 60\n");
        Process script = begin(Map.of(), "test", "--json");
        await("the tests", () -> Files.exists(place.resolve("begun")));
        long maven = Long.parseLong(Files.readString(place.resolve("begun")).trim());
        script.destroy();
        assertEquals(130, ended(script), output);
        assertEquals(tests(130, "interrupted", "interrupted", ""), lastLine());
        assertTrue(ProcessHandle.of(maven).isEmpty(), "Maven goes on");
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void aSignalDuringABenchmarkEndsIt(String signal) throws Exception {
        jdkThat("[[ $* == *BenchMain* ]] || exit 0; echo $$ > " + place + "/pid; mv " + place + "/pid " + place + "/begun; exec sleep 60");
        Process script = begin(Map.of(), "bench", "XorBenchmark", "--json");
        await("the benchmark", () -> Files.exists(place.resolve("begun")));
        long benchmark = Long.parseLong(Files.readString(place.resolve("begun")).trim());
        assertEquals(0, new ProcessBuilder("/bin/kill", "-" + signal, Long.toString(script.pid())).start().waitFor());
        assertEquals(130, ended(script), output);
        assertEquals("{\"app\":\"bench\",\"exitCode\":130,\"outcome\":\"interrupted\",\"message\":\"interrupted\"}", lastLine());
        assertTrue(ProcessHandle.of(benchmark).isEmpty(), "the benchmark goes on");
        try (Stream<Path> left = Files.list(project.resolve(".build"))) {
            assertEquals(List.of(), left.filter(file -> file.getFileName().toString().startsWith("tmp.")).toList());
        }
    }

    @Test
    void theEndOfABenchmarkIsTheScripts() throws Exception {
        jdkThat("echo '{\"its\":\"own\"}'; exit 102");
        assertEquals(2, ftrma(Map.of(), "bench", "XorBenchmark", "--json"), output);
        assertEquals("{\"its\":\"own\"}", lastLine());
        executable(place.resolve("usr/lib/jvm/usual/bin/java"), "#!/bin/bash\nkill -9 $$\n");
        assertEquals(1, ftrma(Map.of(), "bench", "XorBenchmark", "--json"), output);
        assertTrue(lastLine().startsWith("{\"app\":\"bench\",\"exitCode\":1,\"outcome\":\"failed\","), output);
    }

    @Test
    void programsAreCompiledByTheJdkThatWasFoundAgainstTheBuild() throws Exception {
        Path home = jdk("usr/lib/jvm/usual", "25");
        executable(home.resolve("bin/javac"), "#!/bin/bash\necho \"javac of usual: $*\"\nexit ${ENDS:-0}\n");
        Path old = jdk("old", "17.0.9");
        Files.createSymbolicLink(bin.resolve("java"), old.resolve("bin/java"));
        Files.createSymbolicLink(bin.resolve("javac"), old.resolve("bin/javac"));
        assertEquals(0, ftrma(Map.of(), "javac", "-d", "out", "Main.java"), output);
        String library = project.resolve(".build/current").toRealPath() + "/lib/*";
        assertEquals("javac of usual: -cp " + library + " -d out Main.java", lastLine());
        assertEquals(0, ftrma(Map.of(), "javac", "-cp", "mine:more", "Main.java"), output);
        assertEquals("javac of usual: -cp mine:more:" + library + " Main.java", lastLine());
        assertEquals(0, ftrma(Map.of(), "javac", "--class-path=mine", "Main.java"), output);
        assertEquals("javac of usual: -cp mine:" + library + " Main.java", lastLine());
        assertEquals(1, ftrma(Map.of("ENDS", "1"), "javac", "--json", "Main.java"), output);
        assertEquals("{\"app\":\"javac\",\"exitCode\":1,\"outcome\":\"failed\",\"message\":\"javac found errors, told above\"}", lastLine());
        assertEquals(1, ftrma(Map.of("ENDS", "4"), "javac", "Main.java"), output);
        assertTrue(output.contains("javac ended with status 4"), output);
        assertEquals(2, ftrma(Map.of(), "javac"), output);
        assertTrue(output.contains("the name of a source file is missing") && output.contains("Usage: ftrma javac"), output);
        assertEquals(0, ftrma(Map.of(), "javac", "--help"), output);
        assertTrue(output.startsWith("Usage: ftrma javac"), output);
    }

    /** A locale that is not installed is C for whoever uses it. */
    @Test
    void javaIsGivenALocaleThatHasAllCharacters() throws Exception {
        jdkThat("echo \"locale ${LC_ALL-none} of $* \"");
        Files.createSymbolicLink(bin.resolve("locale"), Path.of("/usr/bin/locale"));
        for (Map<String, String> environment : List.of(Map.<String, String>of(), Map.of("LC_ALL", "C"), Map.of("LANG", "POSIX"),
            Map.of("LC_CTYPE", "xx_XX.UTF-8"))) {
            ftrma(environment, "info", "\u00e4");
            assertTrue(output.contains("locale C.UTF-8 of ") && output.contains(" info \u00e4 "), environment + ": " + output);
        }
        ftrma(Map.of("LANG", "C.UTF-8"), "info");
        assertTrue(output.contains("locale none of "), output);
    }
}
