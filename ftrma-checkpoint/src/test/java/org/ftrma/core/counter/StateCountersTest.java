package org.ftrma.core.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.ftrma.core.session.ProgramPhase;
import org.ftrma.spi.Clock;
import org.ftrma.spi.CounterStore;
import org.junit.jupiter.api.Test;

/** What a member does, as others read it in its counters. */
class StateCountersTest {
    private static final String PROGRAM = "program";

    private enum Weather { SUN, RAIN }

    private long now = 1000;
    private MemorySegment memory;
    private final CounterStore store = bytes -> memory = CounterStore.NONE.memory(bytes);
    private final StateCounters counters = new StateCounters(store, new Clock() {
        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public void relax(int turn) {
            throw new AssertionError("counters never wait");
        }
    });

    private CounterSnapshot read() {
        try {
            return CounterReader.read(memory);
        } catch (CounterReader.MalformedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void processWithoutAMemberSaysSo() {
        CounterSnapshot read = read();
        assertEquals(-1, read.member());
        assertEquals(List.of(), read.states());
        assertEquals(1000, read.get(Counter.STARTED));
        assertEquals("no member", read.text());
        assertNull(read.state(PROGRAM));
    }

    @Test
    void statesAreToldWithHowOftenAndWhenTheyChanged() {
        now = 2000;
        ProgramPhase phase = new ProgramPhase(counters);
        assertEquals(new CounterSnapshot.State(PROGRAM, "NOT_BEGUN", 4, 0, 2000, false), read().state(PROGRAM));
        now = 3000;
        phase.enter();
        counters.begins("sky", Weather.SUN);
        now = 4000;
        phase.initializing(true);
        assertEquals(List.of(new CounterSnapshot.State(PROGRAM, "INITIALIZING", 1, 2, 4000, false),
            new CounterSnapshot.State("sky", "SUN", 0, 0, 3000, false)), read().states());
        counters.changed("sky", Weather.SUN, Weather.RAIN);
        assertEquals(new CounterSnapshot.State("sky", "RAIN", 1, 1, 4000, false), read().state("sky"));
    }

    @Test
    void numbersAreThoseOfTheNewestView() {
        counters.plays(3, 2);
        counters.told(4, 7, 5, 50);
        counters.step(51);
        counters.committed(6);
        new ProgramPhase(counters);
        CounterSnapshot read = read();
        assertEquals(List.of(3, 2), List.of(read.member(), read.incarnation()));
        assertEquals(List.of(4L, 7L, 6L, 50L, 51L), List.of(read.get(Counter.VIEW), read.get(Counter.TIMELINE),
            read.get(Counter.GENERATION), read.get(Counter.GENERATION_STEP), read.get(Counter.STEP)));
        assertEquals("incarnation 2, view 4, generation 6, step 51; program NOT_BEGUN", read.text());
    }

    @Test
    void stateThatWasBeingWrittenIsToldAsChanging() {
        new ProgramPhase(counters);
        long at = CounterDescriptor.state(0) + CounterDescriptor.CHANGES;
        CounterDescriptor.putLong(memory, at, CounterDescriptor.getLong(memory, at) | 1);
        assertTrue(read().state(PROGRAM).isChanging());
        assertEquals("no member; program NOT_BEGUN (changing)", read().text());
    }

    @Test
    void moreStatesThanThereAreCountersAreRefused() {
        for (int i = 0; i < CounterDescriptor.STATES; i++) {
            counters.begins("state " + i, Weather.SUN);
        }
        counters.begins("state 0", Weather.RAIN);
        assertTrue(assertThrows(IllegalStateException.class, () -> counters.begins("one more", Weather.SUN))
            .getMessage().contains("there are 8; raise CounterDescriptor.STATES"));
        assertThrows(IllegalStateException.class, () -> counters.changed("nothing", Weather.SUN, Weather.RAIN));
        assertEquals(CounterDescriptor.STATES, read().states().size());
        assertEquals("RAIN", read().states().getFirst().name());
    }

    @Test
    void waitsAreCountedByWhatIsWaitedForAndTheirTimeAddsUp() {
        StateCounters.beaten(memory, 5_000_000_000L, 0);
        counters.waits("rain", 2, -1, 1_000_000_000L);
        counters.waits("rain", 2, 30, 1_000_000_030L);
        assertNull(read().waitsFor());
        counters.waits("sun", -1, -1, 4_999_999_999L);
        counters.waits("rain", 1, -1, 5_000_000_001L);
        counters.waits("rain", 1, 12, 5_000_000_013L);
        assertEquals(List.of(new CounterSnapshot.Waits("rain", 2, 42), new CounterSnapshot.Waits("sun", 1, 0)),
            read().waits());
        assertEquals("rain", read().waitsFor());
        assertEquals(List.of(1L, 5_000_000_001L, 5_000_000_013L), List.of(read().get(Counter.WAIT_PEER),
            read().get(Counter.WAIT_SINCE), read().get(Counter.WAIT_SEEN)));
        for (int i = 0; i < 20; i++) {
            counters.waits("what " + i, 0, -1, 6_000_000_000L);
        }
        assertEquals(CounterDescriptor.WAITS, read().waits().size());
        assertEquals(new CounterSnapshot.Waits("others", 11, 0), read().waits().getLast());
    }

    @Test
    void timesAndBytesAreWhatTheMemberTold() {
        counters.checkpointed(5);
        counters.checkpointed(6);
        counters.demandTaken(7);
        counters.parityMade(8);
        counters.recovered(new long[] {1, 2, 3, 4, 50, 60, 70, 80});
        CounterSnapshot read = read();
        assertEquals(List.of(2L, 11L, 1L, 7L, 1L, 8L), List.of(read.get(Counter.CHECKPOINTS), read.get(Counter.BLOCKED),
            read.get(Counter.DEMAND_CHECKPOINTS), read.get(Counter.DEMAND_BLOCKED), read.get(Counter.PARITIES),
            read.get(Counter.PARITY)));
        assertEquals(List.of(50L, 60L, 70L, 80L), List.of(read.get(Counter.RECOVERY_JOIN),
            read.get(Counter.RECOVERY_REBUILD), read.get(Counter.RECOVERY_AGREE), read.get(Counter.RECOVERY_REPLAY)));
    }

    @Test
    void countingAllocatesNothing() {
        counters.begins("sky", Weather.SUN);
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long rounds = 0;
        long bytes = Long.MAX_VALUE;
        // The first rounds may be interpreted, and load classes.
        for (int attempt = 0; attempt < 20 && bytes > 0; attempt++) {
            long before = thread.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 10_000; i++) {
                counters.step(++rounds);
                counters.committed(rounds);
                counters.waits("rain", 1, 1, rounds);
                counters.checkpointed(1);
                counters.changed("sky", Weather.SUN, Weather.RAIN);
            }
            bytes = thread.getCurrentThreadAllocatedBytes() - before;
        }
        assertTrue(bytes < 10_000, bytes + " bytes of 10000 rounds");
        assertEquals(rounds, read().state("sky").changes());
        assertEquals(rounds, read().get(Counter.STEP));
        assertFalse(read().state("sky").isChanging());
    }
}
