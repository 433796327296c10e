package org.ftrma.spi;

import java.lang.foreign.MemorySegment;

/**
 * Memory for the counters of a process, which others may read while it runs, and after its death. The protocol writes
 * plain numbers into it and asks for nothing else. Data thread only.
 */
@FunctionalInterface
public interface CounterStore extends AutoCloseable {
    /** Memory that goes with its process, and that nobody else reads. */
    CounterStore NONE = bytes -> MemorySegment.ofArray(new long[Math.toIntExact((bytes + 7) / 8)]).asSlice(0, bytes);

    /** Memory of this size, zeroed, at a multiple of 8 bytes; valid until the store is closed. Once per store. */
    MemorySegment memory(long bytes);

    /** The time of this host's clock when it is asked, in milliseconds since 1970; 0: there is none. */
    default long wallMillis() {
        return 0;
    }

    /** What this host is called; empty where there is none. */
    default String host() {
        return "";
    }

    /** The memory is not written any more; who keeps it for others still does. */
    @Override
    default void close() {
        // there is nothing to give back
    }
}
