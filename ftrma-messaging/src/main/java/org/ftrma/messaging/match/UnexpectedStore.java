package org.ftrma.messaging.match;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.messaging.transport.FrameDescriptor;

/**
 * Messages that have come, and memory for those that no receive has matched. Data thread only; allocates nothing where
 * what was freed suffices.
 */
public final class UnexpectedStore {
    private final PayloadStore payloads;
    private final long limit;
    private long stored;
    private Incoming free;
    private long come;
    /** Messages of which a receive had read a part that was withdrawn. */
    private int half;

    /** An empty one, with room for so many bytes. */
    public UnexpectedStore(Arena arena, long limit) {
        this.payloads = new PayloadStore(arena);
        this.limit = limit;
    }

    private static long cost(long bytes) {
        return bytes + FrameDescriptor.frameBytes(0);
    }

    /** Whether there is room for one more message. */
    public boolean hasRoom(long total) {
        return stored + cost(total) <= limit;
    }

    /** A message begins to come, the newest one of all. */
    public Incoming begin(int source, long number, int context, int tag, long call, long total) {
        Incoming message = free;
        if (message == null) {
            message = new Incoming();
        } else {
            free = message.next;
        }
        message.order = ++come;
        message.begin(source, number, context, tag, call, total);
        return message;
    }

    /** All of a message is kept here: copies it. */
    public void keep(Incoming message, MemorySegment from, long at) {
        message.place = payloads.take(message.total());
        message.announcedWhole();
        stored += cost(message.total());
        MemorySegment.copy(from, at, payload(message), payloadAt(message), message.total());
    }

    /** The memory that a whole message is in. */
    public MemorySegment payload(Incoming message) {
        return payloads.memory(message.place);
    }

    /** Where in that memory it begins. */
    public long payloadAt(Incoming message) {
        return payloads.offset(message.place);
    }

    /** Its receive is withdrawn: what that had read is kept for the next one. */
    public void leave(Incoming message) {
        message.leave();
        half += message.kept != null ? 1 : 0;
    }

    /** Its next receive gets what was kept. */
    public void handOver(Incoming message) {
        half -= message.kept != null ? 1 : 0;
        message.handOver();
    }

    /** A message is done with. */
    public void recycle(Incoming message) {
        if (message.isWhole()) {
            payloads.give(message.place, message.total());
            stored -= cost(message.total());
        }
        half -= message.kept != null ? 1 : 0;
        message.matchedBy(null);
        message.kept = null;
        message.next = free;
        free = message;
    }

    /** Drops all messages of a context, and its receives. */
    public void forget(Matching context) {
        for (Incoming one = context.firstCome(); one != null;) {
            Incoming next = one.next;
            recycle(one);
            one = next;
        }
        context.clear();
    }

    /** Drops the messages of a source that no receive has matched. */
    public void forget(Matching context, int source) {
        for (Incoming one = context.firstCome(); one != null;) {
            Incoming next = one.next;
            if (one.source() == source) {
                context.remove(one);
                recycle(one);
            }
            one = next;
        }
    }

    /** Whether a part of a message was read whose receive was withdrawn. */
    public boolean isAnyHalf() {
        return half > 0;
    }

    /** The memory that is used, for error messages. */
    public String describe() {
        return stored + " of " + limit + " bytes of memory for them (--unexpected) are used";
    }
}
