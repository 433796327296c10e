package org.ftrma.launch.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ftrma.MisuseException;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.disk.ImageFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that go on from generations on disk that are not the newest, and those that go on after them. */
class ImageBranchesTest {
    private static final ImageManifest.Job JOB = new ImageManifest.Job("0123456789abcdef", Branch.FIRST,
        "org.example.Main", List.of(), "full");

    @TempDir
    private Path directory;

    /** Flushes generations from one on, as a job that starts from there; each is of twice its number of steps. */
    private void line(RestartChoice from, int keep, long first, long last) throws Exception {
        try (FlushKeeper keeper = new FlushKeeper(directory, JOB, from, keep, System.out, MachineClock.HERE)) {
            keeper.open();
            for (long generation = first; generation <= last; generation++) {
                assertNull(ImageFilesTest.flush(keeper, generation, generation).failure());
            }
        }
    }

    private RestartChoice choice(String path, long lastStep) {
        return RestartChoice.of(directory.resolve(path), JOB, lastStep);
    }

    /**
     * Images 1 to 5, then two branches: one that leaves the first after image 2, and one that leaves that after its
     * second. Only images of the line that leads to the newest are taken, and only those of the last branch removed.
     */
    @Test
    void whoGoesOnFromAnOlderGenerationBeginsAnotherBranch() throws Exception {
        line(null, 9, 1, 5);
        line(choice("", Long.MAX_VALUE), 9, 6, 7);
        assertEquals(Branch.FIRST, choice("", Long.MAX_VALUE).manifest().job().branch(), "the newest is gone on with");
        line(choice("image-000002", Long.MAX_VALUE), 9, 3, 6);
        assertEquals(new Branch(2, List.of(new Branch.Origin(1, 2))),
            choice("", Long.MAX_VALUE).manifest().job().branch());
        line(choice("", 8), 2, 5, 8);
        assertEquals(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15).stream()
            .map(number -> String.format("image-%06d", number)).toList(),
            new ImageDirectory(directory).entries().reversed().stream().map(ImageDirectory.Entry::name).toList());
        RestartChoice newest = choice("", Long.MAX_VALUE);
        assertEquals(new Branch(3, List.of(new Branch.Origin(1, 2), new Branch.Origin(2, 4))),
            newest.manifest().job().branch());
        Map<Long, String> byStep = Map.of(16L, "image-000015", 15L, "image-000014", 13L, "image-000009", 7L,
            "image-000008", 5L, "image-000002", 2L, "image-000001");
        byStep.forEach((step, image) -> assertEquals(image, choice("", step).name(), "up to step " + step));
        assertTrue(assertThrows(MisuseException.class, () -> choice("", 1)).getMessage()
            .endsWith("the oldest of this branch are of step 2"));
        // The two that are left of the last branch are damaged: what comes next is where it left the one before.
        for (String name : List.of("image-000014", "image-000015")) {
            Files.delete(directory.resolve(name).resolve(ImageFile.name(0)));
        }
        assertEquals("image-000009", choice("", Long.MAX_VALUE).name());
        assertEquals(2, choice("", Long.MAX_VALUE).refused().size());
        assertEquals("image-000007", choice("image-000007", Long.MAX_VALUE).name());
    }

    /** What was copied elsewhere is not the newest of its branch where the job writes. */
    @Test
    void aBranchIsAnotherOneAlsoWhereTheOlderGenerationIsInAnotherDirectory() throws Exception {
        line(null, 9, 1, 3);
        Path copy = Files.createDirectory(directory.resolve("copy"));
        Files.move(directory.resolve("image-000001"), copy.resolve("image-000001"));
        line(choice("copy", Long.MAX_VALUE), 9, 2, 2);
        assertEquals(List.of(2, 1, 1), new ImageDirectory(directory).manifests().stream()
            .map(manifest -> manifest.job().branch().number()).toList());
    }
}
