package org.ftrma.rank.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SealTest {
    private static final byte[] KEY = {1, 2, 3, 4, 5, 6, 7, 8};

    private static List<byte[]> frames(int count) {
        Seal seal = Seal.under(KEY);
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            frames.add(seal.frame(FrameDescriptor.PAYLOAD, new byte[] {(byte) i, 9, 9}).array());
        }
        return frames;
    }

    /** How many frames are taken before one is refused; all: none is. */
    private static int taken(Seal seal, List<byte[]> frames) {
        FrameReader reader = new FrameReader();
        reader.trust(seal);
        int taken = 0;
        try {
            for (byte[] frame : frames) {
                reader.space().put(frame);
                while (reader.next()) {
                    taken++;
                }
            }
        } catch (MalformedFrameException e) {
            assertTrue(e.getMessage().contains("frame " + taken + " has a wrong tag"), e.getMessage());
        }
        return taken;
    }

    @Test
    void framesAsTheyWereSentAreTaken() {
        assertEquals(5, taken(Seal.under(KEY), frames(5)));
        assertEquals(FrameDescriptor.HEADER_BYTES + 3 + 16, frames(1).getFirst().length);
    }

    @Test
    void aRepeatedALeftOutAndAMovedFrameAreRefused() {
        List<byte[]> frames = frames(4);
        assertEquals(2, taken(Seal.under(KEY), List.of(frames.get(0), frames.get(1), frames.get(1))));
        assertEquals(1, taken(Seal.under(KEY), List.of(frames.get(0), frames.get(2))));
        assertEquals(1, taken(Seal.under(KEY), List.of(frames.get(0), frames.get(2), frames.get(1))));
        assertEquals(0, taken(Seal.under(KEY), frames.subList(1, 4)));
    }

    @Test
    void aFrameOfAnotherDirectionIsRefused() {
        assertEquals(0, taken(Seal.under(new byte[] {1, 2, 3, 4, 5, 6, 7, 9}), frames(1)));
    }

    @Test
    void everyChangedBitIsNoticed() {
        byte[] good = frames(1).getFirst();
        for (int bit = 0; bit < 8 * good.length; bit++) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            FrameReader reader = new FrameReader();
            reader.trust(Seal.under(KEY));
            // a greater length is waited for, and then the tag is wrong
            reader.space().put(bad);
            reader.space().put(new byte[3000]);
            boolean longer = bit / 8 >= 4 && bit / 8 < 8;
            if (longer) {
                assertThrowsOrWaits(reader);
            } else {
                assertThrows(MalformedFrameException.class, reader::next, "bit " + bit);
            }
        }
    }

    private static void assertThrowsOrWaits(FrameReader reader) {
        try {
            assertFalse(reader.next(), "a frame of another length is taken");
        } catch (MalformedFrameException e) {
            assertTrue(e.getMessage().contains("tag") || e.getMessage().contains("limit"), e.getMessage());
        }
    }

    @Test
    void aTagsFirstBytesAreNotEnough() {
        byte[] good = frames(1).getFirst();
        FrameReader reader = new FrameReader();
        reader.trust(Seal.under(KEY));
        byte[] cut = java.util.Arrays.copyOf(good, good.length - 1);
        reader.space().put(cut);
        assertFalse(taken(reader), "a frame without the end of its tag is taken");
    }

    private static boolean taken(FrameReader reader) {
        try {
            return reader.next();
        } catch (MalformedFrameException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void framesWithoutTagsAreTheFramesAlone() {
        byte[] body = new byte[100];
        new Random(1).nextBytes(body);
        assertArrayEquals(FrameDescriptor.frame(FrameDescriptor.PAYLOAD, body).array(),
            Seal.none().frame(FrameDescriptor.PAYLOAD, body).array());
    }
}
