package org.ftrma.launch.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StuckConnectionsTest {
    private static final String HEADER = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt"
        + "   uid  timeout inode\n";
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path proc;
    private StuckConnections connections;

    @BeforeEach
    void makeProcesses() throws IOException {
        Files.createDirectories(proc.resolve("net"));
        Files.createDirectories(proc.resolve("7/fd"));
        for (int socket : List.of(11, 12, 13, 14)) {
            Files.createSymbolicLink(proc.resolve("7/fd/" + socket), Path.of("socket:[" + socket + "]"));
        }
        connections = new StuckConnections(proc);
    }

    /** To 10.77.0.2. */
    private static String line(int port, String state, int again, int socket) {
        return String.format("   0: 01004D0A:%04X 02004D0A:1F90 %s 00000100:00000000 01:00000014 %08X     0        0 "
            + "%d 1 0000000000000000 20 4 30 10 -1%n", port, state, again, socket);
    }

    private Map<String, Long> look(long seconds, String... lines) throws IOException {
        Files.writeString(proc.resolve("net/tcp"), HEADER + String.join("", lines));
        return connections.look(List.of(7L, 8L), 3 * SECOND, seconds * SECOND);
    }

    @Test
    void whatIsSentAgainAndAgainIsStuckSinceItWasSeenFirst() throws IOException {
        assertEquals(Map.of(), look(10, line(1, "01", 0, 11)));
        assertEquals(Map.of("10.77.0.2", 0L), look(11, line(1, "01", 1, 11), line(2, "02", 1, 12)));
        assertEquals(Map.of("10.77.0.2", SECOND), look(12, line(1, "01", 2, 11), line(2, "02", 2, 12)));
        assertEquals(Map.of("10.77.0.2", 3 * SECOND), look(14, line(1, "01", 2, 11), line(2, "02", 3, 12)));
    }

    @Test
    void anAnswerBeginsAnew() throws IOException {
        look(10, line(1, "01", 3, 11));
        assertEquals(Map.of("10.77.0.2", 2 * SECOND), look(12, line(1, "01", 3, 11)));
        assertEquals(Map.of("10.77.0.2", 0L), look(13, line(1, "01", 1, 11)));
        assertEquals(Map.of(), look(14, line(1, "01", 0, 11)));
        assertEquals(Map.of("10.77.0.2", 0L), look(15, line(1, "01", 1, 11)));
    }

    @Test
    void othersConnectionsAndThoseThatEndDoNotCount() throws IOException {
        assertEquals(Map.of(), look(10, line(1, "01", 3, 99), line(2, "04", 3, 11), line(3, "01", 3, 0)));
    }

    @Test
    void nothingIsKnownOfATimeInWhichNobodyLooked() throws IOException {
        look(10, line(1, "01", 3, 11));
        assertEquals(Map.of("10.77.0.2", 0L), look(20, line(1, "01", 4, 11)));
    }

    @Test
    void addressesOfTheNewerKindAreReadToo() throws IOException {
        Files.writeString(proc.resolve("net/tcp6"), HEADER + "   0: 000080FE00000000FF005450010000FE:1F90 "
            + "000080FE00000000FF005450020000FE:1F91 01 00000100:00000000 01:00000014 00000002     0        0 13 "
            + "1 0\n");
        look(10);
        assertEquals(Map.of("fe80:0:0:0:5054:ff:fe00:2", SECOND), look(11));
    }

    @Test
    void aKernelWithoutSuchATableTellsNothing() {
        assertEquals(Map.of(), new StuckConnections(proc.resolve("none")).look(List.of(7L), SECOND, SECOND));
    }
}
