package org.ftrma.check.restart;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.MisuseException;

/** Record of the first run of a step, call by call; the second run is compared with it. Data thread only. */
final class StepRecord {
    /**
     * One access, collective or value.
     *
     * @param what the call
     * @param where its window, target and range; empty for collectives
     * @param data a digest of what the rank contributes
     */
    record Event(String what, String where, long data) {
        @Override
        public String toString() {
            return where.isEmpty() ? what : what + " " + where;
        }
    }

    private final int rank;
    private final List<Event> events = new ArrayList<>();
    private final List<Long> values = new ArrayList<>();
    private boolean recording;
    private boolean comparing;
    private long step;
    private int nextEvent;
    private int nextValue;

    StepRecord(int rank) {
        this.rank = rank;
    }

    void beginFirst(long number) {
        step = number;
        events.clear();
        values.clear();
        recording = true;
        comparing = false;
    }

    /** The ranks did not meet at the end of a step: this one is run again with those before it. */
    void goOn(long number) {
        step = number;
        event("begin of step " + number, "", 0);
    }

    void beginSecond(long number) {
        step = number;
        nextEvent = 0;
        nextValue = 0;
        recording = false;
        comparing = true;
    }

    /** The end of a run: calls between steps are not compared. */
    void pause() {
        if (comparing && nextEvent < events.size()) {
            throw differs("first " + events.get(nextEvent) + ", then the step ended without it");
        }
        recording = false;
        comparing = false;
    }

    boolean recording() {
        return recording;
    }

    boolean comparing() {
        return comparing;
    }

    /** Whether calls are of interest. */
    boolean watching() {
        return recording || comparing;
    }

    /** The number of the step. */
    long step() {
        return step;
    }

    /** The call that was recorded or compared last, in words. */
    String last() {
        int at = comparing ? nextEvent - 1 : events.size() - 1;
        return at < 0 ? "an access" : events.get(at).toString();
    }

    void event(String what, String where, long data) {
        Event event = watching() ? new Event(what, where, data) : null;
        if (recording) {
            events.add(event);
        } else if (comparing) {
            if (nextEvent == events.size()) {
                throw differs("then a call more: " + event);
            }
            Event first = events.get(nextEvent++);
            if (!first.what.equals(event.what) || !first.where.equals(event.where)) {
                throw differs("first " + first + ", then " + event);
            }
            if (first.data != event.data) {
                throw differs(event + " with other data than the first time");
            }
        }
    }

    /** What the program does between its entry and the loop is done again when it is entered anew. */
    MisuseException beforeLoop(String what) {
        return new MisuseException("--verify-restart: rank " + rank
            + " was entered anew, as after a rollback, and before steps() there was, outside of"
            + " initialize: " + what
            + ". It would be done once more at every restart: do it in initialize, or in a step");
    }

    /** A result to be given again. */
    void keep(long value) {
        values.add(value);
    }

    long kept() {
        if (nextValue == values.size()) {
            throw differs("then a value more");
        }
        return values.get(nextValue++);
    }

    MisuseException differs(String how) {
        return new MisuseException("--verify-restart: step " + step + " of rank " + rank
            + " was run twice from the same state and differs: " + how
            + ". The program keeps state outside of windows and protected memory, uses what a scratch window held "
            + "before the step, or races");
    }

    /** Whether there is memory to be read; what is none is for the access itself to refuse. */
    private boolean isReadable(MemorySegment data) {
        return (recording || comparing) && data != null && data.scope().isAlive()
            && data.isAccessibleBy(Thread.currentThread());
    }

    /** Digest of a range, in a step. A range that is not one is for the access itself to refuse. */
    long digest(MemorySegment data, long offset, long length) {
        long hash = length;
        if (isReadable(data) && offset >= 0 && length >= 0 && offset <= data.byteSize() - length) {
            for (long i = 0; i < length; i++) {
                hash = (hash ^ data.get(ValueLayout.JAVA_BYTE, offset + i) & 0xff) * 0x100000001b3L;
            }
        }
        return hash;
    }

    /** Digest of blocks at equal distances, as far as they are in the segment. */
    long digest(MemorySegment data, long offset, long stride, long blockBytes, long count) {
        long hash = count;
        if (isReadable(data) && offset >= 0 && blockBytes > 0 && stride >= blockBytes) {
            long at = offset;
            for (long i = 0; i < count && at <= data.byteSize() - blockBytes; i++) {
                hash = hash * 31 + digest(data, at, blockBytes);
                at += Math.min(stride, data.byteSize());
            }
        }
        return hash;
    }
}
