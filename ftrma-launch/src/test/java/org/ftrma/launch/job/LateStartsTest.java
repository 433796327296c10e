package org.ftrma.launch.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class LateStartsTest {
    private static final long SECOND = 1_000_000_000L;

    private final StartTimeout starts = new StartTimeout(60 * SECOND, 2);

    private void start(int processes, long now) {
        for (int process = 0; process < processes; process++) {
            starts.started(process, now);
        }
    }

    @Test
    void oneProcessHasTheTimeout() {
        start(1, 5 * SECOND);
        assertEquals(List.of(), starts.late(65 * SECOND));
        assertEquals(List.of(0), starts.late(65 * SECOND + 1));
        starts.gone(0);
        assertEquals(List.of(), starts.late(1000 * SECOND));
    }

    @Test
    void manyOnFewCoresHaveLonger() {
        start(36, 0);
        assertEquals(18 * 60 * SECOND, starts.limitNanos());
        assertEquals(List.of(), starts.late(18 * 60 * SECOND));
        assertEquals(36, starts.late(18 * 60 * SECOND + 1).size());
    }

    @Test
    void nobodyIsLateAsLongAsOthersJoin() {
        start(4, 0);
        for (int process = 0; process < 3; process++) {
            long now = (process + 1) * 50 * SECOND;
            assertEquals(List.of(), starts.late(now));
            starts.joined(process, now);
        }
        assertEquals(List.of(), starts.late(210 * SECOND));
        assertEquals(List.of(3), starts.late(210 * SECOND + 1));
    }

    /** A replacement that is started late has its own time. */
    @Test
    void aProcessIsNotLateBeforeItsOwnTime() {
        start(1, 0);
        starts.joined(0, 3 * SECOND);
        starts.started(7, 500 * SECOND);
        assertEquals(List.of(), starts.late(560 * SECOND));
        assertEquals(List.of(7), starts.late(560 * SECOND + 1));
    }

    @Test
    void whoHasJoinedAndWhoHasNotIsTold() {
        assertEquals("", starts.describe(Integer::toString));
        start(3, 0);
        starts.joined(1, 1);
        assertEquals("1 of 3 processes have joined; not p0, p2", starts.describe(process -> "p" + process));
        start(20, 0);
        assertEquals("1 of 21 processes have joined; not 0, 1, 2, 3, 4, 5, 6, 7, and 12 more",
            starts.describe(Integer::toString));
    }

    @Test
    void anEndlessTimeoutStaysEndless() {
        assertEquals(Long.MAX_VALUE, StartTimeout.limitNanos(Long.MAX_VALUE / 2, 100, 2));
    }
}
