package org.ftrma.bench.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ChildProcessesTest {
    /** Starts a child, tells its number, waits for its end, and starts another one then. */
    static final class Parent {
        private Parent() {
        }

        /** The child's command, word by word. */
        public static void main(String[] args) throws IOException, InterruptedException {
            ChildProcesses.endingWithThisProcess();
            for (int i = 0; i < 2; i++) {
                Process child = new ProcessBuilder(args).start();
                System.out.println(child.pid());
                child.waitFor();
            }
            Thread.currentThread().join(60_000);
        }
    }

    private static Process parent(String... child) throws IOException {
        List<String> command = new java.util.ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java")
            .toString(),
            "-XX:+UseSerialGC", "-XX:-UsePerfData", "-cp", System.getProperty("java.class.path"),
            Parent.class.getName()));
        command.addAll(List.of(child));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static void assertGone(long pid) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (ProcessHandle.of(pid).isPresent()) {
            assertTrue(System.nanoTime() - end < 0, "process " + pid + " outlives its parent");
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Test
    void whatWasStartedEndsWithASignalAndWhatIsStartedThenToo() throws Exception {
        Process parent = parent("sleep", "600");
        try (var lines = parent.inputReader()) {
            long first = Long.parseLong(lines.readLine());
            parent.toHandle().destroy(); // which closes no streams
            long second = Long.parseLong(lines.readLine());
            assertTrue(parent.waitFor(60, TimeUnit.SECONDS), "it hangs");
            assertEquals(ChildProcesses.STATUS, parent.exitValue());
            assertGone(first);
            assertGone(second);
        } finally {
            parent.descendants().forEach(ProcessHandle::destroyForcibly);
            parent.destroyForcibly();
        }
    }
}
