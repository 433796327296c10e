package org.ftrma.core.counter;

import static org.ftrma.core.counter.CounterDescriptor.putInt;
import static org.ftrma.core.counter.CounterDescriptor.putLong;
import static org.ftrma.core.counter.CounterDescriptor.putText;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.ftrma.Counters;
import org.ftrma.core.control.RecoveryFigures;
import org.ftrma.core.session.StateListener;
import org.ftrma.spi.Clock;
import org.ftrma.spi.CounterStore;

/**
 * Writes what one member does into the memory of a {@link CounterStore}: each state that has a name, how often it
 * changed and when it did last, beside the numbers of {@link Counter}. Stores and nothing else: no lock, no allocation.
 * The one thread that runs the member's side of the protocol.
 */
public final class StateCounters implements StateListener {
    private static final String OTHERS = "others";

    private final MemorySegment memory;
    private final Clock clock;
    /** Of what the states are, in the order of their places. */
    private final String[] known = new String[CounterDescriptor.STATES];
    private int states;
    /** Of what is waited for, in the order of their places. */
    private final String[] waited = new String[CounterDescriptor.WAITS];
    private int waits;
    private final FlightWaits flight = new FlightWaits();

    /** No member is played yet. */
    public StateCounters(CounterStore store, Clock clock) {
        this.clock = clock;
        memory = store.memory(CounterDescriptor.BYTES);
        putInt(memory, CounterDescriptor.VERSION_AT, CounterDescriptor.VERSION);
        putInt(memory, CounterDescriptor.BYTES_AT, CounterDescriptor.BYTES);
        putInt(memory, CounterDescriptor.MEMBER_AT, CounterDescriptor.NO_MEMBER);
        set(Counter.STARTED, clock.nanoTime());
        set(Counter.STARTED_WALL, store.wallMillis());
        putText(memory, CounterDescriptor.HOST_AT, store.host(), CounterDescriptor.HOST_BYTES);
        putLong(memory, CounterDescriptor.MAGIC_AT, CounterDescriptor.MAGIC);
    }

    private void set(Counter counter, long value) {
        putLong(memory, CounterDescriptor.at(counter), value);
    }

    /** The place of a state, or where the next one goes. */
    private int indexOf(String what) {
        int index = 0;
        while (index < states && !known[index].equals(what)) {
            index++;
        }
        return index;
    }

    @Override
    public void begins(String what, Enum<?> first) {
        int index = indexOf(what);
        if (index == CounterDescriptor.STATES) {
            throw new IllegalStateException("the state of " + what + " has no counter: there are "
                + CounterDescriptor.STATES + "; raise CounterDescriptor.STATES, and its VERSION with it");
        }
        if (index == states) {
            known[index] = what;
            putText(memory, CounterDescriptor.state(index) + CounterDescriptor.OF_WHAT, what);
        }
        write(index, first, 0);
        if (index == states) {
            states++;
            putInt(memory, CounterDescriptor.STATES_AT, states);
        }
    }

    @Override
    public void changed(String what, Enum<?> from, Enum<?> to) {
        int index = indexOf(what);
        if (index == states) {
            throw new IllegalStateException("the state of " + what + " changes from " + from + " to " + to
                + ", and never began");
        }
        long words = CounterDescriptor.getLong(memory, CounterDescriptor.state(index) + CounterDescriptor.CHANGES);
        write(index, to, (words >> 1) + 1);
    }

    /** A reader that sees the same even number of changes before and after has read one state. */
    private void write(int index, Enum<?> to, long changes) {
        long at = CounterDescriptor.state(index);
        putLong(memory, at + CounterDescriptor.CHANGES, changes << 1 | 1);
        VarHandle.storeStoreFence();
        putLong(memory, at + CounterDescriptor.SINCE, clock.nanoTime());
        putInt(memory, at + CounterDescriptor.ORDINAL, to.ordinal());
        putText(memory, at + CounterDescriptor.NAME, to.name());
        putLong(memory, at + CounterDescriptor.CHANGES, changes << 1);
    }

    @Override
    public void plays(int member, int incarnation) {
        putInt(memory, CounterDescriptor.INCARNATION_AT, incarnation);
        putInt(memory, CounterDescriptor.MEMBER_AT, member);
    }

    @Override
    public void told(int view, int timeline, long generation, long generationStep) {
        set(Counter.TIMELINE, timeline);
        set(Counter.GENERATION, generation);
        set(Counter.GENERATION_STEP, generationStep);
        set(Counter.VIEW, view);
    }

    @Override
    public void committed(long generation) {
        set(Counter.GENERATION, generation);
    }

    @Override
    public void step(long step) {
        set(Counter.STEP, step);
        flight.over();
    }

    private void add(Counter counter, long more) {
        set(counter, CounterDescriptor.getLong(memory, CounterDescriptor.at(counter)) + more);
    }

    @Override
    public void counted(Counters counters, long logBytes, long peakLogBytes) {
        set(Counter.ACCESSES, counters.records());
        set(Counter.PUT_LOG_BYTES, counters.putLogBytes());
        set(Counter.GET_LOG_BYTES, counters.getLogBytes());
        set(Counter.EPOCHS, counters.flushes());
        set(Counter.COLLECTIVES, counters.gsyncs());
        set(Counter.DROPPED_LOGS, counters.droppedLogs());
        set(Counter.LOG_BYTES, logBytes);
        set(Counter.PEAK_LOG_BYTES, peakLogBytes);
    }

    @Override
    public void checkpointed(long blockedNanos) {
        add(Counter.CHECKPOINTS, 1);
        add(Counter.BLOCKED, blockedNanos);
    }

    @Override
    public void demandTaken(long nanos) {
        add(Counter.DEMAND_CHECKPOINTS, 1);
        add(Counter.DEMAND_BLOCKED, nanos);
    }

    @Override
    public void parityMade(long nanos) {
        add(Counter.PARITIES, 1);
        add(Counter.PARITY, nanos);
    }

    @Override
    public void recovered(long[] figures) {
        set(Counter.RECOVERY_JOIN, figures[RecoveryFigures.JOIN_NANOS.ordinal()]);
        set(Counter.RECOVERY_REBUILD, figures[RecoveryFigures.REBUILD_NANOS.ordinal()]);
        set(Counter.RECOVERY_AGREE, figures[RecoveryFigures.AGREE_NANOS.ordinal()]);
        set(Counter.RECOVERY_REPLAY, figures[RecoveryFigures.REPLAY_NANOS.ordinal()]);
        add(Counter.RECOVERIES, 1);
    }

    @Override
    public void waits(String what, int peer, long nanos, long nowNanos) {
        int index = 0;
        while (index < waits && index < CounterDescriptor.WAITS - 1 && !waited[index].equals(what)) {
            index++;
        }
        long at = CounterDescriptor.wait(index);
        if (index == waits) {
            waited[index] = index == CounterDescriptor.WAITS - 1 ? OTHERS : what;
            putText(memory, at + CounterDescriptor.WAIT_WHAT, waited[index]);
            waits++;
            putInt(memory, CounterDescriptor.WAITS_AT, waits);
        }
        long counted = at + (nanos < 0 ? CounterDescriptor.WAIT_COUNT : CounterDescriptor.WAIT_NANOS);
        putLong(memory, counted, CounterDescriptor.getLong(memory, counted) + (nanos < 0 ? 1 : nanos));
        if (nanos < 0) {
            set(Counter.WAIT_SINCE, nowNanos);
        }
        set(Counter.WAIT_PEER, peer);
        set(Counter.WAIT_KIND, index);
        set(Counter.WAIT_SEEN, nowNanos);
        flight.waits(what, peer, nanos < 0);
    }

    /**
     * The process has shown its launcher that it lives.
     *
     * @param memory the counters
     */
    public static void beaten(MemorySegment memory, long nowNanos, long wallMillis) {
        putLong(memory, CounterDescriptor.at(Counter.HEARTBEAT), nowNanos);
        putLong(memory, CounterDescriptor.at(Counter.HEARTBEAT_WALL), wallMillis);
    }
}
