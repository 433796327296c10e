package org.ftrma.messaging;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.ftrma.DeadlineException;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.core.control.Blob;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.protocol.RecoveryProtocol;
import org.ftrma.core.session.Contributions;
import org.ftrma.core.session.Session;
import org.ftrma.messaging.transport.FrameDescriptor;
import org.ftrma.messaging.transport.OutLane;
import org.ftrma.messaging.transport.Outbox;
import org.ftrma.messaging.transport.OutboxDescriptor;
import org.ftrma.messaging.transport.PeerOutbox;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;

/**
 * The messages of one rank over all views of a job: its memory for them, what is under way, and what images have of
 * that. It has none of this until the program asks for the first channel. Data thread only.
 */
public final class Messages implements RecoveryProtocol {
    private static final int SOON_TURNS = 16;
    final Session session;
    private final Arena arena;
    private final int slots;
    private final long laneBytes;
    private MemoryRegion inbox;
    private MemoryRegion outboxMemory;
    private Outbox outbox;
    private MemorySegment cell;
    private Receiver receiver;
    private Sender sender;
    private InTransit inTransit;
    private Contributions keys;
    private ChannelImpl world;
    private int nextContext;
    private MessageRequestImpl freeRequests;
    /** Requests of the program that no call has told to be complete. */
    private int openRequests;
    private MessageRequestImpl newest;
    /** What the present wait is for. */
    private String awaited = "";
    private int awaitedPeer;
    private int turns;
    private long deadline;
    /** Whether messages are being handled: a wait in there handles none. */
    private boolean isInside;

    /** Those of a rank that has not asked for any yet. */
    public Messages(Session session, Arena arena) {
        this.session = session;
        this.arena = arena;
        this.slots = (int) Math.max(2, session.options.outboxBytes() / OutboxDescriptor.SLOT);
        this.laneBytes = session.options.laneBytes();
    }

    /** The channel of all ranks; exchanges keys where it is asked for first in a view. */
    public ChannelImpl world() {
        session.inbox.checkThread();
        if (world != null) {
            return world;
        }
        session.phase.requireAllocation("messages", "of all ranks");
        if (session.options.protocol().hasLogs()) {
            throw new MisuseException("messages: --protocol " + session.options.protocol()
                + " logs accesses, and no messages yet: use --protocol coordinated or none");
        }
        session.did("messages");
        if (inbox == null) {
            expose();
        }
        receiver.clear();
        sender.clear();
        outbox.clear();
        session.inbox.place("in messages()");
        keys = session.exchange(ControlMessage.Scope.COMPUTING, Blob.pack(List.of(inbox.key(), outboxMemory.key())));
        nextContext = 0;
        int[] all = new int[session.ranks];
        for (int rank = 0; rank < all.length; rank++) {
            all[rank] = rank;
        }
        world = new ChannelImpl(this, all, takeContext());
        return world;
    }

    private void expose() {
        long unexpected = session.options.unexpectedBytes();
        try {
            inbox = session.fabric.exposeLazily(FrameDescriptor.inboxBytes(session.ranks, laneBytes));
            outboxMemory = session.fabric.exposeLazily(OutboxDescriptor.bytes(slots));
        } catch (FtrmaException e) {
            throw new FtrmaException(e.category(), "messages: " + session.ranks + " lanes of " + laneBytes
                + " bytes (--lane) and " + session.options.outboxBytes() + " bytes for long messages (--outbox): "
                + e.getMessage(), e);
        }
        cell = scratch(Long.BYTES);
        outbox = new Outbox(outboxMemory.segment(), slots);
        receiver = new Receiver(this, inbox.segment(), session.ranks, laneBytes, slots, unexpected, arena);
        sender = new Sender(this, outbox, session.ranks, session.options.eagerBytes(), arena);
        inTransit = new InTransit(receiver, outbox, session.ranks, slots, unexpected + session.ranks * laneBytes);
        session.waiter.meanwhile(this::drain);
    }

    /** Bytes that they may take, besides those of images. */
    public long bytes() {
        return FrameDescriptor.inboxBytes(session.ranks, laneBytes) + OutboxDescriptor.bytes(slots)
            + session.options.unexpectedBytes();
    }

    /** What images have of messages, if there are any. */
    public List<CheckpointedState> inTransit() {
        return inTransit == null ? List.of() : List.of(inTransit);
    }

    /** A number for a channel's messages, the same at all ranks; that after it is for its collectives. */
    int takeContext() {
        int context = nextContext;
        nextContext += 2;
        return context;
    }

    int nextContext() {
        return nextContext;
    }

    void nextContext(int context) {
        nextContext = context;
    }

    private RemoteMemory attach(int peer, int which) {
        return session.attach(peer, () -> Blob.unpack(keys.of(peer), 2).get(which));
    }

    OutLane laneTo(int target) {
        return new OutLane(session.fabric, session.member, session.ranks, target, attach(target, 0), laneBytes,
            sender.staging);
    }

    PeerOutbox outboxOf(int peer) {
        return new PeerOutbox(session.fabric, peer, attach(peer, 1), slots);
    }

    Receiver receiver() {
        return receiver;
    }

    Sender sender() {
        return sender;
    }

    /** A call of the program begins. */
    void enter() {
        session.inbox.drainIfReady();
    }

    /**
     * The program was left, perhaps in the middle of a receive whose destination it has freed on its way out: what
     * comes from now on stays in the lanes.
     */
    public void left() {
        world = null;
    }

    @Override
    public void enterView() {
        left();
        freeRequests = null;
        newest = null;
        openRequests = 0;
        isInside = false;
    }

    @Override
    public void start(long step) {
        // what an image had is there, and lanes are empty: nobody has sent anything yet
    }

    @Override
    public boolean mayNeedCut() {
        return false;
    }

    @Override
    public boolean needsCut() {
        return false;
    }

    /** All ranks have arrived at the cut: what they have sent has landed, and nobody sends until all have copied. */
    @Override
    public void beforeCopy() {
        if (world != null) {
            receiver.poll(false, true);
            outbox.reclaim();
        }
    }

    @Override
    public void copied(long generation) {
        // the image has all that is in transit
    }

    @Override
    public boolean replaying() {
        return false;
    }

    /** The end of a step, or of the program: no request may be open. */
    public void checkNoneOpen(String where) {
        if (openRequests > 0) {
            throw new MisuseException(where + ": " + openRequests
                + (openRequests == 1 ? " request is" : " requests are") + " open, such as " + newest
                + "; wait for each (await, waitAll) before the step ends");
        }
    }

    @Override
    public void progress() {
        if (world == null || isInside) {
            return;
        }
        isInside = true;
        try {
            receiver.poll(true, false);
            sender.progress();
            if (!session.paths.areImmediate()) {
                session.fabric.progress();
            }
        } finally {
            isInside = false;
        }
    }

    /** This rank waits for something else, perhaps in the fabric: so that nobody waits for room in its lanes. */
    private void drain() {
        if (world != null && !isInside) {
            receiver.poll(false, false);
        }
    }

    MessageRequestImpl request() {
        MessageRequestImpl request = freeRequests;
        if (request == null) {
            return new MessageRequestImpl(this);
        }
        freeRequests = request.next;
        return request;
    }

    /** A request that the program holds. */
    MessageRequestImpl ofProgram(MessageRequestImpl request) {
        openRequests++;
        request.isOfProgram = true;
        request.newer = null;
        request.older = newest;
        if (newest != null) {
            newest.newer = request;
        }
        newest = request;
        return request;
    }

    /** A call tells that it is complete; what it says stays readable until it is used again. */
    void over(MessageRequestImpl request) {
        if (request.isSend) {
            sender.over(request);
        }
        request.isOver = true;
        request.segment = null;
        request.next = freeRequests;
        freeRequests = request;
        if (request.isOfProgram) {
            request.isOfProgram = false;
            openRequests--;
            if (request.newer == null) {
                newest = request.older;
            } else {
                request.newer.older = request.older;
            }
            if (request.older != null) {
                request.older.newer = request.newer;
            }
        }
    }

    /** Memory that stays: for values, and for what collectives combine. */
    MemorySegment scratch(long bytes) {
        return arena.allocate(Math.max(8, bytes), 64);
    }

    /** Room for one value, until the next call. */
    MemorySegment cell() {
        return cell;
    }

    /** A receive is posted. */
    void post(MessageRequestImpl receive) {
        isInside = true;
        try {
            receiver.post(receive);
        } finally {
            isInside = false;
        }
    }

    /** Whether a message has come that a probe finds: then the probe tells of it. */
    boolean find(MessageRequestImpl probe) {
        Incoming message = receiver.find(probe);
        if (message == null) {
            return false;
        }
        probe.peer = message.source;
        probe.tag = message.tag;
        probe.bytes = message.total;
        return true;
    }

    /** Waits until a message has come that a probe finds. */
    void awaitCome(MessageRequestImpl probe) {
        progress();
        if (find(probe)) {
            return;
        }
        beginWait("a message, to be found by a probe", probe.peer);
        boolean hasCome = false;
        while (!hasCome) {
            boolean isHopeless = isHopeless(probe.peer);
            progress();
            hasCome = find(probe);
            if (!hasCome && isHopeless) {
                throw abandoned("a probe");
            }
            if (!hasCome) {
                turn();
            }
        }
    }

    boolean takeBack(MessageRequestImpl receive) {
        return receiver.context(receive.context).takeBack(receive);
    }

    void await(MessageRequestImpl request) {
        if (request.isComplete) {
            return;
        }
        progress();
        if (request.isComplete) {
            return;
        }
        beginWait(request.isSend ? "room for a message, or its receive," : "a message", request.peer);
        while (!request.isComplete) {
            boolean isHopeless = isHopeless(request.isSend ? -2 : request.peer);
            progress();
            if (!request.isComplete && isHopeless) {
                throw abandoned(request.toString());
            }
            if (!request.isComplete) {
                turn();
            }
        }
    }

    /** A wait begins: what for, and of which rank, -1: any. */
    void beginWait(String what, int peer) {
        awaited = what;
        awaitedPeer = peer;
        turns = 0;
        session.waiter.begin(what, peer);
    }

    /**
     * A round without progress. A wait that has become long looks at the clock each time: its rounds may contain waits
     * of their own, which begin anew. Where it ends at the deadline it is told what memory is used up.
     */
    void turn() {
        try {
            if (turns < SOON_TURNS) {
                session.waiter.turn();
            } else {
                if (turns == SOON_TURNS) {
                    deadline = session.waiter.deadlineFromNow();
                }
                session.waiter.outerTurn(awaited, awaitedPeer, turns, deadline);
            }
            turns++;
        } catch (DeadlineException e) {
            throw new DeadlineException(e.getMessage() + "; " + sender.describe() + "; " + receiver.describe());
        }
    }

    /**
     * Whether nobody will send what is waited for: whoever could has finished, and what they sent has landed.
     *
     * @param source the rank that is waited for, -1: any, -2: none
     */
    boolean isHopeless(int source) {
        if (source == -2) {
            return false;
        }
        if (source >= 0) {
            return source != session.member && session.inbox.returnedAfter(source) >= 0;
        }
        for (int rank = 0; rank < session.ranks; rank++) {
            if (rank != session.member && session.inbox.returnedAfter(rank) < 0) {
                return false;
            }
        }
        return session.ranks > 1;
    }

    MisuseException abandoned(String what) {
        session.inbox.giveUp();
        return new MisuseException(what + " waits for a rank that has finished: its program returned, and sent no such "
            + "message; " + receiver.describe());
    }
}
