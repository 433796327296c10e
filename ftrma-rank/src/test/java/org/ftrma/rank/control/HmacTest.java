package org.ftrma.rank.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class HmacTest {
    @Test
    void theExampleOfRfc4231IsRight() {
        byte[] result = new Hmac("Jefe".getBytes(StandardCharsets.US_ASCII))
            .add("what do ya want for nothing?".getBytes(StandardCharsets.US_ASCII)).result();
        assertEquals("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            HexFormat.of().formatHex(result));
    }

    @Test
    void resultsAreThoseOfThePlatformAlsoWhenUsedAgain() throws Exception {
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            byte[] key = new byte[1 + random.nextInt(64)];
            random.nextBytes(key);
            Hmac ours = new Hmac(key);
            Mac platform = Mac.getInstance("HmacSHA256");
            platform.init(new SecretKeySpec(key, "HmacSHA256"));
            for (int use = 0; use < 3; use++) {
                byte[] bytes = new byte[random.nextInt(500)];
                random.nextBytes(bytes);
                int cut = random.nextInt(bytes.length + 1);
                assertArrayEquals(platform.doFinal(bytes), ours.add(bytes, 0, cut)
                    .add(bytes, cut, bytes.length - cut).result(), "round " + i);
            }
        }
        assertThrows(IllegalArgumentException.class, () -> new Hmac(new byte[65]));
    }

    @Test
    void textsAreKeptApartFromWhatFollows() {
        byte[] key = new byte[32];
        byte[] one = new Hmac(key).add("ab").add(new byte[] {'c'}).result();
        byte[] other = new Hmac(key).add("a").add(new byte[] {'b', 'c'}).result();
        assertFalse(Arrays.equals(one, other));
        assertArrayEquals(new Hmac(key).add(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}).result(),
            new Hmac(key).add(0x0102030405060708L).result());
    }
}
