package org.ftrma.rank.counter;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.ftrma.FtrmaException;
import org.ftrma.core.counter.Counter;
import org.ftrma.core.counter.CounterReader;
import org.ftrma.core.counter.CounterSnapshot;
import org.ftrma.core.counter.StateCounters;
import org.ftrma.spi.CounterStore;

/**
 * The counters of one process as a small mapped file in a directory of its job: what was stored into it is there
 * whatever ends the process, and goes with the directory. The writer's data thread only; {@link #beat} any thread, and
 * {@link #read} any thread in any process of the same user.
 */
public final class CounterFile implements CounterStore {
    /** Far more than any version takes, so that a file that is none of these is not taken into memory. */
    public static final int MOST_BYTES = 1 << 16;
    private static final int PAGE = 4096;
    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    private final Path file;
    private final Arena arena = Arena.ofShared();
    /** Null while there is none. Whoever writes from another thread than the data thread holds this object's lock. */
    private MemorySegment mapped;

    /** A file that is made when the memory is asked for. */
    public CounterFile(Path directory, int process) {
        file = file(directory, process);
    }

    /** Where the counters of a process are in a directory. */
    public static Path file(Path directory, int process) {
        return directory.resolve("counters-" + process);
    }

    /**
     * Makes the file and maps it.
     *
     * @throws FtrmaException SETUP: there is no room for it, or the directory is gone
     */
    @Override
    public MemorySegment memory(long bytes) {
        try (FileChannel channel = FileChannel.open(file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            // Written and not only made longer: where there is no room this fails, and no store later does.
            ByteBuffer zeros = ByteBuffer.allocate(Math.toIntExact(bytes + PAGE - 1 & -PAGE));
            while (zeros.hasRemaining()) {
                channel.write(zeros);
            }
            MemorySegment memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
            begins(memory);
            return memory;
        } catch (IOException e) {
            discard();
            throw new FtrmaException(FtrmaException.Category.SETUP, "cannot make the counters' file " + file + " of "
                + bytes + " bytes: " + e.getMessage() + "; make room there, "
                + file.toAbsolutePath().getParent().toFile().getUsableSpace() + " bytes are free", e);
        }
    }

    /** A part of a file says nothing. */
    private void discard() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            file.toFile().deleteOnExit(); // it goes with its directory at the latest
        }
    }

    private synchronized void begins(MemorySegment memory) {
        mapped = memory;
    }

    /** The process has shown its launcher that it lives. Any thread. */
    public synchronized void beat() {
        if (mapped != null) {
            StateCounters.beaten(mapped, System.nanoTime(), wallMillis());
        }
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public String host() {
        try {
            return Files.readString(HOST_NAME).strip();
        } catch (IOException e) {
            return ""; // it is for people
        }
    }

    /** The file stays, for others. */
    @Override
    public synchronized void close() {
        mapped = null;
        arena.close();
    }

    /**
     * What a process of the job counts, or counted before it died; null if it made no file.
     *
     * @throws CounterReader.MalformedException if the file is not one of counters, or of another version
     * @throws IOException if it cannot be read
     */
    public static CounterSnapshot read(Path directory, int process)
        throws IOException, CounterReader.MalformedException {
        try (FileChannel channel = FileChannel.open(file(directory, process), StandardOpenOption.READ);
            Arena arena = Arena.ofConfined()) {
            // Mapped and not copied: then what a running process writes meanwhile is noticed.
            return CounterReader.read(channel.map(FileChannel.MapMode.READ_ONLY, 0,
                Math.min(channel.size(), MOST_BYTES), arena));
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /**
     * The same as bytes, to be read elsewhere: what a running process writes meanwhile may be in it or not, each number
     * as a whole. Null if it made no file, or none that can be read.
     */
    public static byte[] copy(Path directory, int process) {
        try (InputStream in = Files.newInputStream(file(directory, process))) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            return bytes.length > MOST_BYTES ? null : bytes;
        } catch (IOException e) {
            return null; // whoever reads them here is told why
        }
    }

    /** The step that a dead process was in when it died; 0: it was in none, or nobody knows. */
    public static long lastStep(Path directory, int process) {
        try {
            CounterSnapshot counters = read(directory, process);
            return counters == null ? 0 : Math.max(0, counters.get(Counter.STEP));
        } catch (IOException | CounterReader.MalformedException e) {
            return 0; // its last words tell why
        }
    }

    /** The same of bytes that {@link #copy} has told; null: none were. */
    public static long lastStep(byte[] copied) {
        if (copied == null) {
            return 0;
        }
        MemorySegment memory = MemorySegment.ofArray(new long[(copied.length + 7) / 8]).asSlice(0, copied.length);
        MemorySegment.copy(MemorySegment.ofArray(copied), 0, memory, 0, copied.length);
        try {
            return Math.max(0, CounterReader.read(memory).get(Counter.STEP));
        } catch (CounterReader.MalformedException e) {
            return 0; // whoever reads the file that is made of them is told why
        }
    }

    /** What a dead process was at when it died, in one line for people; null if it counted nothing. */
    public static String lastWords(Path directory, int process) {
        try {
            CounterSnapshot counters = read(directory, process);
            return counters == null ? null : "at its end: " + counters.text();
        } catch (IOException | CounterReader.MalformedException e) {
            return "left counters that cannot be read: " + e.getMessage();
        }
    }
}
