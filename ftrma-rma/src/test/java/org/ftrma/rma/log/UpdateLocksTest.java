package org.ftrma.rma.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.ftrma.spi.Clock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who has update locks mapped, and who reaches them over a network. */
class UpdateLocksTest {
    private static final int HOME = 0;
    private static final int LOCK = 7;

    private final LogDescriptor layout = new LogDescriptor(4, 32 << 12, 4096);
    private final MemorySegment memory = Arena.ofAuto().allocate(layout.regionBytes(), 4096);
    private final FakeRemote network = new FakeRemote(memory, false, new Random(3));
    private final Time time = new Time();
    private LogRegion near;
    private LogRegion far;

    private static final class Time implements Clock {
        private long now = 17;
        private int looks;

        @Override
        public long nanoTime() {
            looks++;
            return now;
        }

        @Override
        public void relax(int turn) {
            throw new IllegalStateException("nothing here waits");
        }
    }

    @BeforeEach
    void opensTheRegion() {
        layout.format(memory, 0);
        near = mapped(HOME);
        far = new LogRegion(layout, HOME, 2, network, null, network::flush, Arena.ofAuto());
    }

    private LogRegion mapped(int member) {
        LogRegion region = new LogRegion(layout, HOME, member, new FakeRemote(memory, true, new Random(1)), memory,
            () -> { }, Arena.ofAuto());
        region.giveWay(time);
        return region;
    }

    private long waiting(int lock) {
        return memory.get(ValueLayout.JAVA_LONG,
            LogDescriptor.HEADER_LOCKS + lock * LogDescriptor.LOCK_BYTES + LogDescriptor.LOCK_WAITING);
    }

    /** Somebody waits over the network for a lock that the home has, and has given back now. */
    private void farWaits() {
        assertTrue(near.lockUpdates(LOCK));
        assertFalse(far.lockUpdates(LOCK));
        network.flush();
        assertEquals(3, waiting(LOCK));
        near.unlockUpdates(LOCK);
    }

    @Test
    void whoHasALockMappedLeavesItToWhoWaitsOverTheNetwork() {
        LogRegion neighbour = mapped(1);
        farWaits();
        for (int i = 0; i < 3; i++) {
            assertFalse(near.lockUpdates(LOCK));
            assertFalse(neighbour.lockUpdates(LOCK));
            assertTrue(near.lockUpdates(LOCK + 1), "another one");
            near.unlockUpdates(LOCK + 1);
        }
        assertTrue(far.lockUpdates(LOCK));
        assertFalse(near.lockUpdates(LOCK));
        far.unlockUpdates(LOCK);
        network.flush();
        assertEquals(0, waiting(LOCK));
        assertTrue(near.lockUpdates(LOCK));
        near.unlockUpdates(LOCK);
        assertTrue(neighbour.lockUpdates(LOCK));
    }

    @Test
    void whoDoesNotComeForALockIsWaitedForOnceAndForAWhile() {
        farWaits();
        assertFalse(near.lockUpdates(LOCK));
        time.now += LockBackoff.LONGEST_NANOS - 1;
        assertFalse(near.lockUpdates(LOCK));
        time.now++;
        assertTrue(near.lockUpdates(LOCK));
        assertEquals(0, waiting(LOCK));
        for (int i = 0; i < 3; i++) {
            near.unlockUpdates(LOCK);
            assertTrue(near.lockUpdates(LOCK));
        }
    }

    /** Others say that they wait again and again: the home has its turn all the same. */
    @Test
    void theHomeHasItsTurnThoughOthersAlwaysWait() {
        farWaits();
        assertFalse(near.lockUpdates(LOCK));
        assertTrue(far.lockUpdates(LOCK));
        time.now += LockBackoff.LONGEST_NANOS;
        assertFalse(near.lockUpdates(LOCK), "it is held");
        LogRegion third = new LogRegion(layout, HOME, 3, network, null, network::flush, Arena.ofAuto());
        assertFalse(third.lockUpdates(LOCK));
        far.unlockUpdates(LOCK);
        network.flush();
        assertFalse(third.isLost());
        memory.set(ValueLayout.JAVA_LONG,
            LogDescriptor.HEADER_LOCKS + LOCK * LogDescriptor.LOCK_BYTES + LogDescriptor.LOCK_WAITING, 4);
        assertTrue(near.lockUpdates(LOCK));
    }

    @Test
    void aRankThatIsLostIsNotWaitedFor() {
        farWaits();
        near.lost(1);
        assertEquals(3, waiting(LOCK), "another one waits");
        near.lost(2);
        assertEquals(0, waiting(LOCK));
        assertTrue(near.lockUpdates(LOCK));
    }

    @Test
    void nobodyLooksAtTheClockWhereNobodyWaits() {
        for (int lock = 0; lock < LogDescriptor.UPDATE_LOCKS; lock++) {
            assertTrue(near.lockUpdates(lock));
            assertFalse(mapped(1).lockUpdates(lock), "who is near needs not say that it waits");
            near.unlockUpdates(lock);
            assertTrue(far.lockUpdates(lock));
            far.unlockUpdates(lock);
            network.flush();
            assertEquals(0, waiting(lock));
        }
        assertEquals(0, time.looks);
    }
}
