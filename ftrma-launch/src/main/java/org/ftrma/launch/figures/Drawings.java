package org.ftrma.launch.figures;

import java.util.List;
import java.util.stream.Stream;
import org.ftrma.launch.figures.Figure.Bars;
import org.ftrma.launch.figures.Figure.Drawing;
import org.ftrma.launch.figures.Figure.Lines;

/** How each figure is drawn, by its name and the heads of its columns. Any thread. */
final class Drawings {
    private static final String RATIO = "run time / without protection";

    private final List<String> heads;

    private Drawings(List<String> heads) {
        this.heads = heads;
    }

    /** Columns that are not there, as where a program was missing, are left out. */
    static Drawing of(String name, List<String> heads) {
        Drawings columns = new Drawings(heads);
        return switch (name) {
            case "fig10c" -> new Lines(columns.at("percent"), columns.all("pcfPerDay"), columns.at("aware"), -1,
                "checksum ranks, % of the processes", "catastrophic failure, probability a day", "", false, true);
            case "fig11a" -> new Lines(columns.at("budgetMiB"), columns.all("demandCheckpoints"), -1,
                columns.at("ratio"), "log budget of each rank, MiB", "demand checkpoints", RATIO, true, false);
            case "v-events" -> new Lines(columns.at("processes"), columns.all("percent"), columns.at("program"), -1,
                "processes", "events / messages, %", "", true, false);
            case "v-pingpong" -> new Lines(columns.at("bytes"), columns.all("named", "any", "acknowledged", "mpi"), -1,
                -1, "bytes of a message", "time / without protection", "", true, true);
            case "scaling-kv", "scaling-stencil" -> new Lines(columns.at("ranks"), columns.all("accessesPerRank",
                "framesPerRank", "logBytesPerRank", "recoveryAccesses", "recoveryFrames"), -1, -1, "ranks",
                "of a rank, or of a recovery in all", "", true, true);
            default -> new Bars(0, columns.at("ratio"), columns.at("leastRatio"), columns.at("greatestRatio"),
                name.equals("fig12") ? "run time / without protection and failure" : RATIO);
        };
    }

    private int at(String head) {
        int column = heads.indexOf(head);
        if (column < 0) {
            throw new IllegalArgumentException("there is no column " + head + " among " + heads);
        }
        return column;
    }

    private List<Integer> all(String... names) {
        return Stream.of(names).map(heads::indexOf).filter(column -> column >= 0).toList();
    }
}
