package org.ftrma.apps.kvstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.ftrma.MisuseException;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.SimCluster;
import org.ftrma.testkit.SimReport;
import org.ftrma.testkit.SimResult;
import org.ftrma.testkit.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The benchmark on simulated ranks: its result, alone and with crashes. */
class KvProgramTest {
    private static final String SMALL = "--inserts 6 --batch 2 --slots 3 --overflow 20 --work 0";

    private static SimResult run(String arguments, int ranks, long seed) {
        JobOptions options = JobOptions.of(Map.of("ranks", "" + ranks));
        return new SimCluster(options, SimulatedProgram.benchmark(arguments), seed).run();
    }

    @Test
    void resultIsVerifiedAndDoesNotDependOnTheSchedule() {
        for (int ranks = 1; ranks <= 3; ranks++) {
            Object digest = run(SMALL, ranks, 1).outcome().reports().get("checksumDigest");
            for (long seed = 1; seed <= 10; seed++) {
                SimResult result = run(SMALL, ranks, seed);
                Map<String, Object> reports = result.outcome().reports();
                assertEquals(true, reports.get("verified"), result::story);
                assertEquals(digest, reports.get("checksumDigest"));
                assertEquals(6L * ranks, ((Number) reports.get("inserts")).longValue());
            }
        }
    }

    /** Atomics are logged, so nothing is inserted twice: neither by a replay nor by going back. */
    @ParameterizedTest
    @CsvSource({"full, 2, 1, 0", "full, 2, 1, 1", "coordinated, 2, 1, 0"})
    void oneCrashAtEveryPointLosesAndDoublesNothing(String protocol, int inserts, int slots, int work) {
        SimReport report = new Simulation().program(SimulatedProgram.benchmark("--inserts " + inserts
            + " --batch 1 --slots "
            + slots + " --overflow 10 --work " + work)).protocol(protocol).ranks(2).seed(2).singles();
        System.out.println(report.summary());
        assertTrue(report.clean() && report.gaveUp() == 0 && report.deaths() > 100, report::toString);
        assertTrue(protocol.equals("full") ? report.replays() > 50 : report.rollbacks() > 50, report::summary);
    }

    @Test
    void aTableThatIsTooSmallEndsTheJobWithTheReason() {
        SimResult result = run("--inserts 20 --slots 3 --overflow 1 --work 0", 2, 1);
        assertEquals(1, result.outcome().kind().exitCode());
        assertTrue(result.outcome().message().contains("heapCells=1"), result.outcome()::message);
    }

    @Test
    void keysDifferAndWaitsHaveTheirMean() {
        Keys keys = new Keys(5, 1000);
        Set<Long> seen = new HashSet<>();
        double sum = 0;
        for (int rank = 0; rank < 20; rank++) {
            keys.forEach(rank, (key, value) -> assertTrue(seen.add(key) && value == keys.value(key)));
            for (int number = 0; number < 1000; number++) {
                sum += keys.waiting(rank, number);
            }
        }
        assertEquals(20_000, seen.size());
        // The standard deviation of the mean is 0.007.
        assertEquals(1, sum / 20_000, 0.035);
    }

    /** The estimate of cells for collisions, at several loads. */
    @Test
    void estimatedHeapSufficesForRandomKeys() {
        for (long slots : new long[] {100, 1_000, 20_000}) {
            boolean[] taken = new boolean[(int) slots];
            long overflow = 0;
            for (long key = 0; key < 1_000; key++) {
                int slot = (int) Math.unsignedMultiplyHigh(Keys.mix(3, key), slots);
                overflow += taken[slot] ? 1 : 0;
                taken[slot] = true;
            }
            long cells = DistributedHashTable.heapFor(slots, 1_000);
            assertTrue(cells >= overflow && cells <= 2 * overflow + 200,
                slots + " slots: " + cells + " for " + overflow);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--inserts=0", "--work=2", "--work=much", "--slots=0", "--batch=x", "--overflow=-1",
        "--insert=3", "--batch",
        "--wait=2", "--warm-up=61"})
    void wrongArgumentsAreRefusedWithTheReason(String argument) {
        MisuseException refused = assertThrows(MisuseException.class, () -> KvStore.check(new String[] {argument}));
        assertTrue(refused.getMessage().contains(argument.replaceAll("=.*", "")), refused.getMessage());
    }
}
