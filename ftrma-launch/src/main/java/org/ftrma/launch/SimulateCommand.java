package org.ftrma.launch;

import java.io.PrintStream;
import picocli.CommandLine.ParseResult;

/** The command that runs the protocol in simulation. */
final class SimulateCommand {
    private SimulateCommand() {
    }

    static int execute(ParseResult parsed, PrintStream out, PrintStream err) {
        err.println("ftrma: simulate is not part of this build");
        return 1;
    }
}
