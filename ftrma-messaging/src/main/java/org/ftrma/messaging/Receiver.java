package org.ftrma.messaging;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ftrma.FtrmaException;
import org.ftrma.messaging.transport.FrameDescriptor;
import org.ftrma.messaging.transport.InLane;
import org.ftrma.messaging.transport.OutboxDescriptor;
import org.ftrma.messaging.transport.PeerOutbox;

/**
 * The receiving half of a rank: takes frames out of its lanes, and brings messages and receives together. Data thread
 * only; allocates nothing once lists have grown.
 */
final class Receiver {
    private static final int MOST_CONTEXTS = 1 << 16;
    private final Messages messages;
    private final MemorySegment inbox;
    private final int ranks;
    private final int slots;
    private final InLane[] lanes;
    /** The sources that have sent something in this view. */
    private final int[] active;
    private int activeCount;
    private final long[] known;
    /** By source: the message whose pieces come. */
    private final Incoming[] open;
    private final PeerOutbox[] outboxes;
    private Matching[] contexts = new Matching[2];
    private final PayloadStore store;
    private final long storeLimit;
    private long stored;
    private Incoming free;

    Receiver(Messages messages, MemorySegment inbox, int ranks, long laneBytes, int slots, long storeLimit,
        Arena arena) {
        this.messages = messages;
        this.inbox = inbox;
        this.ranks = ranks;
        this.slots = slots;
        this.storeLimit = storeLimit;
        this.lanes = new InLane[ranks];
        for (int source = 0; source < ranks; source++) {
            lanes[source] = new InLane(inbox, ranks, laneBytes, source);
        }
        this.active = new int[ranks];
        this.known = new long[(ranks + 63) / 64];
        this.open = new Incoming[ranks];
        this.outboxes = new PeerOutbox[ranks];
        this.store = new PayloadStore(arena);
    }

    /** Nobody sends: as if nothing had ever been sent. */
    void clear() {
        for (int i = 0; i < activeCount; i++) {
            lanes[active[i]].clear();
        }
        InLane.clearSenders(inbox, ranks);
        activeCount = 0;
        Arrays.fill(known, 0);
        Arrays.fill(outboxes, null);
        for (int source = 0; source < ranks; source++) {
            if (open[source] != null && open[source].request != null) {
                recycle(open[source]);
            }
            open[source] = null;
        }
        for (Matching context : contexts) {
            if (context != null) {
                forget(context);
            }
        }
    }

    private void forget(Matching context) {
        for (Incoming one = context.firstCome(); one != null;) {
            Incoming next = one.next;
            recycle(one);
            one = next;
        }
        context.clear();
    }

    private void recycle(Incoming message) {
        if (message.place >= 0) {
            store.give(message.place, message.total);
            stored -= cost(message.total);
        }
        message.request = null;
        message.next = free;
        free = message;
    }

    private static long cost(long bytes) {
        return bytes + FrameDescriptor.frameBytes(0);
    }

    Matching context(int context) {
        if (context < 0 || context >= MOST_CONTEXTS) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "a message of context " + context
                + ", where there are at most " + MOST_CONTEXTS);
        }
        if (context >= contexts.length) {
            contexts = Arrays.copyOf(contexts, Math.max(context + 1, 2 * contexts.length));
        }
        Matching matching = contexts[context];
        if (matching == null) {
            matching = new Matching();
            contexts[context] = matching;
        }
        return matching;
    }

    /** A receive is posted: it takes what has come, or waits for it. */
    void post(MessageRequestImpl request) {
        Matching context = context(request.context);
        Incoming message = context.find(request);
        if (message == null) {
            context.post(request);
            return;
        }
        context.remove(message);
        match(message, request);
        if (message.place >= 0) {
            long length = Math.min(message.total, request.length);
            MemorySegment.copy(store.memory(message.place), store.offset(message.place), request.segment,
                request.offset, length);
            request.isComplete = true;
            recycle(message);
        } else {
            pull(message);
        }
    }

    private static void match(Incoming message, MessageRequestImpl request) {
        message.request = request;
        received(request, message.source, message.tag, message.total);
    }

    private static void received(MessageRequestImpl request, int source, int tag, long total) {
        request.peer = source;
        request.tag = tag;
        request.bytes = total;
    }

    /**
     * Takes out what has come. Returns whether there was anything.
     *
     * @param mayAccess whether others' memory may be accessed: else their outboxes are read later
     * @param isForced whether all is taken out, whatever the store has room for
     */
    boolean poll(boolean mayAccess, boolean isForced) {
        lookForSenders();
        boolean any = false;
        for (int i = 0; i < activeCount; i++) {
            int source = active[i];
            InLane lane = lanes[source];
            while (lane.hasFrame() && take(source, lane, mayAccess, isForced)) {
                any = true;
            }
            if (mayAccess && open[source] != null && open[source].request != null) {
                pull(open[source]);
            }
        }
        return any;
    }

    private void lookForSenders() {
        for (int word = 0; word < known.length; word++) {
            long now = InLane.senders(inbox, word);
            for (long fresh = now & ~known[word]; fresh != 0; fresh &= fresh - 1) {
                active[activeCount++] = word * 64 + Long.numberOfTrailingZeros(fresh);
            }
            known[word] = now;
        }
    }

    private boolean take(int source, InLane lane, boolean mayAccess, boolean isForced) {
        if (lane.kind() == FrameDescriptor.NEXT) {
            piece(source, lane, open[source]);
            lane.take();
            return true;
        }
        if (lane.kind() == FrameDescriptor.FIRST && open[source] != null && open[source].request != null) {
            if (!mayAccess) {
                return false; // the message before it is to be read first
            }
            pull(open[source]);
        }
        int tag = lane.tag();
        Matching context = context(lane.context());
        MessageRequestImpl request = context.take(source, tag);
        long total = lane.total();
        if (lane.kind() == FrameDescriptor.EAGER) {
            if (request != null) {
                MemorySegment.copy(inbox, lane.payloadAt(), request.segment, request.offset,
                    Math.min(total, request.length));
                received(request, source, tag, total);
                request.isComplete = true;
            } else if (!isForced && stored + cost(total) > storeLimit) {
                return false;
            } else {
                keep(source, lane, context, total);
            }
        } else {
            Incoming message = fresh();
            message.begin(source, lane.context(), tag, total);
            open[source] = message;
            if (request != null) {
                match(message, request);
            } else {
                context.come(message);
            }
            piece(source, lane, message);
        }
        lane.take();
        return true;
    }

    private void keep(int source, InLane lane, Matching context, long total) {
        Incoming message = fresh();
        message.begin(source, lane.context(), lane.tag(), total);
        message.place = store.take(total);
        message.announced = total;
        stored += cost(total);
        MemorySegment.copy(inbox, lane.payloadAt(), store.memory(message.place), store.offset(message.place), total);
        context.come(message);
    }

    private Incoming fresh() {
        Incoming message = free;
        if (message == null) {
            return new Incoming();
        }
        free = message.next;
        return message;
    }

    private void piece(int source, InLane lane, Incoming message) {
        long slot = lane.slot();
        long bytes = lane.pieceBytes();
        if (message == null || slot < 0 || slot >= slots || bytes < 0 || bytes > OutboxDescriptor.SLOT
            || message.announced + bytes > message.total) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "rank " + source + " announces " + bytes
                + " bytes in slot " + slot + " of " + slots + (message == null ? ", of no message"
                : ", after " + message.announced + " of " + message.total));
        }
        message.addPiece((int) slot, bytes);
    }

    /** Reads what was announced of a message that a receive has matched. */
    private void pull(Incoming message) {
        MessageRequestImpl request = message.request;
        int pieces = message.pieces();
        if (pieces > 0) {
            PeerOutbox outbox = outbox(message.source);
            for (int i = 0; i < pieces; i++) {
                long fits = Math.clamp(request.length - message.read, 0, message.pieceBytes(i));
                outbox.get(message.slot(i), request.segment, request.offset + message.read, fits);
                message.read += message.pieceBytes(i);
            }
            outbox.complete();
            for (int i = 0; i < pieces; i++) {
                outbox.release(message.slot(i));
            }
            message.taken();
        }
        if (message.read == message.total) {
            request.isComplete = true;
            if (open[message.source] == message) {
                open[message.source] = null;
            }
            recycle(message);
        }
    }

    private PeerOutbox outbox(int peer) {
        PeerOutbox outbox = outboxes[peer];
        if (outbox == null) {
            outbox = messages.outboxOf(peer);
            outboxes[peer] = outbox;
        }
        return outbox;
    }

    /** The message that a probe finds; null: none has come. */
    Incoming find(MessageRequestImpl probe) {
        return context(probe.context).find(probe);
    }

    /** What has come and was not received, in words for people. */
    String describe() {
        int count = 0;
        for (Matching context : contexts) {
            for (Incoming one = context == null ? null : context.firstCome(); one != null; one = one.next) {
                count++;
            }
        }
        return count + " messages have come that nobody has received, " + stored + " of " + storeLimit
            + " bytes of memory for them (--unexpected) are used";
    }

    int contexts() {
        return contexts.length;
    }

    Matching contextOrNull(int context) {
        return contexts[context];
    }

    PayloadStore store() {
        return store;
    }

    /** A message that an image has, which came before those that are added later. */
    Incoming restored(int source, int context, int tag, long total, boolean isWhole) {
        Incoming message = fresh();
        message.begin(source, context, tag, total);
        if (isWhole) {
            message.place = store.take(total);
            message.announced = total;
            stored += cost(total);
        }
        context(context).come(message);
        return message;
    }
}
