package org.ftrma.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Clock;
import org.ftrma.spi.ControlPlane;
import org.junit.jupiter.api.Test;

/** How long waits are told to have taken. */
class WaiterTest {
    private static final long BOOTED_LONG_AGO = 30_000_000_000_000L;

    private final List<Long> told = new ArrayList<>();
    private final Inbox inbox = new Inbox(new ControlPlane() {
        @Override
        public void send(byte[] frame) {
            throw new AssertionError("a wait sends nothing");
        }

        @Override
        public boolean ready() {
            return false;
        }

        @Override
        public byte[] poll() {
            return null;
        }

        @Override
        public void close() {
            // nothing is open
        }
    }, new StateListener() {
        @Override
        public void changed(String what, Enum<?> from, Enum<?> to) {
            // no state changes
        }

        @Override
        public void waits(String what, int peer, long nanos, long nowNanos) {
            told.add(nanos);
        }
    });
    private final Waiter waiter = new Waiter(new Clock() {
        private long now = BOOTED_LONG_AGO;

        @Override
        public long nanoTime() {
            return ++now;
        }

        @Override
        public void relax(int turn) {
            now += 1000;
        }
    }, inbox, null, JobOptions.of(Map.of("ranks", "2", "deadline", "1s")));

    /** One that sleeps from its first turn on has no turn that is the first of all. */
    @Test
    void aWaitCountsFromItsOwnBeginningWhateverItsFirstTurnIs() {
        inbox.playedHere();
        for (int first : new int[] {Waiter.ASLEEP, 0, Waiter.ASLEEP}) {
            told.clear();
            long deadline = waiter.deadlineFromNow();
            for (int turn = first; turn < first + 1000; turn++) {
                waiter.outerTurn("an address", 1, turn, deadline);
            }
            assertEquals(-1, told.getFirst(), "it begins");
            assertTrue(told.size() > 10, told::toString);
            assertEquals(1, told.stream().filter(nanos -> nanos < 0).count(), told::toString);
            assertTrue(told.stream().mapToLong(Long::longValue).sum() < 1_100_000, told::toString);
        }
    }
}
