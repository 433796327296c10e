package org.ftrma.apps.fft3d;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FtProgramTest {
    private static final int COLLECTIVES_OF_A_SLAB_STEP = 1;
    private static final int COLLECTIVES_OF_A_PENCIL_STEP = 2;
    private static final int COLLECTIVES_AFTER_THE_LAST_STEP = 2;

    @Test
    void reportsWhatTheJobPromises() throws InterruptedException {
        Map<String, Object> reported = new RollbackCluster(2, options("--warm-up", "0.01"), -1, -1, 0).run();
        assertEquals(true, reported.get("verified"));
        assertEquals("S", reported.get("class"));
        assertEquals("1x2", reported.get("grid"));
        assertEquals(6L, reported.get("iterations"));
        double seconds = (double) reported.get("seconds");
        assertEquals(177.1669557530053 / seconds, (double) reported.get("mops"), 1e-6 * 177 / seconds);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 6})
    void ranksThatDoNotDivideTheFieldVerify(int ranks) throws InterruptedException {
        Map<String, Object> reported = new RollbackCluster(ranks, options("--warm-up", "0.01"), -1, -1, 0).run();
        assertEquals(true, reported.get("verified"));
        assertEquals("1x" + ranks, reported.get("grid"));
    }

    @Test
    void moreStepsThanTheReferenceHasAreVerifiedAsFarAsItGoes() throws InterruptedException {
        Map<String, Object> shorter = new RollbackCluster(1, options("--iterations=6"), -1, -1, 0).run();
        Map<String, Object> longer = new RollbackCluster(1, options("--iterations=9"), -1, -1, 0).run();
        assertEquals(true, longer.get("verified"));
        assertNotEquals(shorter.get("checksumDigest"), longer.get("checksumDigest"));
    }

    /** Every collective of every step, rolled back to the start and to an image before it. */
    @ParameterizedTest
    @ValueSource(strings = {"1x2", "1x3", "2x2"})
    void aRollbackDoesNotChangeOneBit(String grid) throws InterruptedException {
        FtOptions options = options("--iterations=3", "--grid=" + grid);
        int ranks = options.gridRows() * options.gridColumns();
        int collectives = options.gridRows() == 1 ? COLLECTIVES_OF_A_SLAB_STEP : COLLECTIVES_OF_A_PENCIL_STEP;
        Map<String, Object> right = new RollbackCluster(ranks, options, -1, -1, 0).run();
        assertEquals(true, right.get("verified"));
        for (int image = 0; image <= 2; image++) {
            for (int step = image + 1; step <= 3; step++) {
                int last = collectives + (step == 3 ? COLLECTIVES_AFTER_THE_LAST_STEP : 0);
                for (int collective = 1; collective <= last; collective++) {
                    RollbackCluster cluster = new RollbackCluster(ranks, options, image, step, collective);
                    Map<String, Object> got = cluster.run();
                    String where = "image=" + image + " step=" + step + " collective=" + collective;
                    assertEquals(2, cluster.entries(), where);
                    assertEquals(right.get("checksumDigest"), got.get("checksumDigest"), where);
                    assertEquals(true, got.get("verified"), where);
                }
            }
        }
    }

    /** In the runs on a small field, and (without these) in the forward transform and the steps at full size. */
    @ParameterizedTest
    @CsvSource({"1, 0.01", "2, 0.01", "3, 0.01", "4, 0.01", "5, 0.01", "2, 0", "3, 0", "4, 0", "5, 0", "6, 0", "7, 0"})
    void aFailureBeforeTheFirstStepStartsAgain(int collective, String warmUp) throws InterruptedException {
        RollbackCluster cluster = new RollbackCluster(2, options("--iterations=2", "--warm-up=" + warmUp), -1, 0,
            collective);
        Map<String, Object> got = cluster.run();
        assertEquals(2, cluster.entries());
        assertEquals(true, got.get("verified"));
        assertTrue((double) got.get("seconds") > 0);
    }

    private static FtOptions options(String... args) {
        String[] all = new String[args.length + 1];
        all[0] = "--warm-up=0";
        System.arraycopy(args, 0, all, 1, args.length);
        return FtOptions.parse(all);
    }
}
