package org.ftrma.launch.figures;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of an experiment: a table. Immutable.
 *
 * @param name as it is asked for, also the files' name
 * @param title what it shows
 * @param heads of the table's columns, also of the CSV
 * @param rows of the table: text or numbers
 * @param commands the jobs that were run
 * @param notes lines to be read with it
 */
public record Figure(String name, String title, List<String> heads, List<List<Object>> rows, List<String> commands,
    List<String> notes) {
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
}
