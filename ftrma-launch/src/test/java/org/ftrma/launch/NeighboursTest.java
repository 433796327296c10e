package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.ftrma.launch.programs.Gate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another user of the same machine and of the same primary group reads and writes nothing of a job. */
@Tag("long")
class NeighboursTest {
    private static final List<String> NEIGHBOUR = List.of("setpriv", "--reuid", "65534", "--regid", "0",
        "--clear-groups", "--inh-caps=-all");
    /** Prints what it can do with shared memory segments; the operating system's words for what it cannot. */
    private static final String SEGMENTS = "for (@ARGV) { my $b; print shmread($_, $b, 0, 8) ? \"read \" : \"$! \";"
        + " print shmwrite($_, 'x', 0, 1) ? \"wrote\\n\" : \"$!\\n\" }";

    @TempDir
    private Path directory;

    private static String asNeighbour(String... command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(NEIGHBOUR);
        words.addAll(List.of(command));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes());
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), () -> "waited 60 s for " + words);
        return text.strip();
    }

    /** Numbers of the segments that these processes have made. */
    private static List<String> segmentsOf(List<ProcessHandle> processes) throws IOException {
        Set<String> pids = processes.stream().map(process -> Long.toString(process.pid())).collect(Collectors.toSet());
        return Files.readAllLines(Path.of("/proc/sysvipc/shm")).stream().skip(1)
            .map(line -> line.trim().split("\\s+")).filter(words -> pids.contains(words[4])).map(words -> words[1])
            .toList();
    }

    private LauncherProcess running(String path) {
        LauncherProcess launcher = new LauncherProcess("run", "--ranks", "2", "--checksums", "1", "--protocol", "full",
            "--interval", "2", "--flush", directory.resolve("images-" + path).toString(), "--verbose", "--path", path,
            "--", Gate.class.getName(), "200", directory.resolve("open-" + path).toString(), "10", "held");
        launcher.awaitLine("is on disk");
        return launcher;
    }

    /** All that a job has of files, wherever it lies, is closed to others; and so are its segments. */
    @Test
    void readNothingAndWriteNothing() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")) && "65534".equals(asNeighbour("id", "-u")),
            "a neighbour: only root can become one by setpriv");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/perl")), "a neighbour: there is no perl");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (String path : List.of("auto", "network")) {
            try (LauncherProcess launcher = running(path)) {
                launcher.takeStock();
                List<String> segments = segmentsOf(launcher.ranks());
                assertEquals(path.equals("auto"), !segments.isEmpty(), segments::toString);
                if (!segments.isEmpty()) {
                    List<String> command = new ArrayList<>(List.of("perl", "-e", SEGMENTS));
                    command.addAll(segments);
                    assertEquals(Set.of("Permission denied Permission denied"),
                        Set.copyOf(List.of(asNeighbour(command.toArray(String[]::new)).split("\n"))));
                }
                List<String> places = new ArrayList<>(launcher.places().stream().map(Path::toString).toList());
                places.add(directory.resolve("images-" + path).toString());
                for (String place : places) {
                    String seen = asNeighbour("find", place, "-mindepth", "1");
                    assertTrue(seen.contains("Permission denied") && !seen.contains("\n"), place + ": " + seen);
                    assertFalse(asNeighbour("find", place, "-writable").equals(place), place);
                }
                Files.createFile(directory.resolve("open-" + path));
                assertEquals(0, launcher.awaitExit(), () -> String.join("\n", launcher.lines()));
                launcher.assertNothingLeft();
            }
        }
    }
}
