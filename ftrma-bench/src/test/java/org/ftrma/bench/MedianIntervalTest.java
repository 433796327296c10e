package org.ftrma.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MedianIntervalTest {
    /** From tables of the sign test: how many of n values may be on one side, with 5 % for both sides together. */
    @ParameterizedTest
    @CsvSource({"6,1,6", "7,1,7", "8,1,8", "9,2,8", "12,3,10", "15,4,12", "20,6,15", "25,8,18", "30,10,21", "50,18,33"})
    void liesBetweenTheValuesOfTheSignTest(int n, int first, int last) {
        double[] sorted = IntStream.rangeClosed(1, n).asDoubleStream().toArray();
        assertEquals(new MedianInterval(first, last), MedianInterval.of(sorted));
    }

    @Test
    void fewValuesTellNothing() {
        for (int n = 1; n < MedianInterval.LEAST; n++) {
            assertNull(MedianInterval.of(new double[n]).atMost(1));
        }
    }

    @Test
    void containsTheMedianAsOftenAsItSays() {
        Random random = new Random(7);
        int contained = 0;
        for (int i = 0; i < 4000; i++) {
            double[] values = random.doubles(11).map(Math::exp).sorted().toArray();
            MedianInterval interval = MedianInterval.of(values);
            contained += interval.lower() <= Math.exp(0.5) && Math.exp(0.5) <= interval.upper() ? 1 : 0;
        }
        int times = contained;
        assertTrue(contained >= 3800, () -> "it contained the median " + times + " times of 4000; 95 % are 3800");
    }

    @Test
    void saysWhetherALimitIsKept() {
        double[] sorted = {1.00, 1.01, 1.02, 1.03, 1.04, 1.05, 1.10};
        assertEquals(true, MedianInterval.of(sorted).atMost(1.10));
        assertNull(MedianInterval.of(sorted).atMost(1.05));
        assertEquals(false, MedianInterval.of(sorted).atMost(0.99));
    }
}
