package org.ftrma.launch.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
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

class MapCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private String run(int status, String words) {
        int got = new Cli(new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8))
            .execute(words.split(" +"));
        assertEquals(status, got, () -> out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8));
        return (status == 0 ? out : err).toString(StandardCharsets.UTF_8);
    }

    @Test
    void twoGroupsOfFiveFitOnSixNodesAndNotOnFour() throws IOException {
        Map<String, Object> json = JSON.std.mapFrom(run(0,
            "map --ranks 8 --nodes 6 --checksums 2 --aware node --json"));
        assertEquals(5, json.get("groupSize"));
        assertEquals(2, json.get("maxLoad"));
        assertEquals(10, ((List<?>) json.get("nodeOfMember")).size());
        assertEquals(1, ((Map<?, ?>) ((List<?>) json.get("levels")).getFirst()).get("mostOfOneGroup"));
        assertTrue(run(2, "map --ranks 8 --nodes 4 --checksums 2 --aware node")
            .contains("2 groups of 5 (4 computing ranks and 1 checksum rank) do not fit"));
    }

    @Test
    void placementIsPrintedAndDrawn(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("map.svg");
        String text = run(0, "map --machine tsubame2 --ranks 4000 --checksums 5% --aware switch --picture " + file);
        assertTrue(text.contains("200 groups of 21"), text);
        assertTrue(text.contains("checked: no more than 1 of any group on one switch"), text);
        String svg = Files.readString(file);
        assertEquals(4200, svg.split("<rect [^>]*hsl").length - 1);
        assertEquals(21, svg.split("text-anchor=\"middle\">199<").length - 1, "the members of a group have its number");
        assertTrue(svg.contains(">a checksum rank of that group<"), "a legend");
        assertTrue(svg.contains(">rack43<") && svg.contains("checksum rank 199"), "svg");
    }

    @Test
    void whatIsMissingOrWrongIsTold() {
        for (String[] one : new String[][] {
            {"map --ranks 8 --checksums 2", "no machine is given"},
            {"map --ranks 8 --checksums 2 --nodes 4 --machine tsubame2", "more than one machine"},
            {"map --ranks 8 --nodes 4", "--checksums is missing"},
            {"map --nodes 4 --checksums 1", "--ranks is missing"},
            {"map --ranks 8 --nodes 4 --checksums 3 --losses 2", "multiple"},
            {"map --ranks 8 --nodes 4 --checksums 300%", "--checksums=300%"},
            {"map --ranks 8 --nodes 4 --checksums x%", "--checksums=x%"},
            {"map --ranks 8 --nodes 4 --checksums 2 --aware blade",
             "--aware=blade: 'blade' is not a level of 4 nodes: these are none, node"},
            {"map --ranks 8 --nodes 0 --checksums 2", "--nodes=0"},
            {"map --ranks 8 --machine roadrunner --checksums 2", "tsubame2"},
            {"map --ranks 8 --topology /no/such/file.json --checksums 2", "/no/such/file.json"},
            {"map --ranks 8 --nodes 4 --checksums 2 --picture x.gif", ".svg"},
        }) {
            err.reset();
            assertTrue(run(2, one[0]).contains(one[1]), err.toString(StandardCharsets.UTF_8));
        }
    }
}
