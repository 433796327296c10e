package org.ftrma.launch.disk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.ftrma.MisuseException;
import org.ftrma.core.coordinator.FlushedImages;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.disk.DamagedImageException;
import org.ftrma.rank.disk.FileImageStore;
import org.ftrma.rank.disk.ImageFile;
import org.ftrma.rank.disk.ImageMemory;
import org.ftrma.spi.ImageStore;
import org.ftrma.spi.ImageStore.Label;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of images and manifests: what was written is read again, and whatever else there is is told from it. */
class ImageFilesTest {
    private static final ImageManifest.Job JOB = new ImageManifest.Job("0123456789abcdef",
        new Branch(5, List.of(new Branch.Origin(1, 4), new Branch.Origin(3, 5))), "org.example.Main",
        List.of("--steps", "a b%\n"), "full");
    private static final PrintStream LOG = System.out;
    private static final int SMALL = 5000;

    @TempDir
    private Path directory;

    private static MemorySegment random(Arena arena, long bytes, long seed) {
        byte[] contents = new byte[(int) bytes];
        new Random(seed).nextBytes(contents);
        MemorySegment segment = arena.allocate(bytes, 8);
        MemorySegment.copy(contents, 0, segment, ValueLayout.JAVA_BYTE, 0, contents.length);
        return segment;
    }

    private static Label label(int rank, long generation) {
        return new Label(rank, 2, generation, 2 * generation, "window ü: 100 bytes\n");
    }

    private static ImageFile.Written write(Path file, Label label, List<MemorySegment> parts) throws IOException {
        return ImageFile.write(file, label, new ImageMemory(parts), ImageFile::writeAll);
    }

    @Test
    void anImageIsReadAsItWasWrittenWhateverItsParts() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            List<MemorySegment> parts = List.of(random(arena, (1 << 20) + 4096, 1), random(arena, 0, 2),
                random(arena, 2 << 20, 3),
                random(arena, 9, 4));
            ImageFile.Written written = write(directory.resolve("one"), label(1, 7), parts);
            assertEquals(Files.size(directory.resolve("one")), written.bytes());
            assertEquals("rw-------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("one"))));
            List<MemorySegment> again = List.of(arena.allocate(3000), arena.allocate((3 << 20) + 4096 + 9 - 3000));
            try (ImageFile file = ImageFile.open(directory.resolve("one"))) {
                assertEquals(label(1, 7), file.label());
                assertArrayEquals(written.digest(), file.digest());
                AtomicInteger turns = new AtomicInteger();
                file.into(again, turns::incrementAndGet);
                assertEquals(4, turns.get());
            }
            assertArrayEquals(bytes(parts), bytes(again));
        }
    }

    private static byte[] bytes(List<MemorySegment> parts) {
        ByteBuffer all = ByteBuffer.allocate(parts.stream().mapToInt(part -> (int) part.byteSize()).sum());
        parts.forEach(part -> all.put(part.asByteBuffer()));
        return all.array();
    }

    /** A generation of two ranks, complete. */
    private Path generation(String name, long generation) throws IOException {
        Path image = Files.createDirectory(directory.resolve(name));
        List<FlushedImages.Part> parts = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            for (int rank = 0; rank < 2; rank++) {
                ImageFile.Written written = write(image.resolve(ImageFile.name(rank)), label(rank, generation),
                    List.of(random(arena, SMALL, 10 * generation + rank)));
                parts.add(new FlushedImages.Part(written.bytes(), written.digest()));
            }
        }
        ImageManifest manifest = new ImageManifest(JOB, new FlushedImages(0, generation, 2 * generation, 1, 1, parts),
            Instant.parse("2026-01-31T12:00:00Z"));
        Files.write(image.resolve(ImageManifest.NAME), manifest.encode());
        return image;
    }

    private static void verify(Path image) {
        ImageDirectory.verify(image, ImageDirectory.manifest(image));
    }

    private static String damage(Path image) {
        return assertThrows(DamagedImageException.class, () -> verify(image), () -> image + " passes for undamaged")
            .getMessage();
    }

    @Test
    void everyFlippedBitIsFound() throws IOException {
        Path image = generation("image-000001", 6);
        verify(image);
        for (int rank = 0; rank < 2; rank++) {
            try (RandomAccessFile file = new RandomAccessFile(image.resolve(ImageFile.name(rank)).toFile(), "rw")) {
                // All of what has a meaning in the header, and a sample of its zeros, its end, and the contents.
                for (long bit = 0; bit < 8 * file.length(); bit += rank == 0 && bit < 8 * 96 ? 1 : 61) {
                    flip(file, bit);
                    damage(image);
                    flip(file, bit);
                }
            }
        }
        verify(image);
        byte[] manifest = Files.readAllBytes(image.resolve(ImageManifest.NAME));
        for (int bit = 0; bit < 8 * manifest.length; bit++) {
            manifest[bit / 8] ^= (byte) (1 << bit % 8);
            assertThrows(DamagedImageException.class, () -> ImageManifest.decode(manifest));
            manifest[bit / 8] ^= (byte) (1 << bit % 8);
        }
        ImageManifest.decode(manifest);
    }

    private static void flip(RandomAccessFile file, long bit) throws IOException {
        file.seek(bit / 8);
        int old = file.read();
        file.seek(bit / 8);
        file.write(old ^ 1 << bit % 8);
    }

    @Test
    void filesCutShortOrLongerOrMissingAreFound() throws IOException {
        Path image = generation("image-000001", 6);
        for (String name : List.of(ImageFile.name(0), ImageManifest.NAME)) {
            Path file = image.resolve(name);
            byte[] whole = Files.readAllBytes(file);
            for (int length : new int[] {0, 1, 7, 63, 64, 65, 200, whole.length / 2, whole.length - 1}) {
                Files.write(file, Arrays.copyOf(whole, Math.min(length, whole.length - 1)));
                damage(image);
            }
            Files.write(file, Arrays.copyOf(whole, whole.length + 1));
            damage(image);
            Files.delete(file);
            assertTrue(damage(image).contains(name.equals(ImageManifest.NAME) ? "it has no manifest"
                : "it is missing"));
            Files.write(file, whole);
            verify(image);
        }
    }

    @Test
    void filesOfAnotherRankOrGenerationAreFoundThoughTheyAreWhole() throws IOException {
        Path six = generation("image-000001", 6);
        Path seven = generation("image-000002", 7);
        Files.copy(seven.resolve(ImageFile.name(0)), six.resolve(ImageFile.name(0)),
            StandardCopyOption.REPLACE_EXISTING);
        assertTrue(damage(six).contains("it is not the file that the manifest tells of"));
        Files.copy(seven.resolve(ImageFile.name(0)), seven.resolve(ImageFile.name(1)),
            StandardCopyOption.REPLACE_EXISTING);
        assertTrue(damage(seven).contains(ImageFile.name(1)));
    }

    /** Files are read at the same time, and told of in the order of the ranks. */
    @Test
    void allDamagedFilesAreToldInTheSameOrderEachTime() throws IOException {
        int ranks = 20;
        Path image = Files.createDirectory(directory.resolve("image-000001"));
        List<FlushedImages.Part> parts = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            for (int rank = 0; rank < ranks; rank++) {
                Label label = new Label(rank, ranks, 3, 6, "");
                ImageFile.Written written = write(image.resolve(ImageFile.name(rank)), label,
                    List.of(random(arena, (2 << 20) - 1000L * rank, rank)));
                parts.add(new FlushedImages.Part(written.bytes(), written.digest()));
            }
        }
        Files.write(image.resolve(ImageManifest.NAME), new ImageManifest(JOB, new FlushedImages(0, 3, 6, 1, 1, parts),
            Instant.EPOCH).encode());
        verify(image);
        for (int rank : new int[] {17, 4}) {
            try (RandomAccessFile file = new RandomAccessFile(image.resolve(ImageFile.name(rank)).toFile(), "rw")) {
                flip(file, 8 * (file.length() - 1));
            }
        }
        Files.delete(image.resolve(ImageFile.name(11)));
        for (int i = 0; i < 20; i++) {
            assertEquals("rank-0004.image: block 1 of 2 is damaged: its checksum is wrong; rank-0011.image: it is "
                + "missing; "
                + "rank-0017.image: block 1 of 2 is damaged: its checksum is wrong", damage(image));
        }
        for (int rank = 0; rank < ranks; rank++) {
            Files.deleteIfExists(image.resolve(ImageFile.name(rank)));
        }
        assertTrue(damage(image).endsWith("rank-0007.image: it is missing; and 12 more files are damaged"));
    }

    @Test
    void linksAreNotFollowed() throws IOException {
        Path image = generation("image-000001", 6);
        Path moved = directory.resolve("moved");
        Files.move(image.resolve(ImageFile.name(1)), moved);
        Files.createSymbolicLink(image.resolve(ImageFile.name(1)), moved);
        assertTrue(damage(image).contains("not a regular file"));
        Files.createSymbolicLink(directory.resolve("image-000002"), image);
        assertTrue(damage(directory.resolve("image-000002")).contains("it is not a directory"));
        Path manifest = directory.resolve("manifest");
        Files.move(image.resolve("manifest"), manifest);
        Files.createSymbolicLink(image.resolve("manifest"), manifest);
        assertTrue(damage(image).contains("it has no manifest"));
    }

    private static byte[] patched(byte[] header, int offset, long value, int bytes) {
        byte[] patched = header.clone();
        ByteBuffer buffer = ByteBuffer.wrap(patched).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes == 4) {
            buffer.putInt(offset, (int) value);
        } else {
            buffer.putLong(offset, value);
        }
        CRC32C crc = new CRC32C();
        crc.update(patched, 0, patched.length - 4);
        buffer.putInt(patched.length - 4, (int) crc.getValue());
        return patched;
    }

    /** Checksums may be right and the numbers senseless: no memory is taken for what the file cannot hold. */
    @Test
    void senselessSizesAndOtherVersionsAreRefused() throws IOException {
        Path image = generation("image-000001", 6);
        Path file = image.resolve(ImageFile.name(0));
        byte[] whole = Files.readAllBytes(file);
        byte[] header = Arrays.copyOf(whole, whole.length - SMALL);
        int[][] fields = {{12, 4}, {40, 8}, {48, 4}, {52, 4}, {56, 4}};
        for (int[] field : fields) {
            for (long value : new long[] {-1, 0, 1, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE,
                Long.MIN_VALUE, 1L << 40}) {
                byte[] other = patched(header, field[0], value, field[1]);
                System.arraycopy(other, 0, whole, 0, other.length);
                Files.write(file, whole);
                if (!Arrays.equals(other, header)) {
                    damage(image);
                }
            }
        }
        System.arraycopy(patched(header, 8, 2, 4), 0, whole, 0, header.length);
        Files.write(file, whole);
        assertTrue(damage(image).contains("its version is 2, this library reads version 1"));
    }

    @Test
    void senselessManifestsAreRefused() throws IOException {
        Path image = generation("image-000001", 6);
        String good = Files.readString(image.resolve("manifest"));
        assertEquals(good, new String(ImageManifest.decode(good.getBytes(StandardCharsets.UTF_8)).encode(),
            StandardCharsets.UTF_8));
        assertEquals(JOB, ImageManifest.decode(good.getBytes(StandardCharsets.UTF_8)).job());
        for (String[] change : new String[][] {{"ranks 2", "ranks 1000000"}, {"ranks 2", "ranks 0"},
            {"generation 6", "generation -6"},
            {"view 1", "view 9999999999"}, {"version 1", "version 2"}, {"job 0", "job ../0"}, {"rank 1 ", "rank ../1 "},
            {"time 2026", "time +99"},
            {"program org", "program %zz"}, {"step 12", "step twelve"}, {"branch 5", "branch 3"},
            {"branch 5", "branch 1"}, {"from 1 4", "from 1"}, {"from 1 4", "from 1 4 "}, {"from 3 5", "from 9 5"}}) {
            assertTrue(good.contains(change[0]), change[0]);
            Files.writeString(image.resolve("manifest"), good.replace(change[0], change[1]));
            assertTrue(damage(image).contains("the manifest is damaged"), change[1]);
        }
        Files.writeString(image.resolve("manifest"), good.replace("time 2026", "time \u001b[2J" + "9".repeat(1000)));
        assertTrue(damage(image).contains("?[2J999") && damage(image).length() < 300, damage(image));
        Files.write(image.resolve("manifest"), new byte[ImageManifest.MAX_BYTES + 10]);
        assertTrue(damage(image).contains("more than"));
    }

    @Test
    void onlyWhatHasAProperNameIsAGeneration() throws IOException {
        for (String name : List.of("image-1", "image-0000001x", "ximage-000001", "image-..", "image-1234567890",
            "other")) {
            Files.createDirectory(directory.resolve(name));
        }
        Files.createDirectory(directory.resolve(".part-1"));
        assertEquals(List.of(), new ImageDirectory(directory).entries());
        assertEquals(List.of(".part-1"), new ImageDirectory(directory).unfinished());
        generation("image-000009", 1);
        generation("image-000010", 2);
        List<String> names = new ImageDirectory(directory).entries().stream().map(ImageDirectory.Entry::name).toList();
        assertEquals(List.of("image-000010", "image-000009"), names);
    }

    private static ImageFile.Written store(String place, Label label, List<MemorySegment> parts) throws Exception {
        CompletableFuture<ImageFile.Written> result = new CompletableFuture<>();
        try (FileImageStore store = new FileImageStore()) {
            store.write(place, label, parts, new ImageStore.Listener() {
                @Override
                public void written(long bytes, byte[] digest) {
                    result.complete(new ImageFile.Written(bytes, digest));
                }

                @Override
                public void failed(String reason) {
                    result.completeExceptionally(new IOException(reason));
                }
            });
            return result.get(30, TimeUnit.SECONDS);
        }
    }

    /** Of a write that ends by any error whatever both the job and the closing of the store hear. */
    @Test
    void anErrorInsideAWriteIsTold() {
        List<MemorySegment> parts = new AbstractList<>() {
            @Override
            public MemorySegment get(int index) {
                throw new InternalError("the memory behind it is gone");
            }

            @Override
            public int size() {
                return 1;
            }
        };
        Exception e = assertThrows(Exception.class, () ->
            store(directory.resolve("part").toString(), label(0, 1), parts));
        assertTrue(e.getMessage().contains("the memory behind it is gone"), e::toString);
    }

    static FlushKeeper.Named flush(FlushKeeper keeper, long number, long generation) throws Exception {
        String place = keeper.place(number);
        List<FlushedImages.Part> parts = new ArrayList<>();
        try (Arena arena = Arena.ofShared()) {
            for (int rank = 0; rank < 2; rank++) {
                ImageFile.Written written = store(place, label(rank, generation),
                    List.of(random(arena, SMALL, generation)));
                parts.add(new FlushedImages.Part(written.bytes(), written.digest()));
            }
        }
        CompletableFuture<Void> woken = new CompletableFuture<>();
        keeper.whenDone(() -> woken.complete(null));
        keeper.name(new FlushedImages(number, generation, 2 * generation, 1, 1, parts));
        woken.get(30, TimeUnit.SECONDS);
        return keeper.poll();
    }

    private List<String> names() throws IOException {
        try (var entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void generationsAreNamedInOrderAndOldOnesOfTheSameJobAreRemoved() throws Exception {
        Path other = generation("image-000001", 3);
        Files.writeString(other.resolve("manifest"), "damaged");
        ImageManifest.Job mine = new ImageManifest.Job("00000000000000aa", Branch.FIRST, "Main", List.of(),
            "full");
        try (FlushKeeper keeper = new FlushKeeper(directory, mine, null, 2, LOG, MachineClock.HERE)) {
            assertEquals(List.of("image-000001"), names(), "nothing is made that nobody removes yet");
            keeper.open();
            for (int number = 1; number <= 4; number++) {
                FlushKeeper.Named named = flush(keeper, number, 10 + number);
                assertEquals(String.format("image-%06d", 1 + number), named.name(), named::toString);
            }
            assertTrue(names().stream().anyMatch(name -> name.startsWith(".part-")));
        }
        assertEquals(List.of("image-000001", "image-000004", "image-000005"), names());
        for (String name : List.of("image-000004", "image-000005")) {
            Path image = directory.resolve(name);
            verify(image);
            assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(image)));
            assertEquals("rw-------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(image.resolve("manifest"))));
        }
        RestartChoice choice = RestartChoice.of(directory, mine, Long.MAX_VALUE);
        assertEquals(14, choice.point().generation());
        assertThrows(MisuseException.class, () -> RestartChoice.of(directory, JOB, Long.MAX_VALUE));
    }

    @Test
    void aFlushOfWhichAFileIsMissingGetsNoNameButAReason() throws Exception {
        try (FlushKeeper keeper = new FlushKeeper(directory, JOB, null, 2, LOG, MachineClock.HERE)) {
            keeper.open();
            CompletableFuture<Void> woken = new CompletableFuture<>();
            keeper.whenDone(() -> woken.complete(null));
            keeper.place(1);
            keeper.name(new FlushedImages(1, 1, 1, 1, 1, List.of()));
            woken.get(30, TimeUnit.SECONDS);
            FlushKeeper.Named named = keeper.poll();
            assertTrue(named.name() == null && named.failure().contains("NoSuchFile"), named::toString);
        }
        assertEquals(List.of(), names());
    }

    @Test
    void whatIsNotWantedAnyMoreOrCannotBeWrittenLeavesNothing() throws Exception {
        try (Arena arena = Arena.ofShared()) {
            List<MemorySegment> parts = List.of(random(arena, 3 << 20, 1));
            // One block after the other, then the header.
            for (int last : new int[] {1, 2, 3, 4}) {
                ImageMemory memory = new ImageMemory(parts);
                AtomicInteger blocks = new AtomicInteger();
                ImageFile.Output output = (channel, bytes) -> {
                    ImageFile.writeAll(channel, bytes);
                    if (blocks.incrementAndGet() == last) {
                        memory.withdraw();
                    }
                };
                assertThrows(ImageFile.CancelledException.class,
                    () -> ImageFile.write(directory.resolve("one"), label(0, 1), memory, output));
                assertEquals(last == 3 ? 4 : last, blocks.get());
                assertFalse(Files.exists(directory.resolve("one")));
            }
            Path file = Files.writeString(directory.resolve("file"), "text");
            assertTrue(assertThrows(Exception.class, () -> store(file.resolve("below").toString(), label(0, 1), parts))
                .getMessage().contains("below"));
            assertFalse(Files.exists(directory.resolve("one")));
            assertEquals(List.of("file"), names());
        }
    }

    /** A rank that fails closes its store before it says so. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aDiskThatHangsDoesNotHoldUpTheEndAndTheMemoryIsFreeThen() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        CompletableFuture<String> result = new CompletableFuture<>();
        FileImageStore store = new FileImageStore((channel, bytes) -> {
            hangs.countDown();
            try {
                assertTrue(answers.await(50, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            ImageFile.writeAll(channel, bytes);
        });
        Arena arena = Arena.ofShared();
        store.write(directory.toString(), label(0, 1), List.of(random(arena, 3 << 20, 1)), new ImageStore.Listener() {
            @Override
            public void written(long bytes, byte[] digest) {
                result.complete("written");
            }

            @Override
            public void failed(String reason) {
                result.complete(reason);
            }
        });
        assertTrue(hangs.await(30, TimeUnit.SECONDS));
        store.close();
        arena.close(); // throws if the writer uses any of it
        assertFalse(result.isDone());
        answers.countDown();
        assertEquals("it is not wanted any more", result.get(30, TimeUnit.SECONDS));
        assertEquals(List.of(), names());
    }
}
