package org.ftrma.launch.host;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.ftrma.FtrmaException;

/** Signals that the Java library does not offer. Any thread. */
final class ProcessSignals {
    private ProcessSignals() {
    }

    /** SIGSTOP: from here on the process does nothing, and does not know it. */
    static void stop(Process process) {
        try {
            Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -STOP " + process.pid())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            if (!kill.waitFor(10, TimeUnit.SECONDS)) {
                kill.destroyForcibly();
                throw new FtrmaException(FtrmaException.Category.FATAL,
                    "kill -STOP " + process.pid() + " did not end within 10 s");
            }
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL,
                "cannot stop process " + process.pid() + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FtrmaException(FtrmaException.Category.FATAL,
                "interrupted while stopping process " + process.pid(), e);
        }
    }
}
