package org.ftrma.messaging.event;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.session.Session;

/**
 * The events of one rank that no committed image of it covers: a copy of its own, and those at its event loggers. An
 * event is stable when all loggers that are there have it; before that nothing may leave the rank. Data thread only;
 * allocates nothing.
 */
public final class EventLog {
    private final Session session;
    private final EventLoggers loggers;
    /** As at a logger. */
    private final MemorySegment ring;
    private long begin;
    private long stable;
    private long end;
    /** More events than there is room for: those before an image are lost. */
    private boolean isOverrun;
    private boolean isOverrunTold;
    /** The newest call that told of nothing, and is no event yet; 0: none. */
    private long streak;
    private int streakKind;

    /**
     * An empty one.
     *
     * @param ring memory of {@link EventDescriptor#bytes}
     */
    public EventLog(Session session, EventLoggers loggers, MemorySegment ring) {
        this.session = session;
        this.loggers = loggers;
        this.ring = ring;
    }

    /** There are none. */
    public void clear() {
        begin = 0;
        stable = 0;
        end = 0;
        streak = 0;
        isOverrun = false;
        isOverrunTold = false;
    }

    /** The loggers are there, and have nothing: they have all that there is. */
    public void open() {
        for (int logger = 0; logger < loggers.count(); logger++) {
            loggers.whole(logger, true);
        }
    }

    /**
     * Takes what the loggers have of this rank's predecessor, and gives it to all of them.
     *
     * @throws RuntimeException if no logger has all: then all go back
     */
    public void inherit() {
        MemorySegment best = null;
        long most = -1;
        try (Arena arena = Arena.ofConfined()) {
            for (int logger = 0; logger < loggers.count(); logger++) {
                loggers.takeOver(logger);
                if (loggers.isThere(logger)) {
                    MemorySegment one = arena.allocate(EventDescriptor.bytes(), 64);
                    long count = loggers.read(logger, one);
                    if (count > most) {
                        most = count;
                        best = one;
                    }
                }
            }
            if (best == null) {
                throw session.fallBack(FallbackReason.EVENTS_LOST, "no event logger of rank " + session.member
                    + " has all of its events");
            }
            MemorySegment.copy(best, 0, ring, 0, ring.byteSize());
        }
        begin = Math.max(0, most - EventDescriptor.MOST);
        end = most;
        while (begin < end && word(begin, 24) != begin) {
            begin++; // a newer one is in its place, which does not count
        }
        stable = most;
        for (int logger = 0; logger < loggers.count(); logger++) {
            refill(logger);
        }
    }

    /** A logger has all events before it counts as whole. */
    private void refill(int logger) {
        loggers.write(logger, ring, begin, stable);
        loggers.whole(logger, !isOverrun);
        loggers.tellKept(logger);
    }

    /** How many there are so far. */
    public long end() {
        return end;
    }

    /** The first one that is kept. */
    public long begin() {
        return begin;
    }

    private long word(long number, long field) {
        return ring.get(ValueLayout.JAVA_LONG, EventDescriptor.offset(number) + field);
    }

    /** The kind of an event. */
    public int kind(long number) {
        return (int) word(number, 0);
    }

    /** The number of the call that it is of. */
    public long clock(long number) {
        return word(number, 8);
    }

    /** What the call told. */
    public long outcome(long number) {
        return word(number, 16);
    }

    /** One more; it is not stable. */
    public void add(int kind, long clock, long outcome) {
        if (end - begin == EventDescriptor.MOST) {
            overrun();
        }
        long at = EventDescriptor.offset(end++);
        ring.set(ValueLayout.JAVA_LONG, at, kind);
        ring.set(ValueLayout.JAVA_LONG, at + 8, clock);
        ring.set(ValueLayout.JAVA_LONG, at + 16, outcome);
        ring.set(ValueLayout.JAVA_LONG, at + 24, end - 1);
    }

    /** Until an image covers those that are lost now, a loss of this rank makes all go back. */
    private void overrun() {
        isOverrun = true;
        begin++;
        stable = Math.max(stable, begin);
    }

    /** A call told that there is nothing. It becomes an event when something leaves the rank, or none at all. */
    public void nothing(int kind, long clock) {
        streak = clock;
        streakKind = kind;
    }

    /** A call told of something: those before it that told of nothing follow from that. */
    public void something() {
        streak = 0;
    }

    /** Something is about to leave the rank: all that has happened so far is to be stable before. */
    public void makeStable() {
        if (streak != 0 || stable != end || isOverrun != isOverrunTold || loggers.areAnyBehind()) {
            write();
        }
    }

    /** A logger that was replaced is given all events again. */
    public void refillLoggers() {
        while (loggers.areAnyBehind()) {
            refill(loggers.takeBehind());
        }
    }

    private void write() {
        if (streak != 0) {
            long clock = streak;
            streak = 0;
            add(streakKind, clock, 0);
        }
        if (isOverrun && !isOverrunTold) {
            isOverrunTold = true;
            for (int logger = 0; logger < loggers.count(); logger++) {
                loggers.whole(logger, false);
            }
        }
        long to = end; // while these are written there may be more
        if (stable < to) {
            loggers.writeAll(ring, stable, to);
            stable = to;
        }
        refillLoggers();
    }

    /** A committed image covers all before that number. */
    public void trim(long number) {
        if (number < begin) {
            return; // it does not cover what was dropped since
        }
        begin = Math.min(number, end);
        if (isOverrun) {
            isOverrun = false;
            isOverrunTold = false;
            loggers.refill();
        }
    }

    /** Whether there is little room for more: an image of this rank would give some. */
    public boolean runsLow() {
        return end - begin > EventDescriptor.MOST / 2;
    }
}
