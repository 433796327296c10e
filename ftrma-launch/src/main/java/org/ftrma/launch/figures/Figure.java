package org.ftrma.launch.figures;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an experiment came to. Immutable.
 *
 * @param name as it is asked for, also the files' name
 * @param title what it shows
 * @param heads of the table's columns, also of the CSV
 * @param rows of the table: text or numbers
 * @param commands the jobs that were run
 * @param notes lines to be read with it
 * @param drawing how it is drawn
 */
public record Figure(String name, String title, List<String> heads, List<List<Object>> rows, List<String> commands,
    List<String> notes,
    Drawing drawing) {
    /** A figure that is drawn as its name says. */
    public static Figure of(String name, String title, List<String> heads, List<List<Object>> rows,
        List<String> commands, List<String> notes) {
        return new Figure(name, title, heads, rows, commands, notes, Drawings.of(name, heads));
    }

    /** How rows become a picture; columns by their number. */
    public sealed interface Drawing {
        /** The title of the vertical axis. */
        String yTitle();
    }

    /** A bar for each row, with marks for the least and the greatest value. */
    public record Bars(int label, int median, int least, int greatest, String yTitle) implements Drawing {
    }

    /** The table as JSON takes it. */
    public Map<String, Object> json() {
        Map<String, Object> table = new LinkedHashMap<>();
        table.put("name", name);
        table.put("title", title);
        table.put("notes", notes);
        table.put("jobs", commands);
        List<Map<String, Object>> all = new ArrayList<>();
        for (List<Object> row : rows) {
            Map<String, Object> one = new LinkedHashMap<>();
            for (int i = 0; i < row.size(); i++) {
                one.put(heads.get(i), row.get(i));
            }
            all.add(one);
        }
        table.put("rows", all);
        return table;
    }

    /**
     * Points joined by lines.
     *
     * @param x the column of the horizontal axis
     * @param y the columns of the vertical one, a curve each; if {@code series} is given, one
     * @param series the column whose values tell the curves apart, or -1
     * @param second the column of a curve with a vertical axis of its own, or -1
     */
    public record Lines(int x, List<Integer> y, int series, int second, String xTitle, String yTitle,
        String secondTitle, boolean logX, boolean logY)
        implements Drawing {
    }
}
