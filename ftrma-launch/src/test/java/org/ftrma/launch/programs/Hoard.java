package org.ftrma.launch.programs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.ftrma.Ftrma;

/**
 * Wants a window that no machine has room for. Arguments: its bytes, and a file: the window is asked for when that is
 * there.
 */
public final class Hoard {
    private static final long DEADLINE_SECONDS = 60;

    private Hoard() {
    }

    public static void main(String[] args) {
        long bytes = Long.parseLong(args[0]);
        Path file = Path.of(args[1]);
        Ftrma.run(args, job -> {
            job.allocateWindow("little", 64);
            if (job.rank() == 0) {
                System.out.println("the hoard waits for " + file);
            }
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
            while (!Files.exists(file)) {
                if (System.nanoTime() - end > 0) {
                    throw new IllegalStateException("waited " + DEADLINE_SECONDS + " s for " + file);
                }
                LockSupport.parkNanos(1_000_000);
            }
            job.allocateWindow("hoard", bytes);
            System.out.println("the hoard is there");
        });
    }
}
