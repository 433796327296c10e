package org.ftrma.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.ftrma.core.control.ControlMessage;
import org.junit.jupiter.api.Test;

/**
 * Demand checkpoints as the coordinator decides on them: ranks 0 and 2 in group 0, 1 and 3 in group 1, whose checksum
 * ranks are members 4 and 5.
 */
class DemandArbiterTest implements DemandArbiter.Actions {
    private static final int VIEW = 7;
    private static final long PAUSE_NANOS = 4_000_000;
    private final List<String> told = new ArrayList<>();
    private boolean canTake = true;
    private int losses = 1;
    private long stepNanos;

    private static String name(ControlMessage message) {
        return switch (message) {
            case ControlMessage.DemandTake m -> "take " + (m.tag() - DemandArbiter.FIRST_TAG);
            case ControlMessage.DemandEncode m -> "encode" + IntStream.range(0, m.tags().length)
                .mapToObj(i -> " " + m.members()[i] + " " + (m.tags()[i] - DemandArbiter.FIRST_TAG))
                .collect(Collectors.joining(","))
                + (m.tag() == LongStream.of(m.tags()).max().orElseThrow() ? "" : " as " + m.tag());
            case ControlMessage.DemandAbandoned m -> "abandoned " + m.member();
            default -> message.toString();
        };
    }

    @Override
    public void toComputing(ControlMessage.ToMember message) {
        told.add("ranks: " + name(message));
    }

    @Override
    public void toMember(int member, ControlMessage.ToMember message) {
        told.add(member + ": " + name(message));
    }

    @Override
    public int groupOf(int member) {
        return member % 2;
    }

    @Override
    public List<Integer> checksumsOf(int group) {
        return losses == 1 ? List.of(4 + group) : List.of(4 + 2 * group, 5 + 2 * group);
    }

    @Override
    public boolean canTake(int member) {
        return canTake;
    }

    @Override
    public long stepNanos(int member) {
        return stepNanos;
    }

    @Override
    public void committed(ControlMessage.DemandCommitted message, long bytes) {
        told.add("committed " + message.member() + ", " + bytes + " bytes");
    }

    @Override
    public void abandoned(int member, String reason) {
        told.add(member + " gives up: " + reason);
    }

    @Override
    public void late(int checksumMember, String reason) {
        told.add(checksumMember + " is late");
    }

    private DemandArbiter arbiter(boolean isStreaming) {
        return new DemandArbiter(this, 4, 2, isStreaming, PAUSE_NANOS);
    }

    private static ControlMessage.DemandWanted wanted(int member) {
        return new ControlMessage.DemandWanted(VIEW, member, false);
    }

    private static ControlMessage.DemandReady ready(long number) {
        return new ControlMessage.DemandReady(VIEW, DemandArbiter.FIRST_TAG + number, new long[9]);
    }

    private static ControlMessage.DemandTooSlow tooSlow(long number) {
        return new ControlMessage.DemandTooSlow(VIEW, DemandArbiter.FIRST_TAG + number);
    }

    private static ControlMessage.DemandEncoded encoded(long number, long bytes) {
        return new ControlMessage.DemandEncoded(VIEW, DemandArbiter.FIRST_TAG + number, bytes);
    }

    private void assertTold(String... lines) {
        assertEquals(List.of(lines), told);
        told.clear();
    }

    @Test
    void imagesGoIntoTheParityOneAfterTheOtherAndThenCount() {
        DemandArbiter demands = arbiter(false);
        demands.wanted(wanted(2), 0);
        demands.wanted(wanted(2), 1);
        demands.wanted(wanted(1), 0);
        assertTold("2: take 1", "1: take 2");
        assertFalse(demands.isEncoding());
        demands.ready(1, ready(2));
        demands.ready(2, ready(1));
        assertTold("5: encode 1 2");
        assertTrue(demands.isEncoding());
        demands.encoded(5, encoded(2, 4096));
        assertTold("committed 1, 4096 bytes", "4: encode 2 1");
        demands.encoded(4, encoded(1, 0));
        assertTold("committed 2, 0 bytes");
        long first = DemandArbiter.FIRST_TAG;
        assertArrayEquals(new long[] {0, first + 2, first + 1, 0, first + 1, first + 2}, demands.latest());
        demands.generationCommitted();
        assertArrayEquals(new long[6], demands.latest());
    }

    @Test
    void imagesOfOneGroupThatAreAskedForTogetherGoIntoTheParityTogether() {
        DemandArbiter demands = arbiter(false);
        demands.wanted(wanted(0), 2);
        demands.wanted(wanted(1), 2);
        demands.wanted(wanted(2), 0);
        demands.ready(2, ready(3));
        assertTold("0: take 1", "1: take 2", "2: take 3");
        assertTrue(demands.isEncoding());
        demands.ready(1, ready(2));
        assertTold("5: encode 1 2");
        demands.ready(0, ready(1));
        demands.encoded(5, encoded(2, 10));
        assertTold("committed 1, 10 bytes", "4: encode 0 1, 2 3");
        demands.encoded(4, encoded(1, 20));
        assertTold();
        demands.encoded(4, encoded(3, 20));
        assertTold("committed 0, 0 bytes", "committed 2, 20 bytes");
        long first = DemandArbiter.FIRST_TAG;
        assertArrayEquals(new long[] {first + 1, first + 2, first + 3, 0, first + 3, first + 2}, demands.latest());
        assertFalse(demands.isEncoding());
    }

    @Test
    void anImageThatWasGivenUpIsNotTakenForTheOneThatIsAskedForSince() {
        DemandArbiter demands = arbiter(false);
        demands.wanted(wanted(2), 0);
        demands.cutBegins(VIEW);
        told.clear();
        demands.wanted(wanted(2), 0);
        assertTold("2: take 2");
        demands.ready(2, ready(1));
        assertTold();
        demands.ready(2, ready(2));
        assertTold("4: encode 2 2");
    }

    @Test
    void whoseImagesWentTogetherAreAskedTogetherUntilTheNextCoordinatedCheckpoint() {
        DemandArbiter demands = arbiter(false);
        for (int round = 0; round < 2; round++) {
            demands.wanted(wanted(0), 2);
            demands.wanted(wanted(2), 0);
            long tag = 6L * round + 1;
            demands.ready(0, ready(tag));
            demands.ready(2, ready(tag + 1));
            demands.encoded(4, encoded(tag + 1, 0));
            told.clear();
            demands.wanted(wanted(0), 2);
            assertTold("0: take " + (tag + 2), "2: take " + (tag + 3));
            demands.finished(2, VIEW);
            demands.ready(0, ready(tag + 2));
            demands.encoded(4, encoded(tag + 2, 0)); // by itself, for once
            told.clear();
            demands.wanted(wanted(2), 0);
            assertTold("2: take " + (tag + 4), "0: take " + (tag + 5));
            demands.cutBegins(VIEW);
            demands.generationCommitted();
        }
        told.clear();
        demands.wanted(wanted(0), 2);
        assertTold("0: take 13");
    }

    @Test
    void anImageWaitsForThatOfAnotherOneButNotForOneThatDoesNotCome() {
        DemandArbiter demands = arbiter(false);
        demands.wanted(wanted(0), 2);
        demands.wanted(wanted(2), 0);
        demands.ready(0, ready(1));
        told.clear();
        stepNanos = 300_000_000;
        demands.onTick(VIEW, 10_000_000, 1000);
        demands.onTick(VIEW, 610_000_000, 1000);
        assertTold();
        stepNanos = 5_000_000_000L;
        demands.onTick(VIEW, 2_010_000_000, 1000);
        assertTold();
        demands.onTick(VIEW, 2_020_000_000, 1000);
        assertTold("4: encode 0 1");
        demands.encoded(4, encoded(1, 0));
        demands.wanted(wanted(0), 2);
        demands.ready(0, ready(3));
        assertTold("committed 0, 0 bytes", "0: take 3", "4: encode 0 3"); // the other one is not waited for again
        demands.ready(2, ready(2));
        demands.encoded(4, encoded(3, 0));
        assertTold("committed 0, 0 bytes", "4: encode 2 2");
    }

    @Test
    void anImageDoesNotWaitWhereThereIsNoRoomInLogs() {
        DemandArbiter demands = arbiter(false);
        demands.wanted(new ControlMessage.DemandWanted(VIEW, 0, true), 2);
        demands.wanted(wanted(2), 0);
        demands.ready(0, ready(1));
        assertTold("0: take 1", "2: take 2", "4: encode 0 1");
        demands.ready(2, ready(2));
        demands.encoded(4, encoded(1, 0));
        demands.encoded(4, encoded(2, 0));
        assertTold("committed 0, 0 bytes", "4: encode 2 2", "committed 2, 0 bytes");
        demands.wanted(wanted(0), 2);
        demands.wanted(wanted(2), 0);
        demands.ready(0, ready(3));
        assertTold("0: take 3", "2: take 4");
        demands.wanted(new ControlMessage.DemandWanted(VIEW, 0, true), 1);
        assertTold("4: encode 0 3");
    }

    @Test
    void anImageDoesNotWaitForOneThatWillNotBeTaken() {
        DemandArbiter demands = arbiter(false);
        demands.wanted(wanted(0), 2);
        demands.wanted(wanted(2), 0);
        demands.ready(0, ready(1));
        told.clear();
        demands.cutBegins(VIEW);
        assertTold("2 gives up: a coordinated checkpoint is taken", "ranks: abandoned 2", "4: encode 0 1");
        demands.encoded(4, encoded(1, 0));
        demands.wanted(wanted(0), 2);
        demands.wanted(wanted(2), 0);
        demands.ready(2, ready(4));
        told.clear();
        demands.finished(0, VIEW);
        assertTold("0 gives up: the rank has finished", "ranks: abandoned 0", "4: encode 2 4");
    }

    @Test
    void aLossEndsAllThatGoIntoAParityTogether() {
        DemandArbiter demands = arbiter(false);
        demands.wanted(wanted(0), 2);
        demands.wanted(wanted(2), 0);
        demands.ready(0, ready(1));
        demands.ready(2, ready(2));
        told.clear();
        demands.lost(VIEW, "rank 3 was lost");
        assertTold("0 gives up: rank 3 was lost", "ranks: abandoned 0", "4: abandoned 0",
            "2 gives up: rank 3 was lost", "ranks: abandoned 2",
            "4: abandoned 2");
        demands.encoded(4, encoded(2, 0));
        assertTold();
        assertArrayEquals(new long[6], demands.latest());
    }

    /** A parity that is changed in place holds one image at a time: it could not be told which of them is in it. */
    @Test
    void whatChangesAParityInPlaceDoesSoByItself() {
        DemandArbiter demands = arbiter(true);
        demands.wanted(wanted(0), 2);
        demands.wanted(wanted(2), 0);
        demands.ready(0, ready(1));
        assertTold("0: take 1", "2: take 2", "4: encode 0 1");
        demands.ready(2, ready(2));
        demands.encoded(4, encoded(1, 0));
        assertTold("committed 0, 0 bytes", "4: encode 2 2");
    }

    @Test
    void aLossEndsAllThatAreNotCommitted() {
        DemandArbiter demands = arbiter(false);
        demands.wanted(wanted(0), 1);
        demands.wanted(wanted(1), 0);
        demands.ready(0, ready(1));
        told.clear();
        demands.lost(VIEW, "rank 3 was lost");
        assertTold("0 gives up: rank 3 was lost", "ranks: abandoned 0", "4: abandoned 0",
            "1 gives up: rank 3 was lost", "ranks: abandoned 1");
        demands.encoded(4, encoded(1, 0));
        demands.ready(1, ready(2));
        assertTold();
        assertFalse(demands.isEncoding());
    }

    @Test
    void whatChangesAParityInPlaceIsFinished() {
        DemandArbiter demands = arbiter(true);
        demands.wanted(wanted(0), 1);
        demands.ready(0, ready(1));
        assertEquals(0, demands.streaming());
        told.clear();
        demands.lost(VIEW, "rank 2 was lost");
        assertTold();
        demands.encoded(4, encoded(1, 0));
        assertTold("committed 0, 0 bytes");
        assertEquals(-1, demands.streaming());
    }

    @Test
    void anImageThatIsNotInTheParityInTimeIsGivenUp() {
        DemandArbiter demands = arbiter(false);
        demands.wanted(wanted(0), 1);
        demands.wanted(wanted(1), 0);
        demands.ready(0, ready(1));
        demands.onTick(VIEW, 100, 50);
        demands.ready(1, ready(2));
        told.clear();
        demands.onTick(VIEW, 150, 50);
        assertTold();
        demands.onTick(VIEW, 151, 50);
        String reason = "its image is not in the parity after 0 ms (--cut-deadline, and more for large images)";
        assertTold("0 gives up: " + reason, "ranks: abandoned 0", "4: abandoned 0", "5: encode 1 2", "4 is late");
        demands.onTick(VIEW, 160, 50);
        demands.onTick(VIEW, 210, 50);
        assertTold();
        demands.encoded(5, encoded(2, 0));
        demands.onTick(VIEW, 1000, 50);
        assertTold("committed 1, 0 bytes");
    }

    @Test
    void aParityThatIsChangedInPlaceForTooLongIsNotGivenUpButItsChecksumRankIsLate() {
        DemandArbiter demands = arbiter(true);
        demands.wanted(wanted(0), 1);
        demands.ready(0, ready(1));
        demands.onTick(VIEW, 100, 50);
        told.clear();
        demands.onTick(VIEW, 151, 50);
        demands.onTick(VIEW, 201, 50);
        demands.onTick(VIEW, 202, 50);
        assertTold("4 is late", "4 is late");
        assertEquals(0, demands.streaming());
    }

    @Test
    void aRankWhoseCopyWasTooSlowIsAskedAgainLater() {
        DemandArbiter demands = arbiter(false);
        demands.onTick(VIEW, 100, 50);
        demands.wanted(wanted(0), 1);
        demands.wanted(wanted(2), 1);
        stepNanos = 1000;
        demands.ready(2, ready(2));
        assertTold("0: take 1", "2: take 2");
        demands.tooSlow(0, tooSlow(2));
        demands.tooSlow(2, tooSlow(2));
        assertTold();
        demands.tooSlow(0, tooSlow(1));
        String reason = "0 gives up: its copy was too slow; it is asked again after ";
        assertTold(reason + "4 ms at the earliest", "ranks: abandoned 0", "4: encode 2 2");
        demands.onTick(VIEW, 100 + PAUSE_NANOS - 1, PAUSE_NANOS);
        demands.wanted(wanted(0), 1);
        assertTold("1: abandoned 0");
        demands.onTick(VIEW, 100 + PAUSE_NANOS, PAUSE_NANOS);
        demands.wanted(wanted(0), 1);
        demands.tooSlow(0, tooSlow(3));
        assertTold("0: take 3", reason + "8 ms at the earliest", "ranks: abandoned 0");
        demands.generationCommitted();
        demands.wanted(wanted(0), 1);
        demands.tooSlow(0, tooSlow(4));
        assertTold("0: take 4", reason + "4 ms at the earliest", "ranks: abandoned 0");
    }

    @Test
    void whoHasNotCopiedYetGivesUpForACut() {
        DemandArbiter demands = arbiter(false);
        demands.wanted(wanted(0), 1);
        demands.wanted(wanted(1), 0);
        demands.ready(0, ready(1));
        told.clear();
        demands.cutBegins(VIEW);
        assertTold("1 gives up: a coordinated checkpoint is taken", "ranks: abandoned 1");
        assertTrue(demands.isEncoding(), "the cut waits for the other");
    }

    @Test
    void whoCannotTakeOneOrHasFinishedIsNotWaitedFor() {
        DemandArbiter demands = arbiter(false);
        demands.wanted(wanted(0), 1);
        demands.finished(0, VIEW);
        canTake = false;
        demands.wanted(wanted(2), 1);
        demands.wanted(wanted(9), 1);
        assertTold("0: take 1", "0 gives up: the rank has finished", "ranks: abandoned 0", "1: abandoned 2",
            "1: abandoned 9");
    }

    /** With two losses per group the checksum ranks of group 0 are 4 and 5, those of group 1 are 6 and 7. */
    @Test
    void itCountsWhenAllChecksumRanksOfTheGroupHaveIt() {
        losses = 2;
        DemandArbiter demands = arbiter(false);
        demands.wanted(wanted(1), 0);
        demands.ready(1, ready(1));
        assertTold("1: take 1", "6: encode 1 1", "7: encode 1 1");
        demands.encoded(7, encoded(1, 4096));
        demands.encoded(7, encoded(1, 4096));
        assertTold();
        demands.encoded(6, encoded(1, 4096));
        assertTold("committed 1, 4096 bytes");
    }

    @Test
    void whatOneParityIncludesAndAnotherOneDoesNotYetIsFinishedByTheChecksumRanksThatLive() {
        losses = 2;
        DemandArbiter demands = arbiter(true);
        demands.wanted(wanted(0), 1);
        demands.ready(0, ready(1));
        told.clear();
        demands.lost(VIEW, "a checksum rank was lost");
        demands.parityLost(4, VIEW, "a checksum rank was lost");
        assertEquals(0, demands.streaming());
        demands.encoded(5, encoded(1, 1));
        assertTold("committed 0, 1 bytes");
        demands.wanted(wanted(0), 1);
        demands.ready(0, ready(2));
        demands.encoded(5, encoded(2, 1));
        told.clear();
        demands.parityLost(4, VIEW, "a checksum rank was lost");
        assertTold("committed 0, 1 bytes");
        losses = 1;
        demands.wanted(wanted(0), 1);
        demands.ready(0, ready(3));
        told.clear();
        demands.parityLost(4, VIEW, "a checksum rank was lost");
        assertTold("0 gives up: a checksum rank was lost", "ranks: abandoned 0", "4: abandoned 0");
        assertEquals(-1, demands.streaming());
    }
}
