package org.ftrma.launch.programs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Window;

/**
 * Rank 0 overwrites the windows of rank 1 again and again, with other bytes in each step: a put of an earlier step that
 * came late would be seen. At the end rank 1 tells the hash of its windows, waits for a file, and tells it again, with
 * how many bytes have changed meanwhile.
 */
public final class Overwritten {
    private static final int STEPS = 60;
    private static final int PASSES = 8;
    private static final int WINDOW_BYTES = 1 << 19;
    private static final int PUT_BYTES = 4096;
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(120);

    private Overwritten() {
    }

    /** The file that is waited for. */
    public static void main(String[] args) {
        Ftrma.run(args, job -> {
            Window first = job.allocateWindow("first", WINDOW_BYTES);
            Window second = job.allocateWindow("second", WINDOW_BYTES);
            for (long step : job.steps(STEPS)) {
                if (job.rank() == 0) {
                    overwrite(first, step);
                    overwrite(second, -step);
                }
                job.gsync();
            }
            if (job.rank() == 1) {
                tell(job, first, second, Path.of(args[0]));
            }
        });
    }

    /** The last pass leaves what rank 1 has until the next step. */
    private static void overwrite(Window window, long value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocate(PUT_BYTES);
            for (int pass = 0; pass < PASSES; pass++) {
                for (long at = 0; at < PUT_BYTES; at += Long.BYTES) {
                    source.set(ValueLayout.JAVA_LONG_UNALIGNED, at, value * PASSES + pass);
                }
                for (long offset = 0; offset < WINDOW_BYTES; offset += PUT_BYTES) {
                    window.put(source, 0, 1, offset, PUT_BYTES);
                }
                window.flush(1);
            }
        }
    }

    private static void tell(Job job, Window first, Window second, Path file) {
        byte[] before = bytes(first, second);
        System.out.println("windows: " + hash(before));
        long end = System.nanoTime() + DEADLINE_NANOS;
        while (!Files.exists(file)) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("waited 120 s for " + file);
            }
            LockSupport.parkNanos(5_000_000);
        }
        byte[] after = bytes(first, second);
        int differ = 0;
        for (int i = 0; i < before.length; i++) {
            differ += before[i] == after[i] ? 0 : 1;
        }
        System.out.println("windows later: " + hash(after) + ", " + differ + " bytes differ");
        job.report("verified", differ == 0);
    }

    private static byte[] bytes(Window first, Window second) {
        byte[] bytes = new byte[2 * WINDOW_BYTES];
        MemorySegment.copy(first.memory(), ValueLayout.JAVA_BYTE, 0, bytes, 0, WINDOW_BYTES);
        MemorySegment.copy(second.memory(), ValueLayout.JAVA_BYTE, 0, bytes, WINDOW_BYTES, WINDOW_BYTES);
        return bytes;
    }

    private static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
