package org.ftrma.bench.figures;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Pictures are drawn anew from what is stored, which stays as it is. */
class RedrawTest {
    private static final Path STORED = Path.of("..", "docs", "figures");

    @TempDir
    private Path place;
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int redraw(String... names) {
        PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
        CommandLine command = new CommandLine(new FigureBench(null, errors, errors));
        String[] all = Stream.concat(Stream.of(names), Stream.of("--redraw", "--out", place.toString()))
            .toArray(String[]::new);
        return command.execute(all);
    }

    private String pdf(String name) throws IOException {
        try (PDDocument document = Loader.loadPDF(place.resolve(name + ".pdf").toFile())) {
            assertEquals(241, document.getPage(0).getMediaBox().getWidth());
            return new PDFTextStripper().getText(document);
        }
    }

    @Test
    void allFiguresOfTheDocumentsAreDrawnFromTheirOwnDataWhichStaysByteForByte() throws IOException {
        List<Path> data;
        try (Stream<Path> files = Files.list(STORED)) {
            data = files.filter(file -> file.toString().endsWith(".csv")).toList();
        }
        for (Path csv : data) {
            Files.copy(csv, place.resolve(csv.getFileName()));
        }
        assertEquals(0, redraw("all"), () -> err.toString(StandardCharsets.UTF_8));
        assertEquals(12, data.size());
        for (Path csv : data) {
            String name = csv.getFileName().toString().replace(".csv", "");
            for (String kind : List.of(".csv", ".txt")) {
                assertArrayEquals(Files.readAllBytes(STORED.resolve(name + kind)), Files.readAllBytes(place.resolve(
                    name + kind)), name + kind);
            }
            String svg = Files.readString(place.resolve(name + ".svg"));
            assertTrue(svg.contains("<text") && svg.contains("width=\"241pt\"") && !svg.contains("<image"), name);
            assertFalse(pdf(name).isBlank(), name);
        }
        String text = pdf("fig10d");
        assertTrue(text.contains("files on disk") && text.contains("paper (Besta and Hoefler)"), text);
        assertFalse(pdf("fig12").contains("paper"), "figure 12 of the paper measures something else");
        assertTrue(pdf("scaling-kv").contains("500"), "labels between decades");
        Files.delete(place.resolve("scaling-kv.svg"));
        assertEquals(0, redraw("scaling-kv", "scaling-stencil"), () -> err.toString(StandardCharsets.UTF_8));
        assertTrue(Files.exists(place.resolve("scaling-kv.svg")), "figures of the simulator by their names, too");
    }

    @Test
    void whatIsNoFigureIsRefused() throws IOException {
        assertEquals(1, redraw("fig12"));
        Files.writeString(place.resolve("fig12.csv"), "a,b\n1,2\n");
        assertEquals(1, redraw("fig12"));
        Files.writeString(place.resolve("fig12.csv"), "# t\n# command: x\na,b\n1,2\n");
        assertEquals(1, redraw("fig12"));
        Files.writeString(place.resolve("fig12.csv"), "# t\n# command: x\na,ratio,leastRatio,greatestRatio\n1,2\n");
        assertEquals(1, redraw("fig12"));
        String told = err.toString(StandardCharsets.UTF_8);
        for (String why : List.of("there is no such file to draw from", "is not written by ftrma",
            "there is no column ratio", "has not 4 cells: 1,2")) {
            assertTrue(told.contains(why), told);
        }
    }
}
