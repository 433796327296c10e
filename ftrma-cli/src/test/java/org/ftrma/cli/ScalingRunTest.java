package org.ftrma.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code simulate --scale} on the fewest ranks. */
@Tag("long")
class ScalingRunTest {
    @TempDir
    private Path place;

    @Test
    void bothProgramsAreRunWithAndWithoutAFailureAndTold() throws IOException {
        Command.line("simulate --scale --ranks 16 --out " + place).exits(0);
        for (String program : List.of("stencil", "kv")) {
            Path csv = place.resolve("scaling-" + program + ".csv");
            List<String> lines = Files.readAllLines(csv).stream().filter(line -> !line.startsWith("#")).toList();
            assertEquals(2, lines.size(), lines::toString);
            List<String> heads = List.of(lines.getFirst().split(","));
            String[] row = lines.getLast().split(",");
            assertEquals("16", row[heads.indexOf("ranks")]);
            assertEquals("replay", row[heads.indexOf("recovery")]);
            for (String positive : List.of("accessesPerRank", "framesPerRank", "logBytesPerRank", "exposedBytes",
                "recoveryFrames", "stepsRepeated")) {
                assertTrue(Double.parseDouble(row[heads.indexOf(positive)]) > 0, positive + " of " + lines);
            }
            for (String end : List.of(".csv", ".txt")) {
                assertTrue(Files.readString(place.resolve("scaling-" + program + end))
                    .contains("command: ./ftrma simulate --scale --ranks 16"));
            }
        }
    }

    @Test
    void whatItChoosesItselfIsRefused() {
        Command.line("simulate --scale --steps 3").exits(2).tells("--steps: --scale chooses that itself");
        Command.line("simulate --scale --ranks 2000").exits(2).tells("--ranks=2000");
        Command.line("simulate --out here").exits(2).tells("--out: goes with --scale");
    }
}
