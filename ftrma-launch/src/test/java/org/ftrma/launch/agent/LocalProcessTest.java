package org.ftrma.launch.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.ftrma.ucx.HostMemory;
import org.junit.jupiter.api.Test;

class LocalProcessTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Path NOWHERE = Path.of("/nowhere");

    private HostMemory.Kills kills = new HostMemory.Kills(2, 5, 1L << 30);

    /** A process that is not reported to be gone before the test says so, whatever the kernel says of its id. */
    static final class Dying extends Process {
        private final long pid;
        private final int status;
        private final CompletableFuture<Process> exit;

        Dying(long pid, int status, CompletableFuture<Process> exit) {
            this.pid = pid;
            this.status = status;
            this.exit = exit;
        }

        @Override
        public ProcessHandle toHandle() {
            return ProcessHandle.of(pid).orElseThrow();
        }

        @Override
        public long pid() {
            return pid;
        }

        @Override
        public boolean isAlive() {
            return true;
        }

        @Override
        public CompletableFuture<Process> onExit() {
            return exit;
        }

        @Override
        public int exitValue() {
            return status;
        }

        @Override
        public int waitFor() {
            return status;
        }

        @Override
        public void destroy() {
            throw new UnsupportedOperationException("destroy");
        }

        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream getInputStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public InputStream getErrorStream() {
            return InputStream.nullInputStream();
        }
    }

    /** What a test does with the id of a process. */
    interface Check {
        void of(long pid) throws Exception;
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + 20 * SECOND;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, () -> "waited 20 s for " + what);
            Thread.onSpinWait();
        }
    }

    private static boolean isSleep(long pid) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "comm")).equals("sleep\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A process that has ended and that nobody waits for, so that for the kernel it stays as it ended. */
    static void withOneThatEndedWith(int status, Check check) throws Exception {
        // The shell becomes a program that never waits; the child ends when it has.
        Process parent = new ProcessBuilder("sh", "-c", "exec 3<&0; (read -r line <&3; exit " + status
            + ") & echo $!; exec sleep 600").start();
        try {
            long child = Long.parseLong(parent.inputReader().readLine());
            await("the shell to become another program", () -> isSleep(parent.pid()));
            try (Writer toChild = parent.outputWriter()) {
                toChild.write("end\n");
            }
            await("the child's death", () -> DyingProcess.isPastItsLastInstruction(child));
            check.of(child);
        } finally {
            parent.destroyForcibly();
        }
    }

    private LocalProcess process(long pid, int status) {
        return new LocalProcess(3, new Dying(pid, status, new CompletableFuture<>()), CrashReport.here(),
            new MemoryShortage(() -> kills), NOWHERE);
    }

    @Test
    void aStatusThatIsNotSetYetIsWaitedFor() throws Exception {
        withOneThatEndedWith(0, pid -> {
            assertEquals(0, DyingProcess.status(pid));
            LocalProcess dying = process(pid, 1);
            dying.suspect(SECOND);
            assertNull(dying.early(SECOND));
            assertNull(dying.early(31 * SECOND));
            assertEquals(new HostAgent.Death(3, 1, "exited with status 1", null, false), dying.gone());
            assertEquals(new HostAgent.Death(3, HostAgent.Death.UNKNOWN, "is dying, and has no exit status after 30 s",
                null, true), dying.early(32 * SECOND));
        });
        long self = ProcessHandle.current().pid();
        assertEquals(0, DyingProcess.status(self));
        assertEquals("killed by SIGKILL", process(self, 128 + 9).gone().cause());
        assertEquals("exited with status 1", process(self, 1).gone().cause());
        assertEquals("exited with status 0", process(self, 0).gone().cause());
    }

    @Test
    void anEndIsKnownEarlyWhereItIsExpected() throws Exception {
        withOneThatEndedWith(7, pid -> {
            LocalProcess dying = process(pid, 0);
            assertNull(dying.early(SECOND), "nobody expected its end");
            assertFalse(dying.isDying(SECOND));
            dying.suspect(SECOND);
            assertTrue(dying.isDying(SECOND + 1));
            assertFalse(dying.isDying(2 * SECOND));
            assertEquals(new HostAgent.Death(3, 7, "exited with status 7", null, true), dying.early(SECOND));
        });
    }

    @Test
    void aProcessThatLivesHasNoEndThoughItIsExpected() {
        LocalProcess living = process(ProcessHandle.current().pid(), 0);
        living.suspect(SECOND);
        assertNull(living.early(SECOND));
        assertNull(living.early(100 * SECOND));
    }

    @Test
    void theStatusOfARealProcessIsTold() throws Exception {
        Process process = new ProcessBuilder("sh", "-c", "exit 7").start();
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        assertEquals(new HostAgent.Death(0, 7, "exited with status 7", null, false),
            new LocalProcess(0, process, CrashReport.here(), MemoryShortage.here(), NOWHERE).gone());
    }

    /** As often as the kernel has killed one: others were killed by somebody. */
    @Test
    void aProcessThatTheKernelKilledForWantOfMemoryIsToldAsThat() {
        long self = ProcessHandle.current().pid();
        LocalProcess killed = process(self, 128 + 9);
        assertEquals("killed by SIGKILL", killed.gone().cause());
        kills = new HostMemory.Kills(3, 6, 1L << 30);
        String told = killed.gone().cause();
        assertTrue(told.startsWith("killed by SIGKILL by the kernel for want of memory: the control group "
            + "or container with its limit of 1.0 GiB had none left"), told);
        assertEquals("killed by SIGKILL", killed.gone().cause());
        kills = new HostMemory.Kills(3, 7, 1L << 30);
        assertEquals("killed by SIGKILL", process(self, 128 + 9).gone().cause(), "that was before it began");
        kills = new HostMemory.Kills(3, 8, 1L << 30);
        assertTrue(killed.gone().cause().contains("this machine had none left"));
    }
}
