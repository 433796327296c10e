package org.ftrma.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PosixProcessTest {
    private static final int SCHED_OTHER = 0;
    private static final int SCHED_BATCH = 3;

    @Test
    void onlyTheThreadThatAsksForItRunsInTheBackground() throws Exception {
        int before = onOneThread(PosixProcessTest::policy);
        int asked = onOneThread(() -> {
            PosixProcess.runInBackground();
            return policy();
        });
        int after = onOneThread(PosixProcessTest::policy);

        assertEquals(SCHED_OTHER, before);
        assertEquals(SCHED_BATCH, asked);
        assertEquals(SCHED_OTHER, after);
    }

    /** Of the calling thread: field 41 of its line, the second of which is a name in parentheses. */
    private static int policy() throws IOException {
        String line = Files.readString(Path.of("/proc/thread-self/stat"));
        return Integer.parseInt(line.substring(line.lastIndexOf(')') + 2).split(" ")[41 - 3]);
    }

    private static int onOneThread(Callable<Integer> work) throws Exception {
        FutureTask<Integer> task = new FutureTask<>(work);
        Thread.ofPlatform().start(task);
        return task.get(10, TimeUnit.SECONDS);
    }
}
