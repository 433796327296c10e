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
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.ftrma.FtrmaException;
import org.ftrma.rank.control.ControlPeer;
import org.ftrma.rank.control.FrameDescriptor;
import org.ftrma.rank.control.Handshake;
import org.ftrma.rank.control.SocketControlPlane;
import org.ftrma.rank.control.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ControlServerTest {
    private static final long SECOND = 1_000_000_000L;
    private final Token token = Token.random();
    private final List<String> heard = new ArrayList<>();
    private final List<byte[]> payloads = new ArrayList<>();
    private final ControlServer.Listener listener = new ControlServer.Listener() {
        @Override
        public void joined(int process, long pid) {
            heard.add("joined " + process);
        }

        @Override
        public void received(int process, byte[] payload) {
            heard.add("received " + process);
            payloads.add(payload);
        }

        @Override
        public void disconnected(int process, String why) {
            heard.add("disconnected " + process + " " + why);
        }

        @Override
        public void rejected(String why) {
            heard.add("rejected " + why);
        }
    };
    private ControlServer server = new ControlServer(token, listener, SECOND, SECOND / 20);

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

    private <T> T polling(String what, Supplier<T> call) {
        CompletableFuture<T> result = CompletableFuture.supplyAsync(call);
        await(what, result::isDone);
        return result.join();
    }

    private SocketControlPlane connect(int process, Runnable whenLost) {
        return polling("process " + process + " to join",
            () -> new SocketControlPlane(server.address(), token, process, Thread.currentThread(), whenLost));
    }

    /** The server and the thread that connects take turns. */
    private RawPeer greeted(int process) {
        return polling("process " + process + " to greet", () -> {
            try {
                return new RawPeer(server.address()).greet(ControlPeer.process(process), token, false);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private boolean heard(String beginning) {
        return heard.stream().anyMatch(line -> line.startsWith(beginning));
    }

    private static byte[] random(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] next(SocketControlPlane plane) {
        long end = System.nanoTime() + 20 * SECOND;
        byte[] frame = null;
        while (frame == null) {
            assertTrue(System.nanoTime() - end < 0, "waited 20 s for a frame");
            Thread.onSpinWait();
            frame = plane.ready() ? plane.poll() : null; // it may be ready once more for a frame that was taken already
        }
        return frame;
    }

    @Test
    void framesGoBothWaysInOrderAndWhole() {
        server.expect(3);
        try (SocketControlPlane plane = connect(3, () -> { })) {
            assertFalse(plane.ready());
            assertNull(plane.poll());
            List<byte[]> sent = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                sent.add(random(i, i == 25 ? FrameDescriptor.MAX_BODY : i * 37));
            }
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> sent.forEach(plane::send));
            await("50 payloads", () -> payloads.size() == 50);
            sending.join();
            for (int i = 0; i < 50; i++) {
                assertArrayEquals(sent.get(i), payloads.get(i), "payload " + i);
            }
            sent.forEach(frame -> server.send(3, frame));
            CompletableFuture<List<byte[]>> reading = CompletableFuture.supplyAsync(() ->
                sent.stream().map(frame -> next(plane)).toList());
            await("50 answers", reading::isDone);
            for (int i = 0; i < 50; i++) {
                assertArrayEquals(sent.get(i), reading.join().get(i), "answer " + i);
            }
            assertNull(plane.poll());
        }
        await("the end of process 3", () -> heard("disconnected 3"));
        server.send(3, new byte[1]);
    }

    @Test
    void heartbeatsKeepASilentProcessAlive() {
        server.expect(0);
        long begin = System.nanoTime();
        try (SocketControlPlane plane = connect(0, () -> { })) {
            assertFalse(plane.ready());
            long joined = System.nanoTime();
            await("a heartbeat after the join", () -> server.silentSince(joined).isEmpty());
            assertEquals(List.of(), server.silentSince(begin));
            assertEquals(List.of(0), server.silentSince(System.nanoTime() + SECOND));
        }
        assertEquals(0, payloads.size());
    }

    @Test
    void lostLauncherIsReportedOnceEverythingWasRead() throws Exception {
        server.expect(0);
        CountDownLatch lost = new CountDownLatch(1);
        try (SocketControlPlane plane = connect(0, lost::countDown)) {
            server.send(0, new byte[] {1, 2, 3});
            server.poll(0);
            server.close();
            assertTrue(lost.await(20, TimeUnit.SECONDS), "the loss was not noticed within 20 s");
            assertTrue(plane.ready());
            assertArrayEquals(new byte[] {1, 2, 3}, plane.poll());
            assertTrue(plane.ready());
            FtrmaException e = assertThrows(FtrmaException.class, plane::poll);
            assertEquals(FtrmaException.Category.FATAL, e.category());
            plane.send(new byte[1]);
        }
        server = new ControlServer(token, listener, SECOND, SECOND);
    }

    @Test
    void wrongTokenUnexpectedNumberAndSecondJoinAreTurnedAway() {
        server.expect(7);
        Token wrong = Token.random();
        Thread thread = Thread.currentThread();
        assertRefused(() -> new SocketControlPlane(server.address(), wrong, 7, thread, () -> { }));
        assertTrue(heard("rejected") && heard.toString().contains("wrong token"), heard.toString());
        assertRefused(() -> new SocketControlPlane(server.address(), token, 8, thread, () -> { }));
        assertTrue(heard.toString().contains("process 8 was not expected"), heard.toString());
        try (SocketControlPlane plane = connect(7, () -> { })) {
            assertRefused(() -> new SocketControlPlane(server.address(), token, 7, thread, () -> { }));
            plane.send(new byte[] {9});
            await("the first one's payload", () -> payloads.size() == 1);
        }
        assertEquals(1, heard.stream().filter(line -> line.startsWith("joined")).count());
    }

    private void assertRefused(Supplier<SocketControlPlane> connecting) {
        boolean refused = polling("a refusal", () -> {
            try {
                connecting.get().close();
                return false;
            } catch (FtrmaException e) {
                return true;
            }
        });
        assertTrue(refused, "somebody got in who should not");
    }

    @Test
    void processDoesNotTalkToAnImpostor() throws Exception {
        try (java.net.ServerSocket impostor = new java.net.ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<String> joining = CompletableFuture.supplyAsync(() -> {
                try {
                    new SocketControlPlane((InetSocketAddress) impostor.getLocalSocketAddress(), token, 0,
                        Thread.currentThread(), () -> { }).close();
                    return "joined";
                } catch (FtrmaException e) {
                    return e.getMessage();
                }
            });
            try (Socket victim = impostor.accept()) {
                byte[] nonce = random(1, FrameDescriptor.NONCE_BYTES);
                victim.getOutputStream().write(Handshake.challenge(nonce).array());
                byte[] hello = victim.getInputStream().readNBytes(FrameDescriptor.HEADER_BYTES
                    + FrameDescriptor.HELLO_BYTES);
                byte[] body = Arrays.copyOfRange(hello, FrameDescriptor.HEADER_BYTES, hello.length);
                assertFalse(contains(hello, HexFormat.of().parseHex(token.text())), "the token is shown");
                String unknown = assertThrows(IOException.class, () -> Handshake.of(FrameDescriptor.HELLO, body, nonce,
                    false, Token.random())).getMessage();
                assertTrue(unknown.contains("process 0 does not know"), unknown);
                victim.getOutputStream().write(FrameDescriptor.frame(FrameDescriptor.WELCOME,
                    random(2, FrameDescriptor.WELCOME_BYTES)).array());
                String why = joining.get(20, TimeUnit.SECONDS);
                assertTrue(why.contains("this launcher does not know the job's token"), why);
            }
        }
    }

    private static boolean contains(byte[] all, byte[] part) {
        return HexFormat.of().formatHex(all).contains(HexFormat.of().formatHex(part));
    }

    @Test
    void strangersWhoSayNothingAreDismissedInTimeAndMakeWay() throws IOException {
        List<Socket> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < ControlServer.MAX_STRANGERS + 5; i++) {
                strangers.add(new Socket(server.address().getAddress(), server.address().getPort()));
                server.poll(1);
            }
            await("the oldest to make way", () -> heard.stream().filter(line -> line.contains("made way"))
                .count() == 5);
            server.expect(1);
            connect(1, () -> { }).close();
            assertTrue(heard("joined 1"));
            await("the rest to be dismissed", () -> heard.stream().filter(line -> line.contains("no hello within"))
                .count()
                >= ControlServer.MAX_STRANGERS - 1);
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
    }

    @Test
    void garbageOfStrangersChangesNothing() throws IOException {
        server.expect(0);
        server.expect(1);
        try (SocketControlPlane plane = connect(0, () -> { })) {
            for (int seed = 0; seed < 300; seed++) {
                Random random = new Random(seed);
                try (RawPeer stranger = new RawPeer(server.address())) {
                    byte[] garbage = polling("garbage " + seed, () -> {
                        try {
                            return garbage(random, stranger);
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                    });
                    stranger.write(garbage);
                    if (random.nextBoolean()) {
                        stranger.socket.shutdownOutput();
                    }
                    server.poll(0);
                } catch (IOException e) {
                    assertTrue(e.getMessage() != null, "seed " + seed);
                }
                server.poll(0);
            }
            await("all strangers to be rejected", () ->
                heard.stream().filter(line -> line.startsWith("rejected")).count() == 300);
            plane.send(new byte[] {42});
            await("the payload of the one who may", () -> payloads.size() == 1);
        }
        assertEquals(1, heard.stream().filter(line -> line.startsWith("joined")).count());
        assertEquals(1, heard.stream().filter(line -> line.startsWith("received")).count());
    }

    /** Noise; or a frame with something wrong; or a good hello with a bit flipped in its number or answer. */
    private byte[] garbage(Random random, RawPeer stranger) throws IOException {
        int kind = random.nextInt(4);
        if (kind == 0) {
            byte[] noise = new byte[1 + random.nextInt(2000)];
            random.nextBytes(noise);
            return noise;
        }
        if (kind == 1) {
            byte[] body = new byte[random.nextInt(FrameDescriptor.MAX_UNTRUSTED_BODY + 1)];
            return FrameDescriptor.frame((byte) random.nextInt(), body).array();
        }
        byte[] hello = stranger.hello(ControlPeer.process(1), token, false);
        if (kind == 2) {
            int at = FrameDescriptor.HEADER_BYTES + random.nextInt(FrameDescriptor.HELLO_BYTES);
            hello[at] ^= (byte) (1 << random.nextInt(8));
            return hello;
        }
        return ByteBuffer.allocate(random.nextInt(hello.length)).array();
    }

    @Test
    void garbageOfAJoinedProcessEndsItsConnectionOnly() throws IOException {
        server.expect(0);
        server.expect(1);
        try (SocketControlPlane bystander = connect(0, () -> { });
            RawPeer peer = greeted(1)) {
            await("process 1 to join", () -> heard("joined 1"));
            peer.write(peer.payload(new byte[] {5}));
            peer.write(random(1, 500));
            await("its dismissal", () -> heard("disconnected 1"));
            assertTrue(heard.getLast().contains("malformed"), heard.toString());
            assertArrayEquals(new byte[] {5}, payloads.getFirst());
            bystander.send(new byte[] {6});
            await("the bystander's payload", () -> payloads.size() == 2);
        }
    }

    @Test
    void everythingADeadProcessSentIsReadBeforeItsEnd() throws IOException {
        server.expect(0);
        try (RawPeer peer = greeted(0)) {
            await("the join", () -> heard("joined 0"));
            // Frames that it never reads: its death then looks like a reset and not like an orderly end.
            server.send(0, new byte[100]);
            for (int i = 0; i < 100; i++) {
                peer.write(peer.payload(new byte[] {(byte) i}));
            }
        }
        await("the last words", () -> server.drain(0));
        assertEquals(100, payloads.size());
        assertEquals(99, payloads.getLast()[0]);
    }
}
