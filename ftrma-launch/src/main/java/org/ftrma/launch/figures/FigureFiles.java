package org.ftrma.launch.figures;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes a figure as NAME.csv and NAME.txt, with the machine, versions and commands that produced it. One thread. */
public final class FigureFiles {
    private final Path directory;
    /** What was run, on what. */
    private final List<String> origin;

    /**
     * Files in a directory, which is made if need be.
     *
     * @param origin lines that say what was run, and on what: {@link #origin}
     */
    public FigureFiles(Path directory, List<String> origin) {
        this.directory = directory;
        this.origin = origin;
    }

    /** This command, date, machine and versions. */
    public static List<String> origin(String command) {
        return List.of("command: " + command, "date: " + Instant.now().truncatedTo(ChronoUnit.SECONDS),
            "machine: " + processor() + ", " + Runtime.getRuntime().availableProcessors() + " processors, load "
                + String.format(Locale.ROOT, "%.1f", ManagementFactory.getOperatingSystemMXBean()
                .getSystemLoadAverage()) + " before the first run",
            "versions: Linux " + System.getProperty("os.version") + ", Java " + Runtime.version() + " ("
            + System.getProperty("java.vendor") + ")");
    }

    private static String processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream().filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).trim()).findFirst()
                .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }

    /**
     * Writes the files, and returns them.
     *
     * @throws IOException if they cannot be written
     */
    public List<Path> write(Figure figure) throws IOException {
        Files.createDirectories(directory);
        Path csv = directory.resolve(figure.name() + ".csv");
        Path text = directory.resolve(figure.name() + ".txt");
        Files.writeString(csv, remarks(figure, "# ") + csv(figure));
        Files.writeString(text, table(figure) + "\n" + remarks(figure, ""));
        return List.of(csv, text);
    }

    /** Lines that describe a figure: its title and notes, what was run on what, and the jobs. */
    public String remarks(Figure figure, String prefix) {
        List<String> lines = new ArrayList<>();
        lines.add(figure.title());
        lines.addAll(figure.notes());
        lines.addAll(origin);
        figure.commands().forEach(command -> lines.add("job: " + command));
        return lines.stream().map(line -> prefix + line + "\n").collect(Collectors.joining());
    }

    /** The table as CSV, without remarks. */
    public static String csv(Figure figure) {
        StringBuilder text = new StringBuilder(String.join(",", figure.heads())).append('\n');
        for (List<Object> row : figure.rows()) {
            text.append(row.stream().map(FigureFiles::cell).collect(Collectors.joining(","))).append('\n');
        }
        return text.toString();
    }

    private static String cell(Object value) {
        String text = value == null ? "" : value.toString();
        return text.matches(".*[,\"\n].*") ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    /** The table for people: numbers with at most four digits after the point. */
    public static String table(Figure figure) {
        List<List<String>> cells = new ArrayList<>();
        cells.add(figure.heads());
        figure.rows().forEach(row -> cells.add(row.stream().map(FigureFiles::shown).toList()));
        int[] widths = new int[figure.heads().size()];
        cells.forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        StringBuilder text = new StringBuilder(figure.title()).append('\n');
        for (List<String> row : cells) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String padding = " ".repeat(widths[i] - row.get(i).length());
                line.append(i == 0 ? "" : "  ").append(i == 0 ? row.get(i) + padding : padding + row.get(i));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static String shown(Object value) {
        if (!(value instanceof Double number)) {
            return value == null ? "-" : value.toString();
        }
        double size = Math.abs(number);
        return number == 0 || size >= 1e-3 && size < 1e7
            ? String.format(Locale.ROOT, size >= 1000 ? "%.0f" : size >= 10 ? "%.2f" : "%.4f", number)
            : String.format(Locale.ROOT, "%.3e", number);
    }
}
