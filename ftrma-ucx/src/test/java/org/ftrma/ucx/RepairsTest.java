package org.ftrma.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.ftrma.ucp.Repair;
import org.ftrma.ucp.Ucp;
import org.ftrma.ucp.UcpLibrary;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What happens with the release of UCX that is installed here where one function of it is left as it is: harm, if
 * {@link Repair} says that this release needs it, and none otherwise. With what a release needs there is none.
 */
@Tag("long")
@Timeout(180)
class RepairsTest {
    private static final long BYTES = 1 << 20;
    private static final int CONNECTIONS = 300;
    private static final long FIRST_DELAY_NANOS = 500_000;
    /** For an access that is expected to get no answer. */
    private static final int SECONDS_FOR_HARM = 5;
    private static final int GETS_TO_FILL_A_CONNECTION = 128;

    @TempDir
    private Path directory;

    @BeforeAll
    static void load() {
        UcpLibrary.require();
    }

    private static Set<Repair> needed() {
        return Repair.neededBy(Ucp.version());
    }

    private static Set<Repair> without(Repair repair) {
        Set<Repair> rest = EnumSet.allOf(Repair.class);
        rest.remove(repair);
        return rest;
    }

    private static void assertHarm(Repair left, boolean harmed) {
        assertEquals(needed().contains(left), harmed,
            "UCX " + Ucp.versionString() + " harmed where " + left + " is left as it is");
    }

    @Test
    void answersToAPeerThatDiedCostItsTargetItsWorkerOnlyWithoutBrokenConnections() throws InterruptedException {
        assertEquals("", harmOfRequestsThatOutliveTheirSource(needed()));
        assertHarm(Repair.BROKEN_CONNECTIONS,
            !harmOfRequestsThatOutliveTheirSource(without(Repair.BROKEN_CONNECTIONS)).isEmpty());
    }

    /** A target that stands still while many small requests come and their source dies. */
    private String harmOfRequestsThatOutliveTheirSource(Set<Repair> repairs) throws InterruptedException {
        try (PeerProcess target = target(repairs); PeerProcess bystander = peer(); PeerProcess source = peer()) {
            connect(bystander, target);
            connect(source, target);
            target.signal("STOP");
            source.ask("withhold 0 0 11");
            source.signal("KILL");
            target.signal("CONT");
            return harm(target, bystander, repairs);
        }
    }

    @Test
    void answersThatAreGivenUpCrashTheirTargetOnlyWithoutZeroedRequests() throws InterruptedException {
        assertEquals("", harmOfAnswersThatAreGivenUp(needed()));
        assertHarm(Repair.ZEROED_REQUESTS, !harmOfAnswersThatAreGivenUp(without(Repair.ZEROED_REQUESTS)).isEmpty());
    }

    /** More answers than a connection holds, in whose memory answers were before, to a source that dies. */
    private String harmOfAnswersThatAreGivenUp(Set<Repair> repairs) throws InterruptedException {
        try (PeerProcess target = target(repairs); PeerProcess bystander = peer(); PeerProcess source = peer()) {
            connect(bystander, target);
            connect(source, target);
            source.ask("withhold 0 " + GETS_TO_FILL_A_CONNECTION + " 10");
            source.ask("flush 0");
            source.ask("withhold 0 " + GETS_TO_FILL_A_CONNECTION + " 11");
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (target.read(BYTES / 2) != 11) {
                assertTrue(System.nanoTime() < deadline, "the last put did not arrive within 30 s");
            }
            source.signal("KILL");
            return harm(target, bystander, repairs);
        }
    }

    /** With it: {@link ServiceWorkerTest}. */
    @Test
    void aWorkerThatEndsWhileAPeerConnectsEndsItsProcessOnlyWithoutFatalErrors() throws InterruptedException {
        assertHarm(Repair.FATAL_ERRORS, !harmOfEndingWorkers(without(Repair.FATAL_ERRORS)).isEmpty());
    }

    private String harmOfEndingWorkers(Set<Repair> repairs) throws InterruptedException {
        PeerProcess peer = impatientPeer();
        try (PeerProcess target = target(repairs)) {
            long delay = FIRST_DELAY_NANOS;
            for (int round = 0; round < CONNECTIONS; round++) {
                String address = Base64.getEncoder().encodeToString(target.address());
                peer.send("connect 0 " + address + " " + Base64.getEncoder().encodeToString(target.key()));
                long moment = System.nanoTime() + delay;
                while (System.nanoTime() < moment) {
                    Thread.onSpinWait();
                }
                target.send("renew");
                String renewed = target.rawAnswer();
                if (!"ok renewed".equals(renewed)) {
                    return "target: " + renewed;
                }
                String answer = peer.rawAnswer();
                boolean inTime = "ok connected".equals(answer);
                delay += (inTime ? -delay : delay) / 4; // as long as connecting takes, on any machine
                if ("end".equals(answer)) { // see the README: UCX may end the process that connects
                    peer.close();
                    peer = impatientPeer();
                } else {
                    peer.ask("renew");
                }
            }
            return "";
        } finally {
            peer.close();
        }
    }

    /** What a bystander and the target notice; empty: nothing. */
    private static String harm(PeerProcess target, PeerProcess bystander, Set<Repair> repairs)
        throws InterruptedException {
        if (!repairs.containsAll(needed())) {
            bystander.ask("wait " + SECONDS_FOR_HARM); // otherwise as long as peers wait
        }
        bystander.send("put 0 8 4711");
        String put = bystander.rawAnswer();
        if (!"ok put".equals(put)) {
            return "bystander: " + put;
        }
        assertEquals(4711, target.read(8));
        return "";
    }

    private static void connect(PeerProcess peer, PeerProcess target) {
        peer.connect(0, target.address(), target.key());
        peer.ask("put 0 8 1");
    }

    private PeerProcess peer() {
        return new PeerProcess("network", BYTES, directory);
    }

    /** Of a connection that is cut off UCX 1.13 may never hear. */
    private PeerProcess impatientPeer() {
        PeerProcess peer = peer();
        peer.ask("wait 1");
        return peer;
    }

    /** Its crash is expected: the report stays in the folder that goes with the test. */
    private PeerProcess target(Set<Repair> repairs) {
        String names = repairs.stream().map(Repair::name).collect(Collectors.joining(","));
        return new PeerProcess(command -> {
            command.addAll(1, List.of("-XX:-CreateCoredumpOnCrash", "-XX:ErrorFile=" + directory.resolve("crash.log")));
            ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(directory.resolve("target.err").toFile());
            builder.environment().put("MALLOC_PERTURB_", "85"); // nothing is zero by chance
            return builder.start();
        }, directory, "network" + PeerMain.REPAIRED + names, Long.toString(BYTES));
    }
}
