package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The FFT of class W, each of its ranks killed in each of its steps (in half of them where all go back), and longer
 * jobs with several kills. Most of the time of so short a run is that of starting JVMs, which use the first compiler
 * only.
 */
class KillMatrixTest {
    private static final String TOLD = " --timeout 60s --json ";
    private static final String FAST = " --ranks 4" + TOLD;
    private static final String BARE = "fft --class W --warm-up 0" + FAST;
    private static final String FFT = BARE + "--checksums 1 --interval 2";
    private static final String LONGER = " --iterations 16";
    private static final int ATOMICS_KILLS = 12;
    private static final String GAP = "LOG_GAP";

    private static Object digestOfLonger;

    @ParameterizedTest(name = "rank {0} in step {1}")
    @CsvSource({
        "0, 1", "0, 5", "1, 3", "1, 6", "2, 4", "3, 2"})
    void fftVerifiesWhicheverRankIsKilledInWhicheverStep(int rank, int step) {
        Map<String, Object> json = Command.line(FFT + " --protocol coordinated --kill " + rank + "@" + step).exits(0)
            .json();
        assertEquals(1, json.get("rollbacks"));
        Map<?, ?> failure = check(json, rank, step);
        assertEquals("rollback", failure.get("how"));
        assertTrue(((Number) failure.get("stepsRepeated")).longValue() > 0, failure::toString);
    }

    @ParameterizedTest(name = "rank {0} in step {1}")
    @CsvSource({
        "0, 1", "0, 4", "1, 2", "1, 5", "2, 3", "2, 6", "3, 1", "3, 4", "3, 6"})
    void withLogsOnlyTheKilledRankGoesBack(int rank, int step) {
        Command command = Command.line(FFT + " --verbose --protocol full --kill " + rank + "@" + step).exits(0);
        Recoveries.assertAllLocal(command.json(), 1);
        check(command.json(), rank, step);
        Map<Integer, List<Long>> begun = Recoveries.stepsBegun(command.err());
        Recoveries.assertNobodyElseRepeats(rank, 4, begun);
        Recoveries.assertGoesBackOnce(step, begun.get(rank));
    }

    /** Different ranks, and the same one again; all steps' checksums are as they are without failures. */
    @ParameterizedTest
    @CsvSource({"--kill 1@4 --kill 3@11, 2", "--kill 0@3 --kill 2@8 --kill 2@13, 3"})
    void killsInDifferentStepsAreEachRecoveredLocally(String kills, int lost) {
        Map<String, Object> json = Command.line(FFT + LONGER + " --spares 1 --protocol full " + kills).exits(0).json();
        assertEquals(true, json.get("verified"));
        assertEquals(digestOfLonger(), Recoveries.digest(json));
        Recoveries.assertAllLocal(json, lost);
    }

    private static synchronized Object digestOfLonger() {
        digestOfLonger = digestOfLonger == null ? Recoveries.digest(Command.line(BARE + LONGER).exits(0).json())
            : digestOfLonger;
        return digestOfLonger;
    }

    /**
     * Which of its areas a step uses depends on the step: a replacement that begins at an odd one must come to the
     * same.
     */
    @ParameterizedTest(name = "rank {0} in step {1}")
    @CsvSource({"1, 5", "3, 6"})
    void aReplacementMayBeginAtAnyStep(int rank, int step) {
        Map<String, Object> json = Command.line(FFT.replace("--interval 2", "--interval 3") + " --protocol full --kill "
            + rank + "@" + step)
            .exits(0).json();
        assertEquals(0, json.get("rollbacks"));
        assertEquals("replay", check(json, rank, step).get("how"));
    }

    /**
     * Ranks are killed in the middle of steps that are nothing but atomic accesses, some perhaps between the effect of
     * one and its log.
     */
    @Test
    void ranksThatDieAmongAtomicsAreRecoveredLocally() {
        StringBuilder kills = new StringBuilder();
        for (int i = 0; i < ATOMICS_KILLS; i++) {
            kills.append(" --kill ").append((i + i / 4) % 4).append('@').append(8 + 9 * i);
        }
        Map<String, Object> json = Command.line("sample atomics --ranks 4 --checksums 1 --spares 1 --protocol full "
            + "--interval 3 --operations 800"
            + " --steps 110 --seed 3 --timeout 60s --json" + kills).exits(0).json();
        assertEquals(true, json.get("verified"));
        long local = Recoveries.assertLocalOrFor(Set.of(), json);
        System.out.println(local + " of " + ATOMICS_KILLS + " ranks were recovered locally; the others: "
            + json.get("fallbacks"));
        assertEquals(ATOMICS_KILLS, Recoveries.failures(json).size());
        assertEquals(ATOMICS_KILLS, local);
    }

    /**
     * Random kills of computing and checksum ranks, spread over a run: the result has the same bits as that of a run
     * without failures. A rank that does not wait for others gets to its kill while another one is recovered, and is
     * hit at once, before the logs are whole again.
     */
    @ParameterizedTest
    @CsvSource({"fft --class S --warm-up 0 --ranks 4, " + GAP, "sample locks --ranks 3, " + GAP,
        "sample atomics --operations 300 --ranks 3, " + GAP})
    void randomKillsLeaveTheResultAsItIs(String program, String reason) {
        Map<String, Object> json = Command.line(program + TOLD + "--spares 1 --protocol full --chaos 5 --seed 3")
            .exits(0)
            .json();
        assertEquals(true, json.get("verified"));
        assertEquals(true, json.get("sameAsFailureFree"));
        assertEquals(5, json.get("faultsInjected"));
        assertEquals(5, Recoveries.failures(json).size());
        assertEquals(5 * 40, ((Number) json.get("iterations")).intValue());
        long local = Recoveries.assertLocalOrFor(Set.of(reason), json);
        assertTrue(local > 0, json::toString);
    }

    /**
     * The failure matrix with groups that survive two losses, with all of a node killed, and with two nodes: rows 1 to
     * 9, 12 and 13.
     */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', value = {
        "1: --losses 2 --checksums 2 --interval 2 --protocol full | --kill 1@6 | 1",
        "5: --losses 2 --checksums 2 --interval 5 --protocol coordinated | --kill 0+2@1 | 2",
        "6: --losses 2 --checksums 2 --interval 2 --protocol full --spares 2 | --kill 1@4+recovery | 2",
        "7: --losses 2 --checksums 4 --interval 2 --protocol coordinated --spares 2 | --kill 0+1+2+3@4 | 4",
        "9: --losses 2 --checksums 2 --interval 2 --protocol full --spares 2 | --kill 1@3 --kill 2@5 | 2",
        "9: --nodes 3 --aware node --checksums 2 --interval 2 --protocol full --spares 2 | --kill node0@2 --kill "
            + "node1@5 | 4",
        "4: --nodes 3 --aware node --checksums 2 --interval 2 --protocol coordinated | --kill node2@6 | 2",
        "12: --nodes 4 --aware node --losses 2 --checksums 4 --interval 2 --protocol full | --kill node0+node2@4 | 4",
        "13: --nodes 3 --aware node --losses 2 --checksums 2 --interval 2 --protocol full --heartbeat-timeout 2s | "
            + "--stop node1@3 | 2"})
    void asManyAsAJobSurvivesAreRecovered(String job, String kill, int lost) {
        String options = job.substring(job.indexOf("--"));
        Map<String, Object> json = Command.line(BARE + options + " " + kill).exits(0).json();
        assertEquals(true, json.get("verified"));
        List<?> failures = (List<?>) json.get("failures");
        assertEquals(lost, failures.size(), failures::toString);
        int back = (Integer) json.get("rollbacks") + (Integer) json.get("localRecoveries");
        assertTrue(back > 0, json::toString);
        assertEquals(options.contains("coordinated"), (Integer) json.get("localRecoveries") == 0
            && ((Map<?, ?>) json.get("fallbacks")).isEmpty(),
            json::toString);
    }

    /** A survivor may have found the lost rank gone, and its own accesses to it given up, before anybody was told. */
    @ParameterizedTest
    @CsvSource({"fft --class S --ranks 2, 1@3", "fft --class S --ranks 2, 0@5", "fft --class S --ranks 4, 2@4",
        "sample atomics --ranks 3 --steps 20, 1@11", "sample locks --ranks 3 --steps 20, 0@11"})
    void aSingleLossOverTheNetworkPathTakesThatOneBackAlone(String job, String kill) {
        Map<String, Object> json = Command.line(job
            + " --spares 1 --json --checksums 1 --protocol full --path network --interval 2 --kill " + kill)
            .exits(0).json();
        assertEquals(true, json.get("verified"));
        assertEquals(0, json.get("rollbacks"));
        assertEquals(1, json.get("localRecoveries"));
    }

    /** Members that never access the first replacement have let it in all the same, and cut it off. */
    @ParameterizedTest
    @ValueSource(strings = {"sample stencil --steps 40", "sample atomics --steps 20"})
    void aRankThatIsLostAgainOverTheNetworkPathGoesBackAloneAgain(String job) {
        Map<String, Object> json = Command.line(job + " --ranks 3 --spares 2 --json --checksums 1 --protocol full"
            + " --path network --interval none --kill 1@5 --kill 1@12").exits(0).json();
        assertEquals(true, json.get("verified"));
        assertEquals(2, json.get("localRecoveries"), json::toString);
        assertEquals(0, json.get("rollbacks"));
    }

    @Test
    void twoOfAGroupAtOnceAreRecoveredOverTheNetworkPath() {
        Map<String, Object> json = Command.line(BARE
            + "--losses 2 --checksums 2 --interval 2 --protocol full --path network --heartbeat-timeout 60s"
            + " --kill 1+checksum0@4").exits(0).json();
        assertEquals(true, json.get("verified"));
        assertEquals("network", ((Map<?, ?>) json.get("ucx")).get("path"));
        assertEquals(2, ((List<?>) json.get("failures")).size(), json::toString);
        assertEquals(1, json.get("localRecoveries"), json::toString);
    }

    /** Row 7: ranks 1 and 3 of two rows of three have no border in common, 4 and 5 have one. */
    @ParameterizedTest
    @CsvSource({"1+3@8,auto,2", "2+4@8,network,2", "4+5@8,auto,0"})
    void twoRanksOfDifferentGroupsAtOnceGoBackAloneWhereTheyDidNotAccessEachOther(String kill, String path, int alone) {
        Map<String, Object> json = Command.line("sample stencil --steps 40 --grid 2x3 --ranks 6 --checksums 3"
            + " --spares 2 --json --protocol full --interval 5 --kill " + kill + " --path " + path).exits(0).json();
        assertEquals(true, json.get("verified"));
        assertEquals(alone, json.get("localRecoveries"), json::toString);
        assertEquals(alone == 0 ? Map.of("SECOND_FAILURE", 1) : Map.of(), json.get("fallbacks"), json::toString);
    }

    /** Row 11: two nodes where one is survived. */
    @Test
    void twoNodesWhereOneIsSurvivedEndTheJobClearly() {
        Command.line(BARE + "--checksums 2 --interval 2 --nodes 3 --aware node --kill node0+node1@3").exits(3)
            .tells("catastrophic failure: group").tells("lost 2 members").tells("and can rebuild 1");
    }

    /** Row 14: whoever holds a lock, or is its home, is lost with all of its node. */
    @ParameterizedTest
    @CsvSource({"node0", "node1"})
    void aNodeWithHoldersAndHomesOfLocksIsSurvived(String node) {
        Map<String, Object> json = Command.line("sample locks" + FAST
            + "--losses 2 --checksums 2 --nodes 3 --aware node --protocol full --interval 5"
            + " --steps 40 --kill " + node + "@20").exits(0).json();
        assertEquals(true, json.get("verified"));
        assertEquals(2, ((List<?>) json.get("failures")).size());
    }

    /** Row 3: a rank in its demand checkpoint, and with it one of the two checksum ranks whose parities change. */
    @Test
    void aRankAndAChecksumRankInADemandCheckpointAreRecovered() {
        Map<String, Object> json = Command.line("sample locks" + FAST
            + "--losses 2 --checksums 2 --protocol full --interval none --steps 1000"
            + " --log-budget 1MiB --log-low 10 --kill 1+checksum1@demand").exits(0).json();
        assertEquals(true, json.get("verified"));
        assertEquals(2, ((List<?>) json.get("failures")).size());
        assertTrue((Integer) json.get("demandAbandoned") > 0, json::toString);
    }

    private static Map<?, ?> check(Map<String, Object> json, int rank, int step) {
        assertEquals(true, json.get("verified"));
        List<?> failures = (List<?>) json.get("failures");
        assertEquals(1, failures.size(), failures::toString);
        Map<?, ?> failure = (Map<?, ?>) failures.getFirst();
        assertEquals(rank, failure.get("rank"));
        assertEquals(step, failure.get("step"));
        return failure;
    }
}
