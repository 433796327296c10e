package org.ftrma.testkit.hosts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Programs that run to their end. */
final class Commands {
    private static final long SECONDS = 60;

    private Commands() {
    }

    /** What a program prints, which must succeed. */
    static String output(Process process) {
        try {
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
            String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8).trim();
            int status = status(process);
            if (status != 0) {
                throw new AssertionError("status " + status + ": " + output + errors);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its status, after its end. */
    static int status(Process process) {
        try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("process " + process.pid() + " did not end within " + SECONDS + " s");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
