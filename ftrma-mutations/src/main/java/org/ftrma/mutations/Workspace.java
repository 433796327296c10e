package org.ftrma.mutations;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A copy of the sources in a folder of its own, where they are built and changed; the checkout stays as it is. To be
 * closed, which removes all of it and ends what runs there; any thread may do that.
 */
final class Workspace implements AutoCloseable {
    private static final Set<String> LEFT_OUT = Set.of("target", ".git", ".build", ".idea", ".vscode");
    private static final Pattern JVM_ARGUMENTS = Pattern.compile("<ftrma\\.test\\.jvmArgs>([^<]*)</");
    private static final int MAX_ATTEMPTS = 10;
    private static final int BUSY = 4;
    private static final String CLASS_PATH = "target/test.classpath";

    private final Path folder;
    private final Path tree;
    private final Sources sources;
    private volatile boolean closed;
    private volatile Process process;

    private Workspace(Path folder) {
        this.folder = folder;
        this.tree = folder.resolve("tree");
        this.sources = new Sources(tree);
    }

    /** Copies a checkout. */
    static Workspace copyOf(Path checkout) throws IOException {
        Workspace workspace = new Workspace(Files.createTempDirectory("ftrma-mutate-"));
        Files.createDirectory(workspace.folder.resolve("tmp"));
        copy(checkout, workspace.tree);
        return workspace;
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.copy(from, to);
        if (Files.isDirectory(from, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> parts = Files.newDirectoryStream(from)) {
                for (Path part : parts) {
                    if (!LEFT_OUT.contains(part.getFileName().toString())) {
                        copy(part, to.resolve(part.getFileName()));
                    }
                }
            }
        }
    }

    /** Where the copy is. */
    Path tree() {
        return tree;
    }

    /** A file or folder that is removed with the copy. */
    Path scratch(String name) {
        return folder.resolve(name);
    }

    /** What is in the copy. */
    Sources sources() {
        return sources;
    }

    /**
     * Compiles modules and their tests with Maven, and finds out their class paths. An IOException has what Maven says.
     */
    void build(Path maven, Path jdk, Set<String> modules) throws IOException, InterruptedException {
        Path log = scratch("build.log");
        List<String> command = new ArrayList<>(List.of(maven.toString(), "-o", "-f", tree.resolve("pom.xml").toString(),
            "-B", "-q", "-ntp",
            "-Dcheckstyle.skip=true", "-pl", String.join(",", new TreeSet<>(modules)), "-am", "test-compile",
            "dependency:build-classpath",
            "-Dmdep.outputFile=" + CLASS_PATH, "-Dmdep.includeScope=test"));
        if (maven(command, jdk, log) != 0) {
            command.remove("-o"); // something must be downloaded, perhaps
            if (maven(command, jdk, log) != 0) {
                throw new IOException("the sources do not compile as they are:\n" + Files.readString(log));
            }
        }
    }

    private int maven(List<String> command, Path jdk, Path log) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", jdk.toString());
        return run(builder, 3600);
    }

    /** What a module's tests need besides its own classes. */
    String dependencies(String module) throws IOException {
        return Files.readString(tree.resolve(module).resolve(CLASS_PATH)).strip();
    }

    /** Where a module's classes are: those of the tests, then its own. */
    List<Path> classes(String module) {
        return List.of(tree.resolve(module).resolve("target/test-classes"),
            tree.resolve(module).resolve("target/classes"));
    }

    /** The arguments of the Java virtual machine with which a module's tests run. */
    List<String> jvmArguments(String module) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-ea", "--enable-native-access=ALL-UNNAMED",
            "-XX:-UsePerfData", "-XX:+UseSerialGC",
            "-Djava.io.tmpdir=" + folder.resolve("tmp")));
        Path pom = tree.resolve(module).resolve("pom.xml");
        Matcher matcher = JVM_ARGUMENTS.matcher(Files.exists(pom) ? Files.readString(pom) : "");
        if (matcher.find()) {
            arguments.addAll(List.of(matcher.group(1).strip().split("\\s+")));
        }
        return arguments;
    }

    /**
     * Runs a process; its status, or -1 if it had to be ended. It may take so many seconds of the processor; and some
     * times as long in all, since the machine may be busy with something else.
     */
    int run(ProcessBuilder builder, long seconds) throws IOException, InterruptedException {
        synchronized (this) {
            if (closed) {
                throw new InterruptedException("interrupted");
            }
            process = builder.start();
        }
        long began = System.nanoTime();
        while (System.nanoTime() - began < TimeUnit.SECONDS.toNanos(BUSY * seconds) && taken(process) <= seconds) {
            if (process.waitFor(1, TimeUnit.SECONDS)) {
                return process.exitValue();
            }
        }
        endProcess();
        return -1;
    }

    private static long taken(Process running) {
        return running.info().totalCpuDuration().map(Duration::toSeconds).orElse(0L);
    }

    private void endProcess() {
        Process running = process;
        if (running != null) {
            List<ProcessHandle> started = running.descendants().toList();
            running.destroyForcibly();
            started.forEach(ProcessHandle::destroyForcibly);
            running.onExit().join();
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (this) {
            closed = true;
        }
        endProcess();
        remove(folder);
    }

    /** Removes a file or folder with all that is in it; whoever removes parts of it meanwhile does not matter. */
    static void remove(Path path) throws IOException {
        for (int attempt = 1; Files.exists(path, LinkOption.NOFOLLOW_LINKS); attempt++) {
            try (Stream<Path> all = Files.walk(path)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(each);
                }
            } catch (DirectoryNotEmptyException | UncheckedIOException e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw e; // something still writes there
                }
            }
        }
    }
}
