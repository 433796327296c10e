package org.ftrma.launch.programs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.ftrma.AtomicOp;
import org.ftrma.Ftrma;

/**
 * Counts steps; another process kills rank 0 with SIGKILL each time that it comes to one of them. Arguments: number of
 * steps, the step, how often, and a folder for notes of how often it was.
 */
public final class Killed {
    private Killed() {
    }

    public static void main(String[] args) {
        long steps = Long.parseLong(args[0]);
        long fatal = Long.parseLong(args[1]);
        int times = Integer.parseInt(args[2]);
        Path notes = Path.of(args[3]);
        Ftrma.run(args, job -> {
            MemorySegment sum = job.protect("sum", Long.BYTES);
            for (long step : job.steps(steps)) {
                if (step == fatal && job.rank() == 0) {
                    dieUnlessDone(notes, times);
                }
                sum.set(ValueLayout.JAVA_LONG, 0, sum.get(ValueLayout.JAVA_LONG, 0) + 1);
                job.barrier();
            }
            job.report("verified", job.allReduce(AtomicOp.SUM, sum.get(ValueLayout.JAVA_LONG, 0))
                == steps * job.ranks());
        });
    }

    private static void dieUnlessDone(Path notes, int times) {
        try {
            for (int time = 0; time < times; time++) {
                if (isFirst(notes.resolve("death-" + time))) {
                    new ProcessBuilder("/bin/sh", "-c", "kill -9 " + ProcessHandle.current().pid()).start();
                    while (true) {
                        LockSupport.parkNanos(Long.MAX_VALUE);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isFirst(Path note) throws IOException {
        try {
            Files.createFile(note);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }
}
