package org.ftrma.messaging.event;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongFunction;
import org.ftrma.PeerLostException;
import org.ftrma.core.control.Blob;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.core.session.Contributions;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.MembershipListener;
import org.ftrma.core.session.Session;
import org.ftrma.core.session.Waiter;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.xor.Groups;

/**
 * Event loggers of one rank, as the rank writes to them: all checksum ranks of its group. The rank goes on without a
 * lost one until another process has taken its place, and gives that all events again. Active loggers store events
 * themselves, and the rank waits until they acknowledge them. Data thread only.
 */
public final class EventLoggers implements MembershipListener {
    private final Session session;
    private final Inbox inbox;
    private final Fabric fabric;
    private final Waiter waiter;
    private final int[] keepers;
    private final int place;
    private final int guarded;
    private final RemoteMemory[] memories;
    private final boolean areActive;
    /** What active loggers tell; and, copied here, what one has told. */
    private final RemoteMemory[] tells;
    private final MemorySegment told;
    /** Those that lack events. */
    private final BitSet behind = new BitSet();
    private Contributions keys;

    /** Those of a rank; {@code memory} makes some of the rank's own, of so many bytes. */
    public EventLoggers(Session session, LongFunction<MemorySegment> memory) {
        this.session = session;
        this.inbox = session.inbox;
        this.fabric = session.fabric;
        this.waiter = session.waiter;
        Groups groups = JobGroups.of(session.options);
        int group = groups.groupOf(session.member);
        int[] members = groups.membersOf(group);
        this.guarded = groups.ranksOf(group).length;
        this.keepers = Arrays.copyOfRange(members, guarded, members.length);
        this.place = groups.indexInGroup(session.member);
        this.memories = new RemoteMemory[keepers.length];
        this.tells = new RemoteMemory[keepers.length];
        this.areActive = session.options.areEventLoggersActive();
        this.told = memory.apply(EventDescriptor.TOLD * guarded);
        inbox.listen(this);
    }

    /** A new view, or the first one. Those that are missing come later. */
    public void open() {
        keys = session.exchange(ControlMessage.Scope.ALL, new byte[0]);
        behind.clear();
        for (int i = 0; i < keepers.length; i++) {
            memories[i] = session.isMissing(keepers[i]) ? null : attach(i);
        }
    }

    /** All connections of the view before are closed. */
    public void enterView() {
        Arrays.fill(memories, null);
        behind.clear();
    }

    private RemoteMemory attach(int logger) {
        int keeper = keepers[logger];
        try {
            List<RemoteMemory> both = session.attachAll(keeper, () -> keysAt(keeper));
            tells[logger] = both.getLast();
            return both.getFirst();
        } catch (PeerLostException e) {
            return gone(logger, e);
        }
    }

    private List<byte[]> keysAt(int keeper) {
        List<byte[]> all = Blob.unpack(keys.of(keeper), areActive ? guarded + 1 : guarded);
        return areActive ? List.of(all.get(place), all.getLast()) : List.of(all.get(place));
    }

    private RemoteMemory gone(int logger, PeerLostException loss) {
        boolean isKnown = session.survivor.isPossible() || session.isMissing(loss.peer());
        if (loss.peer() < session.ranks || !isKnown) {
            throw loss;
        }
        memories[logger] = null;
        return null;
    }

    @Override
    public void checksumLost(int member) {
        for (int i = 0; i < keepers.length; i++) {
            if (keepers[i] == member) {
                memories[i] = null;
                behind.clear(i);
            }
        }
    }

    @Override
    public void opened(int member) {
        for (int i = 0; i < keepers.length; i++) {
            if (keepers[i] == member) {
                behind.set(i);
            }
        }
    }

    /** Whether a logger is to be given all events again. */
    boolean areAnyBehind() {
        return !behind.isEmpty();
    }

    /** How many loggers there may be. */
    int count() {
        return keepers.length;
    }

    /** Whether one is there, and takes events. */
    boolean isThere(int logger) {
        return memories[logger] != null;
    }

    /** One that lacks events, of which there is any: connects to it. */
    int takeBehind() {
        int logger = behind.nextSetBit(0);
        behind.clear(logger);
        memories[logger] = session.isMissing(keepers[logger]) ? null : attach(logger);
        return logger;
    }

    /** All loggers that are there have events with these numbers when this returns. */
    void writeAll(MemorySegment ring, long from, long to) {
        long most = areActive ? EventDescriptor.MOST_WAITING : to - from;
        for (long first = from; first < to; first += most) {
            long last = Math.min(to, first + most);
            for (int logger = 0; logger < keepers.length; logger++) {
                if (areActive) {
                    give(logger, ring, first, last);
                } else {
                    write(logger, ring, first, last);
                }
            }
            for (int logger = 0; logger < keepers.length && areActive; logger++) {
                awaitTold(logger, EventDescriptor.STORED, last);
            }
        }
    }

    /** No more than may wait, and all before them are stored. */
    private void give(int logger, MemorySegment ring, long from, long to) {
        RemoteMemory memory = memories[logger];
        if (memory == null) {
            return;
        }
        try {
            for (long number = from; number < to; number++) {
                memory.put(ring, EventDescriptor.offset(number), EventDescriptor.waitingOffset(number),
                    EventDescriptor.EVENT);
            }
            fabric.flush(keepers[logger]);
            memory.putLong(EventDescriptor.GIVEN, to);
            fabric.flush(keepers[logger]);
        } catch (PeerLostException e) {
            gone(logger, e);
        }
    }

    private void awaitTold(int logger, long word, long value) {
        long deadline = waiter.deadlineFromNow();
        for (int turn = 0; memories[logger] != null && told(logger, word) < value; turn++) {
            fabric.progress();
            waiter.outerTurn("the event logger's acknowledgement", keepers[logger], turn, deadline);
        }
    }

    /** The word as the logger tells it now; that of the greatest value if the logger is lost. */
    private long told(int logger, long word) {
        try {
            get(tells[logger], logger, told, 0, EventDescriptor.TOLD * guarded);
            return told.get(ValueLayout.JAVA_LONG, EventDescriptor.TOLD * place + word);
        } catch (PeerLostException e) {
            gone(logger, e);
            return Long.MAX_VALUE;
        }
    }

    /**
     * A replacement reads what a logger has: from now on the logger stores nothing of what its predecessor has given.
     */
    void takeOver(int logger) {
        RemoteMemory memory = memories[logger];
        if (memory == null || !areActive) {
            return;
        }
        long giver = inbox.recovery();
        try {
            memory.putLong(EventDescriptor.GIVEN, 0);
            fabric.flush(keepers[logger]);
            memory.putLong(EventDescriptor.GIVER, giver);
            fabric.flush(keepers[logger]);
        } catch (PeerLostException e) {
            gone(logger, e);
        }
        awaitTold(logger, EventDescriptor.TAKEN_FROM, giver);
    }

    /**
     * Writes events with these numbers, whose words are in {@code ring} as they are at a logger, and then how many
     * there are.
     */
    void write(int logger, MemorySegment ring, long from, long to) {
        RemoteMemory memory = memories[logger];
        if (memory == null) {
            return;
        }
        try {
            long number = from;
            while (number < to) {
                long at = EventDescriptor.offset(number);
                long some = Math.min(to - number, (EventDescriptor.bytes() - at) / EventDescriptor.EVENT);
                memory.put(ring, at, at, some * EventDescriptor.EVENT);
                number += some;
            }
            fabric.flush(keepers[logger]);
            memory.putLong(EventDescriptor.COUNT, to);
            fabric.flush(keepers[logger]);
        } catch (PeerLostException e) {
            gone(logger, e);
        }
    }

    /** Tells a logger whether it has all events that are needed. */
    void whole(int logger, boolean isWhole) {
        RemoteMemory memory = memories[logger];
        if (memory != null) {
            try {
                memory.putLong(EventDescriptor.WHOLE, isWhole ? 1 : 0);
                fabric.flush(keepers[logger]);
            } catch (PeerLostException e) {
                gone(logger, e);
            }
        }
    }

    /** The coordinator hears that a logger has all events, unless it is gone. */
    void tellKept(int logger) {
        if (memories[logger] != null) {
            inbox.send(new ControlMessage.EventsKept(inbox.view(), keepers[logger]));
        }
    }

    /** All loggers are given all events again. */
    void refill() {
        behind.set(0, keepers.length);
    }

    /**
     * Reads the events that a logger has into memory of a region's size; returns how many there are so far, -1 if it
     * lacks some.
     */
    long read(int logger, MemorySegment into) {
        RemoteMemory memory = memories[logger];
        if (memory == null) {
            return -1;
        }
        try {
            get(memory, logger, into, 0, EventDescriptor.EVENTS);
            long count = into.get(ValueLayout.JAVA_LONG, EventDescriptor.COUNT);
            if (into.get(ValueLayout.JAVA_LONG, EventDescriptor.WHOLE) == 0 || count < 0) {
                return -1;
            }
            long kept = Math.min(count, EventDescriptor.MOST);
            get(memory, logger, into, EventDescriptor.EVENTS, kept * EventDescriptor.EVENT);
            return count;
        } catch (PeerLostException e) {
            gone(logger, e);
            return -1;
        }
    }

    private void get(RemoteMemory memory, int logger, MemorySegment into, long offset, long bytes) {
        if (bytes > 0) {
            memory.get(into, offset, offset, bytes);
            fabric.flush(keepers[logger]);
        }
    }
}
