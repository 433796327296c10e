package org.ftrma.launch;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.MisuseException;
import org.ftrma.launch.topology.TopologyFile;
import org.ftrma.testkit.SimulateMain;
import org.ftrma.testkit.SimulateOption;
import picocli.CommandLine.ParseResult;

/** The command that runs the protocol in simulation: crashes at every point, at random pairs of points, or at given ones. */
final class SimulateCommand {
    private SimulateCommand() {
    }

    static int execute(ParseResult parsed, PrintStream out, PrintStream err) {
        if (parsed.hasMatchedOption(CommandTree.SCALE)) {
            return new ScalingRun(out, err).execute(parsed);
        }
        if (parsed.hasMatchedOption(CommandTree.OUT)) {
            throw new MisuseException("--" + CommandTree.OUT + ": goes with --" + CommandTree.SCALE);
        }
        List<String> arguments = new ArrayList<>();
        for (SimulateOption option : SimulateOption.values()) {
            if (parsed.hasMatchedOption(option.key())) {
                String value = parsed.matchedOptionValue(option.key(), "");
                arguments.add("--" + option.key());
                arguments.add(option == SimulateOption.TOPOLOGY ? TopologyFile.asText(value) : value);
            }
        }
        if (parsed.hasMatchedOption(LauncherOption.JSON.key())) {
            arguments.add("--json");
        }
        return SimulateMain.run(arguments, out, err) ? 0 : 1;
    }
}
