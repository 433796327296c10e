package org.ftrma.rank.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameReaderTest {
    private static void fill(FrameReader reader, byte[] bytes, int from, int count) {
        int done = 0;
        while (done < count) {
            ByteBuffer space = reader.space();
            int part = Math.min(space.remaining(), count - done);
            space.put(bytes, from + done, part);
            done += part;
        }
    }

    @Test
    void framesSurviveAnyCutting() throws Exception {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            List<byte[]> bodies = new ArrayList<>();
            ByteArrayOutputStream stream = new ByteArrayOutputStream();
            for (int i = 0; i < 20; i++) {
                byte[] body = new byte[random.nextInt(10) == 0 ? random.nextInt(100_000) : random.nextInt(300)];
                random.nextBytes(body);
                bodies.add(body);
                stream.write(FrameDescriptor.frame(FrameDescriptor.PAYLOAD, body).array());
            }
            byte[] bytes = stream.toByteArray();
            FrameReader reader = new FrameReader();
            reader.trust(Seal.none());
            int at = 0;
            int read = 0;
            while (at < bytes.length) {
                int piece = Math.min(bytes.length - at, 1 + random.nextInt(random.nextBoolean() ? 7 : 5000));
                int done = 0;
                while (done < piece) {
                    ByteBuffer space = reader.space();
                    int part = Math.min(space.remaining(), piece - done);
                    space.put(bytes, at + done, part);
                    done += part;
                    while (reader.next()) {
                        assertEquals(FrameDescriptor.PAYLOAD, reader.kind(), "seed " + seed);
                        assertArrayEquals(bodies.get(read), reader.body(), "seed " + seed + " frame " + read);
                        read++;
                    }
                }
                at += piece;
            }
            assertEquals(bodies.size(), read, "seed " + seed);
        }
    }

    @Test
    void largestFrameIsAcceptedFromTheTrustedOnly() throws Exception {
        byte[] frame = FrameDescriptor.frame(FrameDescriptor.PAYLOAD, new byte[FrameDescriptor.MAX_BODY]).array();
        FrameReader trusting = new FrameReader();
        trusting.trust(Seal.none());
        int at = 0;
        while (at < frame.length) {
            assertFalse(trusting.next());
            ByteBuffer space = trusting.space();
            int part = Math.min(space.remaining(), frame.length - at);
            space.put(frame, at, part);
            at += part;
        }
        assertTrue(trusting.next());
        assertEquals(FrameDescriptor.MAX_BODY, trusting.body().length);

        FrameReader wary = new FrameReader();
        fill(wary, frame, 0, FrameDescriptor.HEADER_BYTES);
        MalformedFrameException e = assertThrows(MalformedFrameException.class, wary::next);
        assertTrue(e.getMessage().contains(Integer.toString(FrameDescriptor.MAX_BODY)), e.getMessage());
        assertTrue(e.getMessage().contains(Integer.toString(FrameDescriptor.MAX_UNTRUSTED_BODY)), e.getMessage());
    }

    @Test
    void wrongHeadersAreRefusedWithTheReason() {
        byte[] good = FrameDescriptor.frame(FrameDescriptor.HEARTBEAT, new byte[0]).array();
        String[] reasons = {"magic", "magic", "version", null, "bytes", null, null, null};
        for (int i = 0; i < good.length; i++) {
            if (reasons[i] == null) {
                continue;
            }
            byte[] bad = good.clone();
            bad[i] ^= (byte) 0x80;
            FrameReader reader = new FrameReader();
            fill(reader, bad, 0, bad.length);
            MalformedFrameException e = assertThrows(MalformedFrameException.class, reader::next, "byte " + i);
            assertTrue(e.getMessage().contains(reasons[i]), e.getMessage());
        }
    }

    @Test
    void framesAboveTheLimitCannotBeMade() {
        assertThrows(IllegalArgumentException.class, () -> FrameDescriptor.frame(FrameDescriptor.PAYLOAD,
            new byte[FrameDescriptor.MAX_BODY + 1]));
    }

    @Test
    void tokensAreReadAsTheyAreWrittenAndNotShown() {
        Token token = Token.random();
        Token copy = Token.parse(token.text());
        assertArrayEquals(token.hmac().add(1).result(), copy.hmac().add(1).result());
        assertFalse(token.toString().contains(token.text()));
        assertThrows(IllegalArgumentException.class, () -> Token.parse("abcd"));
    }
}
