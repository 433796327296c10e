package org.ftrma.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.ftrma.rank.RankLibrary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a user sees who is not root: hosts that are agents of this machine, on loopback addresses of their own. The user
 * is nobody, who has nothing else on the machine, so that whatever is nobody's afterwards was left behind.
 */
@Tag("long")
@Timeout(300)
class DemoOfNobodyTest {
    private static final String NOBODY = "nobody";
    private static final long DEADLINE_SECONDS = 200;
    private static final Pattern FROM = Pattern.compile("127\\.0\\.0\\.([0-9]+)");

    /** Others can see what is in it, and home, below, is nobody's. */
    @TempDir
    private Path directory;
    private final Map<Path, Path> copies = new HashMap<>();

    private static void assumeThatOneCanBecomeNobody() throws IOException, InterruptedException {
        assumeTrue("root".equals(System.getProperty("user.name")), "a demonstration by a user without rights: "
            + "only root can become that user");
        Process trial = new ProcessBuilder(asNobody(List.of("id", "-un"))).redirectErrorStream(true).start();
        String told = new String(trial.getInputStream().readAllBytes()).strip();
        assumeTrue(trial.waitFor() == 0 && told.equals(NOBODY), "a demonstration by a user without rights: setpriv "
            + "cannot become nobody here: " + told);
        assumeTrue(nobodys().isEmpty(), () -> "a demonstration by a user without rights: there is something "
            + "of nobody's already: " + nobodys());
    }

    private static List<String> asNobody(List<String> command) {
        List<String> words = new ArrayList<>(List.of("setpriv", "--reuid", NOBODY, "--regid", "nogroup",
            "--clear-groups", "--inh-caps=-all"));
        words.addAll(command);
        return words;
    }

    /** Files and processes of nobody's, where they may be left. */
    private static List<String> nobodys() {
        List<String> found = new ArrayList<>();
        for (Path folder : List.of(Path.of("/tmp"), Path.of("/dev/shm"), Path.of("/proc"))) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(DemoOfNobodyTest::isNobodys).forEach(file -> found.add(file.toString()));
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
        return found;
    }

    private static boolean isNobodys(Path file) {
        try {
            return Files.getOwner(file).getName().equals(NOBODY);
        } catch (IOException e) {
            return false; // it is gone
        }
    }

    private static List<String> segmentsOf(long user) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/sysvipc/shm"))) {
            return lines.skip(1).filter(line -> line.trim().split("\\s+")[7].equals(Long.toString(user))).toList();
        } catch (NoSuchFileException e) {
            return List.of(); // a kernel without
        }
    }

    /** Classes in a folder become a jar. */
    private static Path copy(Path from, Path to) throws IOException {
        if (!Files.isDirectory(from)) {
            return Files.copy(from, to);
        }
        assertEquals(0, ToolProvider.findFirst("jar").orElseThrow().run(System.out, System.err, "--create", "--file",
            to.toString(), "-C", from.toString(), "."));
        return to;
    }

    /** Nobody may not read where this test's own are. */
    private String copied(String places) throws IOException {
        List<String> copied = new ArrayList<>();
        for (String place : places.split(":")) {
            Path from = Path.of(place);
            Path copy = copies.get(from);
            if (copy == null) {
                copy = copy(from, directory.resolve(copies.size() + "-" + from.getFileName()));
                Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("r--r--r--"));
                copies.put(from, copy);
            }
            copied.add(copy.toString());
        }
        return String.join(":", copied);
    }

    private Path ftrma(Path home) throws IOException {
        String classes = copied(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        Path script = directory.resolve("ftrma");
        Files.writeString(script, "#!/bin/sh\nexec '" + Path.of(System.getProperty("java.home"), "bin", "java")
            + "' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData --enable-native-access=ALL-UNNAMED "
            + "-Djava.io.tmpdir='" + home + "' -Dftrma.class.path='" + classes + "' -Dftrma.rank.class.path='"
            + copied(RankLibrary.classPath()) + "' -Dftrma.command='" + script + "' -cp '" + classes + "' "
            + Main.class.getName() + " \"$@\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return script;
    }

    @Test
    void hostsAreAgentsWithLoopbackAddressesAndNothingIsLeft() throws Exception {
        assumeThatOneCanBecomeNobody();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path home = Files.createDirectory(directory.resolve("home"));
        Files.setOwner(home, FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(NOBODY));
        Path told = directory.resolve("told");
        ProcessBuilder builder = new ProcessBuilder(asNobody(List.of(ftrma(home).toString(), "demo", "--hosts", "3",
            "--seed", "5", "--verbose"))).directory(home.toFile()).redirectErrorStream(true)
            .redirectOutput(told.toFile());
        builder.environment().put("HOME", home.toString());
        Process demo = builder.start();
        boolean ended = demo.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS);
        demo.descendants().forEach(ProcessHandle::destroyForcibly);
        demo.destroyForcibly();
        String text = Files.readString(told);
        assertTrue(ended, () -> "waited " + DEADLINE_SECONDS + " s for the demonstration:\n" + text);
        assertEquals(0, demo.exitValue(), text);
        assertTrue(text.contains("That leaves out what a network does"), text);
        assertTrue(text.contains("namespaced hosts can only be made by root"), text);
        assertTrue(text.contains("127.0.0.2, 127.0.0.3 and 127.0.0.4 are one machine"), text);
        assertTrue(Pattern.compile("Host 127\\.0\\.0\\.[234] is gone now\\.").matcher(text).find(), text);
        assertEquals(List.of("2", "3", "4"), FROM.matcher(text).results().map(found -> found.group(1))
            .filter(number -> !number.equals("1")).distinct().sorted().toList(), text);
        assertTrue(text.contains("verified"), text);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!nobodys().isEmpty()) {
            assertTrue(System.nanoTime() - end < 0, () -> "waited for the end of " + nobodys() + "\n" + text);
            LockSupport.parkNanos(5_000_000);
        }
        assertEquals(List.of(), segmentsOf((int) Files.getAttribute(home, "unix:uid")), text);
        try (Stream<Path> files = Files.list(home)) {
            assertEquals(List.of(), files.toList(), "left where temporary files are");
        }
    }
}
