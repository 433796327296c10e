package org.ftrma.launch.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.ftrma.launch.agent.AgentLink;
import org.ftrma.launch.agent.HostFacts;
import org.ftrma.launch.agent.HostRoom;
import org.ftrma.launch.agent.RemoteAgent;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.program.ClassPathDigest;
import org.junit.jupiter.api.Test;

/** Which host goes where some do not reach each other. */
class LinksTest {
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int STUCK = 44;

    private final List<String> notes = new ArrayList<>();
    private final Links links = new Links(notes::add);
    private final List<Host> hosts = new ArrayList<>();
    private final List<Connection> connections = new ArrayList<>();

    /** Says what the test does. */
    private static final class Connection implements AgentLink {
        private final ArrayDeque<byte[]> frames = new ArrayDeque<>();
        private long silentNanos;

        @Override
        public void send(byte[] frame) {
            // nobody is there
        }

        @Override
        public byte[] poll() {
            return frames.poll();
        }

        @Override
        public String whyOver() {
            return null;
        }

        @Override
        public long heardNanos() {
            return System.nanoTime() - silentNanos;
        }

        @Override
        public void whenHeard(Runnable wakeup) {
            // nobody sleeps
        }

        @Override
        public void close() {
            frames.clear();
        }
    }

    private void hosts(int count) {
        int before = hosts.size();
        for (int i = before; i < before + count; i++) {
            String name = "h" + (i + 1);
            Connection connection = new Connection();
            connections.add(connection);
            hosts.add(new Host(new HostSpec(name, 2, false, ""), new RemoteAgent(name, new HostFacts(name, i,
                "k" + i, address(i), "eth0", List.of(), new HostRoom(2, 1000), "25", ClassPathDigest.NONE, 0,
                List.of(address(i))), connection, TIMEOUT_NANOS, MachineClock.HERE)));
        }
    }

    private static String address(int host) {
        return "10.77.0." + (host + 1);
    }

    /** The agent of one host tells that nothing has got through to another one for so long. */
    private void stuck(int from, int to, long nanos) {
        byte[] address = address(to).getBytes(StandardCharsets.UTF_8);
        connections.get(from).frames.add(ByteBuffer.allocate(2 * Integer.BYTES + address.length + Long.BYTES)
            .putInt(STUCK).putInt(address.length).put(address).putLong(nanos).array());
    }

    private void turn(Runnable told) {
        told.run();
        long now = System.nanoTime();
        for (Host host : hosts) {
            if (!host.isLost()) {
                host.agent().attend(now);
            }
        }
        links.judge(hosts, now);
        LockSupport.parkNanos(5_000_000);
    }

    private void await(String what, Runnable told, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, () -> "waited 30 s for " + what + "; " + notes);
            turn(told);
        }
    }

    private List<String> lost() {
        return hosts.stream().filter(Host::isLost).map(Host::name).toList();
    }

    @Test
    void ofTwoThatAreAlikeTheLaterOneGoesAndOnlyIt() {
        hosts(3);
        await("a loss", () -> {
            stuck(0, 1, TIMEOUT_NANOS + 1);
            stuck(1, 0, TIMEOUT_NANOS + 1);
        }, () -> !lost().isEmpty());
        assertEquals(List.of("h2"), lost());
        assertEquals("LINK: it and host h1 have not reached each other for more than 1s, though the launcher reaches "
            + "both", hosts.get(1).agent().lost());
        assertTrue(notes.getFirst().startsWith("hosts h1 and h2 have not reached each other for 1s"), notes::toString);
        for (int i = 0; i < 20; i++) {
            turn(() -> stuck(0, 1, TIMEOUT_NANOS * 2)); // what was told of one that is gone counts for nothing
        }
        assertEquals(List.of("h2"), lost());
    }

    @Test
    void theOneGoesThatOthersDoNotReachEither() {
        hosts(3);
        await("a loss", () -> {
            stuck(1, 0, TIMEOUT_NANOS + 2);
            stuck(2, 0, TIMEOUT_NANOS + 1);
        }, () -> !lost().isEmpty());
        assertEquals(List.of("h1"), lost());
    }

    /** What is told by an agent that has just come does not count yet; until it does, nobody is chosen. */
    @Test
    void nobodyGoesBeforeAllThatAreHeardHaveTold() {
        hosts(2);
        long comes = System.nanoTime() + TIMEOUT_NANOS * 2 / 5;
        await("the third host's time", () -> { }, () -> System.nanoTime() - comes > 0);
        hosts(1);
        await("a loss", () -> {
            stuck(1, 0, TIMEOUT_NANOS + 2);
            stuck(2, 0, TIMEOUT_NANOS + 1);
        }, () -> !lost().isEmpty());
        assertEquals(List.of("h1"), lost());
    }

    @Test
    void beforeTheTimeoutItIsOnlyTold() {
        hosts(2);
        await("a note", () -> stuck(1, 0, TIMEOUT_NANOS - 1), () -> !notes.isEmpty());
        for (int i = 0; i < 20; i++) {
            turn(() -> stuck(1, 0, TIMEOUT_NANOS - 1));
        }
        assertNull(hosts.get(0).agent().lost());
        assertNull(hosts.get(1).agent().lost());
        assertEquals(1, Set.copyOf(notes).size(), notes::toString);
    }

    /** It is about to be lost by its silence, and then no link is to blame. */
    @Test
    void aSilentHostCostsNoOtherOne() {
        hosts(2);
        connections.get(0).silentNanos = TIMEOUT_NANOS * 3 / 4;
        for (int i = 0; i < 150; i++) {
            turn(() -> stuck(1, 0, TIMEOUT_NANOS + 1));
        }
        assertNull(hosts.get(1).agent().lost());
    }
}
