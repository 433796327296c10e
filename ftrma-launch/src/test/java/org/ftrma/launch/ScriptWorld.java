package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ftrma script itself: a copy of it in a project of its own, whose usual places lie in a temporary folder, with a
 * PATH that holds only what the script needs, a Maven that notes its calls, and JDKs that tell who they are. One
 * thread.
 */
@Timeout(120)
abstract class ScriptWorld {
    private static final List<String> TOOLS = List.of("readlink", "find", "mktemp", "touch", "mkdir", "cp", "ln", "mv",
        "rm", "flock", "basename",
        "dirname", "grep", "head", "id", "cat", "sort", "xargs", "cksum", "sha512sum", "tar", "gzip", "uname");
    private static final List<String> NOBODY = List.of("/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534",
        "--clear-groups");
    static final String SOURCE = "ftrma-api/src/main/java/Program.java";

    @TempDir
    Path place;
    Path project;
    Path bin;
    Path environmentHome;
    String output;
    boolean asNobody;

    @BeforeEach
    void makeAWorld() throws IOException {
        project = Files.createDirectories(place.resolve("project"));
        bin = Files.createDirectories(place.resolve("bin"));
        environmentHome = Files.createDirectories(place.resolve("home"));
        String script = Files.readString(repository().resolve("ftrma"));
        for (String usual : List.of("/usr/lib/jvm/*", "/opt/*maven*/", "/opt/*", "/opt/java/*", "/usr/java/*",
            "/usr/share/maven/", "/usr/lib/*/libucp",
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
            [[ $1 == --version ]] && { echo 'Apache Maven 3.8.7'; exit; }
            echo "$JAVA_HOME $*" >> %1$s/maven.log
            [[ -e %1$s/slow ]] && { echo > %1$s/begun; exec sleep 60; }
            [[ -e %1$s/broken ]] && { echo '[ERROR] it does not compile'; exit 1; }
            while [[ $1 != -f ]]; do shift; done
            made=${2%%/pom.xml}/ftrma-cli/target
            mkdir -p "$made/lib"
            echo jar > "$made/ftrma-cli-1.jar"
            echo jar > "$made/lib/other.jar"
            echo jar > "$made/lib/ftrma-api-1.jar"
            """.formatted(place));
        for (String file : List.of("pom.xml", "ftrma-api/pom.xml", SOURCE, "ftrma-api/src/main/java/Removed.java",
            "ftrma-bench/pom.xml",
            "ftrma-bench/src/main/java/Bench.java", "ftrma-cli/pom.xml", "ftrma-cli/src/main/java/Main.java")) {
            Files.createDirectories(project.resolve(file).getParent());
            Files.writeString(project.resolve(file), "");
        }
        Path libraries = Files.createDirectories(place.resolve("usr/lib/any"));
        Files.writeString(libraries.resolve("libucp.so.0"), "");
    }

    static Path repository() {
        Path found = Path.of("").toAbsolutePath();
        while (!Files.exists(found.resolve("ftrma"))) {
            found = found.getParent();
        }
        return found;
    }

    static void executable(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** A JDK whose java prints where it is and what it was given. */
    Path jdk(String name, String version) throws IOException {
        Path home = place.resolve(name);
        executable(home.resolve("bin/java"), "#!/bin/bash\necho \"java of " + name + ": $*\"\n");
        executable(home.resolve("bin/javac"), "#!/bin/bash\n");
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"Any\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    int ftrma(Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
        return ended(begin(environment, arguments));
    }

    Process begin(Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(LauncherProcess.interruptible());
        if (asNobody) {
            command.addAll(NOBODY);
        }
        command.add(project.resolve("ftrma").toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(place.resolve("output").toFile());
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", bin.toString(), "HOME", environmentHome.toString()));
        builder.environment().putAll(environment);
        return builder.start();
    }

    int ended(Process process) throws IOException, InterruptedException {
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the script hangs");
        output = Files.readString(place.resolve("output"), StandardCharsets.UTF_8);
        return process.exitValue();
    }

    void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, "waited 60 s for " + what);
            LockSupport.parkNanos(5_000_000);
        }
    }

    String lastLine() {
        return output.lines().reduce("", (before, line) -> line);
    }

    /** A JDK whose java does what is given, and the tools with which the script stays its parent. */
    void jdkThat(String does) throws IOException {
        executable(jdk("usr/lib/jvm/usual", "25").resolve("bin/java"), "#!/bin/bash\n" + does + "\n");
        for (String tool : List.of("setpriv", "true", "sleep")) {
            Files.createSymbolicLink(bin.resolve(tool), Path.of("/usr/bin", tool));
        }
    }

    long builds() throws IOException {
        Path log = place.resolve("maven.log");
        return Files.exists(log) ? Files.readAllLines(log).size() : 0;
    }

    void assertRunsOn(String jdk, Map<String, String> environment) throws IOException, InterruptedException {
        assertEquals(0, ftrma(environment, "info", "--json"), output);
        String last = lastLine();
        assertTrue(last.startsWith("java of " + jdk + ": ") && last.endsWith(" org.ftrma.cli.Main info --json"),
            output);
    }

    /** As if everything had been built ten seconds ago, and been written before. */
    void age() throws IOException {
        Instant now = Instant.now();
        try (Stream<Path> all = Files.walk(project)) {
            for (Path path : all.filter(path -> !Files.isSymbolicLink(path)).sorted(Comparator.reverseOrder())
                .toList()) {
                Files.setLastModifiedTime(path, FileTime.from(now.minusSeconds(20)));
            }
        }
        Files.setLastModifiedTime(project.resolve(".build/current/stamp"), FileTime.from(now.minusSeconds(10)));
    }

    void setPermissionsOfFolders(String permissions) throws IOException {
        try (Stream<Path> all = Files.walk(project)) {
            for (Path folder : all.filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)).toList()) {
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
            }
        }
    }

    /** From here on the project cannot be written to by whoever runs the script; what is beside it can. */
    void makeItReadOnly() throws IOException {
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

    @AfterEach
    void makeItWritable() throws IOException {
        setPermissionsOfFolders("rwxr-xr-x");
    }
}
