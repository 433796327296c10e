package org.ftrma.rank.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class HandshakeTest {
    private static final ControlPeer AGENT = new ControlPeer(ControlPeer.Kind.AGENT, 3, 77);
    private static final long BEAT = 1_000_000_000L;

    private final Token token = Token.random();
    private final byte[] nonce = Handshake.nonce(new SecureRandom());

    private static byte[] body(byte[] frame) {
        return Arrays.copyOfRange(frame, FrameDescriptor.HEADER_BYTES, frame.length);
    }

    private Handshake answering(ControlPeer who, boolean sealed, Token known) throws IOException {
        return Handshake.answering(FrameDescriptor.CHALLENGE, body(Handshake.challenge(nonce).array()), who, sealed,
            known);
    }

    private Handshake taken(byte[] helloBody, byte[] challenged, boolean sealed) throws IOException {
        return Handshake.of(FrameDescriptor.HELLO, helloBody, challenged, sealed, token);
    }

    private static String refusal(org.junit.jupiter.api.function.Executable what) {
        return assertThrows(IOException.class, what).getMessage();
    }

    @Test
    void bothEndsKnowEachOtherAndHaveTheSameKeysAndNeverShowTheToken() throws IOException {
        Handshake peer = answering(AGENT, true, token);
        byte[] hello = body(peer.hello().array());
        Handshake launcher = taken(hello, nonce, true);
        assertEquals(AGENT, launcher.who());
        byte[] welcome = body(launcher.welcome(BEAT).array());
        assertEquals(BEAT, peer.welcomed(FrameDescriptor.WELCOME, welcome));
        byte[] there = peer.toLauncher().frame(FrameDescriptor.PAYLOAD, new byte[1]).array();
        byte[] back = peer.fromLauncher().frame(FrameDescriptor.PAYLOAD, new byte[1]).array();
        assertArrayEquals(there, launcher.toLauncher().frame(FrameDescriptor.PAYLOAD, new byte[1]).array());
        assertArrayEquals(back, launcher.fromLauncher().frame(FrameDescriptor.PAYLOAD, new byte[1]).array());
        assertFalse(Arrays.equals(there, back), "both directions have one key");
        String secret = token.text();
        for (byte[] shown : new byte[][] {hello, welcome, there, back}) {
            String text = java.util.HexFormat.of().formatHex(shown);
            for (int at = 0; at + 16 <= secret.length(); at += 2) {
                assertFalse(text.contains(secret.substring(at, at + 16)), "bytes of the token are shown");
            }
        }
    }

    @Test
    void whoDoesNotKnowTheTokenIsNamed() throws IOException {
        byte[] hello = body(answering(AGENT, true, Token.random()).hello().array());
        String why = refusal(() -> taken(hello, nonce, true));
        assertEquals("wrong token: agent of host 3 does not know that of this job", why);
    }

    @Test
    void anAnswerToAnotherChallengeIsNone() throws IOException {
        byte[] hello = body(answering(AGENT, true, token).hello().array());
        assertTrue(refusal(() -> taken(hello, Handshake.nonce(new SecureRandom()), true)).contains("wrong token"));
    }

    @Test
    void everyBitOfAHelloIsCovered() throws IOException {
        byte[] good = body(answering(AGENT, true, token).hello().array());
        for (int bit = 0; bit < 8 * good.length; bit++) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            assertThrows(MalformedFrameException.class, () -> taken(bad, nonce, true), "bit " + bit);
        }
    }

    @Test
    void everyBitOfAWelcomeIsCovered() throws IOException {
        Handshake peer = answering(AGENT, true, token);
        byte[] good = body(taken(body(peer.hello().array()), nonce, true).welcome(BEAT).array());
        for (int bit = 0; bit < 8 * good.length; bit++) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            assertTrue(refusal(() -> peer.welcomed(FrameDescriptor.WELCOME, bad))
                .contains("this launcher does not know the job's token"), "bit " + bit);
        }
        assertTrue(refusal(() -> peer.welcomed(FrameDescriptor.WELCOME, new byte[3])).contains("instead of a welcome"));
    }

    /** A stranger that has no answer of its own sends back the peer's, in every way that it may fit. */
    @Test
    void anAnswerCannotBeReflected() throws IOException {
        Handshake peer = answering(AGENT, true, token);
        byte[] hello = body(peer.hello().array());
        byte[] answer = Arrays.copyOfRange(hello, hello.length - Hmac.BYTES, hello.length);
        byte[] welcome = new byte[FrameDescriptor.WELCOME_BYTES];
        System.arraycopy(answer, 0, welcome, 8, answer.length);
        assertTrue(refusal(() -> peer.welcomed(FrameDescriptor.WELCOME, welcome)).contains("does not know"));
        // Both roles over one text: no answer of one is an answer of the other, whatever follows.
        byte[] launchers = taken(hello, nonce, true).welcome(BEAT).array();
        byte[] role = token.hmac().add("ftrma peer").add(FrameDescriptor.VERSION).add(AGENT.kind().ordinal()).add(1)
            .add(AGENT.number()).add(AGENT.pid()).add(nonce)
            .add(Arrays.copyOfRange(hello, 16, 16 + FrameDescriptor.NONCE_BYTES)).result();
        assertArrayEquals(role, answer, "this test knows how an answer is made");
        byte[] same = token.hmac().add("ftrma peer").add(FrameDescriptor.VERSION).add(AGENT.kind().ordinal()).add(1)
            .add(AGENT.number()).add(AGENT.pid()).add(nonce)
            .add(Arrays.copyOfRange(hello, 16, 16 + FrameDescriptor.NONCE_BYTES)).add(BEAT).result();
        assertFalse(Arrays.equals(same, Arrays.copyOfRange(launchers, launchers.length - Hmac.BYTES,
            launchers.length)), "the launcher answers in the peer's role");
    }

    @Test
    void whetherFramesHaveTagsIsNotNegotiated() throws IOException {
        byte[] without = body(answering(AGENT, false, token).hello().array());
        assertTrue(refusal(() -> taken(without, nonce, true)).contains("wants frames without tags"));
        byte[] with = body(answering(AGENT, true, token).hello().array());
        assertTrue(refusal(() -> taken(with, nonce, false)).contains("wants frames with tags"));
        with[1] = 0; // who is between changes what the peer wants
        assertTrue(refusal(() -> taken(with, nonce, false)).contains("wrong token"));
    }

    @Test
    void aRefusalIsToldInPrintableCharacters() throws IOException {
        Handshake peer = answering(AGENT, true, token);
        byte[] refused = body(Handshake.refused("no \u001b[2J room\n" + "x".repeat(1000)).array());
        assertTrue(refused.length <= FrameDescriptor.MAX_UNTRUSTED_BODY);
        String why = refusal(() -> peer.welcomed(FrameDescriptor.REFUSED, refused));
        assertTrue(why.startsWith("the launcher refuses it: no ?[2J room?xxx"), why);
    }
}
