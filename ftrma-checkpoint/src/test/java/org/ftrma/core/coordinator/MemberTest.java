package org.ftrma.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A member goes through its states as the table says, and each change is told. */
class MemberTest {
    private static final MemberState[][] WITH_ITS_PART = {
        {},
        {MemberState.JOINING},
        {MemberState.JOINING, MemberState.RESTORING},
        {MemberState.JOINING, MemberState.RESTORING, MemberState.LEAVING},
        {MemberState.JOINING, MemberState.RESTORING, MemberState.READY},
        {MemberState.JOINING, MemberState.RESTORING, MemberState.READY, MemberState.REPLAYING},
        {MemberState.JOINING, MemberState.RESTORING, MemberState.READY, MemberState.RUNNING},
        {MemberState.JOINING, MemberState.RESTORING, MemberState.READY, MemberState.RUNNING, MemberState.FINISHED},
    };
    private static final MemberState[][] AFTER_A_LOSS = {
        {MemberState.LOST},
        {MemberState.LOST, MemberState.JOINING},
        {MemberState.LOST, MemberState.JOINING, MemberState.REBUILDING},
        {MemberState.LOST, MemberState.JOINING, MemberState.REBUILDING, MemberState.LEAVING},
    };

    private final List<String> told = new ArrayList<>();

    private Member newMember() {
        told.clear();
        return new Member(1, "rank 1", (member, from, to) -> told.add(from + " " + to));
    }

    /** The change as the coordinator makes it. */
    private static void change(Member member, MemberState to) {
        switch (to) {
            case JOINING -> member.assign(7);
            case LOST -> member.lost();
            case RESTORING, REBUILDING -> member.enter();
            case READY -> member.restored();
            default -> member.become(to);
        }
    }

    /** A member that has gone through these states. */
    private Member after(MemberState... way) {
        Member member = newMember();
        List.of(way).forEach(to -> change(member, to));
        assertEquals(way.length, told.size());
        told.clear();
        return member;
    }

    private static boolean fits(Member member, MemberState to) {
        boolean holds = member.holdsPart();
        return to == MemberState.RESTORING ? holds : to != MemberState.REBUILDING || !holds;
    }

    @Test
    void everyChangeOfTheTableIsMadeAndToldAndEveryOtherIsRefused() {
        Set<String> made = new TreeSet<>();
        for (MemberState[] way : Stream.of(WITH_ITS_PART, AFTER_A_LOSS).flatMap(Stream::of).toList()) {
            for (MemberState to : MemberState.values()) {
                Member member = after(way);
                MemberState from = member.state();
                if (!from.next().contains(to)) {
                    assertRefused(member, to, "there is no such change");
                } else if (fits(member, to)) {
                    change(member, to);
                    assertEquals(to, member.state());
                    assertEquals(List.of(from + " " + to), told);
                    made.add(from + " " + to);
                } else {
                    assertRefused(member, to, member.holdsPart() ? "it holds its part" : "it does not hold its part");
                }
            }
        }
        Set<String> table = new TreeSet<>();
        for (MemberState from : MemberState.values()) {
            from.next().forEach(to -> table.add(from + " " + to));
        }
        assertEquals(table, made);
    }

    private void assertRefused(Member member, MemberState to, String why) {
        MemberState from = member.state();
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> member.become(to));
        assertEquals("rank 1 cannot go from " + from + " to " + to + ": " + why, e.getMessage());
        assertEquals(from, member.state());
        assertEquals(List.of(), told);
    }

    /**
     * Whoever is told to be lost while its process is there, or to be there without one, shows that the coordinator
     * is wrong.
     */
    @Test
    void aStateNeedsAProcessOrHasNone() {
        assertRefused(newMember(), MemberState.JOINING, "process=-1");
        assertRefused(after(MemberState.JOINING), MemberState.LOST, "process=7");
    }

    @Test
    void whatALossTakesAndWhatBringsItBack() {
        Member member = after(MemberState.JOINING, MemberState.RESTORING, MemberState.READY, MemberState.RUNNING);
        assertTrue(member.isPlayed() && member.holdsPart() && !member.isMissed());
        assertEquals(0, member.incarnation());
        member.isBeingKilled = true;
        member.lost();
        assertEquals(-1, member.process());
        assertTrue(!member.isPlayed() && !member.holdsPart() && member.isMissed());
        member.assign(9);
        assertEquals(9, member.process());
        assertEquals(1, member.incarnation());
        assertFalse(member.isBeingKilled);
        assertFalse(member.holdsPart());
        member.restored();
        assertEquals(MemberState.READY, member.state());
        assertTrue(member.holdsPart() && member.isMissed());
        member.isBack();
        assertFalse(member.isMissed());
        assertEquals(List.of("LOST JOINING", "JOINING REBUILDING", "REBUILDING READY"),
            told.subList(told.size() - 3, told.size()));
    }

    @Test
    void nothingIsLostWithAFirstProcessThatCouldNotBeStarted() {
        Member member = newMember();
        member.couldNotStart();
        assertEquals(MemberState.LOST, member.state());
        assertTrue(member.holdsPart() && !member.isMissed());
        member.assign(7);
        assertEquals(1, member.incarnation());
        member.enter();
        assertEquals(MemberState.RESTORING, member.state());
    }
}
