package org.ftrma.launch.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.ftrma.launch.agent.Surroundings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders of jobs: their names, how many stay, and which. */
class JobFolderTest {
    private static final Instant NOW = Instant.parse("2026-03-14T15:09:26Z");
    private static final long NOBODY = 999_999_999L;

    @TempDir
    private Path parent;

    private Path make(String name, long pid, boolean hasEnded) throws IOException {
        JobFolder folder = new JobFolder(Files.createDirectory(parent.resolve(name)));
        new JobFacts("app", List.of("run"), 1, 0, 0, List.of(), Map.of(), pid == NOBODY
            ? new Launcher(Surroundings.hostName(), pid, 1)
            : Launcher.here(Surroundings.hostName()), 1).write(folder);
        if (hasEnded) {
            JsonFile.write(folder.file(JobView.RESULT), Map.of("outcome", "success", "message", ""));
        }
        return folder.path();
    }

    @Test
    void folderIsPrivateAndNamedAfterItsBeginningAndLauncher() throws IOException {
        long pid = ProcessHandle.current().pid();
        JobFolder one = JobFolder.create(parent.resolve("a/b"), NOW);
        JobFolder two = JobFolder.create(parent.resolve("a/b"), NOW);
        assertEquals(List.of("20260314-150926-" + pid, "20260314-150926-" + pid + "-2"),
            List.of(one.name(), two.name()));
        assertEquals(List.of(pid, pid), List.of(one.launcher(), two.launcher()));
        assertTrue(JobFolder.isName(two.name()));
        assertFalse(JobFolder.isName("../" + two.name()));
        for (Path place : List.of(parent.resolve("a"), parent.resolve("a/b"), one.path())) {
            assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(place)));
        }
        assertEquals(List.of(two, one), JobFolder.all(parent.resolve("a/b")));
        assertEquals(List.of(), JobFolder.all(parent.resolve("nowhere")));
    }

    @Test
    void oldJobsGoAndThoseThatRunStay() throws IOException {
        Path running = make("20250101-000000-1", ProcessHandle.current().pid(), false);
        Path ended = make("20250101-000000-2", NOBODY, true);
        Path abandoned = make("20250101-000001-3", NOBODY, false);
        Path young = make("20260314-000000-4", NOBODY, true);
        Path strange = Files.createDirectory(parent.resolve("mine"));
        JobFolder.removeOld(parent, Duration.ofDays(7), NOW);
        assertEquals(List.of(true, false, false, true, true), List.of(running, ended, abandoned, young, strange)
            .stream().map(Files::exists).toList());
    }

    /** What another host's launcher writes may be seen late here; and one that begins has told nothing yet. */
    @Test
    void aJobOfAnotherHostStaysUntilItWasSilentForLong() throws IOException {
        JobFolder elsewhere = new JobFolder(Files.createDirectory(parent.resolve("20250101-000000-5")));
        new JobFacts("app", List.of("run"), 1, 0, 0, List.of(), Map.of(), new Launcher("elsewhere", NOBODY, 1), 1)
            .write(elsewhere);
        JobFolder begins = new JobFolder(Files.createDirectory(parent.resolve("20250101-000000-" + NOBODY)));
        Instant now = Instant.now();
        JobFolder.removeOld(parent, Duration.ofDays(7), now.plus(Duration.ofHours(23)));
        assertEquals(List.of(begins, elsewhere), JobFolder.all(parent));
        JobFolder.removeOld(parent, Duration.ofDays(7), now.plus(Duration.ofHours(25)));
        assertEquals(List.of(), JobFolder.all(parent));
    }

    /** Each job removes old folders when it begins, and several begin at a time. */
    @Test
    void severalMayRemoveTheSameAtTheSameTime() throws Exception {
        for (int i = 0; i < 300; i++) {
            make(String.format(java.util.Locale.ROOT, "20250101-%06d-7", i), NOBODY, true);
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                all.add(threads.submit(() -> JobFolder.removeOld(parent, Duration.ofDays(7), NOW)));
            }
            for (Future<?> one : all) {
                one.get(60, TimeUnit.SECONDS);
            }
        }
        JobFolder.removeOld(parent, Duration.ofDays(7), NOW);
        assertEquals(List.of(), JobFolder.all(parent));
    }

    @Test
    void ofManyJobsTheNewestStay() throws IOException {
        for (int i = 0; i < JobFolder.MOST + 10; i++) {
            make(String.format(java.util.Locale.ROOT, "20260314-1500%02d-7", i), NOBODY, true);
        }
        JobFolder.removeOld(parent, Duration.ofDays(7), NOW);
        List<JobFolder> left = JobFolder.all(parent);
        assertEquals(JobFolder.MOST, left.size());
        assertEquals(List.of("20260314-150059-7", "20260314-150010-7"), List.of(left.getFirst().name(),
            left.getLast().name()));
    }

    @Test
    void factsOfAnotherVersionAreRefusedByItsNumber() throws IOException {
        JobFolder folder = new JobFolder(make("20260314-150000-7", NOBODY, true));
        assertEquals("app", JobFacts.read(folder).app());
        JsonFile.write(folder.file(JobFacts.FILE), Map.of("version", 9));
        IOException refused = org.junit.jupiter.api.Assertions.assertThrows(IOException.class, () ->
            JobFacts.read(folder));
        assertTrue(refused.getMessage().contains("has version 9, this ftrma reads version 1"), refused.getMessage());
    }
}
