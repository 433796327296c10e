package org.ftrma.launch.topology;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ftrma.MisuseException;
import org.ftrma.launch.figures.Figure;
import org.ftrma.launch.figures.FigureFiles;
import org.ftrma.xor.domains.CatastropheFormula;
import org.ftrma.xor.domains.Machine;
import org.ftrma.xor.domains.Topology;

/** Figure 10c: P_cf per day over the number of checksum ranks, a curve for each t-awareness level. One thread. */
final class PcfSweep {
    private static final double[] PERCENT = {1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20};

    private final Machine machine;
    private final int processes;
    private final int losses;
    /** Of each percentage: of each level from 0. */
    private final List<CatastropheFormula.Result[]> results = new ArrayList<>();

    private PcfSweep(Machine machine, int processes, int losses) {
        this.machine = machine;
        this.processes = processes;
        this.losses = losses;
    }

    static PcfSweep of(Machine machine, int processes, int losses) {
        PcfSweep sweep = new PcfSweep(machine, processes, losses);
        int levels = machine.topology().levels();
        for (double percent : PERCENT) {
            CatastropheFormula.Result[] row = new CatastropheFormula.Result[levels + 1];
            for (int level = 0; level <= levels; level++) {
                try {
                    row[level] = CatastropheFormula.of(machine, processes,
                        MachineArguments.checksums(percent, processes, losses), losses, level);
                } catch (IllegalArgumentException e) {
                    throw LocatedJson.caused(new MisuseException(e.getMessage()), e);
                }
            }
            sweep.results.add(row);
        }
        return sweep;
    }

    private static String name(Topology topology, int level) {
        return level == 0 ? "none" : topology.levelName(level);
    }

    void print(PrintStream out) {
        Topology topology = machine.topology();
        out.println(topology + "; " + processes + " processes, " + losses + (losses == 1 ? " loss" : " losses")
            + " survived by a group");
        out.println("P_cf a day (" + PcfCommand.formula(losses) + "), t-aware up to:");
        StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "%-8s%10s%8s", "CH", "groups", "size"));
        for (int level = 0; level <= topology.levels(); level++) {
            head.append(String.format(Locale.ROOT, "%13s", name(topology, level)));
        }
        out.println(head);
        boolean marked = false;
        for (int i = 0; i < PERCENT.length; i++) {
            CatastropheFormula.Result[] row = results.get(i);
            StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-8s%10d%8d",
                Double.toString(PERCENT[i]).replace(".0", "")
                + "%", row[0].groups(),
                row[0].groupSize()));
            for (CatastropheFormula.Result result : row) {
                marked |= !result.placeable();
                line.append(String.format(Locale.ROOT, "%12.3e%s", result.perDay(), result.placeable() ? " " : "*"));
            }
            out.println(line.toString().stripTrailing());
        }
        if (marked) {
            out.println("*: no such placement exists, since the groups have more members than the level has elements "
                + "for them");
        }
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("formula", PcfCommand.formula(losses));
        json.put("machine", machine.topology().name());
        json.put("processes", processes);
        json.put("losses", losses);
        List<Map<String, Object>> points = new ArrayList<>();
        for (int i = 0; i < PERCENT.length; i++) {
            for (int level = 0; level < results.get(i).length; level++) {
                CatastropheFormula.Result result = results.get(i)[level];
                Map<String, Object> point = new LinkedHashMap<>();
                point.put("percent", PERCENT[i]);
                point.put("checksums", result.groups() * losses);
                point.put("groups", result.groups());
                point.put("groupSize", result.groupSize());
                point.put("aware", name(machine.topology(), level));
                point.put("pcfPerDay", result.perDay());
                point.put("placeable", result.placeable());
                points.add(point);
            }
        }
        json.put("points", points);
        return json;
    }

    /** Writes the curves to a directory; a curve has no points where no placement exists. */
    void write(Path directory, String command) {
        try {
            new FigureFiles(directory, FigureFiles.origin(command)).write(figure());
        } catch (IOException e) {
            throw LocatedJson.caused(new MisuseException("--out=" + directory + ": cannot be written: "
                + MachineArguments.why(e)), e);
        }
    }

    private Figure figure() {
        Topology topology = machine.topology();
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < PERCENT.length; i++) {
            for (int level = 0; level <= topology.levels(); level++) {
                CatastropheFormula.Result result = results.get(i)[level];
                if (result.placeable()) {
                    rows.add(List.of(PERCENT[i], result.groups() * losses, name(topology, level), result.perDay()));
                }
            }
        }
        return new Figure("fig10c", "Probability of a catastrophic failure in a day, " + processes + " processes of "
            + topology.name(), List.of("percent", "checksums", "aware", "pcfPerDay"), rows, List.of(),
            List.of("formula: " + PcfCommand.formula(losses)));
    }
}
