package org.ftrma.launch.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ftrma.launch.Cli;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PcfCommandTest {
    private static final String JOB = "pcf --machine tsubame2 --processes 4000 --samples 2000 ";

    private static String run(int status, String words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int got = new Cli(new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8))
            .execute(words.split(" +"));
        assertEquals(status, got, () -> out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8));
        return (status == 0 ? out : err).toString(StandardCharsets.UTF_8);
    }

    private static Map<String, Object> json(String words) throws IOException {
        return JSON.std.mapFrom(run(0, words + " --json"));
    }

    private static double pcf(String words) throws IOException {
        return ((Number) json(JOB + words).get("pcfPerDay")).doubleValue();
    }

    @Test
    void figureOfThePaperComesOut() throws IOException {
        assertEquals(pcf("--checksums 1% --aware none"), pcf("--checksums 20% --aware none"));
        double none = pcf("--checksums 5% --aware none");
        double nodes = pcf("--checksums 5% --aware node");
        double ratio = nodes / pcf("--checksums 5% --aware switch");
        assertTrue(ratio > 3 && ratio < 5, "nodes / switches " + ratio);
        for (String level : List.of("node", "psu", "switch", "rack")) {
            double better = none / pcf("--checksums 200 --aware " + level);
            assertTrue(better > 10 && better < 1000, level + " " + better);
        }
    }

    @Test
    void jsonTellsGroupsLevelsAndThePlacementsOwnValue() throws IOException {
        Map<String, Object> json = json(JOB + "--checksums 5% --aware node");
        assertEquals(200, json.get("groups"));
        assertEquals(21, json.get("groupSize"));
        List<?> levels = (List<?>) json.get("levels");
        assertEquals(List.of("node", "psu", "switch", "rack"),
            levels.stream().map(level -> ((Map<?, ?>) level).get("name")).toList());
        double sum = levels.stream().mapToDouble(level -> ((Number) ((Map<?, ?>) level).get("pcfPerDay")).doubleValue())
            .sum();
        assertEquals(sum, ((Number) json.get("pcfPerDay")).doubleValue(), 1e-12 * sum);
        Map<?, ?> placement = (Map<?, ?>) json.get("placement");
        assertEquals(sum, ((Number) placement.get("pcfPerDay")).doubleValue(), 0.05 * sum);
        assertTrue(((Number) placement.get("standardError")).doubleValue() > 0);
        assertEquals(json, json(JOB + "--checksums 5% --aware node"), "the same seed gives the same");
    }

    @Test
    void placementsThatCannotBeAreSaidToBeImpossible() throws IOException {
        Map<String, Object> json = json(JOB + "--checksums 1% --aware rack");
        assertTrue(((Map<?, ?>) json.get("placement")).get("none").toString().contains("57 are missing"),
            json.toString());
        assertTrue(run(0, JOB + "--checksums 1% --aware rack").contains("of a placement which cannot be"));
    }

    @Test
    void targetFindsTheFewestChecksumRanks() throws IOException {
        Map<String, Object> json = json(JOB + "--target 2e-5 --aware rack");
        assertTrue(((Number) json.get("pcfPerDay")).doubleValue() <= 2e-5);
        int checksums = (int) json.get("checksums");
        assertEquals(94, checksums);
        assertEquals(44, json.get("groupSize"));
        assertTrue(run(2, JOB + "--target 1e-9 --aware node").contains("no number of checksum ranks reaches it"));
    }

    @Test
    void sweepIsATableAndACsv(@TempDir Path directory) throws IOException {
        String text = run(0, JOB + "--sweep --out " + directory);
        assertTrue(text.contains("5%             200      21   1.099e-03    6.054e-05    2.656e-05    1.731e-05    "
            + "9.970e-06"), text);
        String csv = Files.readString(directory.resolve("fig10c.csv"));
        assertTrue(csv.contains("# command: ./ftrma " + JOB + "--sweep --out " + directory), csv);
        List<String> lines = csv.lines().filter(line -> !line.startsWith("#")).toList();
        assertEquals("percent,checksums,aware,pcfPerDay", lines.getFirst());
        assertTrue(lines.get(1).startsWith("1.0,40,none,0.00109887922864"), lines.get(1));
        for (String level : List.of("none", "node", "psu", "switch", "rack")) {
            assertTrue(lines.stream().anyMatch(line -> line.startsWith("20.0,800," + level + ",")), level);
        }
        assertTrue(Files.readString(directory.resolve("fig10c.txt")).contains("9.970e-06"));
        List<?> points = (List<?>) json(JOB + "--sweep").get("points");
        assertEquals(17 * 5, points.size());
        assertFalse((boolean) ((Map<?, ?>) points.get(4)).get("placeable"));
    }

    @Test
    void ownDistributionsComeFromAFile(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("topology.json"), """
            {"levels": [{"name": "node", "count": 6, "failures": {"perDay": [0.1, 0.01]}},
             {"name": "rack", "count": 1}]}""");
        Map<String, Object> json = json("pcf --processes 8 --checksums 2 --aware node --topology " + file);
        // Of the 15 pairs of nodes those are fatal that hold two members of a group: all but a few.
        double placement = ((Number) ((Map<?, ?>) json.get("placement")).get("pcfPerDay")).doubleValue();
        assertTrue(placement > 0.005 && placement < 0.01, json.toString());
        assertEquals(0, ((Number) ((Map<?, ?>) ((List<?>) json.get("levels")).get(1)).get("pcfPerDay")).doubleValue());
    }

    @Test
    void whatIsMissingOrWrongIsTold() {
        for (String[] one : new String[][] {
            {"pcf --nodes 6 --processes 8 --checksums 2", "does not tell how often"},
            {JOB, "--checksums"},
            {JOB + "--checksums 5% --target 0.1", "either"},
            {JOB + "--target 2", "--target=2"},
            {JOB + "--checksums 5% --out x", "--sweep"},
            {JOB + "--sweep --aware node", "--sweep"},
            {JOB + "--checksums 5% --length 1", "--length=1"},
            {JOB + "--checksums 5001", "at most"},
        }) {
            String told = run(2, one[0]);
            assertTrue(told.contains(one[1]), told);
        }
    }
}
