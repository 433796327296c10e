package org.ftrma.launch.figures;

import java.awt.AWTError;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;
import org.ftrma.FtrmaException;
import org.ftrma.launch.figures.Figure.Bars;
import org.ftrma.launch.figures.Figure.Lines;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Writes a figure as NAME.csv, NAME.txt, NAME.png and NAME.svg; each says on which machine, with which versions and by
 * which commands it was made. One thread.
 */
public final class FigureFiles {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 600;
    private static final String PNG_METADATA = "javax_imageio_png_1.0";

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
     * Writes the four files, and returns them.
     *
     * @throws IOException if they cannot be written
     * @throws FtrmaException of category SETUP if this machine's Java cannot draw
     */
    public List<Path> write(Figure figure) throws IOException {
        Files.createDirectories(directory);
        Path csv = directory.resolve(figure.name() + ".csv");
        Path text = directory.resolve(figure.name() + ".txt");
        Path png = directory.resolve(figure.name() + ".png");
        Path svg = directory.resolve(figure.name() + ".svg");
        Files.writeString(csv, remarks(figure, "# ") + csv(figure));
        Files.writeString(text, table(figure) + "\n" + remarks(figure, ""));
        System.setProperty("java.awt.headless", "true");
        try {
            Chart<?, ?> chart = switch (figure.drawing()) {
                case Bars bars -> chart(figure, bars);
                case Lines lines -> chart(figure, lines);
            };
            png(BitmapEncoder.getBufferedImage(chart), remarks(figure, ""), png);
            svg(chart, remarks(figure, ""), svg);
        } catch (AWTError | InternalError | NoClassDefFoundError | UnsatisfiedLinkError e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, png + ": this machine's Java cannot draw text (" + e
                + "); install a font and fontconfig: sudo apt-get install -y fontconfig fonts-dejavu-core", e);
        }
        return List.of(csv, text, png, svg);
    }

    private String remarks(Figure figure, String prefix) {
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

    private static double number(Object value) {
        return value instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    private static CategoryChart chart(Figure figure, Bars bars) {
        CategoryChart chart = new CategoryChartBuilder().width(WIDTH).height(HEIGHT).title(figure.title())
            .yAxisTitle(bars.yTitle()).build();
        style(chart.getStyler());
        List<String> labels = figure.rows().stream().map(row -> row.get(bars.label()).toString()).toList();
        chart.addSeries("median", labels, column(figure, bars.median()));
        chart.addSeries("least", labels, column(figure, bars.least())).setChartCategorySeriesRenderStyle(
            CategorySeries.CategorySeriesRenderStyle.Scatter).setMarker(SeriesMarkers.TRIANGLE_UP);
        chart.addSeries("greatest", labels, column(figure, bars.greatest())).setChartCategorySeriesRenderStyle(
            CategorySeries.CategorySeriesRenderStyle.Scatter).setMarker(SeriesMarkers.TRIANGLE_DOWN);
        chart.getStyler().setOverlapped(true);
        return chart;
    }

    private static List<Double> column(Figure figure, int column) {
        return figure.rows().stream().map(row -> number(row.get(column))).toList();
    }

    private static void style(Styler styler) {
        styler.setLegendPosition(Styler.LegendPosition.OutsideE);
        styler.setChartBackgroundColor(Color.WHITE);
    }

    private static XYChart chart(Figure figure, Lines lines) {
        XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT).title(figure.title())
            .xAxisTitle(lines.xTitle()).yAxisTitle(lines.yTitle())
            .build();
        style(chart.getStyler());
        chart.getStyler().setXAxisLogarithmic(lines.logX());
        chart.getStyler().setYAxisLogarithmic(lines.logY());
        if (lines.series() >= 0) {
            Map<String, List<List<Object>>> curves = new LinkedHashMap<>();
            figure.rows().forEach(row -> curves.computeIfAbsent(row.get(lines.series()).toString(),
                name -> new ArrayList<>()).add(row));
            curves.forEach((name, rows) -> curve(chart, name, rows, lines.x(), lines.y().getFirst(), lines.logY()));
        } else {
            lines.y().forEach(y -> curve(chart, figure.heads().get(y), figure.rows(), lines.x(), y, lines.logY()));
        }
        if (lines.second() >= 0) {
            XYSeries second = curve(chart, figure.heads().get(lines.second()), figure.rows(), lines.x(), lines.second(),
                false);
            if (second != null) {
                second.setYAxisGroup(1);
                chart.setYAxisGroupTitle(1, lines.secondTitle());
                chart.getStyler().setYAxisGroupPosition(1, Styler.YAxisPosition.Right);
            }
        }
        return chart;
    }

    /** Points that are no numbers, or cannot be drawn on a logarithmic axis, are left out. */
    private static XYSeries curve(XYChart chart, String name, List<List<Object>> rows, int x, int y, boolean log) {
        List<Double> xs = new ArrayList<>();
        List<Double> ys = new ArrayList<>();
        for (List<Object> row : rows) {
            double value = number(row.get(y));
            if (!Double.isNaN(value) && (!log || value > 0)) {
                xs.add(number(row.get(x)));
                ys.add(value);
            }
        }
        if (xs.isEmpty()) {
            return null;
        }
        XYSeries curve = chart.addSeries(name, xs, ys);
        curve.setMarker(SeriesMarkers.CIRCLE);
        return curve;
    }

    private static void png(BufferedImage image, String remarks, Path file) throws IOException {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
        try (ImageOutputStream output = ImageIO.createImageOutputStream(Files.newOutputStream(file))) {
            IIOMetadata metadata = writer.getDefaultImageMetadata(ImageTypeSpecifier.createFromRenderedImage(image),
                null);
            IIOMetadataNode entry = new IIOMetadataNode("tEXtEntry");
            entry.setAttribute("keyword", "Comment");
            entry.setAttribute("value", remarks);
            IIOMetadataNode text = new IIOMetadataNode("tEXt");
            text.appendChild(entry);
            IIOMetadataNode root = new IIOMetadataNode(PNG_METADATA);
            root.appendChild(text);
            metadata.mergeTree(PNG_METADATA, root);
            writer.setOutput(output);
            writer.write(metadata, new IIOImage(image, null, metadata), null);
        } finally {
            writer.dispose();
        }
    }

    private static void svg(Chart<?, ?> chart, String remarks, Path file) throws IOException {
        String name = file.toString();
        VectorGraphicsEncoder.saveVectorGraphic(chart, name.substring(0, name.length() - ".svg".length()),
            VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
        String text = Files.readString(file, StandardCharsets.UTF_8);
        int begin = text.indexOf('>', text.indexOf("<svg")) + 1;
        String escaped = remarks.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        Files.writeString(file, text.substring(0, begin) + "\n<desc>" + escaped + "</desc>" + text.substring(begin),
            StandardCharsets.UTF_8);
    }
}
