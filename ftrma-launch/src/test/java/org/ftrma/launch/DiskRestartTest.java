package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ftrma.launch.programs.Gate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs of real processes that write generations to disk, end badly, and are started again from there. */
class DiskRestartTest {
    private static final String STOPPED = " --heartbeat-timeout 1h --deadline 1h --cut-deadline 1h --verbose --flush ";

    @TempDir
    private Path directory;

    /**
     * Rank 0 stops before the end of a run in which every checkpoint goes to disk; before or after that the launcher is
     * killed.
     */
    private void killWhole(String job, String stop) throws IOException {
        try (LauncherProcess launcher = new LauncherProcess((job + " --stop " + stop + STOPPED + directory)
            .split(" "))) {
            launcher.await("two generations on disk", () -> images().size() >= 2);
            launcher.takeStock();
            launcher.signal("KILL", launcher.pid());
            launcher.awaitExit();
            launcher.assertNothingLeft();
            launcher.await("the removal of what has no name",
                () -> entries().stream().noneMatch(name -> name.startsWith(".")));
        }
    }

    private List<String> entries() {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private List<String> images() {
        return entries().stream().filter(name -> name.startsWith("image-")).toList();
    }

    private static void flipOneBit(Path file, long at) throws IOException {
        try (RandomAccessFile damaged = new RandomAccessFile(file.toFile(), "rw")) {
            damaged.seek(at);
            int old = damaged.read();
            damaged.seek(at);
            damaged.write(old ^ 4);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void anFftThatWasKilledWholeIsStartedAgainFromDiskAndVerifies(String protocol) throws IOException {
        String job = "fft --class W --ranks 4 --checksums 1 --iterations 60 --warm-up 0 --interval 1 --protocol "
            + protocol;
        killWhole(job, "0@55");
        Command restarted = Command.line(job + " --timeout 60s --json --restart " + directory).exits(0)
            .tells("the job starts from generation").tells(images().getLast());
        Map<String, Object> json = restarted.json();
        assertEquals(true, json.get("verified"));
        Map<?, ?> from = (Map<?, ?>) json.get("restarted");
        assertEquals(images().getLast(), from.get("image"));
        assertEquals(List.of(), from.get("refused"));
        long left = 60 - ((Number) from.get("step")).longValue();
        assertTrue(((Number) json.get("checkpoints")).longValue() <= left, json::toString);
        Map<String, Object> undisturbed = Command.line("fft --class W --ranks 4 --iterations 60 --warm-up 0 --json")
            .exits(0).json();
        assertEquals(((Map<?, ?>) undisturbed.get("reports")).get("checksumDigest"),
            ((Map<?, ?>) json.get("reports")).get("checksumDigest"));
    }

    /**
     * One bit of the newest generation is another one: the older one is taken, and both the job and the images command
     * say so.
     */
    @Test
    void aLockProgramGoesOnFromTheOlderGenerationWhereTheNewestIsDamaged() throws IOException {
        String job = "sample locks --ranks 4 --checksums 2 --steps 3000 --interval 20 --protocol full";
        killWhole(job, "0@2500");
        Command.line("images " + directory).exits(0);
        List<String> all = images();
        String newest = all.getLast();
        Path file = directory.resolve(newest).resolve("rank-0002.image");
        flipOneBit(file, Files.size(file) - 4000);
        Command listed = Command.line("images " + directory + " --json").exits(1);
        assertEquals(1, listed.json().get("damaged"));
        assertEquals("damaged", ((Map<?, ?>) ((List<?>) listed.json().get("images")).getFirst()).get("state"));
        Command table = Command.line("images " + directory).exits(1);
        assertTrue(table.out().contains("DAMAGED") && table.out().contains(newest + ": rank-0002.image: block"),
            table.out());

        Command restarted = Command.line(job + " --timeout 60s --json --restart " + directory).exits(0)
            .tells(newest + " in " + directory + " is damaged and is not used: rank-0002.image: block")
            .tells("taking an older one");
        assertEquals(true, restarted.json().get("verified"));
        Map<?, ?> from = (Map<?, ?>) restarted.json().get("restarted");
        assertEquals(all.get(all.size() - 2), from.get("image"));
        assertEquals(newest, ((Map<?, ?>) ((List<?>) from.get("refused")).getFirst()).get("image"));
        // All damaged: nothing is started.
        for (String one : all.subList(0, all.size() - 1)) {
            flipOneBit(directory.resolve(one).resolve("manifest"), 40);
        }
        Command.line(job + " --restart " + directory).exits(1).tells("none of the images in it can be used")
            .tells(images().getFirst() + ": the manifest");
    }

    /** A program that takes its time until a generation is on disk. */
    private Command gate(String options, int steps, String image) {
        return Command.line("run --ranks 2 --json --timeout 90s " + options + " -- " + Gate.class.getName() + " "
            + steps + " "
            + directory.resolve(image));
    }

    @Test
    void aCatastrophicFailureIsNotTheEndAndARestartedJobFlushesAndRecoversAsAnyOther() {
        String options = "--checksums 1 --interval 20 --flush " + directory;
        Command first = gate(options + " --keep 1000 --kill 0+1@900", 1000, "image-000002").exits(3);
        assertTrue(((Number) first.json().get("flushes")).intValue() >= 2, first.json()::toString);
        Command second = gate(options + " --keep 3 --restart " + directory + " --kill 1@950", 1000, "image-000002")
            .exits(0);
        Map<String, Object> json = second.json();
        assertEquals(true, json.get("verified"));
        assertEquals(1, json.get("rollbacks"));
        Map<?, ?> from = (Map<?, ?>) json.get("restarted");
        assertTrue(((Number) json.get("generation")).longValue() > ((Number) from.get("generation")).longValue(),
            json::toString);
        assertTrue(images().size() <= 3, () -> images().toString());
        assertFalse(entries().stream().anyMatch(name -> name.startsWith(".")), () -> entries().toString());
        Command.line("images " + directory).exits(0);
    }

    /**
     * Three losses where two are survived; then a computing and a checksum rank before the job that starts from disk
     * has run, and two later.
     */
    @Test
    void groupsThatSurviveTwoLossesGoOnFromDiskAndSurviveTwoMore() {
        String job = "run --ranks 3 --losses 2 --checksums 2 --interval 20 --json --timeout 90s --flush " + directory
            + " ";
        String program = " -- " + Gate.class.getName() + " 1000 " + directory.resolve("image-000002");
        Command.line(job + "--keep 1000 --kill 0+1+checksum0@900" + program).exits(3).tells("lost 3 members")
            .tells("can rebuild 2");
        Map<String, Object> json = Command.line(job + "--restart " + directory + " --kill 0+checksum0@0 --kill 1+2@980"
            + program).exits(0).json();
        assertEquals(true, json.get("verified"));
        assertEquals(4, ((List<?>) json.get("failures")).size());
        Map<?, ?> from = (Map<?, ?>) json.get("restarted");
        assertTrue(((Number) json.get("flushedGeneration")).longValue() > ((Number) from.get("generation")).longValue(),
            json::toString);
    }

    @Test
    void imagesOfAnotherJobAreRefusedWithTheReason() {
        String options = "--checksums 1 --interval 20 --flush " + directory;
        gate(options + " --keep 1000", 500, "image-000001").exits(0);
        String restart = " --restart " + directory;
        assertEquals(true, gate("--checksums 1 --protocol full" + restart, 500, "image-000001").exits(0)
            .tells("written with --protocol coordinated, this job has --protocol full").json().get("verified"));
        gate(restart, 500, "image-000001").exits(2).tells("add --checksums 1");
        gate("--checksums 1 --protocol none" + restart, 500, "image-000001").exits(2).tells("add --checksums 1");
        Command.line("run --ranks 3 --checksums 1" + restart + " -- " + Gate.class.getName() + " 500 "
            + directory.resolve("image-000001")).exits(1)
            .tells("the images are of 2 ranks, this job has --ranks 3, and the program does not say how window ")
            .tells("go on with --ranks 2, or let the program say it");
        Command.line("sample locks --checksums 1" + restart).exits(2)
            .tells("they are of the program " + Gate.class.getName());
        gate("--checksums 1 --jvm-arg -Dcells.bytes=72" + restart, 500, "image-000001").exits(1)
            .tells("they have \"window cells: 64 bytes\" where this program has \"window cells: 72 bytes\"");
        assertEquals(true, gate("--checksums 2" + restart, 500, "image-000001").exits(0).json().get("verified"));
    }

    /** What the program has not declared as a parameter of its state may be another one. */
    @Test
    void aJobGoesOnWithOtherArgumentsUnlessTheyAreParametersOfItsState() {
        String locks = "sample locks --ranks 2 --checksums 1 --json --transfers ";
        Command.line(locks + "4 --steps 3000 --interval 10 --flush " + directory).exits(0);
        String restart = " --restart " + directory;
        Map<String, Object> json = Command.line(locks + "4 --steps 4000 --interval 7" + restart).exits(0)
            .tells("the program's arguments were [--steps, 3000, --transfers, 4], now they are [--steps, 4000,").json();
        assertEquals(true, json.get("verified"));
        assertEquals(4000, json.get("iterations"));
        Command.line(locks + "5 --steps 3000" + restart).exits(1)
            .tells("they have \"parameter transfers: 4\" where this program has \"parameter transfers: 5\"");
        Command.line(locks + "4 --steps 5" + restart).exits(1)
            .tells("steps: iterations=5, and the restored state is that of step ");
    }

    /** One command line for the first start and all others; an older generation that is named begins a branch. */
    @Test
    void theSameCommandLineBeginsAndGoesOn() {
        String same = "--checksums 1 --interval 20 --keep 1000 --flush " + directory + " --restart ";
        Command begun = gate(same + directory, 200, "image-000002").exits(0)
            .tells("--restart=" + directory + ": there are no images in " + directory + " yet: the job begins");
        assertTrue(begun.json().containsKey("restarted") && begun.json().get("restarted") == null, begun::out);
        List<String> first = images();
        Command again = gate(same + "latest", 400, String.format("image-%06d", first.size() + 1)).exits(0);
        assertEquals(true, again.json().get("verified"));
        assertEquals(first.getLast(), ((Map<?, ?>) again.json().get("restarted")).get("image"));
        int second = images().size();
        assertTrue(second > first.size(), () -> images().toString());

        Command older = gate(same + directory.resolve("image-000001"), 400, String.format("image-%06d", second + 1))
            .exits(0);
        assertEquals(true, older.json().get("verified"));
        assertEquals("image-000001", ((Map<?, ?>) older.json().get("restarted")).get("image"));
        Command listed = Command.line("images " + directory).exits(0);
        assertTrue(listed.out().contains("branch 2 goes on from generation 1 of branch 1"), listed.out());
        assertEquals(images().size() - second,
            listed.out().lines().filter(line -> line.matches("image-\\d+ +2 .*")).count(), listed.out());
        Map<?, ?> from = (Map<?, ?>) gate(same + "latest --restart-step 39", 400, images().getLast()).exits(0).json()
            .get("restarted");
        assertEquals("image-000001", from.get("image"), "of the newest branch's line");
    }

    @Test
    void directoriesThatCannotBeUsedAreRefusedAtTheStart() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "text");
        gate("--checksums 1 --flush " + file, 500, "file").exits(2).tells("--flush=" + file
            + ": it is not a directory");
        gate("--checksums 1 --flush " + file.resolve("below"), 500, "file").exits(2).tells("cannot be written to");
        gate("--flush " + directory, 500, "file").exits(2).tells("add --checksums 1");
        gate("--checksums 1 --restart " + directory, 500, "file").exits(2).tells("there are no images in it");
        gate("--checksums 1 --restart " + directory.resolve("missing"), 500, "file").exits(2)
            .tells("no such directory");
        Command.line("images " + directory.resolve("missing")).exits(2).tells("no such directory");
        Command.line("images").exits(2).tells("one directory is needed");
        Command.run("images", "").exits(2).tells("the directory is empty text");
        assertEquals(List.of("file"), entries());
    }

    /** No file may grow beyond 20 MB, as if the disk were full then. */
    @Test
    void aFullDiskIsToldAndTheJobGoesOn() {
        Path full = directory.resolve("full");
        String job = "run --ranks 2 --checksums 1 --interval 5 --json --jvm-arg -Dcells.bytes=33554432 --flush " + full
            + " -- " + Gate.class.getName()
            + " 30 /";
        try (LauncherProcess launcher = new LauncherProcess(List.of("/bin/bash", "-c", "ulimit -f 20000; exec \"$@\"",
            "limited"),
            job.split(" "))) {
            assertEquals(0, launcher.awaitExit());
            launcher.awaitLine("\"verified\":true");
            launcher.awaitLine("is not on disk: rank ");
            launcher.awaitLine("File too large");
            launcher.awaitLine("\"flushes\":0,");
        }
        assertTrue(Files.isDirectory(full));
        try (Stream<Path> left = Files.list(full)) {
            assertEquals(List.of(), left.toList());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
