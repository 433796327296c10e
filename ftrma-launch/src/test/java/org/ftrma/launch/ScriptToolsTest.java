package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
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

/** What the script does itself: tests, benchmarks, and compiling programs. */
@Tag("long")
class ScriptToolsTest extends ScriptWorld {
    /** The result of the tests. */
    private static String tests(int status, String outcome, String message, String figures) {
        return "{\"app\":\"test\",\"exitCode\":" + status + ",\"outcome\":\"" + outcome + "\",\"message\":\"" + message
            + "\"" + figures + "}";
    }

    /** A Maven whose tests leave two reports, beside one that was there before, and which ends with this status. */
    private void mavenThatTests(int status) throws IOException {
        Path reports = Files.createDirectories(project.resolve("ftrma-api/target/surefire-reports"));
        Files.writeString(reports.resolve("TEST-Old.xml"),
            "<testsuite name=\"Old\" tests=\"100\" errors=\"0\" skipped=\"0\" failures=\"9\">\n");
        Files.setLastModifiedTime(reports.resolve("TEST-Old.xml"), FileTime.from(Instant.now().minusSeconds(60)));
        executable(bin.resolve("mvn"), """
            #!/bin/bash
            [[ $1 == --version ]] && { echo 'Apache Maven 3.9.0'; exit; }
            echo "$*" >> %1$s/maven.log
            printf '<testsuite name="A" time="1" tests="5" errors="1" skipped="2" failures="1">\\n</testsuite>' \\
                > %2$s/TEST-A.xml
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
        assertEquals(0, ftrma(Map.of(), "test", "--json", "--modules", "ftrma-api,ftrma-cli",
            "--tests=ATest,B*Test#one+two"), output);
        assertEquals(tests(0, "success", "", figures), lastLine());
        List<String> calls = Files.readAllLines(place.resolve("maven.log"));
        assertTrue(calls.get(0).endsWith(" --fail-at-end verify"), calls::toString);
        assertTrue(calls.get(1).endsWith(" --fail-at-end -pl ftrma-api,ftrma-cli -am -Dtest=ATest,B*Test#one+two"
            + " -Dsurefire.failIfNoSpecifiedTests=false verify"), calls::toString);
    }

    @Test
    void whyTestsWereSkippedIsToldOnce() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        executable(bin.resolve("mvn"), """
            #!/bin/bash
            [[ $1 == --version ]] && { echo 'Apache Maven 4.0.0'; exit; }
            mkdir -p %1$s
            for name in A B; do
                printf '<testsuite tests="1" errors="0" skipped="1" failures="0">\\n%2$s' > %1$s/TEST-$name.xml
            done
            """.formatted(project.resolve("ftrma-api/target/surefire-reports"),
            "<skipped type=\"any\"><![CDATA[an.Exception: Assumption failed: no such thing here (see [1])\\n"
            + "\\tat Any.java]]></skipped></testsuite>"));
        assertEquals(0, ftrma(Map.of(), "test", "--json"), output);
        assertEquals(1, output.lines().filter(line -> line.equals(
            "ftrma: tests were skipped: no such thing here (see [1])")).count(), output);
        assertEquals(tests(0, "success", "", ",\"run\":0,\"failed\":0,\"skipped\":2"), lastLine());
    }

    @Test
    void whatTestsOnSeveralHostsNeedIsInstalledOnceOrTheyAreSaidToBeSkipped() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        for (String tool : List.of("ip", "tc", "unshare", "nsenter", "setpriv", "setsid", "umount", "hostname",
            "sleep", "ssh", "ssh-keygen", "sshd", "chromium")) {
            executable(bin.resolve(tool), "#!/bin/bash\nexit 1\n");
        }
        String skipped = "ftrma: tests on several hosts are skipped. Install what they need with: "
            + "apt-get install -y nftables mount\n";
        assertEquals(0, ftrma(Map.of(), "test"), output);
        assertTrue(output.contains(skipped), output);
        executable(bin.resolve("apt-get"), "#!/bin/bash\necho \"$*\" >> " + place + "/apt.log; exit 1\n");
        assertEquals(0, ftrma(Map.of(), "test"), output);
        assertTrue(output.contains("apt-get install nftables mount failed (see ") && output.contains(skipped), output);
        String install = "install -y --no-install-recommends nftables mount";
        assertEquals(List.of(install, "update", install), Files.readAllLines(place.resolve("apt.log")));
        executable(bin.resolve("apt-get"), """
            #!/bin/bash
            for tool in nft mount; do
                printf '#!/bin/bash\\n' > %1$s/$tool
                chmod +x %1$s/$tool
            done
            """.formatted(bin));
        Files.createSymbolicLink(bin.resolve("chmod"), Path.of("/bin/chmod"));
        assertEquals(0, ftrma(Map.of(), "test"), output);
        assertTrue(output.contains("installing nftables mount with apt-get") && !output.contains("skipped"), output);
        assertEquals(0, ftrma(Map.of(), "test"), output);
        assertFalse(output.contains("several hosts"), output);
    }

    @Test
    void aBrowserIsInstalledForItsTestsOrTheyAreSaidToBeSkipped() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        String skipped = "ftrma: tests in a browser are skipped. Install what they need with: apt-get install -y "
            + "chromium\n";
        assertEquals(0, ftrma(Map.of(), "test"), output);
        assertTrue(output.contains(skipped), output);
        executable(bin.resolve("apt-get"), "#!/bin/bash\necho \"$*\" >> " + place + "/apt.log; exit 1\n");
        assertEquals(0, ftrma(Map.of(), "test"), output);
        assertTrue(output.contains("apt-get install chromium failed (see ") && output.contains(skipped), output);
        assertTrue(Files.readAllLines(place.resolve("apt.log")).contains(
            "install -y --no-install-recommends chromium"));
        executable(bin.resolve("chromium"), "#!/bin/bash\nexit 1\n");
        assertEquals(0, ftrma(Map.of(), "test"), output);
        assertFalse(output.contains("browser"), output);
    }

    @Test
    void testsOfSlurmAreRunWhenTheyAreAskedForAndTheirPackagesAreNamed() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        for (String tool : List.of("munged", "srun")) {
            executable(bin.resolve(tool), "#!/bin/bash\nexit 1\n");
        }
        assertEquals(0, ftrma(Map.of(), "test"), output);
        assertFalse(output.contains("Slurm"), output);
        assertEquals(0, ftrma(Map.of(), "test", "--slurm"), output);
        assertTrue(output.contains("ftrma: tests with Slurm and mpirun are skipped. Install what they need with: "
            + "apt-get install -y slurmctld slurmd openmpi-bin mpich\n"), output);
        String maven = Files.readAllLines(place.resolve("maven.log")).getLast();
        assertTrue(maven.contains(" -pl ftrma-launch -am -Dgroups=slurm -Dftrma.test.excludedGroups= "), maven);
        assertEquals(2, ftrma(Map.of(), "test", "--slurm", "--modules", "ftrma-api"), output);
        assertTrue(output.contains("--slurm: not together with --modules"), output);
    }

    @Test
    void quickTestsNeedNothingOfAMachineThatOnlyJobsNeed() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        executable(bin.resolve("apt-get"), "#!/bin/bash\necho \"$*\" >> " + place + "/apt.log; exit 1\n");
        assertEquals(0, ftrma(Map.of(), "test", "--quick"), output);
        assertFalse(output.contains("skipped") || Files.exists(place.resolve("apt.log")), output);
        String maven = Files.readAllLines(place.resolve("maven.log")).getLast();
        assertTrue(maven.contains(" -Dftrma.test.quick=true -Dftrma.test.excludedGroups=slurm | long verify"), maven);
        assertEquals(2, ftrma(Map.of(), "test", "--slurm", "--quick"), output);
        assertTrue(output.contains("--slurm: not together with --quick"), output);
    }

    @Test
    void artifactsAreInstalledWithTheJdkThatWasFoundAndOptionsOfMaven() throws Exception {
        Path home = jdk("usr/lib/jvm/usual", "25");
        assertEquals(0, ftrma(Map.of(), "install", "--json", "-Dmaven.repo.local=/any"), output);
        assertEquals("{\"app\":\"install\",\"exitCode\":0,\"outcome\":\"success\",\"message\":\"\"}", lastLine());
        String maven = Files.readAllLines(place.resolve("maven.log")).getLast();
        assertTrue(maven.startsWith(home + " -f ") && maven.endsWith(" -DskipTests -Dmaven.repo.local=/any install"),
            maven);
        Files.writeString(place.resolve("broken"), "");
        assertEquals(1, ftrma(Map.of(), "install"), output);
        assertTrue(output.contains("the build failed; Maven's messages above tell why"), output);
    }

    @Test
    void testsThatDoNotExistAreRefused() throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        assertEquals(2, ftrma(Map.of(), "test", "--tests", "NoSuchTest", "--json"), output);
        assertEquals(tests(2, "failed", "--tests=NoSuchTest: there is no such test", ""), lastLine());
        Files.writeString(place.resolve("broken"), "");
        assertEquals(1, ftrma(Map.of(), "test", "--json"), output);
        assertEquals(tests(1, "failed", "the build or its tests failed; Maven's messages above tell why",
            ",\"run\":0,\"failed\":0,\"skipped\":0"),
            lastLine());
    }

    @ParameterizedTest
    @ValueSource(strings = {"test -Dmaven.test.skip=true|-Dmaven.test.skip=true: no such option",
        "test --dance|--dance: no such option",
        "test verify|verify: no such option",
        "test --quick=1|--quick=1: --quick has no value", "install deploy|deploy: no option of Maven",
        "test --tests|--tests: its value is missing",
        "test --tests -X|--tests=-X: must be names",
        "test --modules=|--modules=: must be names", "test --modules=ftrma-api,nix|there is no module nix",
        "test --modules ..|there is no module ..",
        "package --dance|--dance: no such option", "package --out|--out: its value is missing",
        "test --json=yes|--json=yes: --json has no value", "bench --json|the name of a benchmark is missing"})
    void wrongUsageIsRefusedBeforeAnythingIsDone(String line) throws Exception {
        jdk("usr/lib/jvm/usual", "25");
        String[] parts = line.split("\\|");
        String[] words = parts[0].split(" ");
        assertEquals(2, ftrma(Map.of(), words), output);
        assertTrue(output.contains("ftrma: ") && output.contains(parts[1])
            && output.contains("Usage: ftrma " + words[0]), output);
        assertEquals(0, builds());
        assertFalse(Files.exists(project.resolve(".build")));
    }

    @Test
    void aSignalDuringTheTestsEndsThem() throws Exception {
        jdkThat("exit 100");
        executable(bin.resolve("mvn"), "#!/bin/bash\n[[ $1 == --version ]] && { echo 'Apache Maven 3.8.7'; exit; }\n"
            + "echo $$ > " + place + "/pid; mv " + place + "/pid " + place + "/begun; exec sleep 60\n");
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
        jdkThat("[[ $* == *BenchMain* ]] || exit 0; echo $$ > " + place + "/pid; mv " + place + "/pid " + place
            + "/begun; exec sleep 60");
        Process script = begin(Map.of(), "bench", "XorBenchmark", "--json");
        await("the benchmark", () -> Files.exists(place.resolve("begun")));
        long benchmark = Long.parseLong(Files.readString(place.resolve("begun")).trim());
        assertEquals(0, new ProcessBuilder("/bin/kill", "-" + signal, Long.toString(script.pid())).start().waitFor());
        assertEquals(130, ended(script), output);
        assertEquals("{\"app\":\"bench\",\"exitCode\":130,\"outcome\":\"interrupted\",\"message\":\"interrupted\"}",
            lastLine());
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
        String library = project.resolve(".build/current").toRealPath() + "/lib/ftrma-api-1.jar";
        assertEquals("javac of usual: -cp " + library + " -d out Main.java", lastLine());
        assertEquals(0, ftrma(Map.of(), "javac", "-cp", "mine:more", "Main.java"), output);
        assertEquals("javac of usual: -cp mine:more:" + library + " Main.java", lastLine());
        assertEquals(0, ftrma(Map.of(), "javac", "--class-path=mine", "Main.java"), output);
        assertEquals("javac of usual: -cp mine:" + library + " Main.java", lastLine());
        assertEquals(1, ftrma(Map.of("ENDS", "1"), "javac", "--json", "Main.java"), output);
        assertEquals("{\"app\":\"javac\",\"exitCode\":1,\"outcome\":\"failed\",\"message\":\"javac found errors, told "
            + "above\"}", lastLine());
        assertEquals(1, ftrma(Map.of("ENDS", "4"), "javac", "Main.java"), output);
        assertTrue(output.contains("javac ended with status 4"), output);
        assertEquals(2, ftrma(Map.of(), "javac"), output);
        assertTrue(output.contains("the name of a source file is missing") && output.contains("Usage: ftrma javac"),
            output);
        assertEquals(0, ftrma(Map.of(), "javac", "--help"), output);
        assertTrue(output.startsWith("Usage: ftrma javac"), output);
    }
}
