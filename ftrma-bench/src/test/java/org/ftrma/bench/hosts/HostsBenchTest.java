package org.ftrma.bench.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.ftrma.MisuseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class HostsBenchTest {
    private static final double EXACT = 1e-12;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "latency|'latency' is none of access, overhead, death, kills, losses",
        "--rounds 0|--rounds 0: from 1 to 1000",
        "--pairs 1001|--pairs 1001: from 1 to 1000",
        "--trials -1|--trials -1: from 1 to 1000",
        "--device eth0|--shell, --advertise and --device are for hosts of yours: add --hosts",
        "--hosts a,b|--hosts a,b: access, overhead, death need 3 hosts, and access alone two",
        "access --hosts a|--hosts a: access needs 2 hosts",
        "access --hosts a:1,b:1|'a:1' is no name of a host; slots are not told here"})
    void whatIsWrongIsNamedWithItsLimit(String line, String why) {
        CommandLine command = new CommandLine(new HostsBench());
        HostsBench bench = command.getCommand();
        command.parseArgs(line.split(" "));
        MisuseException wrong = assertThrows(MisuseException.class, bench::call);
        assertTrue(wrong.getMessage().contains(why), wrong::getMessage);
    }

    @Test
    void quantilesLieBetweenTheValuesBesideThem() {
        double[] values = {4, 1, 3, 2};
        assertEquals(1, Part.quantile(values, 0), EXACT);
        assertEquals(2.5, Part.median(values), EXACT);
        assertEquals(1.75, Part.quantile(values, 0.25), EXACT);
        assertEquals(4, Part.quantile(values, 1), EXACT);
        assertEquals(7, Part.median(new double[] {7}), EXACT);
    }

    /** On hosts that are made for it, of whatever kind this machine has. */
    @Test
    @Timeout(300)
    void accessesBetweenTwoHostsAreMeasured() throws Exception {
        Path script = directory.resolve("ftrma");
        Files.writeString(script, "#!/bin/sh\nexec " + Path.of(System.getProperty("java.home"), "bin", "java")
            + " -XX:TieredStopAtLevel=1 -XX:-UsePerfData --enable-native-access=ALL-UNNAMED -Dftrma.command='" + script
            + "' -cp '" + System.getProperty("java.class.path") + "' org.ftrma.launch.Main \"$@\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        System.setProperty("ftrma.command", script.toString());
        Part part = new AccessPart();
        try (BenchHosts hosts = BenchHosts.made(part.hosts())) {
            part.measure(hosts, new Part.Effort(true, 1, 1, 1));
        } finally {
            System.clearProperty("ftrma.command");
        }
        List<?> rows = (List<?>) part.figures();
        assertEquals(Access.values().length, rows.size(), rows::toString);
        for (Object row : rows) {
            assertTrue(((Map<?, ?>) row).get("oursMicros") instanceof Double micros && micros > 0.01 && micros < 1e6,
                row::toString);
        }
        assertEquals(rows.size() + 1, part.table().size(), part.table()::toString);
    }
}
