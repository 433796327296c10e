package org.ftrma.launch.agent;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.ftrma.FtrmaException;

/** Signals that the Java library does not offer. Any thread. */
final class ProcessSignals {
    private ProcessSignals() {
    }

    /**
     * Sends a signal; it has arrived when this returns.
     *
     * @param signal its name, without SIG
     */
    static void send(String signal, Process process) {
        String command = "kill -" + signal + " " + process.pid();
        try {
            Process kill = new ProcessBuilder("/bin/sh", "-c", command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            if (!kill.waitFor(10, TimeUnit.SECONDS)) {
                kill.destroyForcibly();
                throw new FtrmaException(FtrmaException.Category.FATAL,
                    command + " did not end within 10 s");
            }
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL,
                "cannot run " + command + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FtrmaException(FtrmaException.Category.FATAL,
                "interrupted in " + command, e);
        }
    }
}
