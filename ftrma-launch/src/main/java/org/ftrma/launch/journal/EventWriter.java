package org.ftrma.launch.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Writes a job's event log into mapped files: what was stored is there whatever ends the process. An event is stores
 * and no call of the system, but for one that does not fit into its segment any more. One thread.
 */
final class EventWriter implements AutoCloseable {
    private final Path folder;
    private final LongSupplier wallMicros;
    private Arena arena;
    private MemorySegment memory;
    private int segment;
    private long number;
    private int at;

    /**
     * Begins the log of a folder that has none.
     *
     * @param wallMicros the host's clock
     */
    EventWriter(Path folder, LongSupplier wallMicros) throws IOException {
        this.folder = folder;
        this.wallMicros = wallMicros;
        open(1);
    }

    private void open(int next) throws IOException {
        Path file = folder.resolve(EventDescriptor.file(next));
        Arena opened = Arena.ofConfined();
        try (FileChannel channel = FileChannel.open(file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            // Written and not only made longer: where there is no room this fails, and no store later does.
            ByteBuffer zeros = ByteBuffer.allocate(EventDescriptor.SEGMENT_BYTES);
            while (zeros.hasRemaining()) {
                channel.write(zeros);
            }
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, EventDescriptor.SEGMENT_BYTES,
                opened);
            mapped.set(EventDescriptor.INT, EventDescriptor.VERSION_AT, EventDescriptor.VERSION);
            mapped.set(EventDescriptor.INT, EventDescriptor.SEGMENT_AT, next);
            mapped.set(EventDescriptor.LONG, EventDescriptor.FIRST_AT, number);
            EventDescriptor.LONGS.setRelease(mapped, (long) EventDescriptor.MAGIC_AT, EventDescriptor.MAGIC);
            release();
            arena = opened;
            memory = mapped;
            segment = next;
            at = EventDescriptor.HEADER_BYTES;
        } catch (IOException e) {
            opened.close();
            throw e;
        }
    }

    private void release() {
        if (arena != null) {
            arena.close();
            arena = null;
        }
    }

    /** Of a long log the middle goes. */
    private void roll() throws IOException {
        open(segment + 1);
        int over = segment - EventDescriptor.LAST_SEGMENTS;
        if (over > EventDescriptor.FIRST_SEGMENTS) {
            Files.deleteIfExists(folder.resolve(EventDescriptor.file(over)));
        }
    }

    /**
     * One event. A text that is too long is cut.
     *
     * @param micros when, by the job's clock
     * @throws IOException there is no room for a further segment
     */
    void write(EventKind kind, long micros, String text, long... numbers) throws IOException {
        if (numbers.length != kind.numbers().size()) {
            throw new IllegalArgumentException(kind + " has the numbers " + kind.numbers() + ", and not "
                + numbers.length);
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int textBytes = Math.min(bytes.length, EventDescriptor.MOST_TEXT_BYTES);
        int length = EventDescriptor.length(numbers.length, textBytes);
        if (at + length > EventDescriptor.SEGMENT_BYTES) {
            roll();
        }
        memory.set(EventDescriptor.SHORT, at + EventDescriptor.KIND, (short) kind.ordinal());
        memory.set(EventDescriptor.SHORT, at + EventDescriptor.COUNT, (short) numbers.length);
        memory.set(EventDescriptor.LONG, at + EventDescriptor.MICROS, micros);
        memory.set(EventDescriptor.LONG, at + EventDescriptor.WALL, wallMicros.getAsLong());
        long next = at + EventDescriptor.NUMBERS;
        for (long value : numbers) {
            memory.set(EventDescriptor.LONG, next, value);
            next += Long.BYTES;
        }
        memory.set(EventDescriptor.INT, next, textBytes);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, next + Integer.BYTES, textBytes);
        EventDescriptor.INTS.setRelease(memory, (long) at, length);
        at += length;
        number++;
        alive(micros);
    }

    /** The writer is alive. */
    void alive(long micros) {
        EventDescriptor.LONGS.setRelease(memory, (long) EventDescriptor.ALIVE_AT, micros);
        EventDescriptor.LONGS.setRelease(memory, (long) EventDescriptor.ALIVE_WALL_AT, wallMicros.getAsLong());
    }

    /** The log stays; what its last segment does not use is given back. */
    @Override
    public void close() {
        release();
        try (FileChannel channel = FileChannel.open(folder.resolve(EventDescriptor.file(segment)),
            StandardOpenOption.WRITE)) {
            channel.truncate(at);
        } catch (IOException e) {
            Thread.onSpinWait(); // zeros at its end do no harm
        }
    }
}
