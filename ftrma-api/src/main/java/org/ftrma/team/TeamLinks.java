package org.ftrma.team;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.DeadlineException;
import org.ftrma.FtrmaException;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.Window;

/**
 * Communication of a team's members in its window: pieces of data between positions whose distance is a power of two,
 * and the barrier. All that must be known in a later call lies in the window, so an image and a replay have it: the
 * object itself knows nothing of what went before. Two pieces of a link may be under way at a time; who sends a third
 * one waits until the first was taken. Data thread only; allocates nothing.
 */
final class TeamLinks {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final long SLOTS = 2;

    final int position;
    final int size;
    final TeamLayout layout;
    private final String name;
    private final int rank;
    private final int[] members;
    private final Window window;
    private final MemorySegment own;
    /** A piece to be sent: the header, then what the caller fills in. */
    final MemorySegment staging = Arena.ofAuto().allocate(TeamLayout.SLOT_BYTES, 64);
    private long call;
    /** What was said of the first collective that was refused, or did not end, in this entry of the program. */
    private String first;

    TeamLinks(Job job, String name, int[] members, int position, Window window, TeamLayout layout) {
        this.name = name;
        this.rank = job.rank();
        this.members = members;
        this.position = position;
        this.size = members.length;
        this.window = window;
        this.own = window.memory();
        this.layout = layout;
    }

    private long state(long at) {
        return own.get(LONG, at);
    }

    private long count(long at) {
        long next = own.get(LONG, at) + 1;
        own.set(LONG, at, next);
        return next;
    }

    /** The window's own check of place and thread. */
    void enter() {
        window.flushLocal(rank);
    }

    /** A collective begins. */
    void begin(long newCall) {
        if (state(TeamLayout.REFUSED) != 0) {
            throw new MisuseException("team " + name + ": " + TeamCall.describe(newCall)
                + ": an earlier collective of this team was refused: "
                + (first == null ? "it was called before the image that this rank has gone back to" : first));
        }
        call = newCall;
        own.set(LONG, TeamLayout.IN_CALL, newCall);
        count(TeamLayout.COLLECTIVES);
        own.set(LONG, TeamLayout.IN_NUMBER, number());
    }

    private long number() {
        return state(TeamLayout.COLLECTIVES);
    }

    int rankOf(int member) {
        return members[member];
    }

    private int at(int distance) {
        return Math.floorMod(position + distance, size);
    }

    private int receiver(int side, int round) {
        return at(side == TeamLayout.LEFT ? 1 << round : -(1 << round));
    }

    private int sender(int side, int round) {
        return at(side == TeamLayout.LEFT ? -(1 << round) : 1 << round);
    }

    /** Sends the bytes of {@link #staging} behind the header to the member at whose side this one is. */
    void send(int side, int round, long length) {
        int to = receiver(side, round);
        long piece = state(layout.sent(side, round));
        if (piece >= SLOTS) { // whatever more was taken by now: all that a step does it does again
            await(layout.takenCell(side, round), piece - SLOTS + 1, to);
        }
        staging.set(LONG, 0, call);
        staging.set(LONG, 8, number());
        own.set(LONG, layout.sent(side, round), piece + 1);
        try {
            window.putSignal(staging, 0, members[to], layout.slot(side, round, piece), TeamLayout.HEADER_BYTES + length,
                AtomicOp.REPLACE, piece + 1, layout.arrivedCell(side, round));
        } catch (DeadlineException e) {
            throw late(to, e);
        }
    }

    /** Waits for the next piece of that side; returns where in {@link #memory} its data is. */
    long receive(int side, int round) {
        int from = sender(side, round);
        long piece = state(layout.taken(side, round));
        await(layout.arrivedCell(side, round), piece + 1, from);
        long slot = layout.slot(side, round, piece);
        if (state(slot) != call || state(slot + 8) != number()) {
            throw unlike(from, state(slot + 8), TeamCall.describe(state(slot)));
        }
        return slot + TeamLayout.HEADER_BYTES;
    }

    /** The piece that was received from that side is not needed any more. */
    void take(int side, int round) {
        long taken = count(layout.taken(side, round));
        signal(taken, sender(side, round), layout.takenCell(side, round));
    }

    private void signal(long value, int to, long cell) {
        try {
            window.signal(AtomicOp.REPLACE, value, members[to], cell);
        } catch (DeadlineException e) {
            throw late(to, e);
        }
    }

    /** The own part of the window. */
    MemorySegment memory() {
        return own;
    }

    void barrier() {
        long number = count(TeamLayout.BARRIERS);
        long signal = TeamCall.signal(number, call);
        for (int round = 0; 1 << round < size; round++) {
            signal(signal, at(1 << round), layout.barrierCell(number, round));
            int from = at(-(1 << round));
            long got = await(layout.barrierCell(number, round), TeamCall.least(number), from);
            if (got != signal) {
                throw unlike(from, number(), of(from, number()));
            }
        }
    }

    /** All that this rank has under way, in all windows. */
    void completeAll() {
        window.flushAll();
    }

    /** The area that this rank fills for an exchange, which is read by the others after a barrier. */
    long exchangeArea() {
        return layout.area(state(TeamLayout.EXCHANGES));
    }

    /** Begins to read from the area of another member. */
    void read(int from, long at, MemorySegment destination, long destinationOffset, long length) {
        window.get(destination, destinationOffset, members[from], at, length);
    }

    /** What was read is there. */
    void readsDone() {
        try {
            window.flushLocalAll();
        } catch (DeadlineException e) {
            throw late(position, e);
        }
        count(TeamLayout.EXCHANGES);
    }

    private long await(long cell, long least, int from) {
        try {
            return window.waitUntil(cell, Comparison.GE, least);
        } catch (DeadlineException e) {
            throw late(from, e);
        }
    }

    /** Others may have seen that this member is in it: so it is not to be called again, and nor are later ones. */
    private DeadlineException late(int waitedFor, DeadlineException e) {
        first = which() + ", and waits for " + who(waitedFor) + ", " + does(waitedFor) + ": " + e.getMessage();
        own.set(LONG, TeamLayout.REFUSED, 1);
        return new DeadlineException(first);
    }

    private String which() {
        return "team " + name + ": position " + position + " (rank " + rank + ") calls " + TeamCall.describe(call)
            + " as collective " + number();
    }

    private String who(int member) {
        return "position " + member + " (rank " + members[member] + ")";
    }

    /** What another member has called last. */
    private String does(int member) {
        try {
            long number = window.getLong(members[member], TeamLayout.IN_NUMBER);
            return number == 0 ? "which has called nothing of it" : "which has called "
                + TeamCall.describe(window.getLong(members[member], TeamLayout.IN_CALL)) + " as collective " + number;
        } catch (FtrmaException e) {
            return "which cannot be asked any more";
        }
    }

    /** A member's collective of that number, which it is in, or has left by an exception. */
    private String of(int member, long number) {
        try {
            if (window.getLong(members[member], TeamLayout.IN_NUMBER) == number) {
                return TeamCall.describe(window.getLong(members[member], TeamLayout.IN_CALL));
            }
        } catch (FtrmaException e) {
            return "another one, and has ended since";
        }
        return "another one";
    }

    private MisuseException unlike(int from, long number, String other) {
        return refused(", " + who(from) + " calls " + other + (number == number() ? "" : " as collective " + number)
            + ": all members must call the same collectives in the same order, of the same size, root, operation and "
            + "type");
    }

    /** The collective is none, and nor are later ones. */
    MisuseException refused(String why) {
        first = which() + why;
        own.set(LONG, TeamLayout.REFUSED, 1);
        return new MisuseException(first);
    }
}
