package org.ftrma.launch.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.ftrma.FtrmaException;
import org.ftrma.rank.control.ControlLink;
import org.ftrma.rank.control.ControlPeer;
import org.ftrma.rank.control.FrameDescriptor;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.control.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The links of agents: as those of processes, beside them. */
class AgentLinkTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int JOIN_MILLIS = 20_000;

    private final Token token = Token.random();
    private final List<String> heard = new ArrayList<>();
    private final List<byte[]> payloads = new ArrayList<>();
    private final ControlServer server = new ControlServer(token, new ControlServer.Listener() {
        @Override
        public void joined(int process, long pid) {
            heard.add("joined " + process);
        }

        @Override
        public void received(int process, byte[] payload) {
            heard.add("received " + process);
        }

        @Override
        public void disconnected(int process, String why) {
            heard.add("disconnected " + process + " " + why);
        }

        @Override
        public void rejected(String why) {
            heard.add("rejected " + why);
        }

        @Override
        public void agentJoined(int host, InetSocketAddress from) {
            heard.add("agent joined " + host + " from " + from.getAddress().getHostAddress());
        }

        @Override
        public void agentReceived(int host, byte[] payload) {
            heard.add("agent received " + host);
            payloads.add(payload);
        }

        @Override
        public void agentDisconnected(int host, String why) {
            heard.add("agent disconnected " + host + " " + why);
        }
    }, 5 * SECOND, SECOND / 20);

    @AfterEach
    void close() {
        server.close();
    }

    private void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + 20 * SECOND;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, () -> "waited 20 s for " + what + "; heard " + heard);
            server.poll(5);
        }
    }

    private CompletableFuture<ControlLink> connecting(ControlPeer who) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return new ControlLink(server.address(), token, who, JOIN_MILLIS);
            } catch (IOException e) {
                throw new IllegalStateException(e.getMessage(), e);
            }
        });
    }

    private ControlLink connect(ControlPeer who) {
        CompletableFuture<ControlLink> link = connecting(who);
        await(who + " to join", link::isDone);
        return link.join();
    }

    private boolean heard(String beginning) {
        return heard.stream().anyMatch(line -> line.startsWith(beginning));
    }

    private static byte[] random(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] receive(ControlLink link) {
        try {
            return link.receive(20 * SECOND);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void anAgentIsExpectedJoinsLateAndPayloadsGoBothWays() throws IOException {
        server.poll(0);
        server.expectAgent(3);
        try (ControlLink link = connect(ControlPeer.agent(3))) {
            assertEquals(List.of("agent joined 3 from 127.0.0.1"), heard);
            assertEquals(SECOND / 20, link.heartbeatNanos());
            List<byte[]> sent = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                sent.add(random(i, i == 10 ? FrameDescriptor.MAX_BODY : 1 + i * 31));
            }
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> sent.forEach(payload -> {
                try {
                    link.send(payload);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }));
            await("20 payloads", () -> payloads.size() == 20);
            sending.join();
            sent.forEach(payload -> server.sendToAgent(3, payload));
            CompletableFuture<List<byte[]>> reading = CompletableFuture.supplyAsync(() ->
                sent.stream().map(payload -> receive(link)).toList());
            await("20 answers", reading::isDone);
            for (int i = 0; i < 20; i++) {
                assertArrayEquals(sent.get(i), payloads.get(i), "payload " + i);
                assertArrayEquals(sent.get(i), reading.join().get(i), "answer " + i);
            }
        }
        await("the agent's end", () -> heard("agent disconnected 3 " + ControlServer.CLOSED));
        server.sendToAgent(3, new byte[1]);
        assertFalse(heard("received 3"), () -> "an agent's payloads are told as a process's: " + heard);
    }

    @Test
    void anAgentAndAProcessOfOneNumberAreTwo() throws IOException {
        server.expect(1);
        server.expectAgent(1);
        try (ControlLink process = connect(ControlPeer.process(1)); ControlLink agent = connect(ControlPeer.agent(1))) {
            assertEquals(List.of("joined 1", "agent joined 1 from 127.0.0.1"), heard);
            server.send(1, new byte[] {1});
            server.sendToAgent(1, new byte[] {2});
            server.poll(0);
            assertArrayEquals(new byte[] {1}, receive(process));
            assertArrayEquals(new byte[] {2}, receive(agent));
            server.forgetAgent(1);
            IOException e = assertThrows(IOException.class, () -> agent.receive(20 * SECOND));
            assertEquals("the launcher closed the connection", e.getMessage());
            process.send(new byte[1]);
            await("the process's payload", () -> heard("received 1"));
        }
    }

    @Test
    void anAgentThatWasNotExpectedOrHasJoinedIsTurnedAway() throws IOException {
        server.expect(2);
        CompletableFuture<ControlLink> unexpected = connecting(ControlPeer.agent(2));
        await("a refusal", unexpected::isCompletedExceptionally);
        assertTrue(heard.getFirst().contains("agent of host 2 was not expected"), heard::toString);
        server.expectAgent(2);
        try (ControlLink link = connect(ControlPeer.agent(2))) {
            CompletableFuture<ControlLink> second = connecting(ControlPeer.agent(2));
            await("a second refusal", second::isCompletedExceptionally);
            link.send(new byte[1]);
            await("the first one's payload", () -> heard("agent received 2"));
        }
    }

    @Test
    void anAgentShowsThatItLivesByPayloadsOfItsOwn() throws IOException {
        server.expectAgent(0);
        try (ControlLink link = connect(ControlPeer.agent(0)).beating(() -> new byte[] {7, 7})) {
            long joined = System.nanoTime();
            ConcurrentLinkedQueue<byte[]> received = new ConcurrentLinkedQueue<>();
            ConcurrentLinkedQueue<String> lost = new ConcurrentLinkedQueue<>();
            link.start("agent", new ControlLink.Hearer() {
                @Override
                public void received(byte[] payload) {
                    received.add(payload);
                }

                @Override
                public void lost(String why, boolean closed) {
                    lost.add(why + " " + closed);
                }
            });
            await("two beats", () -> payloads.size() == 2);
            assertArrayEquals(new byte[] {7, 7}, payloads.getFirst());
            assertEquals(List.of(), server.agentsSilentSince(joined));
            assertEquals(List.of(0), server.agentsSilentSince(System.nanoTime() + SECOND));
            assertEquals(List.of(), server.silentSince(System.nanoTime() + SECOND));
            assertTrue(server.agentHeardNanos(0) - joined > 0);
            server.sendToAgent(0, new byte[] {8});
            await("the agent's payload", () -> !received.isEmpty());
            assertArrayEquals(new byte[] {8}, received.peek());
            assertTrue(link.heardNanos() - joined > 0);
            server.forgetAgent(0);
            await("the loss", () -> !lost.isEmpty());
            assertEquals("the launcher closed the connection false", lost.peek());
        }
    }

    @Test
    void anAgentThatDoesNotReadIsGivenUp() throws IOException {
        server.expectAgent(0);
        try (ControlLink link = connect(ControlPeer.agent(0))) {
            byte[] payload = new byte[FrameDescriptor.MAX_BODY];
            long most = ControlServer.MAX_QUEUED_BYTES / payload.length + 32;
            for (int i = 0; i < most && !heard("agent disconnected"); i++) {
                server.sendToAgent(0, payload);
            }
            assertTrue(heard("agent disconnected 0 it does not read"), heard::toString);
            assertTrue(link.heartbeatNanos() > 0);
        }
    }

    @Test
    void aPayloadThatIsWaitedForInVainIsNull() throws IOException {
        server.expectAgent(0);
        try (ControlLink link = connect(ControlPeer.agent(0))) {
            assertNull(link.receive(SECOND / 100));
        }
    }

    @Test
    void theServerListensOnOneAddressThatItIsGivenAndNeverOnAll() throws IOException {
        ControlServer.Listener none = new ControlServer.Listener() {
            @Override
            public void joined(int process, long pid) {
            }

            @Override
            public void received(int process, byte[] payload) {
            }

            @Override
            public void disconnected(int process, String why) {
            }

            @Override
            public void rejected(String why) {
            }
        };
        InetSocketAddress second = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.2"), 0);
        try (ControlServer given = new ControlServer(second, token, none, SECOND, SECOND,
            MachineClock.HERE)) {
            assertEquals(second.getAddress(), given.address().getAddress());
            assertTrue(given.address().getPort() > 0);
            String message = assertThrows(FtrmaException.class, () -> new ControlServer(given.address(), token, none,
                SECOND, SECOND, MachineClock.HERE)).getMessage();
            assertTrue(message.contains("127.0.0.2 port " + given.address().getPort()), message);
        }
        for (InetSocketAddress bad : List.of(new InetSocketAddress(0), InetSocketAddress.createUnresolved("host", 1),
            new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 0))) {
            FtrmaException e = assertThrows(FtrmaException.class, () -> new ControlServer(bad, token, none, SECOND,
                SECOND, MachineClock.HERE));
            assertEquals(FtrmaException.Category.SETUP, e.category());
            assertTrue(e.getMessage().contains("address of this host"), e.getMessage());
        }
    }
}
