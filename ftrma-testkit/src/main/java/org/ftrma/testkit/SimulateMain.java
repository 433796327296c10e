package org.ftrma.testkit;

import java.util.Map;
import java.util.TreeMap;
import org.ftrma.MisuseException;

/**
 * Runs simulations from a command line of {@code --name value} pairs: {@code --crashes} replays; otherwise every point is crashed once, and
 * {@code --kills stride}, {@code --pairs N} and {@code --pairs all} add more.
 */
public final class SimulateMain {
    private SimulateMain() {
    }

    /** Exit code 0 if all runs ended as they should, 1 if not, 2 for a wrong command line. */
    public static void main(String[] args) {
        int code;
        try {
            code = run(args) ? 0 : 1;
        } catch (MisuseException e) {
            System.err.println(e.getMessage());
            code = 2;
        }
        System.exit(code);
    }

    private static boolean run(String[] args) {
        Map<String, String> given = new TreeMap<>();
        for (int i = 0; i < args.length; i += 2) {
            if (!args[i].startsWith("--") || i + 1 == args.length) {
                throw new MisuseException("argument=" + args[i] + ": arguments are pairs of --name and value");
            }
            given.put(args[i].substring(2), args[i + 1]);
        }
        Simulation simulation = new Simulation();
        String crashes = null;
        String pairs = "0";
        String kills = "0";
        for (Map.Entry<String, String> entry : given.entrySet()) {
            String value = entry.getValue();
            switch (entry.getKey()) {
                case "program" -> simulation.program(value);
                case "ranks" -> simulation.ranks(number(entry));
                case "checksums" -> simulation.checksums(number(entry));
                case "spares" -> simulation.spares(number(entry));
                case "steps" -> simulation.steps(number(entry));
                case "interval" -> simulation.interval(value);
                case "seed" -> simulation.seed(Long.parseLong(value));
                case "crashes" -> crashes = value;
                case "pairs" -> pairs = value;
                case "kills" -> kills = value;
                default -> throw new MisuseException("--" + entry.getKey() + ": no such option");
            }
        }
        if (crashes != null) {
            SimResult result = simulation.crashes(crashes).replay();
            String fault = simulation.judge(result);
            System.out.println(result.story() + (fault == null ? "as it should be" : "WRONG: " + fault));
            return fault == null;
        }
        return print(simulation.singles())
            & (kills.equals("0") || print(simulation.kills(Integer.parseInt(kills))))
            & (pairs.equals("0") || print(pairs.equals("all") ? simulation.allPairs() : simulation.pairs(Integer.parseInt(pairs))));
    }

    private static boolean print(SimReport report) {
        System.out.println(report);
        return report.clean();
    }

    private static int number(Map.Entry<String, String> entry) {
        try {
            return Integer.parseInt(entry.getValue());
        } catch (NumberFormatException e) {
            throw new MisuseException("--" + entry.getKey() + "=" + entry.getValue() + ": not a number");
        }
    }
}
