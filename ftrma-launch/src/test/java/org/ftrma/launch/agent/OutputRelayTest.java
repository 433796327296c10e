package org.ftrma.launch.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ftrma.rank.control.MachineClock;
import org.junit.jupiter.api.Test;

class OutputRelayTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private void relay(LinePrinter.Prefix prefix, String... scripts) throws Exception {
        OutputRelay relay = new OutputRelay(new LinePrinter(new PrintStream(out, true), new PrintStream(err, true),
            prefix), MachineClock.HERE);
        for (int i = 0; i < scripts.length; i++) {
            relay.attach(i, new ProcessBuilder("/bin/sh", "-c", scripts[i]).start());
        }
        assertTrue(relay.finish(20_000_000_000L), "the processes did not end within 20 s");
    }

    @Test
    void linesOfManyProcessesAreNeverMixed() throws Exception {
        String script = "i=0; while [ $i -lt 300 ]; do printf '%s' begin; printf ' %s ' $i; echo end; i=$((i+1)); done";
        relay(process -> "[" + process + "] ", script, script, script, script);
        Map<String, Integer> next = new TreeMap<>();
        for (String line : out.toString().lines().toList()) {
            String prefix = line.substring(0, 4);
            int number = next.merge(prefix, 1, Integer::sum) - 1;
            assertEquals(prefix + "begin " + number + " end", line);
        }
        assertEquals(Map.of("[0] ", 300, "[1] ", 300, "[2] ", 300, "[3] ", 300), next);
    }

    @Test
    void errorOutputStaysApartAndLastLinesWithoutEndAreKept() throws Exception {
        relay(process -> "", "printf one; printf two >&2");
        assertEquals("one\n", out.toString());
        assertEquals("two\n", err.toString());
    }

    @Test
    void longLinesStayWholeBesideOthers() throws Exception {
        int length = 3_000_000;
        String script = "head -c " + length + " /dev/zero | tr '\\0' x; echo; echo short";
        relay(process -> "[" + process + "] ", script, script, script);
        Map<Integer, Long> lines = out.toString().lines().collect(
            java.util.stream.Collectors.groupingBy(String::length, java.util.stream.Collectors.counting()));
        assertEquals(Map.of(length + 4, 3L, 9, 3L), lines);
    }

    @Test
    void whatAVirtualMachineTellsOfItsCrashIsLeftOut() throws Exception {
        String head = "echo '#'; echo '# A fatal error has been detected by the Java Runtime Environment:';"
            + " echo '#'; echo '#  SIGSEGV (0xb) at pc=0'; echo '[1.7s][warning][os] Loading hsdis library failed'";
        relay(process -> "", "echo '# mine'; echo '#'; echo 2; echo '#'; echo '#'; echo 3; " + head
            + "; echo last; echo '#'");
        assertEquals("# mine\n#\n2\n#\n#\n3\nlast\n", out.toString());
        out.reset();
        relay(process -> "", "echo 1; echo '#'");
        assertEquals("1\n#\n", out.toString());
    }

    @Test
    void endlessLinesAreBroken() throws Exception {
        int length = 3 * OutputRelay.MAX_LINE_BYTES + 17;
        relay(process -> "", "head -c " + length + " /dev/zero | tr '\\0' x");
        List<String> lines = out.toString().lines().toList();
        assertEquals(length, lines.stream().mapToInt(String::length).sum());
        assertTrue(lines.stream().allMatch(line -> line.length() <= OutputRelay.MAX_LINE_BYTES + 1),
            "a line is too long");
    }
}
