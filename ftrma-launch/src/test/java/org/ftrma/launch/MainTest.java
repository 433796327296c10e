package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher's process and how it ends. */
class MainTest {
    @TempDir
    private Path place;

    private ProcessBuilder launcher(File out, String words) {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java")
            .toString(), "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED", "-cp",
            LauncherProcess.classPath(),
            Main.class.getName()));
        command.addAll(List.of(words.split(" ")));
        return new ProcessBuilder(command).redirectOutput(out).redirectError(place.resolve("err").toFile());
    }

    private int statusOf(Process process) throws InterruptedException {
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the launcher hangs");
        return process.exitValue();
    }

    private Map<String, Object> result() throws IOException {
        return JSON.std.mapFrom(Files.readAllLines(place.resolve("out")).getLast());
    }

    @Test
    void outputThatCannotBeWrittenIsAnError() throws Exception {
        assertEquals(1, statusOf(launcher(new File("/dev/full"), "map --nodes 4 --ranks 4 --checksums 1 --json")
            .start()));
        assertEquals("ftrma: cannot write to standard output: No space left on device\n",
            Files.readString(place.resolve("err")));
    }

    /** As {@code head} closes it. */
    @Test
    void whoReadsNoFurtherThanHeIsInterestedIsNoError() throws Exception {
        for (String words : List.of("--help", "run --help")) {
            Process process = launcher(place.resolve("unused").toFile(), words)
                .redirectOutput(ProcessBuilder.Redirect.PIPE).start();
            process.getInputStream().close();
            assertEquals(0, statusOf(process), words);
            assertEquals("", Files.readString(place.resolve("err")), words);
        }
        assertTrue(CommandNames.hasResult("run", "--json") && !CommandNames.hasResult("info"));
    }

    @Test
    void printedIsPrinted() throws Exception {
        Path file = place.resolve("printed");
        StandardOutput out = new StandardOutput(new FileOutputStream(file.toFile()));
        out.println("grüße");
        assertEquals(null, out.failure());
        assertEquals("grüße\n", Files.readString(file));
    }

    @Test
    void aJobThatCannotBeSetUpHasAResult() throws Exception {
        // Nobody can make a folder there, but root is told that it is writable.
        assumeTrue(Files.isWritable(Path.of("/proc")));
        ProcessBuilder builder = launcher(place.resolve("out").toFile(), "fft --ranks 2 --json");
        builder.environment().put("XDG_RUNTIME_DIR", "/proc");
        assertEquals(4, statusOf(builder.start()));
        Map<String, Object> result = result();
        assertEquals("unfit", result.get("outcome"));
        assertEquals(4, result.get("exitCode"));
        assertEquals(0, result.get("processes"));
        assertTrue(result.get("message").toString().contains("XDG_RUNTIME_DIR"), result.toString());
    }
}
