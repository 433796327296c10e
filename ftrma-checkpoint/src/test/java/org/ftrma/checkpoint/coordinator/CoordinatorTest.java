package org.ftrma.checkpoint.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.ftrma.checkpoint.FallbackReason;
import org.ftrma.checkpoint.control.Message;
import org.ftrma.checkpoint.control.MessageCodec;
import org.ftrma.options.JobOptions;
import org.junit.jupiter.api.Test;

/** The coordinator against a host that only takes notes: 2 computing ranks (processes 0, 1), 1 checksum rank (2), 1 spare (3). */
class CoordinatorTest implements CoordinatorHost {
    private final Map<Integer, List<Message>> sent = new HashMap<>();
    private final List<JobEvent> events = new ArrayList<>();
    private final List<String> fenced = new ArrayList<>();
    private int started;
    private JobOutcome outcome;
    private long now;
    private Coordinator coordinator = coordinator("coordinated");

    private Coordinator coordinator(String protocol) {
        return new Coordinator(JobOptions.of(Map.of("ranks", "2", "checksums", "1", "spares", "1", "cut-deadline", "1s", "recovery-deadline", "10s",
            "protocol", protocol)), this);
    }

    @Override
    public void send(int process, byte[] frame) {
        try {
            sent.computeIfAbsent(process, p -> new ArrayList<>()).add(MessageCodec.decode(frame));
        } catch (MessageCodec.MalformedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void fence(int process, String why) {
        fenced.add(process + ": " + why);
    }

    @Override
    public void startProcess() {
        started++;
    }

    @Override
    public void event(JobEvent event) {
        events.add(event);
    }

    @Override
    public void finished(JobOutcome end) {
        assertNull(outcome, "finished twice");
        outcome = end;
    }

    private void say(int process, Message.ToCoordinator message) {
        coordinator.onFrame(process, MessageCodec.encode(message), now);
    }

    private void tick(long seconds) {
        now += seconds * 1_000_000_000L;
        coordinator.onTick(now);
    }

    private <T extends Message> List<T> got(int process, Class<T> type) {
        return sent.getOrDefault(process, List.of()).stream().filter(type::isInstance).map(type::cast).toList();
    }

    private <T extends Message> T last(int process, Class<T> type) {
        List<T> all = got(process, type);
        assertFalse(all.isEmpty(), "process " + process + " was not told " + type.getSimpleName());
        return all.getLast();
    }

    private void join() {
        for (int process = 0; process < 4; process++) {
            coordinator.onJoin(process, now);
        }
    }

    private void start() {
        join();
        restore(1, 0, 1, 2);
    }

    private void restore(int view, int... processes) {
        for (int process : processes) {
            say(process, new Message.Restored(view, ""));
        }
    }

    private void cutUntilCopied(int view, long step, long generation) {
        say(0, new Message.CutArrived(view, step, ""));
        say(1, new Message.CutArrived(view, step, ""));
        assertEquals(generation, last(0, Message.CutGo.class).generation());
        say(0, new Message.ImageReady(view, step, generation));
        assertTrue(got(0, Message.Resume.class).stream().noneMatch(r -> r.step() == step), "resumed before all had copied");
        say(1, new Message.ImageReady(view, step, generation));
        assertEquals(step, last(0, Message.Resume.class).step());
    }

    /** All ranks have copied and go on, and parity is being made. */
    private void cut(int view, long step, long generation) {
        cutUntilCopied(view, step, generation);
        say(0, new Message.CutCost(view, generation, 1));
        say(1, new Message.CutCost(view, generation, 1));
    }

    @Test
    void aGenerationIsCommittedOnlyWhenItsParityIsComplete() {
        start();
        cut(1, 5, 1);
        assertTrue(got(0, Message.Committed.class).isEmpty());
        assertEquals(1, last(2, Message.Encode.class).generation());
        say(2, new Message.ParityReady(1, 5, 1, 7));
        assertEquals(1, last(0, Message.Committed.class).generation());
        assertEquals(1, last(2, Message.Committed.class).generation());
    }

    @Test
    void parityIsMadeWhenAllRanksGoOn() {
        start();
        cutUntilCopied(1, 5, 1);
        say(0, new Message.CutCost(1, 1, 1));
        say(0, new Message.CutCost(1, 1, 1));
        assertTrue(got(2, Message.Encode.class).isEmpty(), "rank 1 may be stopped still");
        say(1, new Message.CutCost(1, 1, 1));
        assertEquals(5, last(2, Message.Encode.class).step());
        say(2, new Message.ParityReady(1, 5, 1, 7));

        cutUntilCopied(1, 10, 2);
        say(1, new Message.CutCost(1, 1, 1));
        say(0, new Message.CutCost(1, 2, 1));
        assertEquals(1, got(2, Message.Encode.class).size(), "rank 1 spoke of the generation before");
        tick(1);
        assertEquals(10, last(2, Message.Encode.class).step(), "parity does not wait for ever");
        say(1, new Message.CutCost(1, 2, 1));
        assertEquals(2, got(2, Message.Encode.class).size());
        say(2, new Message.ParityReady(1, 10, 2, 7));
        assertEquals(2, last(0, Message.Committed.class).generation());
    }

    @Test
    void noParityIsMadeOfWhatWasGivenUpBeforeAllWentOn() {
        start();
        cutUntilCopied(1, 5, 1);
        say(0, new Message.CutCost(1, 1, 1));
        coordinator.onExit(2, "killed", now);
        assertEquals(5, last(0, Message.CutAbandon.class).step());
        say(1, new Message.CutCost(1, 1, 1));
        tick(1);
        assertTrue(got(3, Message.Encode.class).isEmpty());
    }

    /** Another group may still be restoring then. */
    @Test
    void aGroupWhoseMembersHaveRestoredSurvivesItsNextLoss() {
        coordinator = new Coordinator(JobOptions.of(Map.of("ranks", "4", "checksums", "2", "spares", "2", "protocol", "coordinated")), this);
        for (int process = 0; process < 8; process++) {
            coordinator.onJoin(process, now);
        }
        restore(1, 0, 1, 2, 3, 4, 5);
        coordinator.onExit(0, "killed", now);
        assertEquals(0, last(6, Message.Assign.class).member());
        restore(2, 6, 2);
        coordinator.onExit(2, "killed", now);
        assertNull(outcome, "rank 0 holds its image again");
        assertEquals(3, last(6, Message.Rollback.class).view());
        coordinator.onExit(6, "killed", now);
        assertEquals(JobOutcome.Kind.CATASTROPHIC, outcome.kind(), "ranks 0 and 2 are of one group");
    }

    @Test
    void aLossBeforeTheCommitGoesBackToTheGenerationBefore() {
        start();
        cut(1, 5, 1);
        say(2, new Message.ParityReady(1, 5, 1, 7));
        cut(1, 10, 2);
        coordinator.onExit(1, "killed", now);
        Message.Rollback rollback = last(0, Message.Rollback.class);
        assertEquals(1, rollback.generation());
        assertEquals(5, rollback.step());
        assertEquals(2, rollback.timeline());
        assertEquals(1, last(3, Message.Assign.class).member(), "the spare takes over");
        assertEquals(1, last(3, Message.Assign.class).incarnation());
        say(2, new Message.ParityReady(1, 10, 2, 7));
        assertEquals(1, last(0, Message.Committed.class).generation(), "a stale word of the old view commits nothing");
        restore(2, 0, 2, 3);
        assertEquals(2, last(3, Message.Go.class).view());
        assertEquals(1, started, "a new spare is ordered");
    }

    /** They were on their way when all went back. */
    @Test
    void wordsOfBeforeARollbackCountForNothingAfterIt() {
        start();
        cut(1, 5, 1);
        say(2, new Message.ParityReady(1, 5, 1, 7));
        coordinator.onExit(1, "killed", now);
        say(0, new Message.Exchange(1, Message.Scope.COMPUTING.ordinal(), 0, new byte[1], ""));
        say(3, new Message.Exchange(2, Message.Scope.COMPUTING.ordinal(), 0, new byte[1], ""));
        assertTrue(got(3, Message.Exchanged.class).isEmpty());
        restore(1, 0, 2);
        restore(2, 3);
        assertTrue(got(3, Message.Go.class).isEmpty(), "two have yet to restore");
        restore(2, 0, 2);
        assertEquals(2, last(3, Message.Go.class).view());
        say(0, new Message.CutArrived(1, 10, ""));
        say(3, new Message.CutArrived(2, 10, ""));
        assertTrue(got(3, Message.CutGo.class).isEmpty());
        say(0, new Message.CutArrived(2, 10, ""));
        assertEquals(2, last(3, Message.CutGo.class).generation());
        say(0, new Message.ImageReady(1, 10, 2));
        say(3, new Message.ImageReady(2, 10, 2));
        assertTrue(got(3, Message.Resume.class).isEmpty());
        say(0, new Message.Finished(1, 10));
        say(3, new Message.Finished(2, 10));
        assertNull(outcome);
    }

    /** Who waits for the redundancy, and the record of failures, depend on it. */
    @Test
    void aReplacementWhoseReplayEndsInAFallbackIsToldToBeBackWhenAllRunAgain() {
        coordinator = coordinator("full");
        start();
        cut(1, 5, 1);
        say(2, new Message.ParityReady(1, 5, 1, 7));
        coordinator.onExit(1, "killed", now);
        say(3, new Message.Restored(1, ""));
        say(3, new Message.Fallback(1, FallbackReason.LOG_GAP.name(), "a test"));
        assertTrue(events.stream().noneMatch(event -> event instanceof JobEvent.Recovered));
        restore(2, 0, 2, 3);
        assertTrue(events.contains(new JobEvent.Recovered(1, 1, "rollback")), events::toString);
    }

    /** It waits for the end of a demand checkpoint that changes the parity of its group in place. */
    @Test
    void aLossThatWaitsIsReplacedWhenAllGoBackForAnotherReason() {
        coordinator = new Coordinator(JobOptions.of(Map.of("ranks", "4", "checksums", "2", "spares", "2", "protocol", "full", "demand", "streaming")),
            this);
        for (int process = 0; process < 8; process++) {
            coordinator.onJoin(process, now);
        }
        restore(1, 0, 1, 2, 3, 4, 5);
        for (Message.ToCoordinator message : List.of(new Message.CutArrived(1, 0, ""), new Message.ImageReady(1, 0, 1), new Message.CutCost(1, 1, 1))) {
            for (int rank = 0; rank < 4; rank++) {
                say(rank, message);
            }
        }
        say(4, new Message.ParityReady(1, 0, 1, 9));
        assertTrue(got(0, Message.Committed.class).isEmpty(), "one parity of two is there");
        say(5, new Message.ParityReady(1, 0, 1, 7));
        assertEquals(new Message.Committed(1, 1, 9), last(0, Message.Committed.class), "what the checksum rank took that took most");
        say(1, new Message.DemandWanted(1, 0, false));
        say(0, new Message.DemandReady(1, last(0, Message.DemandTake.class).tag(), new long[0]));
        assertFalse(got(4, Message.DemandEncode.class).isEmpty());
        coordinator.onExit(2, "killed", now);
        assertTrue(got(6, Message.Assign.class).isEmpty(), "it waits");
        say(1, new Message.Fallback(1, FallbackReason.LOG_GAP.name(), "a test"));
        assertEquals(2, last(0, Message.Rollback.class).view());
        assertEquals(2, last(6, Message.Assign.class).member());
    }

    @Test
    void aLostChecksumRankIsReplacedWithoutRollback() {
        start();
        cut(1, 5, 1);
        coordinator.onExit(2, "killed", now);
        assertTrue(got(0, Message.Rollback.class).isEmpty());
        assertEquals(2, last(3, Message.Assign.class).member());
        say(0, new Message.CutArrived(1, 6, ""));
        assertTrue(last(0, Message.CutAbandon.class).retryNext(), "no cut while the redundancy is being rebuilt");
        say(1, new Message.CutArrived(1, 6, ""));
        assertTrue(last(1, Message.CutAbandon.class).retryNext());
        restore(1, 3);
        cut(1, 7, 1);
        say(3, new Message.ParityReady(1, 5, 1, 7));
        assertTrue(got(1, Message.Committed.class).isEmpty(), "parity of the attempt that was given up");
        say(3, new Message.ParityReady(1, 7, 1, 7));
        assertEquals(1, last(1, Message.Committed.class).generation());
    }

    /** It sends heartbeats, so nobody else would find it; and the ranks do not wait for it. */
    @Test
    void aChecksumRankThatDoesNotMakeItsParityInTimeIsReplacedTheSecondTime() {
        start();
        cut(1, 5, 1);
        tick(1);
        assertTrue(got(0, Message.CutAbandon.class).isEmpty());
        tick(1);
        assertEquals(5, last(0, Message.CutAbandon.class).step());
        assertEquals(5, last(2, Message.CutAbandon.class).step());
        say(2, new Message.ParityReady(1, 5, 1, 7));
        assertTrue(got(0, Message.Committed.class).isEmpty(), "given up is given up");
        assertEquals(List.of(), fenced);
        cut(1, 10, 1);
        tick(2);
        assertEquals(List.of(), fenced, "now it has twice the time");
        tick(1);
        assertEquals(1, fenced.size());
        assertTrue(fenced.getFirst().startsWith("2: the parity of step 10 is not complete at checksum ranks {0} after 2000 ms (--cut-deadline"),
            fenced::toString);
        coordinator.onExit(2, "killed", now);
        restore(1, 3);
        cut(1, 15, 1);
        say(3, new Message.ParityReady(1, 15, 1, 7));
        assertEquals(1, last(0, Message.Committed.class).generation());
        assertNull(outcome);
        assertEquals(2, events.stream().filter(event -> event instanceof JobEvent.Abandoned given && given.generation() == 1).count());
    }

    @Test
    void largeImagesHaveMoreTime() {
        start();
        say(0, new Message.Regions(new long[] {8}, new long[4], 5 * Patience.BYTES_PER_SECOND, new long[4]));
        cut(1, 5, 1);
        tick(1 + 2 * 5);
        assertTrue(got(0, Message.CutAbandon.class).isEmpty());
        tick(1);
        assertEquals(5, last(0, Message.CutAbandon.class).step());
    }

    @Test
    void aRankThatCopiesForTooLongEndsTheCheckpointAndNotTheJob() {
        start();
        say(0, new Message.CutArrived(1, 5, ""));
        say(1, new Message.CutArrived(1, 5, ""));
        say(0, new Message.ImageReady(1, 5, 1));
        tick(1);
        assertTrue(got(0, Message.CutAbandon.class).isEmpty());
        tick(1);
        assertEquals(5, last(0, Message.CutAbandon.class).step());
        assertEquals(5, last(1, Message.CutAbandon.class).step());
        assertTrue(last(0, Message.CutAbandon.class).reason().contains("ranks {1} have not copied"), last(0, Message.CutAbandon.class).reason());
        say(1, new Message.ImageReady(1, 5, 1));
        assertTrue(got(2, Message.Encode.class).isEmpty());
        cut(1, 10, 1);
        assertNull(outcome);
    }

    @Test
    void aReplacedChecksumRankThatDoesNotGetItsParityBackIsReplacedAgain() {
        start();
        coordinator.onExit(2, "killed", now);
        assertEquals(2, last(3, Message.Assign.class).member());
        tick(1);
        tick(10);
        assertEquals(List.of(), fenced);
        tick(1);
        tick(1);
        assertEquals(1, fenced.size(), "killed once");
        assertTrue(fenced.getFirst().startsWith("3: has not made its parity anew within 10000 ms (--recovery-deadline"), fenced::toString);
        coordinator.onExit(3, "killed", now);
        coordinator.onJoin(4, now);
        assertEquals(2, last(4, Message.Assign.class).member());
        tick(1);
        tick(20);
        assertEquals(1, fenced.size(), "the next one has twice the time");
        restore(1, 4);
        tick(100);
        assertEquals(1, fenced.size());
        cut(1, 7, 1);
        assertNull(outcome);
    }

    /** A rank far behind the others gets their answers where these are remembered, and comes to all boundaries before. */
    @Test
    void refusalsAreForgottenWithoutHarm() {
        start();
        for (long step = 1; step <= 1000; step++) {
            say(0, new Message.CutArrived(1, step, step == 1000 ? "" : "an exclusive lock is held"));
        }
        tick(2);
        long refusals = 0;
        for (long step = 1; step <= 1000; step++) {
            say(1, new Message.CutArrived(1, step, ""));
            Message.CutAbandon abandon = last(1, Message.CutAbandon.class);
            assertEquals(step, abandon.step());
            assertEquals(step < 1000, abandon.retryNext());
            refusals += abandon.reason().contains("long ago") ? 1 : 0;
        }
        assertEquals(1000 - 256, refusals);
        cut(1, 1001, 1);
    }

    @Test
    void twoLossesInAGroupAreCatastrophic() {
        start();
        coordinator.onExit(1, "killed", now);
        assertNull(outcome);
        coordinator.onExit(2, "killed", now);
        assertEquals(JobOutcome.Kind.CATASTROPHIC, outcome.kind());
        assertTrue(outcome.message().contains("group 0") && outcome.message().contains("rank 1") && outcome.message().contains("checksum rank 0"),
            outcome.message());
        assertEquals(3, outcome.kind().exitCode());
    }

    @Test
    void aCutThatNotAllReachIsAbandonedAtTheDeadlineForAllAlike() {
        start();
        say(0, new Message.CutArrived(1, 5, ""));
        now += 2_000_000_000L;
        coordinator.onTick(now);
        assertFalse(last(0, Message.CutAbandon.class).retryNext());
        say(1, new Message.CutArrived(1, 5, ""));
        assertEquals(5, last(1, Message.CutAbandon.class).step());
        assertTrue(got(1, Message.CutGo.class).isEmpty());
        cut(1, 10, 1);
    }

    @Test
    void aRankThatHoldsALockMakesAllTryAgainAtTheNextBoundary() {
        start();
        say(0, new Message.CutArrived(1, 5, "an exclusive lock is held"));
        assertTrue(last(0, Message.CutAbandon.class).retryNext());
        say(0, new Message.CutArrived(1, 6, ""));
        say(1, new Message.CutArrived(1, 5, ""));
        assertTrue(last(1, Message.CutAbandon.class).retryNext());
        say(1, new Message.CutArrived(1, 6, ""));
        assertEquals(6, last(0, Message.CutGo.class).step());
    }

    @Test
    void aProcessThatEndsBeforeItJoinsIsReplaced() {
        coordinator.onJoin(0, now);
        coordinator.onExit(1, "could not start", now);
        coordinator.onJoin(2, now);
        coordinator.onJoin(3, now);
        assertEquals(1, last(3, Message.Assign.class).member());
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
        assertEquals("rank 0 waits for the others, rank 1 is in the program", coordinator.whereRanksAre());
        assertEquals(List.of(), got(0, Message.AskWhere.class));
        contribute(1, 1, 1);
        now += 60_000_000_000L;
        coordinator.onTick(now);
        coordinator.onTick(now);
        assertNull(outcome);
        assertEquals(List.of(new Message.AskWhere(1)), got(0, Message.AskWhere.class));
        assertEquals(List.of(new Message.AskWhere(1)), got(1, Message.AskWhere.class));
        say(0, new Message.Where(1, "in steps()"));
        say(1, new Message.Where(1, "in allocateWindow \"b\""));
        now += 2_000_000;
        coordinator.onTick(now);
        assertEquals(JobOutcome.Kind.FAILED, outcome.kind());
        assertEquals("the ranks wait for each other: rank 0 waits in steps(), rank 1 waits in allocateWindow \"b\"; that for 60002 ms (--deadline): "
            + "all ranks must allocate the same windows, in the same order, before steps()", outcome.message());
    }

    private void enter(int view, int... processes) {
        for (int process : processes) {
            say(process, new Message.Exchange(view, Message.Scope.ALL.ordinal(), 0, new byte[1], ""));
        }
    }

    private void contribute(int process, int sequence, int value) {
        say(process, new Message.Exchange(1, Message.Scope.COMPUTING.ordinal(), sequence, new byte[] {(byte) value}, ""));
    }

    private void ask(int process, int scope, int sequence, int member, int count) {
        say(process, new Message.Ask(1, scope, sequence, member, count));
    }

    private void assertAnswered(int process, int member, int... values) {
        int before = got(process, Message.Answer.class).size();
        ask(process, Message.Scope.COMPUTING.ordinal(), 0, member, values.length);
        assertEquals(before + 1, got(process, Message.Answer.class).size());
        Message.Answer answer = last(process, Message.Answer.class);
        assertEquals(member, answer.member());
        assertEquals(0, answer.sequence());
        assertArrayEquals(IntStream.of(values).mapToObj(value -> new byte[] {(byte) value}).toArray(), answer.blobs());
    }

    @Test
    void whatIsContributedToAnExchangeIsToldToWhoAsks() {
        join();
        contribute(0, 0, 10);
        assertTrue(got(0, Message.Exchanged.class).isEmpty(), "rank 1 has not contributed");
        contribute(1, 0, 11);
        assertEquals(new Message.Exchanged(1, Message.Scope.COMPUTING.ordinal(), 0), last(0, Message.Exchanged.class));
        assertEquals(new Message.Exchanged(1, Message.Scope.COMPUTING.ordinal(), 0), last(1, Message.Exchanged.class));
        assertTrue(got(2, Message.Exchanged.class).isEmpty(), "the checksum rank is not in scope");
        assertAnswered(0, 1, 11);
        assertAnswered(1, 0, 10);
        assertAnswered(1, 0, 10, 11);
        assertTrue(got(2, Message.Answer.class).isEmpty());
    }

    @Test
    void whatNobodyContributedIsNotTold() {
        join();
        contribute(0, 0, 10);
        contribute(1, 0, 11);
        contribute(0, 1, 20);
        int computing = Message.Scope.COMPUTING.ordinal();
        int[][] wrong = {{computing, 1, 1, 1}, {computing, 2, 0, 1}, {computing, -1, 0, 1}, {computing, Integer.MAX_VALUE, 0, 1},
            {computing, 0, 2, 1}, {computing, 0, -1, 1}, {computing, 0, Integer.MAX_VALUE, 1}, {computing, 0, 0, 3}, {computing, 0, 1, 2},
            {computing, 0, 0, 0}, {computing, 0, 0, -1}, {computing, 0, 0, Integer.MIN_VALUE}, {computing, 0, 1, Integer.MAX_VALUE},
            {computing, 0, Integer.MIN_VALUE, Integer.MIN_VALUE}, {Message.Scope.ALL.ordinal(), 0, 0, 1}, {-1, 0, 0, 1}, {99, 0, 0, 1}};
        int before = events.size();
        for (int[] one : wrong) {
            ask(0, one[0], one[1], one[2], one[3]);
        }
        assertEquals(before + wrong.length, events.size());
        assertTrue(events.subList(before, events.size()).stream().allMatch(e -> e instanceof JobEvent.Note));
        say(0, new Message.Ask(2, computing, 0, 1, 1));
        assertTrue(got(0, Message.Answer.class).isEmpty(), "refused, or of another view");
        assertAnswered(0, 1, 11);
    }

    @Test
    void whatIsTooLargeToBeToldIsRefused() {
        join();
        say(0, new Message.Exchange(1, Message.Scope.COMPUTING.ordinal(), 0, new byte[(1 << 20) - 100], ""));
        contribute(1, 0, 11);
        assertTrue(got(1, Message.Exchanged.class).isEmpty());
        ask(1, Message.Scope.COMPUTING.ordinal(), 0, 0, 1);
        assertTrue(got(1, Message.Answer.class).isEmpty());
    }

    @Test
    void anAnswerHasAsMuchAsFitsAFrame() {
        join();
        for (int process = 0; process < 2; process++) {
            say(process, new Message.Exchange(1, Message.Scope.COMPUTING.ordinal(), 0, new byte[400_000], ""));
        }
        ask(1, Message.Scope.COMPUTING.ordinal(), 0, 0, 2);
        assertEquals(1, last(1, Message.Answer.class).blobs().length);
        ask(1, Message.Scope.COMPUTING.ordinal(), 0, 1, 1);
        assertEquals(1, last(1, Message.Answer.class).member());
    }

    @Test
    void whatAReplacementContributesTakesThePlaceOfItsPredecessors() {
        coordinator = coordinator("full");
        join();
        contribute(0, 0, 10);
        contribute(1, 0, 11);
        restore(1, 0, 1, 2);
        cut(1, 5, 1);
        say(2, new Message.ParityReady(1, 5, 1, 7));
        coordinator.onExit(1, "killed", now);
        assertEquals(1, last(3, Message.Assign.class).member());
        assertAnswered(0, 1, 11);
        contribute(3, 0, 12);
        assertEquals(1, got(3, Message.Exchanged.class).size(), "the others have contributed before");
        assertEquals(1, got(0, Message.Exchanged.class).size(), "rank 0 was told before");
        assertAnswered(0, 1, 12);
        assertAnswered(3, 0, 10);
    }

    private void assertStuck(String missing) {
        assertNull(outcome);
        tick(11);
        assertEquals(JobOutcome.Kind.CATASTROPHIC, outcome.kind());
        assertTrue(outcome.message().contains("10000 ms (--recovery-deadline") && outcome.message().contains("not ready: " + missing),
            outcome.message());
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
        assertEquals(1, last(0, Message.Go.class).view());
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
        say(2, new Message.ParityReady(1, 5, 1, 7));
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
        say(2, new Message.ParityReady(1, 5, 1, 7));
        say(0, new Message.StepBegun(1, 6, 100, 50_000_000_000L));
        coordinator.onExit(1, "killed", now);
        enter(2, 2, 3);
        tick(110);
        assertNull(outcome);
        tick(1);
        assertEquals(JobOutcome.Kind.CATASTROPHIC, outcome.kind());
    }

    @Test
    void garbageAndWrongDirectionsAreDroppedWithANote() {
        start();
        int before = events.size();
        coordinator.onFrame(0, new byte[] {99}, now);
        coordinator.onFrame(0, new byte[0], now);
        coordinator.onFrame(0, MessageCodec.encode(new Message.Go(1)), now);
        coordinator.onFrame(3, MessageCodec.encode(new Message.Finished(1, 3)), now);
        say(0, new Message.Fallback(1, "NO_SUCH_REASON", "text"));
        assertEquals(before + 5, events.size());
        assertTrue(events.subList(before, events.size()).stream().allMatch(e -> e instanceof JobEvent.Note));
        assertNull(outcome);
    }

    @Test
    void theJobSucceedsWhenAllRanksHaveFinishedAndFailsWhenTheResultIsWrong() {
        start();
        say(0, new Message.Report("verified", "B", "false"));
        say(0, new Message.Finished(1, 3));
        assertNull(outcome);
        say(1, new Message.Finished(1, 3));
        assertEquals(JobOutcome.Kind.FAILED, outcome.kind());
        last(2, Message.End.class);
        last(3, Message.End.class);
    }
}
