package org.ftrma.messaging;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ftrma.Channel;
import org.ftrma.FtrmaException;
import org.ftrma.PeerLostException;
import org.ftrma.messaging.transport.FrameDescriptor;
import org.ftrma.messaging.transport.InLane;
import org.ftrma.messaging.transport.PieceSource;

/**
 * The receiving half of a rank: takes frames out of its lanes, and brings messages and receives together. Data thread
 * only; allocates nothing once lists have grown.
 */
final class Receiver {
    private final Messages messages;
    private final MemorySegment inbox;
    private final int ranks;
    private final InLane[] lanes;
    private final Intake intake;
    /** The sources that have sent something in this view. */
    private final int[] active;
    private int activeCount;
    /** Whether others may have written to the lanes. */
    private boolean isUsed;
    private final long[] known;
    /** By source: the message whose pieces come. */
    private final Incoming[] open;
    private final BoundMessages bound;
    /** By source: the number of its message that was received before, and whose pieces come again; 0: none. */
    private final long[] skipped;
    /** By source: bytes of that message that have come again. */
    private final long[] skippedBytes;
    /** By source: how often it was lost. */
    private final int[] losses;
    private final PieceSource[] outboxes;
    private final Contexts contexts = new Contexts();
    private final PayloadStore store;
    private final long storeLimit;
    private long stored;
    private Incoming free;
    private long come;
    /** Messages of which a receive had read a part that was withdrawn. */
    private int half;

    Receiver(Messages messages, MemorySegment inbox, InLane[] lanes, Intake intake, long storeLimit, Arena arena) {
        this.messages = messages;
        this.inbox = inbox;
        this.ranks = lanes.length;
        this.intake = intake;
        this.storeLimit = storeLimit;
        this.lanes = lanes;
        this.active = new int[ranks];
        this.known = new long[(ranks + 63) / 64];
        this.open = new Incoming[ranks];
        this.bound = new BoundMessages(ranks);
        this.skipped = new long[ranks];
        this.skippedBytes = new long[ranks];
        this.losses = new int[ranks];
        this.outboxes = new PieceSource[ranks];
        this.store = new PayloadStore(arena);
    }

    /** Nobody sends: as if nothing had ever been sent. */
    void clear() {
        if (isUsed) { // what was written last need not have been looked at
            for (InLane lane : lanes) {
                lane.clear();
            }
        }
        isUsed = true;
        InLane.clearSenders(inbox, ranks);
        activeCount = 0;
        Arrays.fill(known, 0);
        Arrays.fill(outboxes, null);
        bound.clear();
        Arrays.fill(skipped, 0);
        intake.clear();
        for (int source = 0; source < ranks; source++) {
            if (open[source] != null && open[source].request != null) {
                recycle(open[source]);
            }
            open[source] = null;
        }
        for (int context = 0; context < contexts.count(); context++) {
            forget(contexts.of(context));
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

    /**
     * A source was lost, and its messages come again that were not received. Its lane is left as it is: who knows what
     * was received empties it.
     */
    void lost(int source) {
        losses[source]++;
        skipped[source] = 0;
        outboxes[source] = null;
        for (int context = 0; context < contexts.count(); context++) {
            forget(contexts.of(context), source);
        }
        Incoming begun = open[source];
        if (begun != null && begun.request != null) {
            bound.add(begun);
        }
        open[source] = null;
    }

    private void forget(Matching context, int source) {
        for (Incoming one = context.firstCome(); one != null;) {
            Incoming next = one.next;
            if (one.source == source) {
                context.remove(one);
                recycle(one);
            }
            one = next;
        }
    }

    private void recycle(Incoming message) {
        if (message.place >= 0) {
            store.give(message.place, message.total);
            stored -= cost(message.total);
        }
        if (message.kept != null) {
            half--;
        }
        message.request = null;
        message.kept = null;
        message.next = free;
        free = message;
    }

    private static long cost(long bytes) {
        return bytes + FrameDescriptor.frameBytes(0);
    }

    Matching context(int context) {
        return contexts.of(context);
    }

    Contexts contexts() {
        return contexts;
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
        request.isComplete = message.place >= 0;
        match(message, request);
        if (message.place >= 0) {
            long length = Math.min(message.total, request.length);
            MemorySegment.copy(store.memory(message.place), store.offset(message.place), request.segment,
                request.offset, length);
            intake.received(message.source, message.number);
            recycle(message);
        } else {
            half -= message.kept != null ? 1 : 0;
            message.handOver();
            pull(message);
        }
    }

    /**
     * A receive that is not complete ends: nothing comes into its destination any more. What it has matched is there
     * for the next one, as if it had not; but what was longer than it, or belongs to a collective, is dropped.
     */
    void withdraw(MessageRequestImpl request) {
        Matching context = context(request.context);
        if (context.takeBack(request) || request.peer < 0) {
            return;
        }
        Incoming message = open[request.peer];
        boolean isBound = message == null || message.request != request;
        if (isBound) {
            message = bound.of(request);
        }
        if (message == null) {
            return; // a replay knows that it ends, and has not posted it
        }
        if (request.trees != null || request.bytes > request.length) {
            message.request = new MessageRequestImpl(messages);
            message.request.begin(request.channel, false, null, 0, 0, request.context, request.peer, request.tag);
        } else if (isBound) {
            bound.take(request.peer, message.number);
            recycle(message); // it comes again
        } else {
            message.leave();
            half += message.kept != null ? 1 : 0;
            context.comeBack(message);
        }
    }

    /** Whether a part of a message was read whose receive has ended. */
    boolean isAnyHalf() {
        boolean isAny = half > 0 || bound.isAny();
        for (int i = 0; i < activeCount; i++) {
            isAny |= open[active[i]] != null && open[active[i]].request != null;
        }
        return isAny;
    }

    private void match(Incoming message, MessageRequestImpl request) {
        message.request = request;
        matched(request, message.source, message.tag, message.call, message.total);
    }

    private void matched(MessageRequestImpl request, int source, int tag, long call, long total) {
        if (request.peer == Channel.ANY_SOURCE) {
            messages.outcomes().matched(request, source);
        }
        request.peer = source;
        request.tag = tag;
        request.call = call;
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
        int known = losses[source];
        if (lane.kind() == FrameDescriptor.NEXT && open[source] != null) {
            piece(source, lane, open[source]);
            lane.take();
            return true;
        }
        if (lane.kind() == FrameDescriptor.FIRST && open[source] != null && open[source].request != null) {
            if (!mayAccess) {
                return false; // the message before it is to be read first
            }
            pull(open[source]);
            if (open[source] != null || losses[source] != known) {
                return false; // that cannot be read now
            }
        }
        boolean isNext = lane.kind() == FrameDescriptor.NEXT;
        if (isNext || !intake.begins(source, lane.number(), lane.tagAndContext(), lane.total())) {
            if (lane.kind() == FrameDescriptor.EAGER) {
                intake.received(source, lane.number());
            } else if (!isSkipped(source, lane, mayAccess)) {
                return false;
            }
        } else if (lane.kind() == FrameDescriptor.EAGER) {
            boolean isFull = !isForced && stored + cost(lane.total()) > storeLimit;
            if (isFull && !context(lane.context()).isAwaited(source, lane.tag())) {
                return false;
            }
            takeWhole(source, lane);
        } else {
            takeFirst(source, lane);
        }
        lane.take();
        return true;
    }

    /**
     * A piece of a message that was received before, and has come again: its sender may wait for that, and may drop the
     * message when it counts as received. Returns whether it is done with.
     */
    private boolean isSkipped(int source, InLane lane, boolean mayAccess) {
        if (lane.kind() == FrameDescriptor.FIRST) {
            open[source] = null;
            skipped[source] = lane.number();
            skippedBytes[source] = 0;
        }
        requirePiece(source, lane, skipped[source] == lane.number() ? skippedBytes[source] : lane.total());
        if (!mayAccess) {
            return false;
        }
        int known = losses[source];
        messages.beforeAnswer();
        try {
            outbox(source).release(lane.slot());
        } catch (PeerLostException e) {
            if (!messages.session.survivor.isPossible()) {
                throw e;
            }
            return false; // it comes again
        }
        if (losses[source] != known) {
            return false;
        }
        skippedBytes[source] += lane.pieceBytes();
        if (skippedBytes[source] == lane.total()) {
            intake.received(source, lane.number());
        }
        return true;
    }

    private void takeWhole(int source, InLane lane) {
        int tag = lane.tag();
        long total = lane.total();
        Matching context = context(lane.context());
        MessageRequestImpl request = context.take(source, tag);
        if (request == null) {
            keep(source, lane, context, total);
            return;
        }
        MemorySegment.copy(inbox, lane.payloadAt(), request.segment, request.offset, Math.min(total, request.length));
        request.isComplete = true;
        matched(request, source, tag, lane.call(), total);
        intake.received(source, lane.number());
    }

    private void takeFirst(int source, InLane lane) {
        Incoming message = bound.take(source, lane.number());
        if (message == null) {
            Matching context = context(lane.context());
            MessageRequestImpl request = context.take(source, lane.tag());
            message = fresh();
            message.begin(source, lane.number(), lane.context(), lane.tag(), lane.call(), lane.total());
            if (request != null) {
                match(message, request);
            } else {
                context.come(message);
            }
        }
        open[source] = message;
        piece(source, lane, message);
    }

    private void keep(int source, InLane lane, Matching context, long total) {
        Incoming message = fresh();
        message.begin(source, lane.number(), lane.context(), lane.tag(), lane.call(), total);
        message.place = store.take(total);
        message.announced = total;
        stored += cost(total);
        MemorySegment.copy(inbox, lane.payloadAt(), store.memory(message.place), store.offset(message.place), total);
        context.come(message);
    }

    private Incoming fresh() {
        Incoming message = free;
        if (message == null) {
            message = new Incoming();
        } else {
            free = message.next;
        }
        message.order = ++come;
        return message;
    }

    private void piece(int source, InLane lane, Incoming message) {
        requirePiece(source, lane, message.announced);
        message.addPiece(lane.slot(), lane.pieceBytes());
    }

    private void requirePiece(int source, InLane lane, long announced) {
        long slot = lane.slot();
        long bytes = lane.pieceBytes();
        if (!messages.mayHavePiece(slot, bytes) || announced + bytes > lane.total()) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "rank " + source + " announces " + bytes
                + " bytes at place " + slot + ", after " + announced + " of " + lane.total());
        }
    }

    /** Reads what was announced of a message that a receive has matched; if its source is lost, it comes again. */
    private void pull(Incoming message) {
        int source = message.source;
        int known = losses[source];
        boolean isRead;
        try {
            isRead = isRead(message, known);
        } catch (PeerLostException e) {
            if (!messages.session.survivor.isPossible()) {
                throw e;
            }
            isRead = false;
        }
        if (!isRead && open[source] != message && !bound.has(message)) {
            bound.add(message);
        }
    }

    private boolean isRead(Incoming message, int known) {
        MessageRequestImpl request = message.request;
        int source = message.source;
        if (message.pieces() > 0) {
            PieceSource outbox = outbox(source);
            if (losses[source] != known) {
                return false; // what was announced was so by a process that is gone
            }
            long at = message.read;
            for (int i = 0; i < message.pieces(); i++) {
                long fits = Math.clamp(request.length - at, 0, message.pieceBytes(i));
                outbox.get(message.slot(i), request.segment, request.offset + at, fits);
                at += message.pieceBytes(i);
            }
            outbox.complete();
            if (at == message.total) {
                messages.beforeAnswer();
                if (losses[source] != known) {
                    return false; // it comes again
                }
            }
            for (int i = 0; i < message.pieces(); i++) {
                outbox.release(message.slot(i));
            }
            message.read = at;
            message.taken();
        }
        if (message.read == message.total) {
            request.isComplete = true;
            intake.received(source, message.number);
            if (open[source] == message) {
                open[source] = null;
            }
            recycle(message);
        }
        return true;
    }

    private PieceSource outbox(int peer) {
        PieceSource outbox = outboxes[peer];
        if (outbox == null) {
            int known = losses[peer];
            outbox = messages.outboxOf(peer);
            if (losses[peer] == known) {
                outboxes[peer] = outbox;
            }
        }
        return outbox;
    }

    /** The message that a probe finds; null: none has come. */
    Incoming find(MessageRequestImpl probe) {
        return context(probe.context).find(probe);
    }

    /** What has come and was not received, in words for people. */
    String describe() {
        return contexts.messages() + " messages have come that nobody has received, " + stored + " of " + storeLimit
            + " bytes of memory for them (--unexpected) are used";
    }

    PayloadStore store() {
        return store;
    }

    /** A message that an image has, which came before those that are added later. */
    Incoming restored(int source, int context, int tag, long call, long total, boolean isWhole) {
        Incoming message = fresh();
        message.begin(source, 0, context, tag, call, total);
        if (isWhole) {
            message.place = store.take(total);
            message.announced = total;
            stored += cost(total);
        }
        context(context).come(message);
        return message;
    }
}
