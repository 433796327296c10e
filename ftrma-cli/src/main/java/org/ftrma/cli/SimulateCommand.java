package org.ftrma.cli;

import java.io.PrintStream;
import java.util.Map;
import org.ftrma.MisuseException;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.SingleOption;
import org.ftrma.launch.topology.TopologyFile;
import org.ftrma.testkit.SimulateMain;
import org.ftrma.testkit.SimulateOption;
import picocli.CommandLine.ParseResult;

/**
 * The command that runs the protocol in simulation: crashes at every point, at random pairs of points, or at given
 * ones. One thread.
 */
final class SimulateCommand {
    private SimulateCommand() {
    }

    static int execute(ParseResult parsed, PrintStream out, PrintStream err) {
        GivenOptions given = new GivenOptions(parsed);
        if (given.has(SingleOption.SCALE)) {
            return new ScalingRun(out, err).execute(given);
        }
        if (given.has(SingleOption.OUT)) {
            throw new MisuseException("--" + SingleOption.OUT.key() + ": goes with --" + SingleOption.SCALE.key());
        }
        Map<SimulateOption, String> options = given.of(SimulateOption.class);
        options.computeIfPresent(SimulateOption.TOPOLOGY, (option, file) -> TopologyFile.asText(file));
        return SimulateMain.run(SimulateOption.TABLE.values(options).arguments(), out, err) ? 0 : 1;
    }
}
