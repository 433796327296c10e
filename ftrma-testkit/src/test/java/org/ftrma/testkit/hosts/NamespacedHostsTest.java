package org.ftrma.testkit.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import org.ftrma.MisuseException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What can be done to links of hosts, each shown by what others hear. */
@Tag("long")
@Timeout(120)
class NamespacedHostsTest {
    /** For what does come; a retransmission may be on its way. */
    private static final int COMES_MILLIS = 30_000;
    /** For what does not come. */
    private static final int SILENCE_MILLIS = 250;

    private static NamespacedHosts hosts;
    private static HostPeer[] peers;

    /** Not before all tests: each of them is to be counted as skipped. */
    @BeforeEach
    void makeHosts() {
        assumeTrue(NamespacedHosts.whyNot().isEmpty(), NamespacedHosts::whyNot);
        if (hosts != null) {
            return;
        }
        hosts = NamespacedHosts.of(3);
        peers = new HostPeer[4];
        for (int host = 1; host <= 3; host++) {
            peers[host] = new HostPeer(hosts, host);
        }
        for (int host = 1; host <= 3; host++) {
            peers[host].ready();
        }
    }

    @AfterAll
    static void close() {
        if (hosts != null) {
            hosts.close();
        }
    }

    @AfterEach
    void allIsWellAfterwards() {
        if (hosts == null) {
            return;
        }
        for (int from = 1; from <= 3; from++) {
            int to = from % 3 + 1;
            connect(from, to, "after");
            assertEquals("echo", peers[from].ask("echo after " + COMES_MILLIS), "h" + from + " to h" + to);
        }
    }

    private static void connect(int from, int to, String name) {
        assertEquals("connected", peers[from].ask("connect " + name + " " + hosts.name(to) + " " + COMES_MILLIS));
    }

    private static void assertHears(int from, String connection) {
        assertEquals("echo", peers[from].ask("echo " + connection + " " + COMES_MILLIS));
    }

    private static void assertSilence(int from, String connection) {
        assertEquals("silence", peers[from].ask("echo " + connection + " " + SILENCE_MILLIS));
    }

    @Test
    void aMutedHostIsNotHeardUntilItIsUnmuted() {
        connect(1, 2, "c");
        assertHears(1, "c");
        hosts.mute(2);
        assertSilence(1, "c");
        assertEquals("silence", peers[3].ask("connect new h2 " + SILENCE_MILLIS));
        assertEquals("1", carrier(2));
        hosts.unmute(2);
        assertHears(1, "c");
    }

    @Test
    void anUnpluggedHostSeesItUntilItIsPluggedInAgain() {
        connect(1, 2, "c");
        hosts.unplug(2);
        assertEquals("0", carrier(2));
        assertSilence(1, "c");
        hosts.plug(2);
        assertHears(1, "c");
        assertEquals("1", carrier(2));
    }

    private static String carrier(int host) {
        return Commands.output(hosts.run(host, List.of("cat", "/sys/class/net/eth0/carrier")));
    }

    @Test
    void aBlockedDirectionIsSilentAndTheOtherOneIsNot() {
        peers[1].ask("heard 0 0");
        peers[2].ask("heard 0 0");
        hosts.block(2, 1);
        assertEquals("0", peers[2].ask("datagrams h1 5 " + SILENCE_MILLIS));
        assertEquals("0", peers[1].ask("heard 1 0"), "nothing of h2 comes to h1");
        assertEquals("0", peers[1].ask("datagrams h2 5 " + SILENCE_MILLIS), "answers do not come back");
        assertEquals("5", peers[2].ask("heard 5 " + COMES_MILLIS), "what h1 sends comes to h2");
        assertEquals("5", peers[3].ask("datagrams h1 5 " + COMES_MILLIS));
        hosts.unblock(2, 1);
        assertEquals("5", peers[2].ask("datagrams h1 5 " + COMES_MILLIS));
    }

    @Test
    void aSplitSeparatesSidesUntilItIsHealed() {
        connect(1, 3, "across");
        connect(1, 2, "within");
        hosts.split(List.of(1, 2), List.of(3));
        assertSilence(1, "across");
        assertEquals("silence", peers[3].ask("connect back h2 " + SILENCE_MILLIS));
        assertHears(1, "within");
        hosts.heal();
        assertHears(1, "across");
    }

    @Test
    void aLossyHostLosesSomePackets() {
        hosts.lossy(2, 30);
        int echoes = Integer.parseInt(peers[1].ask("datagrams h2 200 1000"));
        assertTrue(echoes > 40 && echoes < 160, "30 % lost each way: " + echoes + " of 200 came back");
        hosts.lossy(2, 100);
        assertEquals("0", peers[1].ask("datagrams h2 20 " + SILENCE_MILLIS));
        assertEquals("20", peers[1].ask("datagrams h3 20 " + COMES_MILLIS));
        hosts.lossy(2, 0);
        assertEquals("20", peers[1].ask("datagrams h2 20 " + COMES_MILLIS));
    }

    @Test
    void aSlowHostTakesAsLongAsItsRateSays() {
        connect(1, 2, "c");
        hosts.slow(2, 2_000);
        int slow = Integer.parseInt(peers[1].ask("push c 250000"));
        assertTrue(slow >= 700, "2 Mbit at 2 Mbit/s, but for what is in a bucket of 32 kbytes, took " + slow + " ms");
        hosts.slow(2, 0);
        int fast = Integer.parseInt(peers[1].ask("push c 250000"));
        assertTrue(fast < slow, "without a limit it took " + fast + " ms, with it " + slow + " ms");
    }

    @Test
    void aFrozenHostAcceptsAndSaysNothingUntilItIsThawed() {
        connect(1, 2, "c");
        hosts.freeze(2);
        assertEquals("connected", peers[1].ask("connect late h2 " + COMES_MILLIS), "its kernel goes on");
        assertSilence(1, "c");
        assertSilence(1, "late");
        hosts.thaw(2);
        assertHears(1, "c");
        assertHears(1, "late");
    }

    @Test
    void severalSetsOfHostsDoNotDisturbEachOther() {
        connect(1, 2, "c");
        try (NamespacedHosts others = NamespacedHosts.of(2)) {
            HostPeer first = new HostPeer(others, 1).ready();
            HostPeer second = new HostPeer(others, 2).ready();
            assertEquals("connected", first.ask("connect c " + others.address(2) + " " + COMES_MILLIS));
            others.mute(2);
            assertHears(1, "c");
            assertEquals("silence", first.ask("echo c " + SILENCE_MILLIS));
            assertTrue(second.ask("connect other h3 " + SILENCE_MILLIS).contains("h3"), "there is no h3 there");
        }
        assertHears(1, "c");
    }

    @Test
    void hostsThatDoNotExistAreRefused() {
        assertTrue(assertThrows(MisuseException.class, () -> hosts.mute(4)).getMessage().contains("host=4: there are "
            + "hosts 0 (login) to 3"));
        assertThrows(MisuseException.class, () -> hosts.split(List.of(1, 2), List.of(2)));
        assertThrows(MisuseException.class, () -> hosts.lossy(1, 101));
        assertThrows(MisuseException.class, () -> hosts.slow(1, 1));
        assertThrows(MisuseException.class, () -> NamespacedHosts.of(0));
    }

    @Test
    void whatIsMissingIsTold() {
        String root = "Uid:\t0\t0\t0\t0\nNSpid:\t1\n";
        assertTrue(HostRequirements.whyNot("", "/bin").contains("Linux"));
        assertTrue(HostRequirements.whyNot("Uid:\t0\t1000\t0\t0\nNSpid:\t1\n", "/bin").contains("by root"));
        String missing = HostRequirements.whyNot(root, "/nowhere");
        assertTrue(missing.contains("need ip, tc, nft, unshare") && missing.contains("/nowhere")
            && missing.contains("apt-get install -y iproute2 nftables util-linux"), missing);
        assertEquals("", HostRequirements.whyNot(root, System.getenv("PATH")));
    }

    /** It may have ended before it was told anything. */
    @RepeatedTest(20)
    void whyATrialFailsIsTold() {
        assertEquals("namespaced hosts cannot be made: not here", HostRequirements.told(List.of("/bin/sh", "-c",
            "exec 0<&-; echo not here; exit 1")));
    }
}
