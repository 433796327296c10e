package org.ftrma.apps.fft3d;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.ftrma.FtrmaException;
import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.WindowKind;

/**
 * Checkpoints as programs without this library make them, to compare with: every so many steps all ranks stop, write
 * what must survive to files, and a parity of the other ranks' data, so that any one file can be lost; then they go on.
 * (The XOR scheme of SCR, which the paper compares with.)
 *
 * <p>With N ranks each one's data is cut into N - 1 pieces, one for each other rank, which keeps the XOR of the pieces
 * that it is sent. A file holds the step, the number of bytes of the data, the data, and the parity. Two files take
 * turns, so that one is whole while the other is written; both are forced to the device. They are removed at the end.
 * Nothing restores from them here. Collective; data thread only.
 */
final class FileCheckpoints implements AutoCloseable {
    static final int HEADER_BYTES = 16;
    private static final long SLICE_BYTES = 64 << 20;

    private final Job job;
    private final Path directory;
    private final int every;
    private final long bytes;
    private final long pieceBytes;
    /** Null where there is one rank. */
    private final Window pieces;
    private long written;

    /**
     * To be made before the loop.
     *
     * @param bytes of the data of each rank, a multiple of 8
     */
    FileCheckpoints(Job job, FtOptions options, long bytes) {
        this.job = job;
        this.directory = Path.of(options.files());
        this.every = options.filesEvery();
        this.bytes = bytes;
        int others = job.ranks() - 1;
        this.pieceBytes = others == 0 ? 0 : pieceBytes(bytes, job.ranks());
        this.pieces = others == 0 ? null : job.allocateWindow("pieces", others * pieceBytes, WindowKind.SCRATCH);
    }

    /** Bytes of each of the pieces that a rank's data is cut into; the last one may be shorter, or empty. */
    static long pieceBytes(long bytes, int ranks) {
        return (Math.ceilDiv(bytes, ranks - 1) + 7) & ~7L;
    }

    /** Which of a rank's pieces another one gets, and which place at that one it gets there: it counts the others. */
    static int indexAmongOthers(int other, int rank) {
        return other < rank ? other : other - 1;
    }

    /** A rank's file of the checkpoint of that number. */
    static Path file(Path directory, int rank, long number) {
        return directory.resolve("rank-" + rank + (number % 2 == 0 ? "-even" : "-odd"));
    }

    /** At the end of a step: writes a checkpoint of the data if one is due. */
    void after(long step, MemorySegment data) {
        if (step % every != 0) {
            return;
        }
        if (pieces != null) {
            send(data);
            job.gsync();
            combine();
        }
        try {
            write(step, data);
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP,
                "--files=" + directory + ": a checkpoint cannot be written: " + e, e);
        }
        written++;
        job.gsync(); // all are there before the older files are written again
    }

    /** Its piece to every other rank. */
    private void send(MemorySegment data) {
        for (int other = 0; other < job.ranks(); other++) {
            if (other == job.rank()) {
                continue;
            }
            long from = pieceBytes * indexAmongOthers(other, job.rank());
            long length = Math.max(0, Math.min(pieceBytes, bytes - from));
            if (length > 0) {
                pieces.put(data, from, other, pieceBytes * indexAmongOthers(job.rank(), other), length);
            }
        }
    }

    /** The XOR of all that came, in the first place. */
    private void combine() {
        MemorySegment memory = pieces.memory();
        for (int other = 1; other < job.ranks() - 1; other++) {
            for (long at = 0; at < pieceBytes; at += 8) {
                long combined = memory.get(JAVA_LONG_UNALIGNED, at) ^ memory.get(JAVA_LONG_UNALIGNED,
                    other * pieceBytes + at);
                memory.set(JAVA_LONG_UNALIGNED, at, combined);
            }
        }
    }

    private void write(long step, MemorySegment data) throws IOException {
        Path file = file(directory, job.rank(), written);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).putLong(step).putLong(bytes).flip();
            while (header.hasRemaining()) {
                channel.write(header);
            }
            write(channel, data, bytes);
            if (pieces != null) {
                write(channel, pieces.memory(), pieceBytes);
            }
            channel.force(false);
        }
    }

    private static void write(FileChannel channel, MemorySegment memory, long length) throws IOException {
        for (long done = 0; done < length; done += SLICE_BYTES) {
            ByteBuffer slice = memory.asSlice(done, Math.min(SLICE_BYTES, length - done)).asByteBuffer();
            while (slice.hasRemaining()) {
                channel.write(slice);
            }
        }
    }

    /** How many checkpoints were written. */
    long written() {
        return written;
    }

    /** Removes this rank's files. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(file(directory, job.rank(), 0));
            Files.deleteIfExists(file(directory, job.rank(), 1));
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP,
                "--files=" + directory + ": a checkpoint cannot be removed: " + e, e);
        }
    }
}
