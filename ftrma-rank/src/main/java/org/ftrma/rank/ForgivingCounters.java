package org.ftrma.rank;

import java.lang.foreign.MemorySegment;
import org.ftrma.FtrmaException;
import org.ftrma.spi.CounterStore;

/** Counter store that continues without counters if their memory cannot be allocated. Data thread only. */
final class ForgivingCounters implements CounterStore {
    private final CounterStore store;

    /** Those of a store, which whoever made it closes. */
    ForgivingCounters(CounterStore store) {
        this.store = store;
    }

    @Override
    public MemorySegment memory(long bytes) {
        try {
            return store.memory(bytes);
        } catch (FtrmaException e) {
            RankMessages.warn(e.getMessage() + "; this process goes on without counters");
            return CounterStore.NONE.memory(bytes);
        }
    }

    @Override
    public long wallMillis() {
        return store.wallMillis();
    }

    @Override
    public String host() {
        return store.host();
    }
}
