package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ftrma.launch.programs.Ring;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A machine that refuses shared memory: a namespace of its own in which System V memory is used up. Needs the right to
 * make one.
 */
class FallbackTest {
    private static final List<String> REFUSING = List.of("unshare", "--ipc", "sh", "-c",
        "echo 0 > /proc/sys/kernel/shmmni && exec \"$@\"", "sh");

    @BeforeAll
    static void mayRefuse() throws Exception {
        List<String> command = new ArrayList<>(REFUSING);
        command.add("true");
        Process process = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        assumeTrue(process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0, "namespaces cannot be made here");
    }

    @Test
    void withoutSharedMemoryAJobRunsOverTheNetworkAndSaysWhyInOneLine() {
        try (LauncherProcess launcher = new LauncherProcess(REFUSING, "run", "--ranks", "2", "--checksums", "1",
            "--interval", "5", "--kill",
            "1@13", "--json", "--timeout", "60s", "--", Ring.class.getName(), "40")) {
            assertEquals(0, launcher.awaitExit(), () -> String.join("\n", launcher.lines()));
            launcher.awaitLine("\"path\":\"network\"");
            launcher.awaitLine("\"verified\":true");
            launcher.awaitLine("\"notMapped\":\"shared memory");
            List<String> told = launcher.lines().stream()
                .filter(line -> line.contains("memory cannot be mapped between processes here")).toList();
            assertEquals(1, told.size(), told::toString);
            assertTrue(told.getFirst().contains("tcp loopback") && told.getFirst().contains("shmmni=0"),
                told::toString);
        }
    }

    @Test
    void infoTellsIt() {
        try (LauncherProcess launcher = new LauncherProcess(REFUSING, "info")) {
            assertEquals(0, launcher.awaitExit());
            launcher.awaitLine("network (tcp over loopback) only, memory cannot be mapped: shared memory");
        }
    }
}
