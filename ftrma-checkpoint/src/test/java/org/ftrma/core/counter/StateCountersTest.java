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
