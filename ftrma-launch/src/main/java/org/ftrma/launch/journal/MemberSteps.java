package org.ftrma.launch.journal;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The last known step of each member: a mapped file, written by stores alone. It is what there is to know of a process
 * on another host. Little-endian; all words naturally aligned. The job's thread writes; any thread reads.
 *
 * <pre>
 *   steps    | 0 magic "ftrmaSTP"   8 version (4)   12 members (4) | 16 bytes for each member |
 *   member     0 the last step that it is known to have begun   8 when it was, in microseconds since 1970
 * </pre>
 */
final class MemberSteps implements AutoCloseable {
    static final String FILE = "steps";
    private static final long MAGIC = 0x50545361_6d727466L;
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 16;
    private static final int MEMBER_BYTES = 16;
    private static final int MOST_MEMBERS = 1 << 16;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = LONG.varHandle();

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment memory;

    /** Makes the file. */
    MemberSteps(JobFolder folder, int members) throws IOException {
        try (FileChannel channel = FileChannel.open(folder.file(FILE),
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer zeros = ByteBuffer.allocate(HEADER_BYTES + members * MEMBER_BYTES);
            while (zeros.hasRemaining()) {
                channel.write(zeros);
            }
            memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, zeros.capacity(), arena);
            memory.set(INT, 8, VERSION);
            memory.set(INT, 12, members);
            LONGS.setRelease(memory, 0L, MAGIC);
        } catch (IOException e) {
            arena.close();
            throw e;
        }
    }

    /** A member has begun a step. */
    void begun(int member, long step, long micros) {
        long at = HEADER_BYTES + (long) member * MEMBER_BYTES;
        LONGS.setRelease(memory, at, step);
        LONGS.setRelease(memory, at + 8, micros);
    }

    /** The file stays. */
    @Override
    public void close() {
        arena.close();
    }

    /**
     * Of each member the last step, and when it began; empty where nothing was written.
     *
     * @throws IOException the file is none of these, or of another version
     */
    static long[][] read(JobFolder folder) throws IOException {
        Path file = folder.file(FILE);
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(HEADER_BYTES + MOST_MEMBERS * MEMBER_BYTES);
        } catch (NoSuchFileException e) {
            return new long[0][];
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length < HEADER_BYTES || buffer.getLong(0) != MAGIC) {
            throw new IOException(file + " has no steps of members");
        }
        int members = buffer.getInt(12);
        if (buffer.getInt(8) != VERSION || members < 0 || HEADER_BYTES + (long) members * MEMBER_BYTES > bytes.length) {
            throw new IOException(file + " has version " + buffer.getInt(8) + " and " + members + " members in "
                + bytes.length + " bytes; this ftrma reads version " + VERSION);
        }
        long[][] steps = new long[members][];
        for (int i = 0; i < members; i++) {
            int at = HEADER_BYTES + i * MEMBER_BYTES;
            steps[i] = new long[] {buffer.getLong(at), buffer.getLong(at + 8)};
        }
        return steps;
    }
}
