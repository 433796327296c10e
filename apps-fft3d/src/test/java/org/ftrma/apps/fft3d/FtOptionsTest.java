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
        "--grid 2x3", "--grid 3x1", "--grid x4", "--grid 2x2x2", "--grid 4096x1",
        "--warm-up -1", "--warm-up soon", "--warm-up NaN", "--colour red", "S", "--print-checksums=yes", "--",
        "--grid 2x"})
    void whatIsWrongIsNamed(String line) {
        String[] words = line.split(" ");
        String message = assertThrows(MisuseException.class, () -> FtOptions.parse(words)).getMessage();
        assertTrue(message.contains(words[0]) || message.contains(line.replace(' ', '=')), message);
    }

    @Test
    void whatIsAllowedIsTold() {
        assertTrue(refusal("--grid", "3x1").startsWith("--grid=3x1: must be rows x columns, both powers of two"),
            refusal("--grid", "3x1"));
        assertTrue(refusal("--class", "X").endsWith("must be one of S, W, A, B, C"), refusal("--class", "X"));
        String message = assertThrows(MisuseException.class, () -> FtOptions.parse(new String[0]).grid(3, 0))
            .getMessage();
        assertTrue(message.startsWith("--ranks=3: ") && message.contains("power of two"), message);
    }

    private static String refusal(String... words) {
        return assertThrows(MisuseException.class, () -> FtOptions.parse(words)).getMessage();
    }

    @Test
    void ranksThatDoNotFitAreRefused() {
        FtOptions free = FtOptions.parse(new String[0]);
        FtOptions forced = FtOptions.parse(new String[] {"--grid", "2x2"});
        assertThrows(MisuseException.class, () -> free.grid(3, 0));
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
