package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Groups that survive two losses, their members killed together; machines with failure domains of several levels. */
class LossesKillTest {
    private static final String FFT =
        "fft --class S --ranks 4 --warm-up 0 --interval 2 --timeout 120s --json ";
    private static final String JOB = FFT + "--checksums 2 --losses 2 ";
    /** Six nodes in three racks. */
    private static final String RACKS = """
        {"name": "three racks", "levels": ["node", "rack"], "domains": [
          {"name": "left", "domains": ["n1", "n2"]}, {"domains": ["n3", "n4"]}, {"domains": ["n5", "n6"]}]}""";

    @ParameterizedTest
    @CsvSource({"1+2@3, coordinated", "0+checksum1@3, coordinated", "checksum0+checksum1@3, coordinated",
        "0+3@4, full"})
    void anyTwoOfAGroupAtOnceAreRecovered(String kill, String protocol) {
        Map<String, Object> json = Command.line(JOB + "--protocol " + protocol + " --kill " + kill).exits(0).json();
        assertEquals(true, json.get("verified"));
        assertEquals(2, json.get("losses"));
        assertEquals(2, ((List<?>) json.get("failures")).size());
        assertEquals(kill.startsWith("checksum") ? 0 : 1, Math.min(1, ((Number) json.get("rollbacks")).intValue()),
            json::toString);
        assertEquals(protocol.equals("full"), !((Map<?, ?>) json.get("fallbacks")).isEmpty(), json::toString);
    }

    @Test
    void aRankAndAChecksumRankAtOnceAreRecoveredWhileTheOthersRunOn() {
        Map<String, Object> json = Command.line(JOB + "--protocol full --spares 2 --kill 1+checksum0@3").exits(0)
            .json();
        assertEquals(true, json.get("verified"));
        assertEquals(Map.of(), json.get("fallbacks"));
        assertEquals(0, json.get("rollbacks"));
        assertEquals(1, json.get("localRecoveries"));
    }

    @Test
    void anyThreeAtOnceAreCatastrophicAndTheMessageSaysWhatWouldHaveHelped() {
        Command command = Command.line(JOB + "--kill 0+1+2@3").exits(3)
            .tells("catastrophic failure: group 0 lost 3 members (rank 0, rank 1, rank 2) and can rebuild 2")
            .tells("it would have been survived with 2 groups (--checksums 4 --losses 2), or with --losses 3 "
            + "--checksums 3");
        assertEquals("catastrophic", command.json().get("outcome"));
        assertFalse((Boolean) command.json().get("verified"));
    }

    @Test
    void lossOfANodeWithTwoMembersOfAGroupIsSurvived() {
        Map<String, Object> json = Command.line(JOB + "--nodes 3 --aware node --kill node1@3").exits(0).json();
        assertEquals(true, json.get("verified"));
        assertEquals(2, ((List<?>) json.get("failures")).size());
    }

    @Test
    void lossOfARackIsSurvivedWhereGroupsAreKeptApart(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("racks.json"), RACKS);
        String job = JOB + "--topology " + file + " ";
        Map<String, Object> json = Command.line(job + "--aware rack --kill left@3").exits(0).json();
        assertEquals(true, json.get("verified"));
        assertEquals("three racks", json.get("topology"));
        assertEquals(6, json.get("nodes"));
        assertEquals(2, ((List<?>) json.get("failures")).size());
        Command.line(FFT + "--checksums 1 --topology " + file + " --kill rack1@3").exits(3)
            .tells("they shared rack1, and --aware rack would not do")
            .tells("catastrophic failure: group 0 lost 2 members");
        Command.line(job + "--aware switch").exits(2)
            .tells("--topology --aware=switch: 'switch' is not a level of three racks");
        Command.line(job + "--aware rack --kill rack3@1").exits(2)
            .tells("there is no rack3; there are 6 nodes, 3 racks");
        Command.line(job + "--nodes 3").exits(2).tells("--nodes=3: not together with --topology");
        Command.line(JOB + "--topology " + file + ".no").exits(2).tells("cannot be read");
        Files.writeString(file, RACKS.replace("\"levels\"", "\"lovels\""));
        Command.line(job).exits(2).tells("racks.json line 1").tells("lovels");
    }

    @Test
    void numbersThatMakeNoGroupsAreRefused() {
        Command.line(FFT + "--checksums 3 --losses 2").exits(2)
            .tells("--checksums=3 --losses=2: each group has 2 checksum ranks").tells("such as 4");
        Command.line(FFT + "--checksums 10 --losses 2").exits(2)
            .tells("--checksums=10: at most 2 (--losses) per computing rank (--ranks=4)");
        Command.line(FFT + "--checksums 5 --losses 5").exits(2).tells("--losses=5");
        Command.line(FFT + "--checksums 1 --aware rack").exits(2)
            .tells("--aware=rack: there are no nodes; add --nodes N or --topology FILE");
    }
}
