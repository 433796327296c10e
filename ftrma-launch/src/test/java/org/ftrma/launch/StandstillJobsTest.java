package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.ftrma.launch.programs.Stuck;
import org.junit.jupiter.api.Test;

/** Jobs whose program gets no further in processes that live. */
class StandstillJobsTest {
    private static final String PLACE = "org.ftrma.launch.programs.Stuck.computeWhatNeverEnds(Stuck.java:";

    private static Command stuck(String options, String what) {
        return Command.line("run --ranks 2 --checksums 1 --protocol full --interval 3 --json " + options + " -- "
            + Stuck.class.getName() + " " + what);
    }

    @Test
    void aRankForWhichOthersWaitInVainIsReplacedWhereItsProgramDoesNotCallTheLibrary() {
        Command command = stuck("--deadline 5s --timeout 100s", "once").exits(0);
        assertEquals(true, command.json().get("verified"));
        assertEquals(Map.of("STUCK", 1), command.json().get("fallbacks"));
        List<?> failures = (List<?>) command.json().get("failures");
        assertEquals(1, failures.size(), failures::toString);
        assertTrue(failures.getFirst().toString().contains("has not called the library for ")
            && failures.getFirst().toString().contains(PLACE), failures::toString);
    }

    @Test
    void whereTheTimeIsOverEachRanksPlaceIsTold() {
        stuck("--timeout 20s", "all").exits(1).tells("the job took longer than --timeout=20s: what the ranks do:")
            .tells("ranks 0, 1: in step 7, its program has not called the library for").tells("    at " + PLACE);
    }
}
