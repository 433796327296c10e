package org.ftrma.launch.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.ftrma.rank.control.FrameDescriptor;
import org.ftrma.rank.control.LifelineGreeting;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.control.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LifelinesTest {
    private static final long SECOND = 1_000_000_000L;
    private final Token token = Token.random();
    private final Semaphore woken = new Semaphore(0);
    private Lifelines lifelines;

    @BeforeEach
    void open() throws IOException {
        lifelines = new Lifelines(token, 20 * SECOND, woken::release, why -> { }, MachineClock.HERE);
    }

    @AfterEach
    void close() {
        lifelines.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), lifelines.port());
        socket.setSoTimeout(20_000);
        return socket;
    }

    private Socket say(byte[] greeting) throws IOException {
        Socket socket = connect();
        socket.getOutputStream().write(greeting);
        return socket;
    }

    /** Returns when the other side has closed the connection. */
    private static void awaitDrop(Socket socket) {
        try {
            assertEquals(-1, socket.getInputStream().read());
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the connection was not dropped within 20 s", e);
        } catch (IOException e) {
            assertTrue(e.getMessage() != null, "a reset is a drop, too");
        }
    }

    private void awaitEnd(LifelineGreeting of) throws InterruptedException {
        assertTrue(woken.tryAcquire(20, TimeUnit.SECONDS), "no lifeline broke within 20 s");
        assertTrue(lifelines.hasNext());
        assertEquals(of, lifelines.next());
        assertFalse(lifelines.hasNext());
        assertNull(lifelines.next());
    }

    @Test
    void theEndOfALifelineIsTheFirstSignOfADeath() throws Exception {
        LifelineGreeting fourth = new LifelineGreeting(4, 44);
        LifelineGreeting fifth = new LifelineGreeting(5, 55);
        Socket second = say(fifth.frame(token));
        try (Socket lifeline = say(fourth.frame(token)); Socket behind = say(new byte[FrameDescriptor.HEADER_BYTES])) {
            awaitDrop(behind);
            assertFalse(lifelines.hasNext(), "a lifeline that holds is told to be broken");
            assertTrue(lifeline.isConnected());
        }
        awaitEnd(fourth);
        second.close();
        awaitEnd(fifth);
    }

    @Test
    void aStrangersLifelineIsRefused() throws Exception {
        LifelineGreeting greeting = new LifelineGreeting(4, 44);
        try (Socket stranger = say(greeting.frame(Token.random()))) {
            awaitDrop(stranger);
        }
        try (Socket lifeline = say(greeting.frame(token));
            Socket behind = say(new byte[FrameDescriptor.HEADER_BYTES])) {
            awaitDrop(behind);
            try (Socket again = say(greeting.frame(token))) {
                awaitDrop(again);
            }
            assertFalse(lifelines.hasNext(), "whoever repeats a greeting breaks the lifeline of another");
            assertTrue(lifeline.isConnected());
        }
        awaitEnd(greeting);
    }

    @Test
    void garbageIsDroppedAndBreaksNothing() throws Exception {
        LifelineGreeting greeting = new LifelineGreeting(4, 44);
        byte[] good = new LifelineGreeting(7, 77).frame(token);
        try (Socket lifeline = say(greeting.frame(token))) {
            for (int seed = 0; seed < 500; seed++) {
                Random random = new Random(seed);
                byte[] bad = good.clone();
                // not in the length: a longer frame that does not come is waited for
                int at = random.nextBoolean() ? random.nextInt(4) : 8 + random.nextInt(bad.length - 8);
                bad[at] ^= (byte) (1 << random.nextInt(8));
                try (Socket stranger = say(bad)) {
                    awaitDrop(stranger);
                }
            }
            assertFalse(lifelines.hasNext());
            assertTrue(lifeline.isConnected());
        }
        awaitEnd(greeting);
    }

    @Test
    void strangersWhoSayNothingMakeWayForProcesses() throws Exception {
        LifelineGreeting first = new LifelineGreeting(4, 44);
        LifelineGreeting last = new LifelineGreeting(5, 55);
        List<Socket> strangers = new ArrayList<>();
        Socket held = say(first.frame(token));
        try {
            for (int i = 0; i < Lifelines.MAX_STRANGERS + 300; i++) {
                strangers.add(connect());
            }
            for (int i = 0; i < 300; i++) {
                awaitDrop(strangers.get(i));
            }
            say(last.frame(token)).close();
            awaitEnd(last);
            held.close();
            awaitEnd(first);
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
            held.close();
        }
    }

    @Test
    void whoTricklesIsDroppedInTime() throws Exception {
        lifelines.close();
        lifelines = new Lifelines(token, SECOND / 5, woken::release, why -> { }, MachineClock.HERE);
        byte[] greeting = new LifelineGreeting(1, 11).frame(token);
        try (Socket trickle = connect()) {
            long begun = System.nanoTime();
            int said = 0;
            while (said < greeting.length - 1 && System.nanoTime() - begun < 20 * SECOND) {
                trickle.getOutputStream().write(greeting[said++]);
                trickle.setSoTimeout(50);
                try {
                    if (trickle.getInputStream().read() < 0) {
                        break;
                    }
                } catch (SocketTimeoutException e) {
                    continue;
                }
            }
            trickle.setSoTimeout(20_000);
            awaitDrop(trickle);
            assertTrue(said < greeting.length - 1, "it could say " + said + " bytes");
        } catch (SocketException e) {
            assertTrue(e.getMessage() != null, "written to a connection that was closed");
        }
        assertFalse(lifelines.hasNext());
    }

    @Test
    void aClosedListenerIsGone() throws Exception {
        Socket lifeline = say(new LifelineGreeting(1, 11).frame(token));
        lifelines.close();
        awaitDrop(lifeline);
        lifeline.close();
    }
}
