package org.ftrma.xor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class DalyIntervalTest {
    private static final MathContext DIGITS = new MathContext(60);

    /** The formula as the paper writes it, in 60 digits. */
    private static BigDecimal exact(double checkpointSeconds, double mtbfSeconds) {
        BigDecimal d = new BigDecimal(checkpointSeconds);
        BigDecimal m = new BigDecimal(mtbfSeconds);
        BigDecimal twoM = m.add(m);
        if (d.compareTo(twoM) >= 0) {
            return m;
        }
        BigDecimal ratio = d.divide(twoM, DIGITS);
        BigDecimal bracket = BigDecimal.ONE.add(ratio.sqrt(DIGITS).divide(BigDecimal.valueOf(3), DIGITS))
            .add(ratio.divide(BigDecimal.valueOf(9), DIGITS));
        return d.multiply(twoM).sqrt(DIGITS).multiply(bracket, DIGITS).subtract(d, DIGITS);
    }

    /** A pair of checkpoint cost and mean time between failures, from nanoseconds to ages of the universe. */
    private static double[] pair(RandomGenerator random) {
        double m = Math.pow(10, random.nextDouble(-9, 18));
        double d = m * Math.pow(10, random.nextDouble(-14, 0.6));
        return new double[] {d, m};
    }

    @Test
    void agreesWithTheFormulaOfThePaperInHighPrecision() {
        RandomGenerator random = Memory.random(31);
        for (int i = 0; i < 20_000; i++) {
            double[] p = pair(random);
            double expected = exact(p[0], p[1]).doubleValue();
            assertEquals(expected, DalyInterval.seconds(p[0], p[1]), 8 * Math.ulp(expected),
                "d=" + p[0] + " M=" + p[1]);
        }
    }

    @Test
    void agreesWithValuesWorkedOutByHand() {
        // d = M/2: sqrt(2dM) = M, d/(2M) = 1/4, so M (1 + 1/6 + 1/36) - M/2 = 25/36 M.
        assertEquals(25.0 / 36 * 3600, DalyInterval.seconds(1800, 3600), 1e-9);
        // d = 2M/100^2: sqrt(2dM) = M/50, sqrt(d/(2M)) = 1/100: M/50 (1 + 1/300 + 1/90000) - M/5000.
        assertEquals(86400.0 * (1 / 50.0 * (1 + 1 / 300.0 + 1 / 90000.0) - 1 / 5000.0),
            DalyInterval.seconds(17.28, 86400), 1e-8);
    }

    @Test
    void isTheMtbfWhereACheckpointCostsTwiceThatOrMore() {
        assertEquals(100.0, DalyInterval.seconds(200, 100));
        assertEquals(100.0, DalyInterval.seconds(1e300, 100));
        double justBelow = DalyInterval.seconds(Math.nextDown(200.0), 100);
        // From below the formula tends to 8/9 M: the paper's two branches do not meet.
        assertEquals(800.0 / 9, justBelow, 1e-9);
    }

    @Test
    void growsWithTheCostAndWithTheMtbfAndScalesWithTheUnit() {
        RandomGenerator random = Memory.random(32);
        for (int i = 0; i < 20_000; i++) {
            double[] p = pair(random);
            String name = "d=" + p[0] + " M=" + p[1];
            double t = DalyInterval.seconds(p[0], p[1]);
            assertTrue(t > 0 && t <= p[1], name);
            assertTrue(DalyInterval.seconds(p[0] * 1.001, p[1]) >= t, name);
            double longer = DalyInterval.seconds(p[0], p[1] * 1.001);
            // Where d passes from above 2M to below it the value drops from M to 8/9 M: there only.
            assertTrue(longer >= t || p[0] >= 2 * p[1] && p[0] < 2.002 * p[1], name);
            assertEquals(t * 1024, DalyInterval.seconds(p[0] * 1024, p[1] * 1024), t * 1e-9, name);
        }
    }

    @Test
    void tendsToYoungsFormulaWhereACheckpointIsCheap() {
        double m = 86400;
        for (double d = 1; d > 1e-9; d /= 10) {
            double young = Math.sqrt(2 * d * m);
            double relative = Math.abs(DalyInterval.seconds(d, m) - young) / young;
            assertTrue(relative <= Math.sqrt(d / (2 * m)), "d=" + d + " relative=" + relative);
        }
        assertEquals(0.0, DalyInterval.seconds(0, m));
    }

    @Test
    void nanosecondsAreRoundedSecondsAndNothingOverflows() {
        assertEquals(Math.round(DalyInterval.seconds(0.25, 3600) * 1e9),
            DalyInterval.nanos(250_000_000L, 3_600_000_000_000L));
        assertEquals(Long.MAX_VALUE / 4, DalyInterval.nanos(Long.MAX_VALUE, Long.MAX_VALUE / 4));
        assertEquals(1, DalyInterval.nanos(3, 1));
        assertEquals(1, DalyInterval.nanos(2, 1));
        assertTrue(DalyInterval.nanos(1, Long.MAX_VALUE) > 1_000_000_000L);
        assertEquals(0, DalyInterval.nanos(0, 1));
        assertTrue(Double.isFinite(DalyInterval.seconds(1e200, 1e250)));
    }

    @Test
    void whatIsNoTimeIsRefusedByName() {
        for (double bad : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
            assertTrue(assertThrows(IllegalArgumentException.class, () -> DalyInterval.seconds(bad, 1)).getMessage()
                .startsWith("checkpointSeconds=" + bad));
            assertTrue(assertThrows(IllegalArgumentException.class, () -> DalyInterval.seconds(1, bad)).getMessage()
                .startsWith("mtbfSeconds=" + bad));
        }
        assertThrows(IllegalArgumentException.class, () -> DalyInterval.seconds(1, 0));
        assertThrows(IllegalArgumentException.class, () -> DalyInterval.nanos(-1, 1));
        assertThrows(IllegalArgumentException.class, () -> DalyInterval.nanos(1, 0));
    }
}
