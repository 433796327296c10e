package org.ftrma.messaging.receive;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ftrma.Channel;
import org.ftrma.FtrmaException;
import org.ftrma.PeerLostException;
import org.ftrma.core.session.PeerFailureHandling;
import org.ftrma.messaging.match.BoundMessages;
import org.ftrma.messaging.match.Contexts;
import org.ftrma.messaging.match.Incoming;
import org.ftrma.messaging.match.Matching;
import org.ftrma.messaging.match.ReceiveRequest;
import org.ftrma.messaging.match.UnexpectedStore;
import org.ftrma.messaging.send.ReleaseGate;
import org.ftrma.messaging.transport.FrameDescriptor;
import org.ftrma.messaging.transport.InLane;
import org.ftrma.messaging.transport.PieceSource;

/**
 * Takes frames out of this rank's lanes, and brings messages and receives together. Data thread only; allocates nothing
 * once lists have grown.
 */
public final class Receiver {
    private final PeerFailureHandling survivor;
    private final ReleaseGate gate;
    private final PieceMemory memory;
    private final MessageDeterminants determinants;
    private final MemorySegment inbox;
    private final int ranks;
    private final InLane[] lanes;
    private final ReceiveSequence sequence;
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
    private final Contexts contexts;
    private final UnexpectedStore store;

    /**
     * Takes frames out of the lanes of an inbox.
     *
     * @param contexts where messages and receives wait for each other
     * @param store memory for messages that no receive has matched
     */
    public Receiver(MemorySegment inbox, InLane[] lanes, Contexts contexts, UnexpectedStore store, PieceMemory memory,
        PeerFailureHandling survivor, ReleaseGate gate, ReceiveSequence sequence, MessageDeterminants determinants) {
        this.inbox = inbox;
        this.ranks = lanes.length;
        this.contexts = contexts;
        this.store = store;
        this.memory = memory;
        this.survivor = survivor;
        this.gate = gate;
        this.sequence = sequence;
        this.determinants = determinants;
        this.lanes = lanes;
        this.active = new int[ranks];
        this.known = new long[(ranks + 63) / 64];
        this.open = new Incoming[ranks];
        this.bound = new BoundMessages(ranks);
        this.skipped = new long[ranks];
        this.skippedBytes = new long[ranks];
        this.losses = new int[ranks];
        this.outboxes = new PieceSource[ranks];
    }

    /** Nobody sends: as if nothing had ever been sent. */
    public void clear() {
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
        sequence.clear();
        for (int source = 0; source < ranks; source++) {
            if (open[source] != null && open[source].request() != null) {
                store.recycle(open[source]);
            }
            open[source] = null;
        }
        for (int context = 0; context < contexts.count(); context++) {
            store.forget(contexts.of(context));
        }
    }

    /**
     * A source was lost, and its messages come again that were not received. Its lane is left as it is: who knows what
     * was received empties it.
     */
    public void lost(int source) {
        losses[source]++;
        skipped[source] = 0;
        outboxes[source] = null;
        for (int context = 0; context < contexts.count(); context++) {
            store.forget(contexts.of(context), source);
        }
        Incoming begun = open[source];
        if (begun != null && begun.request() != null) {
            bound.add(begun);
        }
        open[source] = null;
    }

    /** A receive is posted: it takes what has come, or waits for it. */
    public void post(ReceiveRequest request) {
        Matching context = contexts.of(request.context());
        Incoming message = context.find(request);
        if (message == null) {
            context.post(request);
            return;
        }
        context.remove(message);
        if (message.isWhole()) {
            request.complete();
        }
        match(message, request);
        if (message.isWhole()) {
            request.copyFrom(store.payload(message), store.payloadAt(message), message.total());
            sequence.received(message.source(), message.number());
            store.recycle(message);
        } else {
            store.handOver(message);
            pull(message);
        }
    }

    /**
     * A receive that is not complete ends: nothing comes into its destination any more. What it has matched is there
     * for the next one, as if it had not; but what was longer than it, or belongs to a collective, is dropped.
     */
    public void withdraw(ReceiveRequest request) {
        Matching context = contexts.of(request.context());
        if (context.takeBack(request) || request.peer() < 0) {
            return;
        }
        Incoming message = open[request.peer()];
        boolean isBound = message == null || message.request() != request;
        if (isBound) {
            message = bound.of(request);
        }
        if (message == null) {
            return; // a replay knows that it ends, and has not posted it
        }
        if (request.dropsItsMessage()) {
            message.matchedBy(request.dropper());
        } else if (isBound) {
            bound.take(request.peer(), message.number());
            store.recycle(message); // it comes again
        } else {
            store.leave(message);
            context.comeBack(message);
        }
    }

    /** Whether a part of a message was read whose receive has ended. */
    public boolean isAnyHalf() {
        boolean isAny = store.isAnyHalf() || bound.isAny();
        for (int i = 0; i < activeCount; i++) {
            isAny |= open[active[i]] != null && open[active[i]].request() != null;
        }
        return isAny;
    }

    private void match(Incoming message, ReceiveRequest request) {
        message.matchedBy(request);
        matched(request, message.source(), message.tag(), message.call(), message.total());
    }

    private void matched(ReceiveRequest request, int source, int tag, long call, long total) {
        if (request.peer() == Channel.ANY_SOURCE) {
            determinants.matched(request, source);
        }
        request.matched(source, tag, call, total);
    }

    /**
     * Takes out what has come. Returns whether there was anything.
     *
     * @param mayAccess whether others' memory may be accessed: else their outboxes are read later
     * @param isForced whether all is taken out, whatever the store has room for
     */
    public boolean poll(boolean mayAccess, boolean isForced) {
        lookForSenders();
        boolean any = false;
        for (int i = 0; i < activeCount; i++) {
            int source = active[i];
            InLane lane = lanes[source];
            while (lane.hasFrame() && take(source, lane, mayAccess, isForced)) {
                any = true;
            }
            if (mayAccess && open[source] != null && open[source].request() != null) {
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
        if (lane.kind() == FrameDescriptor.FIRST && open[source] != null && open[source].request() != null) {
            if (!mayAccess) {
                return false; // the message before it is to be read first
            }
            pull(open[source]);
            if (open[source] != null || losses[source] != known) {
                return false; // that cannot be read now
            }
        }
        boolean isNext = lane.kind() == FrameDescriptor.NEXT;
        if (isNext || !sequence.begins(source, lane.number(), lane.tagAndContext(), lane.total())) {
            if (lane.kind() == FrameDescriptor.EAGER) {
                sequence.received(source, lane.number());
            } else if (!isSkipped(source, lane, mayAccess)) {
                return false;
            }
        } else if (lane.kind() == FrameDescriptor.EAGER) {
            boolean isFull = !isForced && !store.hasRoom(lane.total());
            if (isFull && !contexts.of(lane.context()).isAwaited(source, lane.tag())) {
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
        gate.beforeAnswer(source);
        try {
            outbox(source).release(lane.slot());
        } catch (PeerLostException e) {
            if (!survivor.isPossible()) {
                throw e;
            }
            return false; // it comes again
        }
        if (losses[source] != known) {
            return false;
        }
        skippedBytes[source] += lane.pieceBytes();
        if (skippedBytes[source] == lane.total()) {
            sequence.received(source, lane.number());
        }
        return true;
    }

    private void takeWhole(int source, InLane lane) {
        int tag = lane.tag();
        long total = lane.total();
        Matching context = contexts.of(lane.context());
        ReceiveRequest request = context.take(source, tag);
        if (request == null) {
            keep(source, lane, context, total);
            return;
        }
        request.copyFrom(inbox, lane.payloadAt(), total);
        request.complete();
        matched(request, source, tag, lane.call(), total);
        sequence.received(source, lane.number());
    }

    private void takeFirst(int source, InLane lane) {
        Incoming message = bound.take(source, lane.number());
        if (message == null) {
            Matching context = contexts.of(lane.context());
            ReceiveRequest request = context.take(source, lane.tag());
            message = store.begin(source, lane.number(), lane.context(), lane.tag(), lane.call(), lane.total());
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
        Incoming message = store.begin(source, lane.number(), lane.context(), lane.tag(), lane.call(), total);
        store.keep(message, inbox, lane.payloadAt());
        context.come(message);
    }

    private void piece(int source, InLane lane, Incoming message) {
        requirePiece(source, lane, message.announced());
        message.addPiece(lane.slot(), lane.pieceBytes());
    }

    private void requirePiece(int source, InLane lane, long announced) {
        long slot = lane.slot();
        long bytes = lane.pieceBytes();
        if (!memory.mayHavePiece(slot, bytes) || announced + bytes > lane.total()) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "rank " + source + " announces " + bytes
                + " bytes at place " + slot + ", after " + announced + " of " + lane.total());
        }
    }

    /** Reads what was announced of a message that a receive has matched; if its source is lost, it comes again. */
    private void pull(Incoming message) {
        int source = message.source();
        int known = losses[source];
        boolean isRead;
        try {
            isRead = isRead(message, known);
        } catch (PeerLostException e) {
            if (!survivor.isPossible()) {
                throw e;
            }
            isRead = false;
        }
        if (!isRead && open[source] != message && !bound.has(message)) {
            bound.add(message);
        }
    }

    private boolean isRead(Incoming message, int known) {
        ReceiveRequest request = message.request();
        int source = message.source();
        if (message.pieces() > 0) {
            PieceSource outbox = outbox(source);
            if (losses[source] != known) {
                return false; // what was announced was so by a process that is gone
            }
            long at = message.read();
            for (int i = 0; i < message.pieces(); i++) {
                long fits = Math.clamp(request.length() - at, 0, message.pieceBytes(i));
                outbox.get(message.slot(i), request.segment(), request.offset() + at, fits);
                at += message.pieceBytes(i);
            }
            outbox.complete();
            if (at == message.total()) {
                gate.beforeAnswer(source);
                if (losses[source] != known) {
                    return false; // it comes again
                }
            }
            for (int i = 0; i < message.pieces(); i++) {
                outbox.release(message.slot(i));
            }
            message.taken(at);
        }
        if (message.isRead()) {
            request.complete();
            sequence.received(source, message.number());
            if (open[source] == message) {
                open[source] = null;
            }
            store.recycle(message);
        }
        return true;
    }

    private PieceSource outbox(int peer) {
        PieceSource outbox = outboxes[peer];
        if (outbox == null) {
            int known = losses[peer];
            outbox = memory.open(peer);
            if (losses[peer] == known) {
                outboxes[peer] = outbox;
            }
        }
        return outbox;
    }

    /** Whether a message has come that a probe finds: then the probe tells of it. */
    public boolean find(ReceiveRequest probe) {
        Incoming message = contexts.of(probe.context()).find(probe);
        if (message != null) {
            probe.matched(message.source(), message.tag(), 0, message.total());
        }
        return message != null;
    }

    /** Takes a receive back that has not matched anything; returns whether it had not. */
    public boolean takeBack(ReceiveRequest receive) {
        return contexts.of(receive.context()).takeBack(receive);
    }

    /** Whether messages have come that were not received. */
    public boolean hasUnreceived() {
        return contexts.messages() > 0;
    }

    /** What has come and was not received, for error messages. */
    public String describe() {
        return contexts.messages() + " messages have come that nobody has received, " + store.describe();
    }
}
