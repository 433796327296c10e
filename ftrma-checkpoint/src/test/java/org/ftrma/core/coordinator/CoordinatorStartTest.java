package org.ftrma.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.ftrma.core.control.ControlMessage;
import org.junit.jupiter.api.Test;

/** How long the coordinator waits for a view to start, and whom it names when it does not. */
class CoordinatorStartTest extends CoordinatorHarness {
    private void assertStuck(String missing) {
        assertNull(outcome);
        tick(11);
        assertEquals(JobOutcome.Kind.CATASTROPHIC, outcome.kind());
        assertTrue(outcome.message().contains("10000 ms (--recovery-deadline")
            && outcome.message().contains("not ready: " + missing),
            outcome.message());
    }

    @Test
    void aProcessThatEndsBeforeItJoinsIsReplaced() {
        coordinator.onJoin(0, now);
        coordinator.onExit(1, "could not start", now);
        coordinator.onJoin(2, now);
        coordinator.onJoin(3, now);
        assertEquals(1, last(3, ControlMessage.Assign.class).member());
        assertEquals(0, started, "the spare was enough");
    }

    @Test
    void aViewThatDoesNotStartEndsTheJobWithTheNamesOfTheMissing() {
        coordinator.onJoin(0, now);
        coordinator.onJoin(1, now);
        coordinator.onJoin(2, now);
        restore(1, 0, 2);
        now += 11_000_000_000L;
        coordinator.onTick(now);
        assertEquals(JobOutcome.Kind.CATASTROPHIC, outcome.kind());
        assertTrue(outcome.message().contains("rank 1"), outcome.message());
    }

    /** Rank 1 has allocated a window more; --deadline is 60 s. */
    @Test
    void ranksThatWaitForEachOtherEndTheJobAndWhoWaitsWhereIsTold() {
        for (int process = 0; process < 3; process++) {
            coordinator.onJoin(process, now);
        }
        enter(1, 0, 1, 2);
        contribute(0, 0, 1);
        now += 300_000_000_000L;
        coordinator.onTick(now);
        assertNull(outcome, "rank 1 may compute as long as it likes");
        contribute(1, 0, 1);
        restore(1, 0);
        now += 300_000_000_000L;
        coordinator.onTick(now);
        assertNull(outcome, "rank 1 may compute as long as it likes");
        assertEquals("rank 0 waits for the others, rank 1 is in the program", coordinator.whatRanksDo(now));
        assertEquals(List.of(), got(0, ControlMessage.AskWhere.class));
        contribute(1, 1, 1);
        now += 60_000_000_000L;
        coordinator.onTick(now);
        coordinator.onTick(now);
        assertNull(outcome);
        assertEquals(List.of(new ControlMessage.AskWhere(1)), got(0, ControlMessage.AskWhere.class));
        assertEquals(List.of(new ControlMessage.AskWhere(1)), got(1, ControlMessage.AskWhere.class));
        say(0, new ControlMessage.Where(1, "in steps()"));
        say(1, new ControlMessage.Where(1, "in allocateWindow \"b\""));
        now += 2_000_000;
        coordinator.onTick(now);
        assertEquals(JobOutcome.Kind.FAILED, outcome.kind());
        assertEquals("the ranks wait for each other: rank 0 waits in steps(), rank 1 waits in allocateWindow \"b\"; "
            + "that for 60002 ms (--deadline): all ranks must allocate the same windows, in the same order, "
            + "before steps()", outcome.message());
    }

    @Test
    void theProgramInitializesForAsLongAsItTakesAndTheRestOfTheStartDoesNot() {
        for (int process = 0; process < 3; process++) {
            coordinator.onJoin(process, now);
        }
        enter(1, 0, 1, 2);
        tick(1000);
        restore(1, 0, 2);
        tick(1000);
        restore(1, 1);
        assertEquals(1, last(0, ControlMessage.Go.class).view());
    }

    @Test
    void aChecksumRankThatIsNotReadyWhenAllOthersAreEndsTheJob() {
        for (int process = 0; process < 3; process++) {
            coordinator.onJoin(process, now);
        }
        enter(1, 0, 1, 2);
        tick(1000);
        restore(1, 0, 1);
        assertStuck("checksum rank 0");
    }

    @Test
    void initializingAnewWaitsForRanksThatStillComputeAndNotForAReplacementThatDoesNotCome() {
        for (int process = 0; process < 4; process++) {
            coordinator.onJoin(process, now);
        }
        enter(1, 0, 1, 2);
        coordinator.onExit(1, "killed", now);
        enter(2, 2, 3);
        tick(1000);
        assertNull(outcome, "rank 0 initializes, and comes to no library call");
        coordinator.onExit(3, "killed", now);
        coordinator.onJoin(4, now);
        enter(3, 0, 2);
        assertStuck("rank 0, rank 1, checksum rank 0");
    }

    @Test
    void aRecoveryThatGetsOnIsNotEndedAndOneThatDoesNotIs() {
        start();
        cut(1, 5, 1);
        say(2, new ControlMessage.ParityReady(1, 5, 1, 7));
        coordinator.onExit(1, "killed", now);
        for (int process : new int[] {0, 2, 3}) {
            tick(9);
            enter(2, process);
        }
        for (int process : new int[] {0, 2}) {
            tick(9);
            restore(2, process);
        }
        assertStuck("rank 1");
    }

    /** A survivor leaves the program at its next library call. */
    @Test
    void longStepsGiveARecoveryMoreTime() {
        start();
        enter(1, 0, 1, 2);
        cut(1, 5, 1);
        say(2, new ControlMessage.ParityReady(1, 5, 1, 7));
        say(0, new ControlMessage.StepBegun(1, 6, 100, 50_000_000_000L));
        coordinator.onExit(1, "killed", now);
        enter(2, 2, 3);
        tick(110);
        assertNull(outcome);
        tick(1);
        assertEquals(JobOutcome.Kind.CATASTROPHIC, outcome.kind());
    }
}
