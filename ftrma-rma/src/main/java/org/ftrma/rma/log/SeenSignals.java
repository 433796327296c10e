package org.ftrma.rma.log;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Signals that a wait saw, as its record has them: the value, and of each rank whose signals were new to this one, the
 * number of its newest one, which is the number of a lock event of that rank. Grows, and is used again. Data thread
 * only.
 */
public final class SeenSignals {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final int FEW = 16;

    private MemorySegment words = Arena.ofAuto().allocate(LONG, FEW);
    private int length;

    /** Nothing was seen. */
    public SeenSignals() {
        // words are filled in
    }

    /** Begins anew. */
    public void clear() {
        length = 0;
    }

    /** The next word of a record: first the value, then a rank and a number by turns. */
    public void add(long word) {
        if (8L * length == words.byteSize()) {
            words = Arena.ofAuto().allocate(LONG, 2L * length).copyFrom(words);
        }
        words.setAtIndex(LONG, length++, word);
    }

    /** Takes what a record has. */
    public void read(LogRecord record, boolean isFirst) {
        if (isFirst) {
            clear();
        }
        for (int i = 0; 8L * i < record.length(); i++) {
            add(record.value(i));
        }
    }

    /** The value that was seen. */
    public long value() {
        return words.getAtIndex(LONG, 0);
    }

    /** How many ranks' signals were new. */
    public int count() {
        return length - 1 >> 1;
    }

    /** The rank of one of them. */
    public int rank(int index) {
        return (int) words.getAtIndex(LONG, 1 + 2L * index);
    }

    /** The number of its newest signal. */
    public long event(int index) {
        return words.getAtIndex(LONG, 2 + 2L * index);
    }

    MemorySegment words() {
        return words;
    }

    long bytes() {
        return 8L * length;
    }
}
