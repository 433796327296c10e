package org.ftrma.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.ftrma.testkit.hosts.NamespacedHosts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Members on several hosts reach each other over a network device, and those of one host by mapped memory. */
@Tag("long")
@Timeout(180)
class HostsFabricTest {
    private static final int OWNER = 1;
    private static final int WORD = 64;

    @TempDir
    private Path directory;
    private NamespacedHosts hosts;

    @BeforeEach
    void makeHosts() {
        assumeTrue(NamespacedHosts.whyNot().isEmpty(), NamespacedHosts::whyNot);
        hosts = NamespacedHosts.of(2);
    }

    @AfterEach
    void close() {
        if (hosts != null) {
            hosts.close();
        }
    }

    private PeerProcess peer(int host, String path, String device) {
        return new PeerProcess(command -> hosts.run(host, command,
            builder -> builder.redirectError(ProcessBuilder.Redirect.INHERIT)), directory, path, "65536", device);
    }

    @ParameterizedTest
    @CsvSource({"auto, eth0, 'sysv,tcp/eth0'", "network, eth0, tcp/eth0", "auto, address, 'sysv,tcp/eth0'"})
    void twoHostsPutGetAndAddOverTheirDevice(String path, String device, String transports) {
        try (PeerProcess first = peer(1, path, device.equals("address") ? hosts.address(1) : device);
             PeerProcess second = peer(2, path, device.equals("address") ? hosts.address(2) : device)) {
            assertTrue(first.ask("info").startsWith(transports), first.ask("info"));
            first.connect(2, second.address(), second.key());
            second.connect(1, first.address(), first.key());
            assertEquals("false", first.ask("immediate 2"));
            first.ask("put 2 16 4711");
            assertEquals(4711, second.read(16));
            second.ask("put 1 8 4712");
            assertEquals("4711", first.ask("get 2 16"));
            assertEquals("4712", second.ask("get 1 8"));
            assertEquals("4711", first.ask("fetch 2 16 289"));
            assertEquals("5000", first.ask("fetch 2 16 1"));
            assertEquals(5001, second.read(16));
            assertTrue(first.ask("info").endsWith(" network"), first.ask("info"));
        }
    }

    /** Sums of mapped memory and those that arrive over the network are both made by processors of its host. */
    @Test
    void bothWaysAddToOneWordAtTheSameTime() {
        try (PeerProcess owner = peer(1, "auto", "eth0"); PeerProcess mapped = peer(1, "auto", "eth0");
             PeerProcess remote = peer(2, "auto", "eth0")) {
            owner.connect(OWNER, owner.address(), owner.key());
            mapped.connect(OWNER, owner.address(), owner.key());
            remote.connect(OWNER, owner.address(), owner.key());
            assertEquals("true", mapped.ask("immediate " + OWNER));
            assertEquals("false", remote.ask("immediate " + OWNER));
            int remotely = 5_000;
            CompletableFuture<String> adding = CompletableFuture.supplyAsync(
                () -> remote.ask("add " + OWNER + " " + WORD + " " + remotely));
            int locally = 100_000;
            int rounds = 0;
            while (!adding.isDone()) {
                owner.send("add " + OWNER + " " + WORD + " " + locally);
                mapped.send("add " + OWNER + " " + WORD + " " + locally);
                owner.expect("added");
                mapped.expect("added");
                rounds++;
            }
            assertEquals("added", adding.join());
            assertTrue(rounds > 0, "nobody else added meanwhile");
            assertEquals(remotely + 2L * locally * rounds, owner.read(WORD));
            assertTrue(mapped.ask("info").endsWith(" mapped"), mapped.ask("info"));
        }
    }
}
