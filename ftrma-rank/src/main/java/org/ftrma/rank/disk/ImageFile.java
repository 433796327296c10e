package org.ftrma.rank.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.CRC32C;
import org.ftrma.spi.ImageStore;

/** Reads and writes the file of one rank's image (see {@link ImageFileDescriptor}). One thread for each object. */
public final class ImageFile implements ImageStore.Stored {
    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    private static final Set<OpenOption> WRITE = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    private final Path path;
    private final FileChannel channel;
    private final ImageFileDescriptor descriptor;
    private final byte[] header;

    private ImageFile(Path path, FileChannel channel, byte[] header) {
        this.path = path;
        this.channel = channel;
        this.header = header;
        this.descriptor = ImageFileDescriptor.decode(header);
    }

    /** The name of a rank's file in the directory of its generation. */
    public static String name(int rank) {
        return String.format(Locale.ROOT, "rank-%04d.image", rank);
    }

    public static FileAttribute<?> ownerOnly(boolean isDirectory) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(isDirectory ? "rwx------"
            : "rw-------"));
    }

    /** How bytes get to the disk. */
    @FunctionalInterface
    public interface Output {
        /** Writes all of them at the channel's position. */
        void write(FileChannel channel, ByteBuffer bytes) throws IOException;
    }

    /** What was written. */
    public record Written(long bytes, byte[] digest) {
    }

    /** The write is not wanted any more. */
    public static final class CancelledException extends IOException {
        private static final long serialVersionUID = 1L;

        CancelledException() {
            super("it is not wanted any more");
        }
    }

    /**
     * Writes an image and sees to it that it is on disk. A file that could not be written whole is removed.
     *
     * @param memory the contents; if they are withdrawn meanwhile the write fails
     */
    public static Written write(Path path, ImageStore.Label label, ImageMemory memory,
        Output output) throws IOException {
        boolean whole = false;
        boolean created = false;
        try (FileChannel channel = FileChannel.open(path, WRITE, ownerOnly(false))) {
            created = true;
            ImageFileDescriptor descriptor = ImageFileDescriptor.of(label, memory.bytes());
            channel.position(descriptor.headerBytes());
            writeContents(channel, descriptor, memory, output);
            byte[] header = descriptor.encode();
            channel.position(0);
            output.write(channel, ByteBuffer.wrap(header));
            if (memory.isWithdrawn()) {
                throw new CancelledException();
            }
            channel.force(true);
            if (memory.isWithdrawn()) {
                throw new CancelledException();
            }
            whole = true;
            return new Written(descriptor.fileBytes(), ImageFileDescriptor.digest(header));
        } finally {
            if (created && !whole) {
                Files.deleteIfExists(path);
            }
        }
    }

    private static void writeContents(FileChannel channel, ImageFileDescriptor descriptor, ImageMemory memory,
        Output output) throws IOException {
        CRC32C crc = new CRC32C();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment block = arena.allocate(ImageFileDescriptor.BLOCK_BYTES);
            for (int i = 0; i < descriptor.blocks(); i++) {
                int length = descriptor.blockBytes(i);
                memory.next(block, length);
                ByteBuffer bytes = block.asSlice(0, length).asByteBuffer();
                crc.reset();
                crc.update(bytes.duplicate());
                output.write(channel, bytes);
                descriptor.checksum(i, (int) crc.getValue());
            }
        }
    }

    public static void writeAll(FileChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /**
     * Finds a file and checks its header.
     *
     * @throws DamagedImageException what is wrong with it
     */
    public static ImageFile open(Path path) {
        FileChannel channel = null;
        try {
            if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                throw new DamagedImageException(Files.exists(path, LinkOption.NOFOLLOW_LINKS)
                    ? "it is not a regular file" : "it is missing");
            }
            channel = FileChannel.open(path, READ);
            long size = channel.size();
            int length = ImageFileDescriptor.headerBytes(read(channel,
                (int) Math.min(size, ImageFileDescriptor.FIXED_BYTES)), size);
            channel.position(0);
            ImageFile file = new ImageFile(path, channel, read(channel, length));
            channel = null;
            return file;
        } catch (IOException e) {
            throw new DamagedImageException(path.getFileName() + ": it cannot be read: " + e, e);
        } catch (DamagedImageException e) {
            throw new DamagedImageException(path.getFileName() + ": " + e.getMessage(), e);
        } finally {
            if (channel != null) {
                close(channel);
            }
        }
    }

    private static byte[] read(FileChannel channel, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        readAll(channel, buffer);
        return buffer.array();
    }

    private static void readAll(FileChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new IOException("it ends too early");
            }
        }
    }

    public byte[] digest() {
        return ImageFileDescriptor.digest(header);
    }

    public long fileBytes() {
        return descriptor.fileBytes();
    }

    @Override
    public ImageStore.Label label() {
        return descriptor.label();
    }

    @Override
    public long bytes() {
        return descriptor.contentBytes();
    }

    @Override
    public void into(List<MemorySegment> parts, Runnable meanwhile) {
        long room = parts.stream().mapToLong(MemorySegment::byteSize).sum();
        if (room != bytes()) {
            throw new IllegalArgumentException("parts=" + room + " bytes, contents=" + bytes());
        }
        read(new Pieces(parts), meanwhile);
    }

    /** Reads and checks the contents, and forgets them. */
    public void verify() {
        try (Arena arena = Arena.ofConfined()) {
            read(new Pieces(List.of(arena.allocate(ImageFileDescriptor.BLOCK_BYTES)), true), () -> { });
        }
    }

    private void read(Pieces pieces, Runnable meanwhile) {
        CRC32C crc = new CRC32C();
        try {
            channel.position(descriptor.headerBytes());
            for (int block = 0; block < descriptor.blocks(); block++) {
                crc.reset();
                for (int left = descriptor.blockBytes(block); left > 0;) {
                    ByteBuffer piece = pieces.next(left);
                    left -= piece.remaining();
                    readAll(channel, piece.duplicate());
                    crc.update(piece);
                }
                if ((int) crc.getValue() != descriptor.checksum(block)) {
                    throw new DamagedImageException(path.getFileName() + ": block " + block + " of "
                        + descriptor.blocks()
                        + " is damaged: its checksum is wrong");
                }
                meanwhile.run();
            }
        } catch (IOException e) {
            throw new DamagedImageException(path.getFileName() + ": it cannot be read: " + e, e);
        }
    }

    @Override
    public void close() {
        close(channel);
    }

    private static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new DamagedImageException("closing a file that was read failed: " + e, e);
        }
    }

    /** Memory as buffers, one after the other. */
    private static final class Pieces {
        private final List<MemorySegment> parts;
        private final boolean again;
        private int part;
        private long at;

        Pieces(List<MemorySegment> parts) {
            this(parts, false);
        }

        /** @param again every piece begins at the start of the only part */
        Pieces(List<MemorySegment> parts, boolean again) {
            this.parts = parts;
            this.again = again;
        }

        /** The next piece, of at most so many bytes. */
        ByteBuffer next(int most) {
            if (again) {
                at = 0;
            }
            while (at == parts.get(part).byteSize()) {
                part++;
                at = 0;
            }
            long length = Math.min(most, parts.get(part).byteSize() - at);
            ByteBuffer buffer = parts.get(part).asSlice(at, length).asByteBuffer();
            at += length;
            return buffer;
        }
    }
}
