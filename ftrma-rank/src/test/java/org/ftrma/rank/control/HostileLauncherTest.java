package org.ftrma.rank.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What connects, and something else than the launcher, or than what the launcher sent, at the other end. */
@Tag("long")
class HostileLauncherTest {
    private static final long BEAT = 60_000_000_000L;
    private static final ControlPeer AGENT = new ControlPeer(ControlPeer.Kind.AGENT, 1, 11);

    private final Token token = Token.random();
    private final byte[] nonce = Handshake.nonce(new SecureRandom());
    private ServerSocket listener;

    @BeforeEach
    void listen() throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        listener.setSoTimeout(20_000);
    }

    @AfterEach
    void close() throws IOException {
        listener.close();
    }

    private interface Use<T> {
        T of(ControlLink link) throws IOException;
    }

    /** Connects elsewhere, and uses the link; the message of what went wrong, or the result. */
    private <T> CompletableFuture<Object> linking(int joinMillis, Use<T> use) {
        return CompletableFuture.supplyAsync(() -> {
            try (ControlLink link = new ControlLink((InetSocketAddress) listener.getLocalSocketAddress(), null, token,
                AGENT, joinMillis, true)) {
                return use.of(link);
            } catch (IOException e) {
                return e;
            }
        });
    }

    private Handshake greeted(Socket socket) throws IOException {
        socket.getOutputStream().write(Handshake.challenge(nonce).array());
        byte[] hello = socket.getInputStream().readNBytes(FrameDescriptor.HEADER_BYTES + FrameDescriptor.HELLO_BYTES);
        return Handshake.of(hello[3], Arrays.copyOfRange(hello, FrameDescriptor.HEADER_BYTES, hello.length), nonce,
            true, token);
    }

    private static byte[] random(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] changed(byte[] good, Random random) {
        byte[] bad;
        do {
            int at = random.nextInt(good.length);
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(Arrays.copyOf(good, at));
            switch (random.nextInt(4)) {
                case 0 -> all.write(good[at] ^ 1 << random.nextInt(8));
                case 1 -> all.writeBytes(random(random, 1 + random.nextInt(100)));
                case 2 -> all.writeBytes(Arrays.copyOfRange(good, random.nextInt(at + 1), good.length));
                default -> all.reset();
            }
            all.writeBytes(Arrays.copyOfRange(good, Math.min(good.length, at + 1), good.length));
            bad = all.toByteArray();
        } while (Arrays.equals(good, bad));
        return bad;
    }

    @Test
    void ofAChangedStreamOnlyTheBeginningIsTaken() throws Exception {
        for (int seed = 0; seed < 1500; seed++) {
            Random random = new Random(seed);
            List<byte[]> sent = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                sent.add(random(random, random.nextInt(60)));
            }
            List<byte[]> came = new ArrayList<>();
            CompletableFuture<Object> link = linking(20_000, linked -> {
                for (byte[] next = linked.receive(20_000_000_000L); next != null;
                    next = linked.receive(20_000_000_000L)) {
                    came.add(next);
                }
                return "waits for more";
            });
            try (Socket socket = listener.accept()) {
                Handshake handshake = greeted(socket);
                socket.getOutputStream().write(handshake.welcome(BEAT).array());
                Seal seal = handshake.fromLauncher();
                ByteArrayOutputStream stream = new ByteArrayOutputStream();
                sent.forEach(payload -> stream.writeBytes(seal.frame(FrameDescriptor.PAYLOAD, payload).array()));
                try {
                    socket.getOutputStream().write(changed(stream.toByteArray(), random));
                    socket.shutdownOutput();
                } catch (IOException e) {
                    assertTrue(e.getMessage() != null, "the link may have gone before all was written");
                }
                assertTrue(link.get(20, TimeUnit.SECONDS) instanceof IOException, "seed " + seed);
            }
            assertTrue(came.size() <= sent.size(), "seed " + seed);
            for (int i = 0; i < came.size(); i++) {
                assertArrayEquals(sent.get(i), came.get(i), "seed " + seed + " payload " + i);
            }
        }
    }

    @Test
    void aChangedChallengeOrWelcomeMakesNoLink() throws Exception {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            CompletableFuture<Object> link = linking(60, linked -> "linked");
            boolean early = random.nextBoolean();
            try (Socket socket = listener.accept()) {
                if (early) {
                    byte[] challenge = Handshake.challenge(nonce).array();
                    byte[] bad = changed(challenge, random);
                    socket.getOutputStream().write(bad);
                } else {
                    byte[] welcome = greeted(socket).welcome(BEAT).array();
                    byte[] bad = changed(welcome, random);
                    // what follows a whole welcome is changed in another test
                    socket.getOutputStream().write(Arrays.equals(Arrays.copyOf(bad, welcome.length), welcome)
                        ? new byte[20] : bad);
                }
                socket.shutdownOutput();
                assertTrue(link.get(20, TimeUnit.SECONDS) instanceof IOException, "seed " + seed);
            } catch (IOException e) {
                assertTrue(e.getMessage() != null, "the link may have gone before all was written");
                assertTrue(link.get(20, TimeUnit.SECONDS) instanceof IOException, "seed " + seed);
            }
            drain();
        }
    }

    /** Those who tried again. */
    private void drain() throws IOException {
        listener.setSoTimeout(1);
        try {
            while (true) {
                listener.accept().close();
            }
        } catch (java.net.SocketTimeoutException e) {
            listener.setSoTimeout(20_000);
        }
    }

    @Test
    void aLauncherThatDropsTheConnectionIsTriedAgain() throws Exception {
        CompletableFuture<Object> link = linking(20_000, linked -> linked.receive(20_000_000_000L));
        for (int i = 0; i < 3; i++) {
            listener.accept().close();
        }
        try (Socket socket = listener.accept()) {
            Handshake handshake = greeted(socket);
            socket.getOutputStream().write(handshake.welcome(BEAT).array());
            socket.getOutputStream().write(handshake.fromLauncher().frame(FrameDescriptor.PAYLOAD, new byte[] {8})
                .array());
            assertArrayEquals(new byte[] {8}, (byte[]) link.get(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void aLauncherThatAlwaysDropsItIsGivenUpInTimeAndSaidSo() throws Exception {
        CompletableFuture<Object> link = linking(300, linked -> "linked");
        while (!link.isDone()) {
            drain();
        }
        String why = ((IOException) link.get()).getMessage();
        assertTrue(why.startsWith("the launcher closed the connection instead of answering (")
            && why.endsWith(", each time that it was tried"), why);
    }

    @Test
    void aLauncherThatTricklesIsGivenUpInTime() throws Exception {
        CompletableFuture<Object> link = linking(300, linked -> "linked");
        byte[] challenge = Handshake.challenge(nonce).array();
        try (Socket socket = listener.accept()) {
            int said = 0;
            while (!link.isDone() && said < challenge.length) {
                socket.getOutputStream().write(challenge[said++]);
                long pause = System.nanoTime() + 50_000_000L;
                while (System.nanoTime() - pause < 0 && !link.isDone()) {
                    Thread.onSpinWait();
                }
            }
            assertTrue(said < challenge.length, "it was waited for to the end");
        } catch (IOException e) {
            assertTrue(e.getMessage() != null, "written to a connection that was given up");
        }
        assertTrue(link.get(20, TimeUnit.SECONDS) instanceof IOException);
    }

    @Test
    void noLauncherIsToldAtOnce() throws Exception {
        int port = listener.getLocalPort();
        listener.close();
        long begun = System.nanoTime();
        assertThrows(IOException.class, () -> new ControlLink(new InetSocketAddress(InetAddress.getLoopbackAddress(),
            port), token, AGENT, 20_000));
        assertTrue(System.nanoTime() - begun < 10_000_000_000L, "it was tried until the end");
    }

    @Test
    void anotherVersionIsNamed() throws Exception {
        CompletableFuture<Object> link = linking(20_000, linked -> "linked");
        try (Socket socket = listener.accept()) {
            byte[] challenge = Handshake.challenge(nonce).array();
            challenge[2] = 9;
            socket.getOutputStream().write(challenge);
            assertEquals("the other side speaks version 9 of the control protocol, and this one version "
                + FrameDescriptor.VERSION, ((IOException) link.get(20, TimeUnit.SECONDS)).getMessage());
        }
    }
}
