package org.ftrma.launch.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.FtrmaException;
import org.ftrma.rank.control.FrameDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of the ports of a process that has no file left for a connection. */
@Timeout(120)
class DescriptorShortageTest {
    private final List<String> lines = new ArrayList<>();

    private String await(BufferedReader from, String start) throws IOException {
        for (String line = from.readLine(); line != null; line = from.readLine()) {
            lines.add(line);
            if (line.startsWith(start)) {
                return line;
            }
        }
        throw new AssertionError("no line that starts with '" + start + "' came: " + lines);
    }

    @Test
    void connectionsWaitForFilesWithoutABusyLoopAndAreServedThen() throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Process process = new ProcessBuilder("/bin/sh", "-c", "ulimit -n 200; exec \"$@\"", "sh",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1", "-XX:-MaxFDLimit", "-cp", classPath, StarvedPorts.class.getName())
            .redirectErrorStream(true).start();
        try (BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(),
            StandardCharsets.UTF_8))) {
            String[] ports = await(out, "ports ").split(" ");
            assertEquals("full /dev/null (Too many open files)", await(out, "full "));
            try (Socket server = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(ports[1]));
                Socket lifeline = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(ports[2]))) {
                Duration before = process.info().totalCpuDuration().orElseThrow();
                process.getOutputStream().write('\n');
                process.getOutputStream().flush();
                int polls = Integer.parseInt(await(out, "starved ").split(" ")[1]);
                Duration used = process.info().totalCpuDuration().orElseThrow().minus(before);
                assertTrue(used.toMillis() < 1_000, () -> "processor time of 2 s: " + used);
                assertTrue(polls > 10 && polls < 200, () -> "turns within 2 s: " + lines);
                for (String port : List.of("server: ", "lifelines: ")) {
                    assertEquals(1, lines.stream().filter(line -> line.startsWith(port
                        + "no connection can be accepted at port ") && line.contains("Too many open files")).count(),
                        lines::toString);
                }
                server.setSoTimeout(20_000);
                assertTrue(server.getInputStream().read() >= 0, "the server's challenge");
                lifeline.getOutputStream().write(new byte[FrameDescriptor.HEADER_BYTES]);
                lifeline.setSoTimeout(20_000);
                assertEquals(-1, lifeline.getInputStream().read(), "what is no greeting ends a lifeline");
            }
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aJobThatOpensMoreFilesThanItMayIsRefused() {
        String limits = "Limit                     Soft Limit           Hard Limit           Units\n"
            + "Max open files            100                  100                  files\n";
        LocalAgent.requireFiles(9, limits);
        FtrmaException refused = assertThrows(FtrmaException.class, () -> LocalAgent.requireFiles(10, limits));
        assertTrue(refused.getMessage().startsWith("the launcher of 10 processes opens 104 files, and may open 100 "
            + "(ulimit -n): raise "), refused::getMessage);
        LocalAgent.requireFiles(10, "Max open files            unlimited            unlimited            files\n");
    }
}
