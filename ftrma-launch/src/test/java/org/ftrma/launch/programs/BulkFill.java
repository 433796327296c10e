package org.ftrma.launch.programs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.ftrma.Ftrma;

/**
 * Fills shared memory with one operation in each of three steps, the first of which has to get all its pages, while
 * another thread makes garbage: all threads of the process, that of the heartbeats too, wait for that operation.
 * Argument: MiB.
 */
public final class BulkFill {
    /** Nobody reads it. */
    public static volatile byte[] garbage;

    private BulkFill() {
    }

    public static void main(String[] args) {
        long bytes = Long.parseLong(args[0]) << 20;
        Ftrma.run(args, job -> {
            Thread.ofPlatform().daemon().start(() -> {
                while (true) {
                    garbage = new byte[100_000];
                }
            });
            long longest = 0;
            try (Arena arena = Arena.ofShared()) {
                MemorySegment memory = sharedMemory(bytes, arena);
                for (long step : job.steps(3)) {
                    long began = System.nanoTime();
                    memory.fill((byte) step);
                    longest = Math.max(longest, System.nanoTime() - began);
                    job.gsync();
                }
                job.report("longestMillis", longest / 1e6);
                job.report("verified", memory.get(ValueLayout.JAVA_BYTE, bytes - 1) == 3);
            }
        });
    }

    private static MemorySegment sharedMemory(long bytes, Arena arena) {
        try {
            Path file = Files.createTempFile(Path.of("/dev/shm"), "ftrma-bulk-", "");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE)) {
                return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
