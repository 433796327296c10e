package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.launch.programs.Gate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints that somebody asks a running job for. */
class CheckpointCommandTest {
    @TempDir
    private Path directory;

    /** A program that takes its time until there is a file. */
    private LauncherProcess running(String... options) {
        List<String> all = new ArrayList<>(List.of("run", "--ranks", "2", "--verbose"));
        all.addAll(List.of(options));
        all.addAll(List.of("--", Gate.class.getName(), "2000", directory.resolve("open").toString(), "50"));
        LauncherProcess launcher = new LauncherProcess(all.toArray(String[]::new));
        launcher.awaitLine("rank 0 begins step 2");
        return launcher;
    }

    private static void answers(LauncherProcess launcher, int status, String text) {
        Command command = Command.line("checkpoint " + launcher.pid()).exits(status);
        assertTrue((status == 0 ? command.out() : command.err()).contains(text), command.out() + command.err());
    }

    private void ends(LauncherProcess launcher) throws IOException {
        Files.createFile(directory.resolve("open"));
        assertEquals(0, launcher.awaitExit());
        launcher.assertNothingLeft();
    }

    /** Before the first one is due by the clock. A loss goes back to it. */
    @Test
    void aJobTakesACheckpointWhenItIsAskedForOne() throws IOException {
        try (LauncherProcess launcher = running("--protocol", "coordinated", "--interval", "1h")) {
            launcher.takeStock();
            answers(launcher, 0, "generation 1, of step ");
            answers(launcher, 0, "generation 2, of step ");
            launcher.awaitLine("generation 2 ");
            launcher.signal("KILL", launcher.ranks().getFirst().pid());
            launcher.awaitLine("all ranks go back to generation 2");
            ends(launcher);
        }
    }

    @Test
    void whoWillNotTakeOneSaysWhy() throws IOException {
        try (LauncherProcess launcher = running("--protocol", "coordinated", "--interval", "1000")) {
            answers(launcher, 1, "with --interval 1000 and --protocol coordinated the ranks agree on no other");
            assertEquals(1, Command.line("drain h1 --job " + launcher.pid()).status);
            ends(launcher);
        }
        Command none = Command.line("checkpoint 999999999 --json").exits(1);
        assertTrue(none.out().contains("there is no job with a launcher on this machine whose process is 999999999"),
            none.out());
        Command.line("checkpoint here").exits(2);
    }
}
