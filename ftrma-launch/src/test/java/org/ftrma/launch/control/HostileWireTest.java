package org.ftrma.launch.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.ftrma.rank.control.ControlLink;
import org.ftrma.rank.control.ControlPeer;
import org.ftrma.rank.control.FrameDescriptor;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.control.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server whose frames have tags, with a wire between that does what it likes. A joined bystander is unharmed. */
class HostileWireTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int BYSTANDER = 1_000_000;

    private final Token token = Token.random();
    private final List<String> heard = new ArrayList<>();
    private final Map<Integer, List<byte[]>> payloads = new HashMap<>();
    private final ControlServer server = server(SECOND);
    private ControlLink bystander;

    private ControlServer server(long handshakeNanos) {
        return new ControlServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), token,
            new ControlServer.Listener() {
                @Override
                public void joined(int process, long pid) {
                    heard.add("joined " + process);
                }

                @Override
                public void received(int process, byte[] payload) {
                    payloads.computeIfAbsent(process, none -> new ArrayList<>()).add(payload);
                }

                @Override
                public void disconnected(int process, String why) {
                    heard.add("disconnected " + process + " " + why);
                }

                @Override
                public void rejected(String why) {
                    heard.add("rejected " + why);
                }
            }, handshakeNanos, 10 * SECOND, true, MachineClock.HERE);
    }

    @BeforeEach
    void join() {
        server.expect(BYSTANDER);
        bystander = polling("the bystander to join", () -> new ControlLink(server.address(), null, token,
            ControlPeer.process(BYSTANDER), 20_000, true));
    }

    @AfterEach
    void theBystanderIsUnharmed() throws IOException {
        try {
            bystander.send(new byte[] {1, 2, 3});
            await("the bystander's payload", () -> payloads.containsKey(BYSTANDER));
            assertArrayEquals(new byte[] {1, 2, 3}, payloads.get(BYSTANDER).getLast());
            server.send(BYSTANDER, new byte[] {4});
            assertArrayEquals(new byte[] {4}, polling("the answer", () -> bystander.receive(20 * SECOND)));
            assertFalse(heard("disconnected " + BYSTANDER));
        } finally {
            bystander.close();
            server.close();
        }
    }

    private void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + 20 * SECOND;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, () -> "waited 20 s for " + what + "; heard "
                + heard.subList(Math.max(0, heard.size() - 20), heard.size()));
            server.poll(5);
        }
    }

    private <T> T polling(String what, Callable<T> call) {
        CompletableFuture<T> result = CompletableFuture.supplyAsync(() -> {
            try {
                return call.call();
            } catch (Exception e) {
                throw new CompletionException(e);
            } finally {
                server.wakeup();
            }
        });
        await(what, result::isDone);
        return result.join();
    }

    private boolean heard(String beginning) {
        return heard.stream().anyMatch(line -> line.startsWith(beginning));
    }

    private static byte[] random(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] together(List<byte[]> parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        parts.forEach(all::writeBytes);
        return all.toByteArray();
    }

    /** Something is different: a bit, a piece that is cut out, comes twice, moves or is new, or the rest is missing. */
    private static byte[] changed(byte[] good, Random random) {
        byte[] bad;
        do {
            int at = random.nextInt(good.length);
            int other = at + random.nextInt(good.length - at + 1);
            byte[] before = Arrays.copyOf(good, at);
            byte[] piece = Arrays.copyOfRange(good, at, other);
            byte[] behind = Arrays.copyOfRange(good, other, good.length);
            bad = switch (random.nextInt(6)) {
                case 0 -> {
                    byte[] flipped = good.clone();
                    flipped[at] ^= (byte) (1 << random.nextInt(8));
                    yield flipped;
                }
                case 1 -> together(List.of(before, behind));
                case 2 -> together(List.of(before, piece, piece, behind));
                case 3 -> together(List.of(piece, before, behind));
                case 4 -> together(List.of(before, random(random, 1 + random.nextInt(50)), piece, behind));
                default -> before;
            };
        } while (Arrays.equals(good, bad));
        return bad;
    }

    /** Asserts that what came is the beginning of what was sent. */
    private static void assertBeginning(List<byte[]> sent, List<byte[]> came, String where) {
        assertTrue(came.size() <= sent.size(), where);
        for (int i = 0; i < came.size(); i++) {
            assertArrayEquals(sent.get(i), came.get(i), where + " payload " + i);
        }
    }

    private static List<byte[]> somePayloads(Random random) {
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            sent.add(random(random, random.nextInt(4) == 0 ? 0 : random.nextInt(60)));
        }
        return sent;
    }

    @Test
    void ofAChangedStreamThatWasJoinedOnlyTheBeginningIsTaken() throws IOException {
        int whole = 0;
        for (int seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            int process = seed;
            server.expect(process);
            List<byte[]> sent = somePayloads(random);
            try (RawPeer peer = polling("seed " + seed, () -> new RawPeer(server.address())
                .greet(ControlPeer.process(process), token, true))) {
                peer.write(changed(together(sent.stream().map(peer::payload).toList()), random));
                peer.socket.shutdownOutput();
                await("the end of " + seed, () -> heard("disconnected " + process + " "));
            } catch (IOException e) {
                assertTrue(e.getMessage() != null, "the server may have closed before all was written");
                await("the end of " + seed, () -> heard("disconnected " + process + " "));
            }
            List<byte[]> came = payloads.getOrDefault(process, List.of());
            assertBeginning(sent, came, "seed " + seed);
            whole += came.size() == sent.size() ? 1 : 0;
            heard.clear();
        }
        assertTrue(whole < 400, whole + " changed streams had all payloads; only what is behind the last may change");
    }

    @Test
    void aChangedHelloLetsNobodyIn() throws IOException {
        server.expect(7);
        for (int seed = 0; seed < 900; seed++) {
            Random random = new Random(seed);
            try (RawPeer peer = new RawPeer(server.address())) {
                byte[] hello = polling("seed " + seed, () -> peer.hello(ControlPeer.process(7), token, true));
                byte[] bad = changed(hello, random);
                // what follows a whole hello is changed in another test
                peer.write(Arrays.equals(Arrays.copyOf(bad, hello.length), hello) ? new byte[1] : bad);
                peer.socket.shutdownOutput();
                await("the end of " + seed, () -> heard("rejected"));
            } catch (IOException e) {
                assertTrue(e.getMessage() != null, "the server may have closed before all was written");
            }
            assertFalse(heard("joined 7"), "seed " + seed);
            heard.clear();
        }
    }

    @Test
    void aSessionThatIsPlayedAgainIsRefused() throws IOException {
        server.expect(3);
        ByteArrayOutputStream recorded = new ByteArrayOutputStream();
        try (RawPeer peer = new RawPeer(server.address())) {
            byte[] hello = polling("the hello", () -> peer.hello(ControlPeer.process(3), token, true));
            recorded.writeBytes(hello);
            peer.write(hello);
            peer.seal = peer.handshake.toLauncher();
            await("the join", () -> heard("joined 3"));
            byte[] frame = peer.payload(new byte[] {5});
            recorded.writeBytes(frame);
            peer.write(frame);
            await("the payload", () -> payloads.containsKey(3));
        }
        await("its end", () -> heard("disconnected 3"));
        server.expect(3);
        try (RawPeer again = new RawPeer(server.address())) {
            again.write(recorded.toByteArray());
            await("the refusal", () -> heard("rejected"));
            assertTrue(heard.getLast().contains("wrong token: process 3 does not know that of this job"),
                heard::toString);
        }
        assertEquals(1, payloads.get(3).size());
    }

    @Test
    void framesThatAreSentBackOrTwiceOrWithoutTagsEndTheConnection() throws IOException {
        for (int process = 0; process < 3; process++) {
            int number = process;
            server.expect(number);
            try (RawPeer peer = polling("the join", () -> {
                RawPeer joining = new RawPeer(server.address()).greet(ControlPeer.process(number), token, true);
                joining.awaitWelcome();
                return joining;
            })) {
                byte[] once = peer.payload(new byte[] {6});
                byte[] back = peer.handshake.fromLauncher().frame(FrameDescriptor.PAYLOAD, new byte[] {7}).array();
                peer.write(switch (process) {
                    case 0 -> together(List.of(once, once));
                    case 1 -> back;
                    default -> together(List.of(FrameDescriptor.frame(FrameDescriptor.PAYLOAD, new byte[40]).array(),
                        new byte[16])); // a tag of nothing
                });
                await("the end of " + number, () -> heard("disconnected " + number));
            }
            assertTrue(heard.getLast().contains("wrong tag: it was changed, repeated, left out or moved"),
                heard::toString);
            assertEquals(process == 0 ? 1 : 0, payloads.getOrDefault(process, List.of()).size());
        }
    }

    @Test
    void aThousandConnectionsOfStrangersKeepNobodyOut() throws IOException {
        List<Socket> strangers = new ArrayList<>();
        try {
            CompletableFuture<Void> flood = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 1000; i++) {
                    try {
                        Socket socket = new Socket();
                        strangers.add(socket);
                        socket.connect(server.address(), 20_000);
                    } catch (IOException e) {
                        throw new CompletionException(e);
                    }
                }
            });
            for (int process = 0; process < 10; process++) {
                int number = process;
                server.expect(number);
                try (ControlLink link = polling("process " + number + " to join", () -> new ControlLink(
                    server.address(), null, token, ControlPeer.process(number), 20_000, true))) {
                    link.send(new byte[] {9});
                    await("its payload", () -> payloads.containsKey(number));
                }
            }
            await("the flood", flood::isDone);
            flood.join();
            await("most strangers to go", () -> heard.stream().filter(line -> line.contains("made way")).count()
                >= 1000 - ControlServer.MAX_STRANGERS - 20);
            await("the rest to go", () -> heard.stream().filter(line -> line.startsWith("rejected")).count() >= 1000);
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
    }

    @Test
    void whoTricklesIsDismissedInTime() throws IOException {
        try (RawPeer peer = new RawPeer(server.address())) {
            byte[] hello = polling("the hello", () -> peer.hello(ControlPeer.process(1), token, true));
            server.expect(1);
            int said = 0;
            while (!heard("rejected") && said < hello.length) {
                long pause = System.nanoTime() + 2 * SECOND / hello.length;
                peer.write(new byte[] {hello[said++]});
                while (System.nanoTime() - pause < 0) {
                    server.poll(1);
                }
            }
            assertTrue(said < hello.length, "it took twice its time");
            assertTrue(heard.getLast().contains("no hello within 1000 ms"), heard::toString);
        } catch (SocketTimeoutException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anotherVersionIsNamedOnBothSides() throws IOException {
        try (RawPeer peer = new RawPeer(server.address())) {
            byte[] hello = polling("the hello", () -> peer.hello(ControlPeer.process(1), token, true));
            hello[2] = FrameDescriptor.VERSION + 1;
            peer.write(hello);
            await("the refusal", () -> heard("rejected"));
            String both = "the other side speaks version " + (FrameDescriptor.VERSION + 1)
                + " of the control protocol, and this one version " + FrameDescriptor.VERSION;
            assertTrue(heard.getLast().contains(both), heard::toString);
            assertTrue(peer.next());
            assertEquals(FrameDescriptor.REFUSED, peer.reader.kind());
            assertTrue(new String(peer.reader.body(), java.nio.charset.StandardCharsets.UTF_8).contains(both));
        }
    }
}
