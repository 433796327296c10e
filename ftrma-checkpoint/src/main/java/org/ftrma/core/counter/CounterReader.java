package org.ftrma.core.counter;

import static org.ftrma.core.counter.CounterDescriptor.getInt;
import static org.ftrma.core.counter.CounterDescriptor.getLong;
import static org.ftrma.core.counter.CounterDescriptor.getText;

import java.io.Serial;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the counters of a process, which may run on, or be dead. It believes nothing that it has not compared with the
 * size of what it was given. Any thread.
 */
public final class CounterReader {
    /** Counters of a running process change while they are read; those of a dead one stay as they are. */
    private static final int TRIES = 1000;

    /** The memory holds no counters that this version can read; the message says why. */
    public static final class MalformedException extends Exception {
        @Serial
        private static final long serialVersionUID = 1;

        MalformedException(String message) {
            super(message);
        }
    }

    private CounterReader() {
    }

    /** What the memory says now. It is to lie at a multiple of 8 bytes. */
    public static CounterSnapshot read(MemorySegment memory) throws MalformedException {
        check(memory);
        Map<Counter, Long> numbers = new EnumMap<>(Counter.class);
        for (Counter counter : Counter.values()) {
            numbers.put(counter, getLong(memory, CounterDescriptor.at(counter)));
        }
        int states = getInt(memory, CounterDescriptor.STATES_AT);
        if (states < 0 || states > CounterDescriptor.STATES) {
            throw new MalformedException("the counters are damaged: states=" + states + ", at most "
                + CounterDescriptor.STATES);
        }
        List<CounterSnapshot.State> list = new ArrayList<>();
        for (int i = 0; i < states; i++) {
            list.add(state(memory, CounterDescriptor.state(i)));
        }
        return new CounterSnapshot(getInt(memory, CounterDescriptor.MEMBER_AT),
            getInt(memory, CounterDescriptor.INCARNATION_AT),
            getText(memory, CounterDescriptor.HOST_AT, CounterDescriptor.HOST_BYTES), Map.copyOf(numbers),
            List.copyOf(list), waits(memory));
    }

    private static List<CounterSnapshot.Waits> waits(MemorySegment memory) throws MalformedException {
        int waits = getInt(memory, CounterDescriptor.WAITS_AT);
        if (waits < 0 || waits > CounterDescriptor.WAITS) {
            throw new MalformedException("the counters are damaged: waits=" + waits + ", at most "
                + CounterDescriptor.WAITS);
        }
        List<CounterSnapshot.Waits> list = new ArrayList<>();
        for (int i = 0; i < waits; i++) {
            long at = CounterDescriptor.wait(i);
            list.add(new CounterSnapshot.Waits(getText(memory, at + CounterDescriptor.WAIT_WHAT),
                getLong(memory, at + CounterDescriptor.WAIT_COUNT),
                getLong(memory, at + CounterDescriptor.WAIT_NANOS)));
        }
        return List.copyOf(list);
    }

    private static void check(MemorySegment memory) throws MalformedException {
        long size = memory.byteSize();
        if (size < CounterDescriptor.HEADER_BYTES) {
            throw new MalformedException("these are no counters: bytes=" + size + ", a header alone has "
                + CounterDescriptor.HEADER_BYTES);
        }
        long magic = getLong(memory, CounterDescriptor.MAGIC_AT);
        if (magic != CounterDescriptor.MAGIC) {
            throw new MalformedException(magic == 0 ? "the process had not begun to count"
                : "these are no counters: magic=0x" + Long.toHexString(magic) + " instead of 0x"
                    + Long.toHexString(CounterDescriptor.MAGIC));
        }
        int version = getInt(memory, CounterDescriptor.VERSION_AT);
        if (version != CounterDescriptor.VERSION) {
            throw new MalformedException("the counters have version " + version + ", this library reads version "
                + CounterDescriptor.VERSION + ": read them with the library that the process ran with");
        }
        int bytes = getInt(memory, CounterDescriptor.BYTES_AT);
        if (bytes != CounterDescriptor.BYTES || size < bytes) {
            throw new MalformedException("the counters are damaged: length=" + bytes + " in a file of " + size
                + " bytes, version " + version + " has " + CounterDescriptor.BYTES);
        }
    }

    private static CounterSnapshot.State state(MemorySegment memory, long at) {
        CounterSnapshot.State state = null;
        for (int i = 0; i < TRIES && (state == null || state.isChanging()); i++) {
            long before = getLong(memory, at + CounterDescriptor.CHANGES);
            String name = getText(memory, at + CounterDescriptor.NAME);
            int ordinal = getInt(memory, at + CounterDescriptor.ORDINAL);
            long since = getLong(memory, at + CounterDescriptor.SINCE);
            VarHandle.loadLoadFence();
            boolean isChanging = (before & 1) != 0 || getLong(memory, at + CounterDescriptor.CHANGES) != before;
            state = new CounterSnapshot.State(getText(memory, at + CounterDescriptor.OF_WHAT), name, ordinal,
                before >> 1, since, isChanging);
        }
        return state;
    }
}
