package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ftrma.launch.programs.Gate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that write to disk and are told to end, or whose time is over, lose no work. */
class StopOnDiskTest {
    private static final String STEPS = "400";
    /** A rank that hangs hangs for ever: nothing comes of a checkpoint. */
    private static final String[] PATIENT = {"--heartbeat-timeout", "1h", "--deadline", "1h", "--cut-deadline", "1h"};
    private static final int STOPPED = 5;

    @TempDir
    private Path directory;

    private Path images() {
        return directory.resolve("images");
    }

    /** A program that takes its time until there is a file. No checkpoint is due in all of it. */
    private LauncherProcess running(String... options) {
        List<String> all = new ArrayList<>(List.of("run", "--ranks", "2", "--checksums", "1", "--json", "--verbose",
            "--flush", images().toString()));
        if (!List.of(options).contains("--interval")) {
            all.addAll(List.of("--interval", "none"));
        }
        all.addAll(List.of(options));
        all.addAll(List.of("--", Gate.class.getName(), STEPS, directory.resolve("open").toString()));
        LauncherProcess launcher = new LauncherProcess(all.toArray(String[]::new));
        launcher.awaitLine("rank 0 begins step 2");
        return launcher;
    }

    private static Map<String, Object> json(LauncherProcess launcher) throws IOException {
        launcher.awaitLine("{\"app\":");
        return JSON.std.mapFrom(launcher.lines().stream().filter(line -> line.startsWith("{\"app\":")).findFirst()
            .orElseThrow());
    }

    /** The command that was told goes on from a step of after the signal, to the end. */
    private void goesOn(Map<String, Object> stopped) throws IOException {
        assertEquals(STOPPED, stopped.get("exitCode"));
        assertEquals("stopped", stopped.get("outcome"));
        String command = (String) stopped.get("restartWith");
        assertTrue(command.startsWith("./ftrma run --restart " + images() + " --jvm-arg ")
            && command.contains(" --ranks 2 "), command);
        assertTrue(((String) stopped.get("message")).endsWith("restart with: " + command), stopped::toString);
        Files.createFile(directory.resolve("open"));
        Map<String, Object> json = Command.line(command.substring("./ftrma ".length())).exits(0).json();
        assertEquals(true, json.get("verified"));
        long step = ((Number) ((Map<?, ?>) json.get("restarted")).get("step")).longValue();
        assertTrue(((String) stopped.get("message")).contains("stopped after step " + step + ": generation "),
            stopped::toString);
        assertTrue(step >= 1, stopped::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void aJobThatIsTerminatedStopsOnDiskAndTheCommandThatIsToldGoesOn(String protocol) throws IOException {
        try (LauncherProcess launcher = running("--protocol", protocol)) {
            launcher.takeStock();
            launcher.signal("TERM", launcher.pid());
            assertEquals(STOPPED, launcher.awaitExit());
            launcher.awaitLine("interrupted: the job stops at its next checkpoint");
            launcher.awaitLine("requested checkpoint committed: generation ");
            Map<String, Object> json = json(launcher);
            assertTrue(((String) json.get("message")).startsWith("interrupted: stopped after step "), json::toString);
            launcher.assertNothingLeft();
            goesOn(json);
        }
    }

    /** Also where the generations that are due do not go to disk. */
    @Test
    void aJobWhoseTimeIsOverStopsOnDisk() throws IOException {
        Map<String, Object> json = Command.line("run --ranks 2 --checksums 1 --interval 10 --flush-every 1000 --json "
            + "--timeout 12s --flush " + images() + " -- " + Gate.class.getName() + " 100000 "
            + directory.resolve("open")).exits(STOPPED).json();
        assertTrue(((String) json.get("message")).startsWith("the job took longer than --timeout=12s: stopped after "),
            json::toString);
        assertEquals(1, json.get("flushes"));
        Command.line("images " + images()).exits(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void aJobThatIsRecoveringStopsWhenItHas(String protocol) throws IOException {
        try (LauncherProcess launcher = running("--protocol", protocol, "--interval", "5")) {
            launcher.awaitLine("generation 2 ");
            launcher.signal("KILL", launcher.ranks().getFirst().pid());
            launcher.awaitLine("is lost");
            launcher.signal("INT", launcher.pid());
            assertEquals(STOPPED, launcher.awaitExit());
            goesOn(json(launcher));
        }
    }

    @Test
    void aSecondSignalEndsItAtOnce() throws IOException {
        try (LauncherProcess launcher = running(PATIENT)) {
            launcher.takeStock();
            launcher.signal("STOP", launcher.ranks().getFirst().pid());
            launcher.signal("TERM", launcher.pid());
            launcher.signal("HUP", launcher.pid()); // as a script does that passes on what both have got
            launcher.awaitLine("interrupted: the job stops");
            long begun = System.nanoTime();
            while (ProcessHandle.of(launcher.pid()).isPresent()) {
                launcher.signal("TERM", launcher.pid());
                assertTrue(System.nanoTime() - begun < 60_000_000_000L, "told so again and again for a minute");
            }
            assertEquals(130, launcher.awaitExit());
            assertEquals("interrupted", json(launcher).get("outcome"));
            launcher.assertNothingLeft();
        }
    }

    @Test
    void whatCannotStopInTimeEndsAsItWouldWithoutADisk() throws IOException {
        String[] options = Stream.concat(Stream.of(PATIENT), Stream.of("--drain-timeout", "1s"))
            .toArray(String[]::new);
        try (LauncherProcess launcher = running(options)) {
            launcher.takeStock();
            launcher.signal("STOP", launcher.ranks().getFirst().pid());
            launcher.signal("TERM", launcher.pid());
            assertEquals(130, launcher.awaitExit());
            Map<String, Object> json = json(launcher);
            assertEquals("interrupted", json.get("outcome"));
            assertTrue(((String) json.get("message")).contains("no newer one was there within --drain-timeout=1s"),
                json::toString);
            assertEquals(null, json.get("restartWith"));
            launcher.assertNothingLeft();
        }
    }

    /** No file may grow beyond 20 MB, as if the disk were full then: that is told, and not tried for ever. */
    @Test
    void aFullDiskEndsIt() throws IOException {
        String job = "run --ranks 2 --checksums 1 --interval none --json --verbose --jvm-arg -Dcells.bytes=33554432 "
            + "--flush " + images() + " -- " + Gate.class.getName() + " 100000 " + directory.resolve("open");
        try (LauncherProcess launcher = new LauncherProcess(List.of("/bin/bash", "-c", "ulimit -f 20000; exec \"$@\"",
            "limited"), job.split(" "))) {
            launcher.awaitLine("rank 0 begins step 2");
            launcher.signal("TERM", launcher.pid());
            assertEquals(130, launcher.awaitExit());
            String message = (String) json(launcher).get("message");
            assertTrue(message.startsWith("interrupted; what was done since the last generation in "
                + images() + " is lost: rank ") && message.contains("File too large"), message);
        }
    }
}
