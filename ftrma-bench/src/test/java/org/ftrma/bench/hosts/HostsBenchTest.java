package org.ftrma.bench.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ftrma.MisuseException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@Tag("long")
class HostsBenchTest {
    private static final double EXACT = 1e-12;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "latency|'latency' is none of access, overhead, death, kills, losses",
        "--rounds 0|--rounds 0: from 1 to 1000",
        "--pairs 1001|--pairs 1001: from 1 to 1000",
        "--trials -1|--trials -1: from 1 to 1000",
        "--device eth0|--shell, --remote-ftrma, --advertise and --device are for hosts of yours: add --hosts",
        "--hosts a,b|--hosts=a,b: access, overhead, death need 3 hosts, and access alone two",
        "access --only x|--only 'x': is in none of 'put and flush, 8 B'",
        "access --hosts a|--hosts=a: access needs 2 hosts",
        "access --hosts a,|'' is not a host name",
        "access --hosts a,b --hostfile f|--hosts=a,b: not together with --hostfile",
        "access --hostfile /absent/f|--hostfile=/absent/f: cannot be read",
        "death --hosts a:1,b:1,c:1|--hosts=a:1,b:1,c:1: host c has one slot, and death needs 2 there"})
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

    @AfterEach
    void forgetCommand() {
        System.clearProperty("ftrma.command");
    }

    /** The command of this test run. */
    private void makeCommand() throws IOException {
        Path script = directory.resolve("ftrma");
        script(script, "exec " + Path.of(System.getProperty("java.home"), "bin", "java")
            + " -XX:TieredStopAtLevel=1 -XX:-UsePerfData --enable-native-access=ALL-UNNAMED -Dftrma.command='" + script
            + "' -cp '" + System.getProperty("java.class.path") + "' org.ftrma.launch.Main \"$@\"");
        System.setProperty("ftrma.command", script.toString());
    }

    private static void script(Path file, String commands) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + commands + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private static void assertMeasured(Set<Access> accesses, List<?> rows) {
        assertEquals(accesses.stream().map(Access::text).toList(),
            rows.stream().map(row -> ((Map<?, ?>) row).get("access")).toList());
        for (Object row : rows) {
            assertTrue(((Map<?, ?>) row).get("oursMicros") instanceof Double micros && micros > 0.01 && micros < 1e6,
                row::toString);
        }
    }

    /** On hosts that are made for it, of whatever kind this machine has. */
    @Test
    @Timeout(300)
    void accessesBetweenTwoHostsAreMeasured() throws Exception {
        makeCommand();
        Part part = new AccessPart();
        try (BenchHosts hosts = BenchHosts.made(part.slots().size())) {
            part.measure(hosts, new Part.Effort(true, 1, 1, 1, Access.named("")));
        }
        List<?> rows = (List<?>) part.figures();
        assertMeasured(EnumSet.allOf(Access.class), rows);
        assertEquals(rows.size() + 1, part.table().size(), part.table()::toString);
    }

    /** They are this machine under two names, and reached by what starts a command there. */
    @Test
    @Timeout(300)
    void accessesBetweenHostsOfTheUserAreMeasured() throws Exception {
        makeCommand();
        Path shell = directory.resolve("shell");
        script(shell, "echo \"$1\" >> " + directory.resolve("reached") + "; shift; exec /bin/sh -c \"$1\"");
        Path file = Files.writeString(directory.resolve("hosts"), "one slots=1\nspare spare\ntwo:1 # the last\n");
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            assertEquals(0, new CommandLine(new HostsBench()).execute("access", "--quick", "--rounds", "1", "--only",
                "8 B", "--json", "--hostfile", file.toString(), "--shell", shell.toString(), "--advertise",
                "127.0.0.1"));
        } finally {
            System.setOut(out);
        }
        Map<String, Object> result = JSON.std.mapFrom(printed.toString(StandardCharsets.UTF_8));
        assertEquals("hosts one, two", result.get("hosts"));
        assertMeasured(EnumSet.of(Access.PUT_FLUSH_8, Access.PUTS_8, Access.GET_8, Access.FETCH_ADD),
            (List<?>) result.get("access"));
        assertEquals(List.of("one", "two"), Files.readAllLines(directory.resolve("reached")).stream().sorted()
            .toList());
    }
}
