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
 * Rank 0 overwrites the windows of rank 1 in each step, by many large puts of which none waits for another one; the
 * bytes tell the step, so that a put of an earlier one which came late would be seen. In one step both wait for files,
 * rank 0 before its stream of puts and rank 1 beside it. At the end rank 1 tells the hash of its windows, waits for
 * another file, and tells it again, with how many bytes have changed meanwhile.
 */
public final class Overwritten {
    /** The file that rank 0 waits for. */
    public static final String STREAM = "stream";
    /** The one that rank 1 waits for in the same step, */
    public static final String MUTED = "muted";
    /** and at the end. */
    public static final String UNMUTED = "unmuted";
    /** How large each put is. */
    public static final int PUT_BYTES = 1 << 16;
    private static final int STEPS = 20;
    private static final int HELD_STEP = 12;
    private static final int WINDOW_BYTES = 64 * PUT_BYTES;
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(120);

    private Overwritten() {
    }

    /** The folder of the files. */
    public static void main(String[] args) {
        Path place = Path.of(args[0]);
        Ftrma.run(args, job -> {
            Window first = job.allocateWindow("first", WINDOW_BYTES);
            Window second = job.allocateWindow("second", WINDOW_BYTES);
            for (long step : job.steps(STEPS)) {
                if (step == HELD_STEP) {
                    System.out.println("rank " + job.rank() + " waits");
                    await(place.resolve(job.rank() == 0 ? STREAM : MUTED));
                }
                if (job.rank() == 0) {
                    overwrite(first, second, step);
                }
                job.gsync();
            }
            if (job.rank() == 1) {
                tell(job, first, second, place.resolve(UNMUTED));
            }
        });
    }

    private static void overwrite(Window first, Window second, long step) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocate(PUT_BYTES).fill((byte) step);
            for (long offset = 0; offset < WINDOW_BYTES; offset += PUT_BYTES) {
                first.put(source, 0, 1, offset, PUT_BYTES);
                second.put(source, 0, 1, offset, PUT_BYTES);
            }
            first.flush(1);
            second.flush(1);
        }
    }

    private static void await(Path file) {
        long end = System.nanoTime() + DEADLINE_NANOS;
        while (!Files.exists(file)) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("waited 120 s for " + file);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }

    private static void tell(Job job, Window first, Window second, Path file) {
        byte[] before = bytes(first, second);
        System.out.println("windows: " + hash(before));
        await(file);
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
