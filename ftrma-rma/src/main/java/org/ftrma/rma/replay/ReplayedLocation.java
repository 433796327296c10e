package org.ftrma.rma.replay;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
 * <p>A scratch window is in no image: what was there when these updates began may be anything, and the path begins
 * wherever it does. Its end is what the lost rank had there. A path that comes back to where it began, a circle, does
 * not tell its end: that is a value with which some rank's updates began, and with which some rank's ended.
 */
final class ReplayedLocation {
    private final int window;
    private final DataType type;
    private final long offset;
    private final long base;
    private final boolean undefined;
    /**
     * How often each value was arrived at, less how often it was left; the value before all was arrived at once, if it
     * is known. Without zeros.
     */
    private final Map<Long, Integer> balance = new HashMap<>();
    private final BitSet sources = new BitSet();
    private boolean left;
    private boolean defined;
    /** Of an undefined one, by rank: the value before its first update, and after its last one. */
    private final Map<Integer, Long> firsts = new HashMap<>();
    private final Map<Integer, Long> lasts = new HashMap<>();
    private long shown;

    /** A location that holds {@code base}; undefined: which may be another value than the lost rank had there. */
    ReplayedLocation(int window, DataType type, long offset, long base, boolean undefined) {
        this.window = window;
        this.type = type;
        this.offset = offset;
        this.base = base;
        this.undefined = undefined;
        this.shown = base;
        if (!undefined) {
            count(base, 1);
        }
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

    boolean isUpdatedBy(int one, int other) {
        return sources.get(one) && sources.get(other);
    }

    private void count(long value, int by) {
        balance.merge(value, by, (a, b) -> a + b == 0 ? null : a + b);
    }

    /** An update, after all others of that rank. defines: what it leaves may not depend on what was there. */
    void add(int by, boolean defines, long old, long updated) {
        sources.set(by);
        left |= old == base;
        defined |= defines;
        count(old, -1);
        count(updated, 1);
        if (undefined) {
            firsts.putIfAbsent(by, old);
            lasts.put(by, updated);
        }
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

    /** Whether the updates lead back to where they began, wherever that was. */
    private boolean isCircle() {
        return undefined && balance.isEmpty();
    }

    /** The end of the path, or null if there is none, or nothing tells it. */
    private Long result() {
        if (isCircle()) {
            return endOfCircle();
        }
        Long end = null;
        for (Map.Entry<Long, Integer> value : balance.entrySet()) {
            end = value.getValue() == 1 ? value.getKey() : end;
        }
        // R19
        boolean isPath = undefined ? balance.size() == 2 && balance.containsValue(-1) : left && balance.size() == 1;
        return isPath ? end : null;
    }

    /**
     * The only value that it can be. Where there are several, what is there was what the lost rank had, or that had not
     * been set in its step and counts for nothing; unless an update has set it since.
     */
    private Long endOfCircle() {
        Set<Long> ends = new TreeSet<>(firsts.values());
        ends.retainAll(lasts.values());
        if (ends.size() != 1 && (defined || ends.isEmpty())) {
            return null;
        }
        return ends.contains(base) ? Long.valueOf(base) : ends.iterator().next();
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
        return result != null && !undefined;
    }

    /** All updates are known: the memory gets the end of the path, unless this rank has written there since. */
    void end(MemorySegment memory) throws ConflictException {
        Long result = result();
        if (result == null) {
            throw noResult();
        }
        if (isAsShown(memory)) {
            show(memory, result);
        }
    }

    private ConflictException noResult() {
        String where = "the logged atomic updates at offset " + offset + " of window " + window;
        return isCircle() ? new ConflictException(FallbackReason.UNORDERED_CONFLICT, where + ", a scratch window,"
            + " lead back to the value that was there before them, and no log tells which of them was the last one; a"
            + " gsync between the one that sets the cell and the others does")
            : new ConflictException(FallbackReason.LOG_GAP, where + " do not form a path"
            + (undefined ? "" : " from the value " + base)
            + "; do other accesses than atomics change these bytes? --check-races looks for them");
    }

    /** Something else is done there, after all updates that are known. */
    void finish(MemorySegment memory, String by) throws ConflictException {
        if (result() == null) {
            throw isCircle() ? noResult() : new ConflictException(FallbackReason.UNORDERED_CONFLICT,
                by + " to [" + offset + ", " + end() + ") of window " + window
                + ", and atomic updates there of which it is not known whether they came before; a gsync, Window.lock"
                + " or a signal between them is an order");
        }
        settles(memory);
    }
}
