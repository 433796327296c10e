package org.ftrma.launch;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;

/** The {@code ftrma} command. The only place of the launcher that ends the JVM. */
public final class Main {
    private Main() {
    }

    /** Runs the command given and exits with its status. */
    public static void main(String[] args) {
        run(MoreCommands.NONE, args);
    }

    /** The same with more commands. */
    public static void run(MoreCommands more, String... args) {
        Interrupts interrupts = new Interrupts();
        StandardOutput out = new StandardOutput(new FileOutputStream(FileDescriptor.out));
        interrupts.install(out, () -> {
            System.err.println("ftrma: interrupted");
            if (ErrorResult.isAskedFor(args)) {
                out.println(ErrorResult.json(args[0], Interrupts.STATUS, "interrupted", "interrupted"));
            }
            out.flush();
        });
        int status = new Cli(more, out, System.err, interrupts).execute(args);
        out.flush();
        if (out.failure() != null && !isEndOfReader(out.failure(), args)) {
            System.err.println("ftrma: cannot write to standard output: " + out.failure().getMessage());
            status = status == 0 ? 1 : status;
        }
        System.err.flush();
        interrupts.exit(status);
    }

    /** Who reads a help or a list may close the pipe when that is enough; the result of a job must be written. */
    private static boolean isEndOfReader(IOException failure, String... args) {
        return "Broken pipe".equals(failure.getMessage()) && !CommandNames.hasResult(args);
    }
}
