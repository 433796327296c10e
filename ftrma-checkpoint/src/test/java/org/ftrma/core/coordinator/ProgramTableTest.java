package org.ftrma.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.options.JobOptions;
import org.junit.jupiter.api.Test;

/** What programs do is compared in the order in which each does it, and who has returned is told once it matters. */
class ProgramTableTest {
    private static final int VIEW = 3;
    private static final long SECOND = 1_000_000_000L;

    private final MemberTable members = new MemberTable(JobOptions.of(Map.of("ranks", "3", "checksums", "1")),
        (member, from, to) -> { });
    private final ProgramTable programs = new ProgramTable(members);
    private final List<ControlMessage.Returned> told = new ArrayList<>();

    private ControlMessage.Misuse does(int member, String lines) {
        return programs.misuse(members.get(member), new ControlMessage.Exchange(VIEW, 0, 0, new long[0],
            new byte[0], lines), VIEW,
            0);
    }

    private void returns(int member, long step, long now) {
        assertNull(programs.misuse(members.get(member), new ControlMessage.Finished(VIEW, step, ""), VIEW, now));
    }

    private ControlMessage.Returned tick(long now) {
        told.clear();
        programs.tell(VIEW, now, told::add);
        assertTrue(told.size() <= 1, told.toString());
        return told.isEmpty() ? null : told.getFirst();
    }

    @Test
    void linesAreComparedByTheirPlaceHoweverTheyAreTold() {
        assertNull(does(0, "window a\nwindow b\n"));
        assertNull(does(1, "window a\n"));
        assertNull(does(1, ""));
        assertNull(does(2, "window a\nwindow b\n5 steps\n"));
        assertNull(does(1, "window b\n"));
        assertNull(does(0, "5 steps\n"));
        ControlMessage.Misuse misuse = does(1, "6 steps\n");
        assertEquals(VIEW, misuse.view());
        assertTrue(misuse.text().startsWith(
            "rank 1 comes to 6 steps where rank 2 came to 5 steps (3 of the program): "),
            misuse.text());
    }

    @Test
    void whatIsOfAnotherViewOrOfAChecksumRankIsNotCompared() {
        assertNull(does(0, "window a\n"));
        assertNull(does(3, "window b\n"));
        assertNull(programs.misuse(members.get(1), new ControlMessage.Restored(VIEW - 1, "window b\n"), VIEW, 0));
        assertTrue(programs.misuse(members.get(1), new ControlMessage.Restored(VIEW, "window b\n"), VIEW,
            0).text().contains("window b where rank 0"));
    }

    @Test
    void replacementBeginsAnewAndSoDoAllInANewView() {
        assertNull(does(0, "window a\n5 steps\n"));
        assertNull(does(1, "window a\n5 steps\n"));
        programs.lost(members.get(1));
        assertNull(does(1, "window a\n"));
        assertTrue(does(1, "4 steps\n") != null);
        programs.clear();
        assertNull(does(1, "window c\n"));
        assertNull(does(0, "window c\n"));
    }

    @Test
    void whoHasReturnedIsToldAfterASecondAndAgainToWhoForgot() {
        assertNull(tick(0));
        returns(2, 7, SECOND);
        assertNull(tick(2 * SECOND));
        ControlMessage.Returned first = tick(2 * SECOND + 1);
        assertArrayEquals(new long[] {2}, first.members());
        assertArrayEquals(new long[] {7}, first.steps());
        assertNull(tick(9 * SECOND));
        programs.lost(members.get(0));
        assertArrayEquals(new long[] {2}, tick(10 * SECOND).members());
        assertNull(programs.misuse(members.get(0), new ControlMessage.Restored(VIEW, ""), VIEW, 11 * SECOND));
        assertArrayEquals(new long[] {2}, tick(12 * SECOND).members());
        returns(0, 7, 13 * SECOND);
        assertNull(tick(13 * SECOND));
        assertArrayEquals(new long[] {0, 2}, tick(15 * SECOND).members());
        programs.lost(members.get(0));
        programs.lost(members.get(2));
        assertNull(tick(16 * SECOND));
        programs.clear();
        assertNull(tick(17 * SECOND));
    }

    @Test
    void whoLeavesItsLoopInAnotherStepIsTold() {
        returns(2, 7, SECOND);
        ControlMessage.Misuse misuse = programs.misuse(members.get(0), new ControlMessage.Finished(VIEW, 8, ""), VIEW,
            2 * SECOND);
        assertTrue(misuse.text().startsWith("rank 0 returned after step 8, where rank 2 returned after step 7: "),
            misuse.text());
        programs.lost(members.get(2));
        returns(0, 8, 3 * SECOND);
        programs.clear();
        returns(1, 3, 4 * SECOND);
    }
}
