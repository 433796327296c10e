package org.ftrma.testkit;

import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import org.ftrma.core.counter.CounterReader;
import org.ftrma.core.counter.CounterSnapshot;
import org.ftrma.spi.CounterStore;

/**
 * The counters of simulated processes: each outlives its process, as a file would. Whoever holds the scheduler's baton.
 */
public final class SimCounters implements Serializable {
    private final Map<Integer, MemorySegment> memories = new TreeMap<>();

    /** Where a process keeps its counters. */
    CounterStore of(int process) {
        return bytes -> {
            MemorySegment memory = CounterStore.NONE.memory(bytes);
            memories.put(process, memory);
            return memory;
        };
    }

    /** The process is dead: what its thread does on its way out counts no more. */
    void died(int process) {
        memories.computeIfPresent(process, (id, memory) -> {
            MemorySegment left = CounterStore.NONE.memory(memory.byteSize());
            left.copyFrom(memory);
            return left;
        });
    }

    /** What a process counts, or counted before it died; null if it never came so far. */
    public CounterSnapshot read(int process) {
        MemorySegment memory = memories.get(process);
        try {
            return memory == null ? null : CounterReader.read(memory);
        } catch (CounterReader.MalformedException e) {
            throw new IllegalStateException("process " + process + ": " + e.getMessage(), e);
        }
    }

    /** A line for each process. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int process : memories.keySet()) {
            CounterSnapshot counters = read(process);
            text.append("process ").append(process)
                .append(counters.member() < 0 ? " (no member)" : " member " + counters.member()).append(": ")
                .append(counters.text()).append('\n');
        }
        return text.toString();
    }
}
