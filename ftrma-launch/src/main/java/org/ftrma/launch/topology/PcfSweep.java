package org.ftrma.launch.topology;

import java.awt.AWTError;
import java.awt.Color;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.xor.domains.CatastropheFormula;
import org.ftrma.xor.domains.Machine;
import org.ftrma.xor.domains.Topology;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Figure 10c: P_cf per day over the number of checksum ranks, a curve for each t-awareness level. One thread. */
final class PcfSweep {
    private static final double[] PERCENT = {1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20};
    private static final int WIDTH = 900;
    private static final int HEIGHT = 600;

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

    /**
     * Draws the curves; where no placement exists, a curve has no points. A name without ending stands for both kinds
     * of file.
     */
    void draw(Path file) {
        String name = file.toString();
        boolean png = name.endsWith(".png");
        boolean svg = name.endsWith(".svg");
        System.setProperty("java.awt.headless", "true");
        String base = png || svg ? name.substring(0, name.length() - ".png".length()) : name;
        try {
            if (!svg) {
                BitmapEncoder.saveBitmap(chart(), base, BitmapEncoder.BitmapFormat.PNG);
            }
            if (!png) {
                VectorGraphicsEncoder.saveVectorGraphic(chart(), base, VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
            }
        } catch (IOException e) {
            throw LocatedJson.caused(new MisuseException("--picture=" + file + ": cannot be written: "
                + MachineArguments.why(e)), e);
        } catch (AWTError | InternalError | NoClassDefFoundError | UnsatisfiedLinkError e) {
            throw new FtrmaException(FtrmaException.Category.SETUP,
                "--picture=" + file + ": this machine's Java cannot draw text (" + e
                + "); install a font and fontconfig: sudo apt-get install -y fontconfig fonts-dejavu-core", e);
        }
    }

    private XYChart chart() {
        Topology topology = machine.topology();
        XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT)
            .title(topology.name() + ", " + processes + " processes, m=" + losses)
            .xAxisTitle("checksum ranks, % of the processes").yAxisTitle("P_cf a day (ftRMA, equation 9)").build();
        Styler styler = chart.getStyler();
        styler.setLegendPosition(Styler.LegendPosition.OutsideE);
        styler.setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setYAxisLogarithmic(true);
        for (int level = 0; level <= topology.levels(); level++) {
            List<Double> x = new ArrayList<>();
            List<Double> y = new ArrayList<>();
            for (int i = 0; i < PERCENT.length; i++) {
                CatastropheFormula.Result result = results.get(i)[level];
                if (result.placeable() && result.perDay() > 0) {
                    x.add(PERCENT[i]);
                    y.add(result.perDay());
                }
            }
            if (!x.isEmpty()) {
                chart.addSeries(level == 0 ? "no-topo" : name(topology, level), x, y).setMarker(SeriesMarkers.CIRCLE);
            }
        }
        return chart;
    }
}
