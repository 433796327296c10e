package org.ftrma.launch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ftrma.testkit.SimulateMain;
import picocli.CommandLine.ParseResult;

/** The command that runs the protocol in simulation: crashes at every point, at random pairs of points, or at given ones. */
final class SimulateCommand {
    /** Name, label and meaning of each option; the first words of a meaning tell the default. */
    static final Map<String, String[]> OPTIONS = options();

    private SimulateCommand() {
    }

    private static Map<String, String[]> options() {
        Map<String, String[]> options = new LinkedHashMap<>();
        options.put("program", new String[] {"NAME", "the simulated program (default: halo; a wrong name lists all)"});
        options.put("ranks", new String[] {"N", "computing ranks (default: 3)"});
        options.put("checksums", new String[] {"N", "checksum ranks (default: 1)"});
        options.put("spares", new String[] {"N", "spare processes (default: 0)"});
        options.put("steps", new String[] {"N", "steps of the program (default: 5)"});
        options.put("interval", new String[] {"N", "steps between checkpoints (default: 2)"});
        options.put("seed", new String[] {"S", "seed of the schedule and of random choices (default: 1)"});
        options.put("crashes", new String[] {"POINTS",
            "crash at these points only, as a failing case prints them: one run, told step by step"});
        options.put("kills", new String[] {"STRIDE", "also kill every member at every STRIDE-th scheduler step (default: 0, none)"});
        options.put("pairs", new String[] {"N|all", "also crash at N random pairs of points, or at all of them (default: 0)"});
        return options;
    }

    /** Does not return: the simulation's main method ends the JVM with its status. */
    static int execute(ParseResult parsed) {
        List<String> arguments = new ArrayList<>();
        for (String key : OPTIONS.keySet()) {
            if (parsed.hasMatchedOption(key)) {
                arguments.add("--" + key);
                arguments.add(parsed.matchedOptionValue(key, ""));
            }
        }
        SimulateMain.main(arguments.toArray(String[]::new));
        return 0;
    }
}
