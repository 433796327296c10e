package org.ftrma.launch;

import java.io.PrintStream;
import java.util.List;
import org.ftrma.testkit.SimulateMain;
import picocli.CommandLine.ParseResult;

/** The command that runs the protocol in simulation. */
final class SimulateCommand {
    private SimulateCommand() {
    }

    static int execute(ParseResult parsed, PrintStream out, PrintStream err) {
        List<String> arguments = parsed.matchedPositionalValue(0, List.of());
        return SimulateMain.execute(arguments, out, err);
    }
}
