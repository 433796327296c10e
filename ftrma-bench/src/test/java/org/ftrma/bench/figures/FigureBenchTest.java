package org.ftrma.bench.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/**
 * The plumbing of the experiments: order of runs, statistics, tables and files, with results that are made up; and one
 * that is computed.
 */
class FigureBenchTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path place;

    private int run(JobRuns runs, String... arguments) {
        return new CommandLine(new FigureBench(runs, new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true,
            StandardCharsets.UTF_8))).execute(arguments);
    }

    private static Map<String, Object> result(double seconds) {
        Map<String, Object> json = new HashMap<>(Map.of("seconds", seconds, "verified", true, "checkpoints", 3,
            "demandCheckpoints", 7,
            "checkpointMillis", 12.5, "checksumCpuMillis", 20.0, "localRecoveries", 1, "formula", "made up"));
        json.put("log", List.of(Map.of("putBytes", 1 << 20, "getBytes", 1 << 21)));
        Map<String, Object> reports = new HashMap<>(Map.of("meanWaitNanos", 1500.4, "insertingShare", 0.07));
        for (int size = 0; size < 24; size++) {
            reports.put((1 << size) + " B", String.format(Locale.ROOT, "%.3f us, 1.0 MB/s", seconds * (1 + size)));
        }
        for (int rank = 0; rank < 4; rank++) {
            reports.putAll(Map.of("messages.sent." + rank, 100, "messages.events." + rank, 26,
                "messages.values." + rank, 1));
        }
        json.put("ranks", 4);
        json.put("reports", reports);
        json.put("failures", List.of(Map.of("recoverMillis", 34.5, "rebuildMillis", 3, "stepsRepeated", 2)));
        json.put("points", List.of(Map.of("percent", 1.0, "checksums", 40, "aware", "node", "pcfPerDay", 1e-4,
            "placeable", true),
            Map.of("percent", 2.0, "checksums", 80, "aware", "node", "pcfPerDay", 1e-5, "placeable", true),
            Map.of("percent", 2.0, "checksums", 80, "aware", "rack", "pcfPerDay", 1e-6, "placeable", false)));
        return json;
    }

    @Test
    void roundsAreInterleavedAndEachRunIsComparedWithTheFirstVariantOfItsRound() throws Exception {
        // The machine gets slower from round to round: the ratio does not.
        List<String> order = new ArrayList<>();
        List<Variant> variants = List.of(Variant.of("a", "a x"), Variant.of("b", "b"));
        List<InTurn> all;
        try (RunProgress progress = new RunProgress(6, new PrintStream(err, true, StandardCharsets.UTF_8))) {
            all = InTurn.run(variants, 3, json -> (double) json.get("seconds"), arguments -> {
                order.add(arguments.getFirst());
                int round = (order.size() - 1) / 2;
                return Map.of("seconds", (arguments.getFirst().equals("a") ? 1.0 : round == 2 ? 3.0 : 2.0)
                    * (1 + round));
            }, progress);
        }
        assertEquals(List.of("a", "b", "b", "a", "a", "b"), order);
        assertEquals(1, all.getFirst().medianRatio());
        assertEquals(2, all.getLast().medianRatio());
        assertEquals(2, all.getLast().leastRatio());
        assertEquals(3, all.getLast().greatestRatio());
        assertEquals(4, all.getLast().median());
        assertEquals(3, all.getLast().results().size());
        assertEquals("./ftrma a x", all.getFirst().variant().command());
        assertEquals(2.5, InTurn.median(4, 1, 2, 3));
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("run 6 of 6: b"),
            err.toString(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource(Experiment.class)
    void eachExperimentEndsInATableAndPicturesThatSayHowTheyWereMade(Experiment experiment) throws IOException {
        List<List<String>> jobs = new ArrayList<>();
        int status = run(arguments -> {
            jobs.add(arguments);
            return result(arguments.contains("none") ? 2 : 2.5);
        }, experiment.label(), "--quick", "--json", "--out", place.toString());
        assertEquals(0, status, err.toString(StandardCharsets.UTF_8));
        assertEquals(experiment.runs(true), jobs.size());
        String csv = Files.readString(place.resolve(experiment.label() + ".csv"));
        String svg = Files.readString(place.resolve(experiment.label() + ".svg"));
        String text = Files.readString(place.resolve(experiment.label() + ".txt"));
        for (String made : List.of(csv, svg, text)) {
            assertTrue(made.contains("command: ./ftrma bench " + experiment.label() + " --quick")
                && made.contains("machine: ")
                && made.contains("versions: Linux ") && made.contains("job: ./ftrma "), made);
        }
        assertTrue(svg.contains("<desc>" + experiment.title().replace("&", "&amp;")), svg.substring(0, 500));
        byte[] png = Files.readAllBytes(place.resolve(experiment.label() + ".png"));
        assertTrue(new String(png, StandardCharsets.ISO_8859_1).contains("command: ./ftrma bench"));
        assertEquals(900, ImageIO.read(place.resolve(experiment.label() + ".png").toFile()).getWidth());
        long columns = csv.lines().filter(line -> !line.startsWith("#"))
            .mapToLong(line -> line.chars().filter(c -> c == ',').count()).distinct()
            .count();
        assertEquals(1, columns, csv);
        String last = out.toString(StandardCharsets.UTF_8).lines().reduce("", (before, line) -> line);
        Map<?, ?> figure = (Map<?, ?>) ((List<?>) JSON.std.mapFrom(last).get("figures")).getFirst();
        assertEquals(csv.lines().filter(line -> !line.startsWith("#")).count() - 1,
            ((List<?>) figure.get("rows")).size());
    }

    @Test
    void logsOfTheKeyValueStoreAreComparedWithTheSameWaits() {
        List<List<String>> jobs = new ArrayList<>();
        run(arguments -> {
            jobs.add(arguments);
            return result(1);
        }, "fig11c", "--quick", "--out", place.toString());
        assertTrue(jobs.getFirst().contains("--work") && !jobs.getFirst().contains("--wait"), jobs::toString);
        for (List<String> job : jobs.subList(1, jobs.size())) {
            assertEquals("1500ns", job.get(job.indexOf("--wait") + 1), job::toString);
        }
    }

    @Test
    void whatGoesWrongIsTold() {
        assertEquals(2, run(arguments -> result(1), "fig99", "--out", place.toString()));
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("'fig99' is none of fig10c, "),
            err.toString(StandardCharsets.UTF_8));
        assertEquals(2, run(arguments -> result(1), "scaling-kv", "--out", place.toString()));
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("scaling-kv: is computed by ./ftrma simulate --scale"),
            err.toString(StandardCharsets.UTF_8));
        assertEquals(1, run(arguments -> {
            throw new IOException("rank 1 was lost");
        }, "fig11b", "--out", place.toString()));
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("rank 1 was lost"),
            err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void theProbabilityOfACatastropheIsComputedByTheCommandItself() throws IOException {
        assertEquals(0, run(new ProcessRuns(60, place, null), "fig10c", "--out", place.toString()),
            err.toString(StandardCharsets.UTF_8));
        List<String> lines = Files.readAllLines(place.resolve("fig10c.csv")).stream()
            .filter(line -> !line.startsWith("#")).toList();
        assertEquals("percent,checksums,aware,pcfPerDay", lines.getFirst());
        assertTrue(lines.size() > 40, lines::toString);
        String svg = Files.readString(place.resolve("fig10c.svg"));
        assertTrue(svg.contains("<svg") && !svg.contains("<image"), "curves as lines, not as pixels");
        for (String words : List.of("anywhere", "apart on nodes", "apart on power supplies", "apart on switches",
            "apart on racks", "checksum ranks, % of the processes")) {
            assertTrue(svg.contains(">" + words + "<"), words + " as text");
        }
    }
}
