package org.ftrma.bench.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.launch.figures.Figure;
import org.ftrma.launch.figures.FigureFiles;

/**
 * A figure as {@link FigureFiles} wrote it, read from its CSV: to draw it anew without measuring anything. Immutable.
 *
 * @param origin what was run, on what, as it was then
 */
record StoredFigure(Figure figure, List<String> origin) {
    private static final long MOST_BYTES = 16L << 20;
    private static final String REMARK = "# ";
    private static final String JOB = "job: ";
    private static final String COMMAND = "command: ";
    private static final Pattern CELL = Pattern.compile("\\G(?:\"((?:[^\"]|\"\")*)\"|([^,\"]*))(,|$)");

    /**
     * Reads NAME.csv.
     *
     * @throws IOException if it cannot be read, or is none
     */
    static StoredFigure read(Path csv) throws IOException {
        if (Files.size(csv) > MOST_BYTES) {
            throw new IOException(csv + ": is larger than " + MOST_BYTES + " bytes, which no figure is");
        }
        List<String> notes = new ArrayList<>();
        List<String> origin = new ArrayList<>();
        List<String> jobs = new ArrayList<>();
        List<List<Object>> rows = new ArrayList<>();
        List<String> heads = null;
        for (String line : Files.readAllLines(csv)) {
            if (line.startsWith(REMARK)) {
                String remark = line.substring(REMARK.length());
                if (remark.startsWith(JOB)) {
                    jobs.add(remark.substring(JOB.length()));
                } else {
                    (remark.startsWith(COMMAND) || !origin.isEmpty() ? origin : notes).add(remark);
                }
            } else if (heads == null) {
                heads = cells(line).stream().map(Object::toString).toList();
            } else {
                rows.add(cells(line));
                if (rows.getLast().size() != heads.size()) {
                    throw new IOException(csv + ": this row has not " + heads.size() + " cells: " + line);
                }
            }
        }
        if (heads == null || notes.isEmpty() || origin.isEmpty()) {
            throw new IOException(csv + ": is not written by ftrma: a title, a command or the heads are missing");
        }
        String file = csv.getFileName().toString();
        try {
            Figure figure = new Figure(file.substring(0, file.length() - ".csv".length()), notes.removeFirst(), heads,
                rows, jobs, notes);
            Drawing.of(figure);
            return new StoredFigure(figure, origin);
        } catch (IllegalArgumentException e) {
            throw new IOException(csv + ": " + e.getMessage(), e);
        }
    }

    private static List<Object> cells(String line) {
        List<Object> cells = new ArrayList<>();
        for (Matcher cell = CELL.matcher(line); cell.find() && !(cell.hitEnd() && cell.group().isEmpty()
            && !line.endsWith(","));) {
            cells.add(cell.group(1) != null ? cell.group(1).replace("\"\"", "\"") : value(cell.group(2)));
            if (cell.group(3).isEmpty()) {
                break;
            }
        }
        return cells;
    }

    private static Object value(String text) {
        if (text.isEmpty()) {
            return null;
        }
        if (text.matches("-?[0-9]{1,18}")) {
            return Long.valueOf(text);
        }
        return text.matches("-?[0-9]+\\.[0-9]+(E-?[0-9]+)?|NaN") ? (Object) Double.valueOf(text) : text;
    }
}
