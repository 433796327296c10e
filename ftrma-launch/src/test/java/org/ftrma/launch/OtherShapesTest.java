package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs of real processes that begin from images of another number of ranks, or another protocol. The stencil compares
 * each bit of each cell with a serial run.
 */
class OtherShapesTest {
    private static final String STENCIL = "sample stencil --size 30x20 --json --timeout 90s ";

    @TempDir
    private Path directory;

    private List<String> images() throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
    }

    private static void assertVerified(Command command, int steps) {
        Map<String, Object> json = command.exits(0).json();
        assertEquals(true, json.get("verified"), json::toString);
        assertEquals(steps, json.get("iterations"), json::toString);
        assertTrue(json.get("restarted") instanceof Map<?, ?>, json::toString);
    }

    @Test
    void aStencilGoesOnWithFewerAndWithMoreRanksAndWithAnotherProtocol() throws IOException {
        String flush = " --keep 1000 --flush " + directory;
        Command.line(STENCIL + "--ranks 4 --checksums 1 --steps 160 --interval 20" + flush).exits(0);
        String restart = " --restart " + directory;
        Command fewer = Command.line(STENCIL + "--ranks 2 --checksums 1 --steps 320 --interval 30 --protocol full"
            + " --path network --kill 1@290" + flush + restart);
        assertVerified(fewer, 320);
        fewer.tells("the images are of 4 ranks, this job has --ranks 2")
            .tells("the images were written with --protocol coordinated, this job has --protocol full")
            .tells("the program's arguments were ")
            .tells("ftrma: rotating segment \"field\" is distributed anew (blocks of a grid as square as can be, 600 "
                + "elements of 8 bytes)")
            .tells("ftrma: protected segment \"changes\" is the same on all ranks");
        assertTrue(images().size() >= 2, images()::toString);
        Command more = Command.line(STENCIL + "--ranks 6 --checksums 2 --losses 2 --steps 400 --kill 0+5@390" + flush
            + restart);
        assertVerified(more, 400);
        more.tells("the images are of 2 ranks, this job has --ranks 6")
            .tells("written with --protocol full, this job has --protocol coordinated");
    }

    @Test
    void conjugateGradientsGoOnWithOtherRanksAndTheirStateIsNotThatOfAnotherSize() {
        String cg = "sample cg --json --timeout 90s --checksums 1 --interval 10 ";
        Command.line(cg + "--ranks 4 --size 60 --tolerance 3 --flush " + directory).exits(0);
        Command more = Command.line(cg + "--ranks 3 --size 60 --tolerance 8 --protocol full --kill 1@130 --restart "
            + directory).exits(0).tells("ftrma: window \"direction\" is distributed anew (even, 60 elements of 480 "
                + "bytes after 496 bytes)");
        assertEquals(true, more.json().get("verified"), more.json()::toString);
        Command.line(cg + "--ranks 3 --size 61 --restart " + directory).exits(1)
            .tells("they have \"parameter size: 60\" where this program has \"parameter size: 61\"");
    }

    @Test
    void aProgramThatDoesNotSayHowItsStateLiesIsRefusedOnOtherRanks() {
        String locks = "sample locks --json --timeout 90s --checksums 1 --interval 10 --steps 200 ";
        Command.line(locks + "--ranks 3 --flush " + directory).exits(0);
        Command.line(locks + "--ranks 2 --restart " + directory).exits(1)
            .tells("the images are of 3 ranks, this job has --ranks 2, and the program does not say how window "
                + "\"accounts\" lies over the ranks: go on with --ranks 3, or let the program say it, by "
                + "job.distribution(\"accounts\", Distribution.block(...))");
        Command full = Command.line(locks + "--ranks 3 --protocol full --restart " + directory).exits(0);
        assertEquals(true, full.json().get("verified"), full.json()::toString);
    }
}
