package org.ftrma.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.options.JobOptions;
import org.junit.jupiter.api.Test;

/** What the coordinator does when members are lost. */
class CoordinatorLossesTest extends CoordinatorHarness {
    /** Another group may still be restoring then. */
    @Test
    void aGroupWhoseMembersHaveRestoredSurvivesItsNextLoss() {
        coordinator = new Coordinator(JobOptions.of(Map.of("ranks", "4", "checksums", "2", "spares", "2", "protocol",
            "coordinated")), this);
        for (int process = 0; process < 8; process++) {
            coordinator.onJoin(process, now);
        }
        restore(1, 0, 1, 2, 3, 4, 5);
        coordinator.onExit(0, "killed", now);
        assertEquals(0, last(6, ControlMessage.Assign.class).member());
        restore(2, 6, 2);
        coordinator.onExit(2, "killed", now);
        assertNull(outcome, "rank 0 holds its image again");
        assertEquals(3, last(6, ControlMessage.Rollback.class).view());
        coordinator.onExit(6, "killed", now);
        assertEquals(JobOutcome.Kind.CATASTROPHIC, outcome.kind(), "ranks 0 and 2 are of one group");
    }

    /** All that was on it is gone before anything is decided. */
    @Test
    void whatAHostTakesAlongIsOneLossAndAllGoBackOnce() {
        coordinator = new Coordinator(JobOptions.of(Map.of("ranks", "4", "checksums", "2", "spares", "3", "protocol",
            "coordinated")), this);
        for (int process = 0; process < 9; process++) {
            coordinator.onJoin(process, now);
        }
        restore(1, 0, 1, 2, 3, 4, 5);
        coordinator.onExits(List.of(new Coordinator.Exit(0, "its host is lost", 0), new Coordinator.Exit(6,
            "its host is lost", 0), new Coordinator.Exit(5, "its host is lost", 0)), now);
        assertNull(outcome, "they are of different groups");
        assertEquals(1, got(1, ControlMessage.Rollback.class).size());
        assertEquals(2, last(1, ControlMessage.Rollback.class).view());
        assertTrue(got(6, ControlMessage.Assign.class).isEmpty(), "the spare that died with them plays nobody");
        assertEquals(0, last(7, ControlMessage.Assign.class).member());
        assertEquals(5, last(8, ControlMessage.Assign.class).member());
        restore(2, 7, 1, 2, 3, 4, 8);
        assertEquals(2, last(1, ControlMessage.Go.class).view());
        coordinator.onExits(List.of(new Coordinator.Exit(1, "its host is lost", 0), new Coordinator.Exit(3,
            "its host is lost", 0)), now);
        assertEquals(JobOutcome.Kind.CATASTROPHIC, outcome.kind(), "ranks 1 and 3 are of one group");
        assertTrue(outcome.message().contains("lost 2 members (rank 1, rank 3)"), outcome.message());
    }

    @Test
    void aLossBeforeTheCommitGoesBackToTheGenerationBefore() {
        start();
        cut(1, 5, 1);
        say(2, new ControlMessage.ParityReady(1, 5, 1, 7));
        cut(1, 10, 2);
        coordinator.onExit(1, "killed", now);
        ControlMessage.Rollback rollback = last(0, ControlMessage.Rollback.class);
        assertEquals(1, rollback.generation());
        assertEquals(5, rollback.step());
        assertEquals(2, rollback.timeline());
        assertEquals(1, last(3, ControlMessage.Assign.class).member(), "the spare takes over");
        assertEquals(1, last(3, ControlMessage.Assign.class).incarnation());
        say(2, new ControlMessage.ParityReady(1, 10, 2, 7));
        assertEquals(1, last(0, ControlMessage.Committed.class).generation(),
            "a stale word of the old view commits nothing");
        restore(2, 0, 2, 3);
        assertEquals(2, last(3, ControlMessage.Go.class).view());
        assertEquals(1, started, "a new spare is ordered");
    }

    /** It tells of few steps where they are short, the first one after going back among them. */
    @Test
    void aLostRankWasInTheLastStepThatItTellsOrThatItsHostKnows() {
        start();
        cut(1, 5, 1);
        say(2, new ControlMessage.ParityReady(1, 5, 1, 7));
        say(1, new ControlMessage.StepBegun(1, 9, 20, 1));
        coordinator.onExits(List.of(new Coordinator.Exit(1, "killed", 7)), now);
        restore(2, 0, 2, 3);
        say(3, new ControlMessage.StepBegun(2, 6, 20, 1));
        coordinator.onExits(List.of(new Coordinator.Exit(3, "killed", 8)), now);
        assertEquals(List.of(9L, 8L), events.stream().filter(JobEvent.MemberLost.class::isInstance)
            .map(event -> ((JobEvent.MemberLost) event).step()).toList());
    }

    /** They were on their way when all went back. */
    @Test
    void wordsOfBeforeARollbackCountForNothingAfterIt() {
        start();
        cut(1, 5, 1);
        say(2, new ControlMessage.ParityReady(1, 5, 1, 7));
        coordinator.onExit(1, "killed", now);
        say(0, new ControlMessage.Exchange(1, ControlMessage.Scope.COMPUTING.ordinal(), 0, new long[0],
            new byte[1], ""));
        say(3, new ControlMessage.Exchange(2, ControlMessage.Scope.COMPUTING.ordinal(), 0, new long[0],
            new byte[1], ""));
        assertTrue(got(3, ControlMessage.Exchanged.class).isEmpty());
        restore(1, 0, 2);
        restore(2, 3);
        assertTrue(got(3, ControlMessage.Go.class).isEmpty(), "two have yet to restore");
        restore(2, 0, 2);
        assertEquals(2, last(3, ControlMessage.Go.class).view());
        say(0, new ControlMessage.CutArrived(1, 10, ""));
        say(3, new ControlMessage.CutArrived(2, 10, ""));
        assertTrue(got(3, ControlMessage.CutGo.class).isEmpty());
        say(0, new ControlMessage.CutArrived(2, 10, ""));
        assertEquals(2, last(3, ControlMessage.CutGo.class).generation());
        say(0, new ControlMessage.ImageReady(1, 10, 2));
        say(3, new ControlMessage.ImageReady(2, 10, 2));
        assertTrue(got(3, ControlMessage.Resume.class).isEmpty());
        say(0, new ControlMessage.Finished(1, 10, ""));
        say(3, new ControlMessage.Finished(2, 10, ""));
        assertNull(outcome);
    }

    /** Who waits for the redundancy, and the record of failures, depend on it. */
    @Test
    void aReplacementWhoseReplayEndsInAFallbackIsToldToBeBackWhenAllRunAgain() {
        coordinator = coordinator("full");
        start();
        cut(1, 5, 1);
        say(2, new ControlMessage.ParityReady(1, 5, 1, 7));
        coordinator.onExit(1, "killed", now);
        say(3, new ControlMessage.Restored(1, ""));
        say(3, new ControlMessage.Fallback(1, FallbackReason.LOG_GAP.name(), "a test"));
        assertTrue(events.stream().noneMatch(event -> event instanceof JobEvent.Recovered));
        restore(2, 0, 2, 3);
        assertTrue(events.contains(new JobEvent.Recovered(1, 1, "rollback")), events::toString);
    }

    private String whyAllGoBack() {
        return events.stream().filter(JobEvent.FellBack.class::isInstance).map(JobEvent.FellBack.class::cast)
            .reduce((first, second) -> second).orElseThrow().text();
    }

    /** One rank of 3 is being recovered, or back, when a replay says that it lacks something. */
    @Test
    void whyAllGoBackIsToldWithWhatWasFoundAndWhatHelps() {
        coordinator = coordinator("full");
        start();
        cut(1, 5, 1);
        say(2, new ControlMessage.ParityReady(1, 5, 1, 7));
        coordinator.onExit(1, "killed", now);
        say(3, new ControlMessage.Restored(1, ""));
        say(3, new ControlMessage.Fallback(1, FallbackReason.LOG_GAP.name(), "its log ends"));
        assertEquals("a log that replay needs is not complete (rank 1: its log ends): a larger --log-budget, or "
            + "checkpoints more often (--interval)", whyAllGoBack());
        restore(2, 0, 2, 3);
        say(3, new ControlMessage.Fallback(2, FallbackReason.LOG_GAP.name(), "no path; --check-races finds that"));
        assertEquals("a log that replay needs is not complete (rank 1: no path; --check-races finds that)",
            whyAllGoBack());
        restore(3, 0, 2, 3);
        say(3, new ControlMessage.Fallback(3, FallbackReason.UNORDERED_CONFLICT.name(), "two puts"));
        assertEquals("nothing orders conflicting accesses of several ranks (rank 1: two puts)", whyAllGoBack());
    }

    @Test
    void ofTwoRanksThatAreLostTogetherItIsToldWhatIsBetweenThem() {
        coordinator = new Coordinator(JobOptions.of(Map.of("ranks", "6", "checksums", "3", "spares", "6", "protocol",
            "full")), this);
        for (int process = 0; process < 15; process++) {
            coordinator.onJoin(process, now);
        }
        int[] members = {0, 1, 2, 3, 4, 5, 6, 7, 8};
        restore(1, members);
        for (ControlMessage.ToCoordinator message : List.of(new ControlMessage.CutArrived(1, 0, ""),
            new ControlMessage.ImageReady(1, 0, 1), new ControlMessage.CutCost(1, 1, 1))) {
            for (int rank = 0; rank < 6; rank++) {
                say(rank, message);
            }
        }
        for (int checksum = 6; checksum < 9; checksum++) {
            say(checksum, new ControlMessage.ParityReady(1, 0, 1, 9));
        }
        coordinator.onExits(List.of(new Coordinator.Exit(2, "its host is lost", 0), new Coordinator.Exit(1,
            "its host is lost", 0)), now);
        assertEquals("another rank was lost before the first one had recovered (rank 2 kept what only the memory of "
            + "rank 1 had besides, and both are lost)", whyAllGoBack());
    }

    /** It waits for the end of a demand checkpoint that changes the parity of its group in place. */
    @Test
    void aLossThatWaitsIsReplacedWhenAllGoBackForAnotherReason() {
        coordinator = new Coordinator(JobOptions.of(Map.of("ranks", "4", "checksums", "2", "spares", "2", "protocol",
            "full", "demand", "streaming")),
            this);
        for (int process = 0; process < 8; process++) {
            coordinator.onJoin(process, now);
        }
        restore(1, 0, 1, 2, 3, 4, 5);
        for (ControlMessage.ToCoordinator message : List.of(new ControlMessage.CutArrived(1, 0, ""),
            new ControlMessage.ImageReady(1, 0, 1), new ControlMessage.CutCost(1, 1, 1))) {
            for (int rank = 0; rank < 4; rank++) {
                say(rank, message);
            }
        }
        say(4, new ControlMessage.ParityReady(1, 0, 1, 9));
        assertTrue(got(0, ControlMessage.Committed.class).isEmpty(), "one parity of two is there");
        say(5, new ControlMessage.ParityReady(1, 0, 1, 7));
        assertEquals(new ControlMessage.Committed(1, 1, 0, 9), last(0, ControlMessage.Committed.class),
            "what the checksum rank took that took most");
        say(1, new ControlMessage.DemandWanted(1, 0, false));
        say(0, new ControlMessage.DemandReady(1, last(0, ControlMessage.DemandTake.class).tag(), new long[0]));
        assertFalse(got(4, ControlMessage.DemandEncode.class).isEmpty());
        coordinator.onExit(2, "killed", now);
        assertTrue(got(6, ControlMessage.Assign.class).isEmpty(), "it waits");
        say(1, new ControlMessage.Fallback(1, FallbackReason.LOG_GAP.name(), "a test"));
        assertEquals(2, last(0, ControlMessage.Rollback.class).view());
        assertEquals(2, last(6, ControlMessage.Assign.class).member());
    }

    @Test
    void aGroupIsWholeAgainWhenItsNewEventLoggerHasTheEventsOfAllThatGoOn() {
        coordinator = coordinator("pessimistic-v");
        start();
        cut(1, 0, 1);
        say(2, new ControlMessage.ParityReady(1, 0, 1, 0));
        coordinator.onExit(2, "killed", now);
        restore(1, 3);
        assertFalse(coordinator.groupWhole(0), "the parity is there, and no events are");
        say(0, new ControlMessage.EventsKept(1, 2));
        say(0, new ControlMessage.EventsKept(1, 7));
        assertFalse(coordinator.groupWhole(0), "rank 1 has yet to give its events");
        assertFalse(events.contains(new JobEvent.RedundancyChanged(0, true)), events::toString);
        say(1, new ControlMessage.Finished(1, 3, ""));
        assertTrue(coordinator.groupWhole(0), "who has finished needs none");
        assertTrue(events.contains(new JobEvent.RedundancyChanged(0, true)), events::toString);
    }

    @Test
    void aLostChecksumRankIsReplacedWithoutRollback() {
        start();
        cut(1, 5, 1);
        coordinator.onExit(2, "killed", now);
        assertTrue(got(0, ControlMessage.Rollback.class).isEmpty());
        assertEquals(2, last(3, ControlMessage.Assign.class).member());
        say(0, new ControlMessage.CutArrived(1, 6, ""));
        assertTrue(last(0, ControlMessage.CutAbandon.class).retryNext(),
            "no cut while the redundancy is being rebuilt");
        say(1, new ControlMessage.CutArrived(1, 6, ""));
        assertTrue(last(1, ControlMessage.CutAbandon.class).retryNext());
        restore(1, 3);
        cut(1, 7, 1);
        say(3, new ControlMessage.ParityReady(1, 5, 1, 7));
        assertTrue(got(1, ControlMessage.Committed.class).isEmpty(), "parity of the attempt that was given up");
        say(3, new ControlMessage.ParityReady(1, 7, 1, 7));
        assertEquals(1, last(1, ControlMessage.Committed.class).generation());
    }

    @Test
    void aReplacedChecksumRankThatDoesNotGetItsParityBackIsReplacedAgain() {
        start();
        coordinator.onExit(2, "killed", now);
        assertEquals(2, last(3, ControlMessage.Assign.class).member());
        tick(1);
        tick(10);
        assertEquals(List.of(), fenced);
        tick(1);
        tick(1);
        assertEquals(1, fenced.size(), "killed once");
        assertTrue(fenced.getFirst().startsWith(
            "3: has not made its parity anew within 10000 ms (--recovery-deadline"),
            fenced::toString);
        coordinator.onExit(3, "killed", now);
        coordinator.onJoin(4, now);
        assertEquals(2, last(4, ControlMessage.Assign.class).member());
        tick(1);
        tick(20);
        assertEquals(1, fenced.size(), "the next one has twice the time");
        restore(1, 4);
        tick(100);
        assertEquals(1, fenced.size());
        cut(1, 7, 1);
        assertNull(outcome);
    }

    @Test
    void theHostIsToldEachStateOfAMember() {
        coordinator = coordinator("full");
        join();
        enter(1, 0, 1, 2);
        restore(1, 0, 1, 2);
        assertEquals("EXPECTED JOINING, JOINING RESTORING, RESTORING READY, READY RUNNING", states(1, 0));
        cut(1, 5, 1);
        say(2, new ControlMessage.ParityReady(1, 5, 1, 7));
        int before = events.size();
        coordinator.onExit(1, "killed", now);
        int recovery = last(0, ControlMessage.Lost.class).recovery();
        enter(1, 3);
        restore(1, 3);
        assertTrue(states(1, before).endsWith("REBUILDING READY"), "rank 0 may still access what was lost");
        say(0, new ControlMessage.LostSeen(1, recovery));
        say(3, new ControlMessage.WentLive(1, recovery, 6, new long[0]));
        assertEquals("RUNNING LOST, LOST JOINING, JOINING REBUILDING, REBUILDING READY, READY REPLAYING, "
            + "REPLAYING RUNNING",
            states(1, before));
        assertEquals("", states(0, before), "the others run on");
        coordinator.onExit(2, "killed", now);
        coordinator.onJoin(4, now);
        enter(1, 4);
        restore(1, 4);
        assertEquals("RUNNING LOST, LOST JOINING, JOINING REBUILDING, REBUILDING READY, READY RUNNING",
            states(2, before));
        int third = events.size();
        say(0, new ControlMessage.Finished(1, 9, ""));
        say(3, new ControlMessage.Fallback(1, FallbackReason.LOG_GAP.name(), "a test"));
        assertEquals("RUNNING FINISHED, FINISHED LEAVING", states(0, third));
        assertEquals("RUNNING LEAVING", states(1, third));
        assertTrue(events.contains(new JobEvent.MemberChanged(2, 0, 0, MemberState.FINISHED, MemberState.LEAVING)),
            events::toString);
    }

    @Test
    void twoLossesInAGroupAreCatastrophic() {
        start();
        coordinator.onExit(1, "killed", now);
        assertNull(outcome);
        coordinator.onExit(2, "killed", now);
        assertEquals(JobOutcome.Kind.CATASTROPHIC, outcome.kind());
        assertTrue(outcome.message().contains("group 0") && outcome.message().contains("rank 1")
            && outcome.message().contains("checksum rank 0"),
            outcome.message());
        assertEquals(3, outcome.kind().exitCode());
    }

    @Test
    void whatAReplacementContributesTakesThePlaceOfItsPredecessors() {
        coordinator = coordinator("full");
        join();
        contribute(0, 0, 10);
        contribute(1, 0, 11);
        restore(1, 0, 1, 2);
        cut(1, 5, 1);
        say(2, new ControlMessage.ParityReady(1, 5, 1, 7));
        coordinator.onExit(1, "killed", now);
        assertEquals(1, last(3, ControlMessage.Assign.class).member());
        assertAnswered(0, 1, 11);
        contribute(3, 0, 12);
        assertEquals(1, got(3, ControlMessage.Exchanged.class).size(), "the others have contributed before");
        assertEquals(1, got(0, ControlMessage.Exchanged.class).size(), "rank 0 was told before");
        assertAnswered(0, 1, 12);
        assertAnswered(3, 0, 10);
    }
}
