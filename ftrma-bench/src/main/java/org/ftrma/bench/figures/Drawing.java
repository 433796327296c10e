package org.ftrma.bench.figures;

import java.util.List;
import java.util.stream.Stream;
import org.ftrma.launch.figures.Figure;

/** Mapping of a figure's rows to a picture; columns by their number. Immutable. */
sealed interface Drawing {
    /** The title of the vertical axis. */
    String yTitle();

    /** A bar for each row, with marks for the least and the greatest value. */
    record Bars(int label, int median, int least, int greatest, String yTitle) implements Drawing {
    }

    /**
     * Points joined by lines.
     *
     * @param x the column of the horizontal axis
     * @param y the columns of the vertical one, a curve each; if {@code series} is given, one
     * @param series the column whose values tell the curves apart, or -1
     * @param second the column of a curve with a vertical axis of its own, or -1
     */
    record Lines(int x, List<Integer> y, int series, int second, String xTitle, String yTitle, String secondTitle,
        boolean logX, boolean logY) implements Drawing {
    }

    /**
     * The drawing of a figure, by its name and the heads of its columns. Optional columns that are missing, as when a
     * program is not installed, have no curve.
     *
     * @throws IllegalArgumentException if a column is missing
     */
    static Drawing of(Figure figure) {
        String ratio = "run time / without protection";
        Heads heads = new Heads(figure.heads());
        return switch (figure.name()) {
            case "fig10c" -> new Lines(heads.at("percent"), heads.all("pcfPerDay"), heads.at("aware"), -1,
                "checksum ranks, % of the processes", "catastrophic failure, probability a day", "", false, true);
            case "fig11a" -> new Lines(heads.at("budgetMiB"), heads.all("demandCheckpoints"), -1,
                heads.at("ratio"), "log budget of each rank, MiB", "demand checkpoints", ratio, true, false);
            case "v-events" -> new Lines(heads.at("processes"), heads.all("percent"), heads.at("program"), -1,
                "processes", "events / messages, %", "", true, false);
            case "v-pingpong" -> new Lines(heads.at("bytes"), heads.all("named", "any", "acknowledged", "mpi"), -1,
                -1, "bytes of a message", "time / without protection", "", true, true);
            case "scaling-kv", "scaling-stencil" -> new Lines(heads.at("ranks"), heads.all("accessesPerRank",
                "framesPerRank", "logBytesPerRank", "recoveryAccesses", "recoveryFrames"), -1, -1, "ranks",
                "of a rank, or of a recovery in all", "", true, true);
            default -> new Bars(0, heads.at("ratio"), heads.at("leastRatio"), heads.at("greatestRatio"),
                figure.name().equals("fig12") ? "run time / without protection and failure" : ratio);
        };
    }

    /** The heads of a table's columns. */
    record Heads(List<String> names) {
        private int at(String head) {
            int column = names.indexOf(head);
            if (column < 0) {
                throw new IllegalArgumentException("there is no column " + head + " among " + names);
            }
            return column;
        }

        private List<Integer> all(String... heads) {
            return Stream.of(heads).map(names::indexOf).filter(column -> column >= 0).toList();
        }
    }
}
