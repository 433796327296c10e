package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.ftrma.launch.programs.NoCollective;
import org.ftrma.launch.programs.Ring;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs of all three kinds, with logs and real kills: only the killed rank goes back. */
class SamplesRecoverTest {
    private static final String PROTECTED =
        " --ranks 4 --checksums 1 --spares 1 --protocol full --interval 5 --timeout 60s --json ";
    private static final String NO_COLLECTIVE =
        " --ranks 3 --checksums 1 --spares 2 --interval 4 --timeout 60s --json --kill %s --kill %s -- "
        + NoCollective.class.getName() + " 40";

    @ParameterizedTest
    @CsvSource({"stencil, 3@12", "stencil, 0@31", "locks, 1@10", "locks, 0@20"})
    void onlyTheKilledRankGoesBack(String sample, String kill) {
        Map<String, Object> json = Command.line("sample " + sample + PROTECTED + "--steps 40 --kill " + kill).exits(0)
            .json();
        assertEquals(true, json.get("verified"));
        Recoveries.assertAllLocal(json, 1);
    }

    /**
     * Each rank tells each step that it begins, which the others than the killed one do once, and that one again from
     * its image on.
     */
    @Test
    void survivorsDoEachStepOnce() {
        Command command = Command.line("run --ranks 3 --checksums 1 --spares 1 --protocol full --interval 5 --kill "
            + "1@13 --timeout 60s --json -- "
            + Ring.class.getName() + " 30 tell").exits(0);
        assertEquals(true, command.json().get("verified"));
        Recoveries.assertAllLocal(command.json(), 1);
        Map<Integer, List<Long>> begun = Recoveries.stepsBegun(command.out());
        List<Long> all = LongStream.rangeClosed(1, 30).boxed().toList();
        assertEquals(all, begun.get(0));
        assertEquals(all, begun.get(2));
        List<Long> steps = begun.get(1);
        int again = IntStream.range(1, steps.size()).filter(i -> steps.get(i) <= steps.get(i - 1)).findFirst()
            .orElseThrow();
        assertTrue(again == 12 || again == 13, steps::toString); // it may die before it tells the last one
        assertEquals(all.subList(0, again), steps.subList(0, again));
        int repeated = (int) Recoveries.count(Recoveries.failures(command.json()).getFirst(), "stepsRepeated");
        int first = steps.get(again).intValue();
        assertTrue(first > 5, steps::toString);
        assertEquals(all.subList(first - 1, 30), steps.subList(again, steps.size()));
        int reached = first - 1 + repeated; // as the coordinator knows, which may not have heard of the last one either
        assertTrue(reached == 12 || reached == 13, () -> "repeated " + repeated + " of " + steps);
    }

    /**
     * Different ranks, and the same one again. Steps take so long that there is a checkpoint between two kills: until
     * then logs are lacking.
     */
    @ParameterizedTest
    @CsvSource({"stencil --size 512x512 --steps 240, --kill 1@20 --kill 2@100 --kill 1@180",
        "locks --transfers 300 --steps 45, --kill 1@9 --kill 3@23 --kill 1@37"})
    void killsInDifferentStepsAreRecoveredOneByOne(String sample, String kills) {
        Map<String, Object> json = Command.line("sample " + sample + PROTECTED + kills).exits(0).json();
        assertEquals(true, json.get("verified"));
        Recoveries.assertAllLocal(json, 3);
    }

    @ParameterizedTest
    @CsvSource({"sample stencil --steps 40, 1@12", "sample locks --steps 40, 2@17",
        "fft --class S --iterations 24 --warm-up 0, 2@14"})
    void aReplacementKilledInItsRecoveryIsReplacedToo(String program, String kill) {
        String job = program + " --ranks 4 --timeout 60s --json";
        Map<String, Object> json = Command.line(job + " --checksums 1 --spares 2 --protocol full --interval 5 --kill "
            + kill + "+recovery").exits(0)
            .json();
        List<Map<?, ?>> failures = Recoveries.failures(json);
        assertEquals(2, failures.size(), failures::toString);
        for (Map<?, ?> failure : failures) {
            assertEquals(Integer.valueOf(kill.substring(0, 1)), failure.get("rank"));
            assertEquals("replay", failure.get("how"), failures::toString);
        }
        if (program.startsWith("fft")) { // which verifies its first steps only
            assertEquals(Recoveries.digest(Command.line(job).exits(0).json()), Recoveries.digest(json));
        }
        assertEquals(1, json.get("localRecoveries"));
        assertEquals(0, json.get("rollbacks"));
    }

    /**
     * The second failure waits until rank 0 is back, and rank 0 tells when it may come: it must not be held for it
     * before.
     */
    @ParameterizedTest
    @CsvSource({"0@5, checksum0@6", "0@38, checksum0@40"})
    void aFailureThatWaitsForARecoveryDoesNotHoldItUp(String first, String second) {
        Map<String, Object> json = Command.line("run --protocol full" + NO_COLLECTIVE.formatted(first, second)).exits(0)
            .json();
        assertEquals(true, json.get("verified"));
        assertEquals(0, json.get("rollbacks"), json::toString);
        assertEquals(2, json.get("faultsInjected"), json::toString);
    }

    @Test
    void twoFailuresDuringInitializationComeOneAfterTheOther() {
        Map<String, Object> json = Command.line("run --protocol full" + NO_COLLECTIVE.formatted("0@0", "2@0")).exits(0)
            .json();
        assertEquals(true, json.get("verified"));
        assertEquals(2, json.get("faultsInjected"), json::toString);
    }
}
