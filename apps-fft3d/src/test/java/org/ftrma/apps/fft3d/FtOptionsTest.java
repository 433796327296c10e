package org.ftrma.apps.fft3d;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ftrma.MisuseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FtOptionsTest {
    @Test
    void bothSpellingsOfAValueAreTaken() {
        FtOptions options =
            FtOptions.parse("--class W --iterations=12 --grid 2x4 --warm-up=0 --print-checksums".split(" "));
        assertEquals("W", options.problem().name());
        assertEquals(12, options.iterations());
        assertEquals(0, options.warmUpSeconds());
        assertTrue(options.printChecksums());
        Grid grid = options.grid(8, 5);
        assertEquals(1, grid.row);
        assertEquals(1, grid.column);
    }

    @Test
    void defaultsAreClassSWithItsOwnIterations() {
        FtOptions options = FtOptions.parse(new String[0]);
        assertEquals("S", options.problem().name());
        assertEquals(6, options.iterations());
        assertTrue(options.grid(64, 0).isSlab());
        assertEquals(20, FtOptions.parse(new String[] {"--class", "B"}).iterations());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--class Q", "--class D", "--class", "--iterations 0", "--iterations many",
        "--iterations 99999999", "--grid 2",
        "--grid 3x2", "--grid 2x0", "--grid 2x1025", "--grid 3x1", "--grid x4", "--grid 2x2x2", "--grid 4096x1",
        "--warm-up -1", "--warm-up soon", "--warm-up NaN", "--colour red", "S", "--print-checksums=yes", "--",
        "--grid 2x"})
    void whatIsWrongIsNamed(String line) {
        String[] words = line.split(" ");
        String message = assertThrows(MisuseException.class, () -> FtOptions.parse(words)).getMessage();
        assertTrue(message.contains(words[0]) || message.contains(line.replace(' ', '=')), message);
    }

    @Test
    void whatIsAllowedIsTold() {
        assertTrue(refusal("--grid", "3x1").startsWith("--grid=3x1: must be rows x columns, each 1 to 1024, the "
            + "rows a power of two"),
            refusal("--grid", "3x1"));
        assertTrue(refusal("--class", "X").endsWith("must be one of S, W, A, B, C"), refusal("--class", "X"));
        assertEquals("--ranks=67: class S takes any number up to 64, even ones up to 128, multiples of 4 up to 256, "
            + "and so on up to 4096; take 66 or 68", refusal(67));
        assertTrue(refusal(250).endsWith("; take 248 or 252"), refusal(250));
        assertTrue(refusal(9999).endsWith("; take 4096"), refusal(9999));
        assertEquals("--grid=1x65: class S: a field of 64x64x64 cannot have 65 grid columns: must be 1 to 64",
            refusal(65, "--grid", "1x65"));
        assertEquals("--grid=1x6: needs 6 ranks, the job has 5", refusal(5, "--grid", "1x6"));
    }

    private static String refusal(int ranks, String... words) {
        FtOptions options = FtOptions.parse(words);
        return assertThrows(MisuseException.class, () -> options.grid(ranks, 0)).getMessage();
    }

    private static String refusal(String... words) {
        return assertThrows(MisuseException.class, () -> FtOptions.parse(words)).getMessage();
    }

    @Test
    void ranksThatDoNotFitAreRefused() {
        FtOptions free = FtOptions.parse(new String[0]);
        FtOptions forced = FtOptions.parse(new String[] {"--grid", "2x2"});
        for (int ranks = 1; ranks <= 64; ranks++) {
            assertTrue(free.grid(ranks, ranks - 1).isSlab());
        }
        assertEquals(2, free.grid(66, 0).gridRows);
        assertThrows(MisuseException.class, () -> free.grid(65, 0));
        assertThrows(MisuseException.class, () -> free.grid(0, 0));
        assertThrows(MisuseException.class, () -> free.grid(1 << 13, 0));
        assertThrows(MisuseException.class, () -> forced.grid(8, 0));
        assertEquals(64 * 64, free.grid(64 * 64, 0).ranks());
    }

    @Test
    void operationCountsAreNpbs() {
        double[] expected = {177.1669557530053, 372.67267625453127, 7136.443763977819, 92053.5910231494,
            396388.18450815335};
        int i = 0;
        for (String name : new String[] {"S", "W", "A", "B", "C"}) {
            FtClass c = FtClass.all().get(name);
            assertEquals(c.iterations(), c.checksums().size());
            assertEquals(expected[i], FtClass.mops(c.points(), c.iterations(), 1), 1e-12 * expected[i]);
            i++;
        }
    }
}
