package org.ftrma.rma.replay;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.ftrma.DataType;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.rma.replay.ReplayedWindows.ConflictException;
import org.ftrma.spi.Elements;

/**
 * The atomic updates of one location in a lost rank's window since its value was known. Their order is in no log and is
 * not needed: old and new values form one path from the value that was there, whose end is the location's value (design
 * 6.6). Until the path is complete the memory holds what the lost rank's own last update left. One recovery, one
 * thread; allocates.
 *
 * <p>A scratch window is in no image. Where it holds 0, that may be the value, or nothing was written there yet in this
 * step; an update that replaces the value, whatever it was, may be the first one then, and the path begins wherever it
 * does.
 */
final class ReplayedLocation {
    private static final int NOBODY = -1;
    private static final int SEVERAL = -2;

    private final int window;
    private final DataType type;
    private final long offset;
    private final long base;
    private final boolean undefined;
    /**
     * How often each value was arrived at, less how often it was left; the value before all was arrived at once.
     * Without zeros.
     */
    private final Map<Long, Integer> balance = new HashMap<>();
    private boolean left;
    private boolean replaced;
    private int source = NOBODY;
    private long last;
    private long shown;

    /** A location that holds {@code base}; undefined: or nothing that counts. */
    ReplayedLocation(int window, DataType type, long offset, long base, boolean undefined) {
        this.window = window;
        this.type = type;
        this.offset = offset;
        this.base = base;
        this.undefined = undefined;
        this.shown = base;
        count(base, 1);
    }

    int window() {
        return window;
    }

    long offset() {
        return offset;
    }

    long end() {
        return offset + type.bytes();
    }

    boolean isOf(DataType otherType, long otherOffset) {
        return type == otherType && offset == otherOffset;
    }

    private void count(long value, int by) {
        balance.merge(value, by, (a, b) -> a + b == 0 ? null : a + b);
    }

    void add(int by, boolean replaces, long old, long updated) {
        source = source == NOBODY || source == by ? by : SEVERAL;
        left |= old == base;
        replaced |= replaces;
        last = updated;
        count(old, -1);
        count(updated, 1);
    }

    /** The memory is to hold a value. */
    void show(MemorySegment memory, long value) {
        Elements.write(type, memory, offset, value);
        shown = value;
    }

    /** Whether the memory is as this left it: else the rank wrote there directly, after all these updates. */
    boolean isAsShown(MemorySegment memory) {
        return Elements.read(type, memory, offset) == shown;
    }

    private boolean beginsAnywhere() {
        return undefined && replaced;
    }

    /** The end of the path, or null if there is none. */
    private Long result() {
        if (!beginsAnywhere()) {
            return left && balance.size() == 1 && balance.containsValue(1) ? balance.keySet().iterator().next() : null;
        }
        Map<Long, Integer> updates = new HashMap<>(balance);
        updates.merge(base, -1, (a, b) -> a + b == 0 ? null : a + b);
        if (updates.isEmpty()) {
            return source == SEVERAL ? null : Long.valueOf(last);
        }
        Long end = null;
        for (Map.Entry<Long, Integer> value : updates.entrySet()) {
            end = value.getValue() == 1 ? value.getKey() : end;
        }
        return updates.size() == 2 && end != null && updates.containsValue(-1) ? end : null;
    }

    /**
     * Shows the end of the path, if it is complete as far as it is known. Returns whether nothing more need be known of
     * these updates.
     */
    boolean settles(MemorySegment memory) {
        Long result = isAsShown(memory) ? result() : null;
        if (result != null) {
            show(memory, result);
        }
        return result != null && !beginsAnywhere();
    }

    /** All updates are known: the memory gets the end of the path, unless this rank has written there since. */
    void end(MemorySegment memory) throws ConflictException {
        Long result = result();
        if (result == null) {
            throw new ConflictException(FallbackReason.LOG_GAP,
                "the logged atomic updates at offset " + offset + " of window " + window
                + (beginsAnywhere() ? ", a scratch window," : "") + " do not form a path from the value " + base);
        }
        if (isAsShown(memory)) {
            show(memory, result);
        }
    }

    /** Something else is done there, after all updates that are known. */
    void finish(MemorySegment memory, String by, boolean ignoresConflicts) throws ConflictException {
        if (result() == null && !ignoresConflicts) {
            throw new ConflictException(FallbackReason.UNORDERED_CONFLICT,
                by + " to [" + offset + ", " + end() + ") of window " + window
                + ", and atomic updates there of which it is not known whether they came before");
        }
        settles(memory);
    }
}
