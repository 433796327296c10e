package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.ftrma.launch.programs.Overwritten;
import org.ftrma.testkit.hosts.RunningProcess;

/**
 * A host falls silent in the middle of a stream of puts. Its rank is replaced, and its process stands still; but its
 * kernel has puts under way, and sends them again and again. When the host is reached again they come to the survivor,
 * whose windows have other bytes by then. So that there always are some, the survivor's process is stopped before the
 * stream begins: its kernel takes what fits, and the rest stays where it came from.
 *
 * <p>The survivor's kernel has something for the lost process, too: the answers to puts. Where these come first, the
 * kernel of the zombie gives up all it has, since nobody is there to read them. They are late here.
 */
class ZombieHostTest extends HostsTest {
    /** The network, seen from a socket: remote address, state, bytes that are to be sent, and to be read. */
    private static final Pattern SOCKET = Pattern.compile(
        " *\\d+: \\S+ ([0-9A-F]{8}):\\S+ (\\S\\S) ([0-9A-F]{8}):([0-9A-F]{8}) .*");
    /** A packet of more bytes has others than those of an acknowledgement. */
    private static final int MOST_ACK_BYTES = 80;
    private static final String TCP = "/proc/sys/net/ipv4";
    private static final Pattern DIFFERENCE = Pattern.compile("windows later: (\\S+), (\\d+) bytes differ");

    @SideBySide
    void whatAZombiesKernelDeliversChangesNoByteOfASurvivor() throws IOException {
        assertEquals(0, bytesChangedByAZombie(""));
        Map<String, Object> result = job.endsVerified();
        assertEquals(1, result.get("localRecoveries"), job::text);
        assertEquals(0, result.get("rollbacks"), job::text);
    }

    /** So the test above would see it. */
    @SideBySide
    void itDoesWhereTheSurvivorLeavesOpenWhatTheLostRankHadOpened() throws IOException {
        assertTrue(bytesChangedByAZombie("--jvm-arg " + OneWayRevocation.argument(directory)) > 0, job::text);
        assertEquals(false, job.ends(1).get("verified"), job::text);
    }

    private int bytesChangedByAZombie(String more) throws IOException {
        String usual = on(1, "cd " + TCP + "; cat tcp_orphan_retries tcp_retries2 tcp_rto_max_ms 2>/dev/null; true");
        retryOften("100", "100", "1000");
        try {
            return bytesChanged(more);
        } finally {
            on(1, "ip neigh flush dev eth0 nud permanent");
            String[] all = usual.split("\\s+");
            retryOften(all[0], all[1], all.length > 2 ? all[2] : "");
        }
    }

    private int bytesChanged(String more) throws IOException {
        begin("run --ranks 2 --checksums 1 --protocol full --interval 5 --hosts h1:1,h2:1,h3:2 --host-timeout 2s "
            + "--heartbeat-timeout 30s", more + " --class-path " + FastStarts.classPath() + " -- "
            + Overwritten.class.getName() + " " + directory);
        muteInTheMiddle();
        try {
            job.awaitLine("host h1 is lost: silent for more than 2s");
            job.awaitLine("is back (replay)");
            job.awaitWhileItRuns("the survivor's windows", () -> job.text().contains("windows: "));
            assertTrue(bytesUnderWay() >= Overwritten.PUT_BYTES, () -> "the kernel of h1 has no put any more\n"
                + job.text());
            on(1, "nft add table ip late; nft 'add chain ip late input { type filter hook input priority 0; }'; "
                + "nft add rule ip late input ip saddr " + hosts.address(2) + " meta length '>' " + MOST_ACK_BYTES
                + " drop");
        } finally {
            hosts.unmute(1);
        }
        try {
            job.awaitWhileItRuns("the kernel of h1 is rid of what it had", () -> bytesUnderWay() == 0);
        } finally {
            on(1, "nft delete table ip late");
        }
        job.awaitWhileItRuns("rank 1 has read what has come", this::isAllRead);
        Files.createFile(directory.resolve(Overwritten.UNMUTED));
        job.awaitWhileItRuns("the survivor's windows once more", () -> job.text().contains("windows later: "));
        Matcher told = DIFFERENCE.matcher(job.text());
        assertTrue(told.find(), job::text);
        return Integer.parseInt(told.group(2));
    }

    /** Rank 1 is stopped while rank 0 begins its stream, and goes on when the host of rank 0 is mute. */
    private void muteInTheMiddle() throws IOException {
        job.awaitWhileItRuns("both ranks wait", () -> job.text().contains("rank 0 waits")
            && job.text().contains("rank 1 waits"));
        List<RunningProcess> survivors = job.running(2, "RankMain");
        assertEquals(1, survivors.size(), survivors::toString);
        String pid = Long.toString(survivors.getFirst().pid());
        on(2, "kill -STOP " + pid);
        try {
            Files.createFile(directory.resolve(Overwritten.STREAM));
            job.awaitWhileItRuns("the kernel of h1 has puts under way", () ->
                bytesUnderWay() >= Overwritten.PUT_BYTES);
            keepNeighbours();
            hosts.mute(1);
            Files.createFile(directory.resolve(Overwritten.MUTED));
        } finally {
            on(2, "kill -CONT " + pid);
        }
    }

    /**
     * A kernel waits longer and longer before it sends again: at most a second here, where it can be told so, and then
     * without giving up a process that is dead, or one that stands still (by itself after 15 times).
     */
    private void retryOften(String orphans, String others, String millis) {
        on(1, "cd " + TCP + "; echo " + orphans + " > tcp_orphan_retries; echo " + others + " > tcp_retries2; "
            + "if [ -e tcp_rto_max_ms ]; then echo " + millis + " > tcp_rto_max_ms; fi");
    }

    /** A kernel that forgets where others are gives up what a dead process had for them. */
    private void keepNeighbours() {
        on(1, "ip neigh show dev eth0 | while read -r address word link state; do [ \"$word\" != lladdr ] || "
            + "ip neigh replace $address lladdr $link dev eth0 nud permanent; done");
    }

    /** What the first host's kernel has for others, of which nobody has told it that it has come. */
    private long bytesUnderWay() {
        return socketsOn(1).mapToLong(socket -> Long.parseLong(socket.group(3), 16)).sum();
    }

    /** The end of a connection counts as one byte, which nobody reads. */
    private boolean isAllRead() {
        return socketsOn(2).noneMatch(socket -> Long.parseLong(socket.group(4), 16) > 1);
    }

    /** Those with a peer on another host. */
    private Stream<MatchResult> socketsOn(int host) {
        return on(host, "cat /proc/net/tcp").lines().map(SOCKET::matcher).filter(Matcher::matches)
            .filter(socket -> !socket.group(1).equals("00000000") && !socket.group(1).endsWith("7F"))
            .map(Matcher::toMatchResult);
    }

    private String on(int host, String script) {
        Process process = hosts.run(host, List.of("/bin/sh", "-c", script), shell -> shell.redirectErrorStream(true));
        try {
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(20, TimeUnit.SECONDS), script);
            assertEquals(0, process.exitValue(), printed);
            return printed;
        } catch (IOException e) {
            throw new IllegalStateException(script, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(script, e);
        }
    }
}
