package org.ftrma.launch.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which places of jobs are removed: those of processes that are gone for certain, and no other ones. */
class LeftPlacesTest {
    @TempDir
    private Path parent;
    private Path place;
    private String owners;

    @BeforeEach
    void make() throws IOException {
        place = JobDirectory.create(parent);
        owners = Files.readString(place.resolve(PlaceOwners.FILE));
        Files.createDirectories(place.resolve("deep/er"));
        Files.writeString(place.resolve("deep/er/file"), "text");
    }

    private void assertStays(String changed) throws IOException {
        Files.writeString(place.resolve(PlaceOwners.FILE), changed);
        assertEquals(List.of(), LeftPlaces.removeFrom(parent), changed);
        assertTrue(Files.exists(place.resolve("deep/er/file")), changed);
    }

    private void assertGoes(String changed) throws IOException {
        Files.writeString(place.resolve(PlaceOwners.FILE), changed);
        assertEquals(List.of(place), LeftPlaces.removeFrom(parent), changed);
        assertFalse(Files.exists(place), changed);
    }

    private String ofAnotherTime() {
        String changed = owners.replaceAll("(process \\d+) \\d+", "$1 17");
        assertFalse(changed.equals(owners));
        return changed;
    }

    @Test
    void onesInUseStay() throws IOException {
        assertStays(owners);
        assertStays(ofAnotherTime() + owners.lines().filter(line -> line.startsWith("process ")).findFirst()
            .orElseThrow() + "\n");
    }

    @Test
    void oneOfAProcessWhoseNumberAnotherOneHasGoes() throws IOException {
        assertGoes(ofAnotherTime());
    }

    @Test
    void oneOfBeforeTheKernelWasStartedGoes() throws IOException {
        assertGoes(owners.replaceAll("boot .*", "boot 00000000-0000-0000-0000-000000000000"));
    }

    @Test
    void onesOfWhomNothingIsKnownHereStay() throws IOException {
        String gone = ofAnotherTime();
        assertStays(gone.replaceAll("host .*", "host elsewhere"));
        assertStays(gone.replaceAll("(?m)^process.*\n", ""));
        assertStays(gone.substring(0, gone.length() - 1));
        assertStays(gone + "later 1\n");
        assertStays(gone + "process x y\n");
        assertStays("");
        Files.delete(place.resolve(PlaceOwners.FILE)); // one that is just being made
        assertEquals(List.of(), LeftPlaces.removeFrom(parent));
        assertTrue(Files.exists(place));
    }

    /** Of a container, or of a host of a test: its processes cannot be told by their numbers here. */
    @Test
    void oneOfANamespaceGoesWhenThatIsGone() throws Exception {
        assumeTrue(PlaceOwners.namespaceHere().equals(PlaceOwners.FIRST_NAMESPACE),
            "only the kernel's first pid namespace sees all processes");
        Process maker = new ProcessBuilder("unshare", "--pid", "--fork", "--kill-child", "sh", "-c",
            "readlink /proc/self/ns/pid; exec sleep 100").redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (BufferedReader out = maker.inputReader()) {
            String namespace = out.readLine();
            assumeTrue(namespace != null, "unshare may not make a namespace here");
            String other = owners.replaceAll("host .*", "host container").replaceAll("namespace .*", "namespace "
                + namespace);
            assertStays(other);
            List<ProcessHandle> inside = maker.children().toList();
            maker.destroyForcibly().waitFor();
            for (ProcessHandle one : inside) {
                one.destroyForcibly();
                one.onExit().get(20, TimeUnit.SECONDS);
            }
            assertGoes(other);
        } finally {
            maker.destroyForcibly();
        }
    }

    @Test
    void whatIsNoPlaceStays() throws IOException {
        Files.writeString(place.resolve(PlaceOwners.FILE), ofAnotherTime());
        Path other = Files.move(place, parent.resolve("ftrma-5-not-one"));
        Path link = Files.createSymbolicLink(parent.resolve("ftrma-6-7"), other);
        assertEquals(List.of(), LeftPlaces.removeFrom(parent));
        assertTrue(Files.exists(other) && Files.isSymbolicLink(link));
    }

    /** Counters come to where they are kept, and what is kept stays. */
    @Test
    void countersAreKept() throws IOException {
        Path kept = Files.createDirectory(parent.resolve("kept"));
        Files.writeString(kept.resolve(JobDirectory.LIVE), place.toString());
        Files.writeString(place.resolve("counters-3"), "counted");
        assertGoes(ofAnotherTime() + "kept " + kept + "\n");
        assertEquals("counted", Files.readString(kept.resolve("counters-3")));
        assertFalse(Files.exists(kept.resolve(JobDirectory.LIVE)));
    }

    @Test
    void severalWhoRemoveTheSameDoNotFail() throws Exception {
        for (int turn = 0; turn < 50; turn++) {
            Path one = JobDirectory.create(parent);
            for (int i = 0; i < 20; i++) {
                Files.writeString(one.resolve("file" + i), "text");
            }
            Files.writeString(one.resolve(PlaceOwners.FILE), ofAnotherTime());
            CyclicBarrier start = new CyclicBarrier(3);
            List<CompletableFuture<List<Path>>> all = IntStream.range(0, 3).mapToObj(number ->
                CompletableFuture.supplyAsync(() -> {
                    try {
                        start.await();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                    return LeftPlaces.removeFrom(parent);
                }, task -> Thread.ofPlatform().start(task))).toList();
            for (CompletableFuture<List<Path>> each : all) {
                assertTrue(Set.of(one).containsAll(each.get()));
            }
            LeftPlaces.removeFrom(parent);
            assertFalse(Files.exists(one));
        }
    }
}
