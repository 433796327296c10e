package org.ftrma.launch.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RankHandleTest {
    /**
     * A process that is dying: the kernel's word on its status is that of a process which lives, 0, until it is gone.
     */
    private static final class Dying extends Process {
        private final int status;

        Dying(int status) {
            this.status = status;
        }

        @Override
        public long pid() {
            return ProcessHandle.current().pid();
        }

        @Override
        public boolean isAlive() {
            return true;
        }

        @Override
        public CompletableFuture<Process> onExit() {
            return CompletableFuture.completedFuture(this);
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

    @Test
    void aStatusThatIsNotSetYetIsWaitedFor() {
        assertEquals(0, DyingProcess.status(ProcessHandle.current().pid()));
        assertEquals("killed by SIGKILL", new RankHandle(3, new Dying(128 + 9), 0, CrashReport.here()).cause());
        assertEquals("exited with status 1", new RankHandle(3, new Dying(1), 0, CrashReport.here()).cause());
        assertEquals("exited with status 0", new RankHandle(3, new Dying(0), 0, CrashReport.here()).cause());
    }

    @Test
    void theCauseIsTheStatusUnlessItWasKilledByUs() throws Exception {
        Process process = new ProcessBuilder("sh", "-c", "exit 7").start();
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        RankHandle handle = new RankHandle(0, process, 0, CrashReport.here());
        assertEquals("exited with status 7", handle.cause());
        handle.fence("silent, then killed");
        handle.fence("something later");
        assertEquals("silent, then killed", handle.cause());
    }
}
