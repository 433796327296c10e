package org.ftrma.launch.figures;

import java.awt.AWTError;
import java.awt.image.BufferedImage;
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
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;
import org.ftrma.FtrmaException;

/**
 * Writes a figure as NAME.csv, NAME.txt, and as a picture for a column, NAME.pdf, NAME.svg and NAME.png; each says on
 * which machine, with which versions and by which commands it was made. One thread.
 */
public final class FigureFiles {
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
     * Writes the files, and returns them.
     *
     * @throws IOException if they cannot be written
     * @throws FtrmaException of category SETUP if this machine's Java cannot draw
     */
    public List<Path> write(Figure figure) throws IOException {
        Files.createDirectories(directory);
        Path csv = directory.resolve(figure.name() + ".csv");
        Path text = directory.resolve(figure.name() + ".txt");
        Path png = directory.resolve(figure.name() + ".png");
        Path pdf = directory.resolve(figure.name() + ".pdf");
        Path svg = directory.resolve(figure.name() + ".svg");
        Files.writeString(csv, remarks(figure, "# ") + csv(figure));
        Files.writeString(text, table(figure) + "\n" + remarks(figure, ""));
        draw(figure, remarks(figure, ""), svg, png, pdf);
        return List.of(csv, text, png, svg, pdf);
    }

    /**
     * Draws a figure alone.
     *
     * @param svg null: none of this kind
     * @param png the same
     * @throws IOException if they cannot be written
     * @throws FtrmaException of category SETUP if this machine's Java cannot draw
     */
    public static void draw(Figure figure, Path svg, Path png) throws IOException {
        draw(figure, figure.title() + "\n" + String.join("\n", figure.notes()), svg, png, null);
    }

    private static void draw(Figure figure, String remarks, Path svg, Path png, Path pdf) throws IOException {
        System.setProperty("java.awt.headless", "true");
        try {
            PictureFiles picture = new PictureFiles(figure);
            if (png != null) {
                png(picture.pixels(), remarks, png);
            }
            if (svg != null) {
                picture.svg(remarks, svg);
            }
            if (pdf != null) {
                picture.pdf(figure.title(), remarks, pdf);
            }
        } catch (AWTError | InternalError | NoClassDefFoundError | UnsatisfiedLinkError e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, (png == null ? svg : png)
                + ": this machine's Java cannot draw text (" + e + "); install a font and fontconfig: "
                + "sudo apt-get install -y fontconfig fonts-dejavu-core", e);
        }
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
}
