package org.ftrma.messaging;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.ftrma.Channel;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.core.checkpoint.UpdateGate;
import org.ftrma.core.control.Blob;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.protocol.RecoveryProtocol;
import org.ftrma.core.session.Contributions;
import org.ftrma.core.session.Session;
import org.ftrma.messaging.transport.FrameDescriptor;
import org.ftrma.messaging.transport.InLane;
import org.ftrma.messaging.transport.OutLane;
import org.ftrma.messaging.transport.PieceSource;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;

/**
 * The messages of one rank over all views of a job: its memory for them, what is under way, and what images have of
 * that. It has none of this until the program asks for the first channel. Data thread only.
 */
public final class Messages implements RecoveryProtocol {
    final Session session;
    private final Arena arena;
    private final LongSupplier step;
    private final long laneBytes;
    private final Waits waits;
    private final Questions questions;
    private final SeveralRequests several;
    private final OpenCollectives collectives;
    private final Requests requests = new Requests(this);
    private final List<ChannelImpl> channels = new ArrayList<>();
    private MemoryRegion inbox;
    private InLane[] lanes;
    private MemorySegment staging;
    private MemorySegment cell;
    private MessageProtocol protocol;
    /** The same where messages are logged, else null. */
    private LoggedMessages logged;
    private Receiver receiver;
    private Sender sender;
    private Outcomes outcomes;
    private CheckpointedState state;
    private Contributions keys;
    private ChannelImpl world;
    private int nextContext;
    /** Whether messages are being handled: a wait in there handles none. */
    private boolean isInside;

    /** Those of a rank that has not asked for any yet. */
    public Messages(Session session, Arena arena, LongSupplier step) {
        this.session = session;
        this.arena = arena;
        this.step = step;
        this.laneBytes = session.options.laneBytes();
        this.waits = new Waits(this);
        this.questions = new Questions(this);
        this.several = new SeveralRequests(this);
        this.collectives = new OpenCollectives(this);
    }

    /** The channel of all ranks; exchanges keys where it is asked for first in a view. */
    public Channel world() {
        session.inbox.checkThread();
        if (world != null) {
            return world;
        }
        session.phase.requireAllocation("messages", "of all ranks");
        if (session.options.protocol().hasLogs()) {
            throw new MisuseException("messages: --protocol " + session.options.protocol()
                + " logs accesses, and no messages: use --protocol coordinated, which has windows and messages, or"
                + " pessimistic-v (messages alone) or none");
        }
        session.did("messages");
        if (inbox == null) {
            expose();
        }
        receiver.clear();
        sender.clear();
        if (logged != null) {
            logged.enterView();
        }
        session.inbox.place("in messages()");
        keys = session.exchange(ControlMessage.Scope.COMPUTING, Blob.pack(List.of(inbox.key(), protocol.key())));
        nextContext = 0;
        channels.clear();
        int[] all = new int[session.ranks];
        for (int rank = 0; rank < all.length; rank++) {
            all[rank] = rank;
        }
        world = channel(all, takeContext());
        return world;
    }

    /** The channel of these ranks. */
    ChannelImpl channel(int[] members, int context) {
        ChannelImpl channel = new ChannelImpl(this, members, context);
        channels.add(channel);
        return channel;
    }

    /** Which collectives the program has called, for the coordinator, which compares that in the end. */
    public String called() {
        return CollectiveCounts.called(channels);
    }

    /** All channels of this rank, in the order in which they were made. */
    List<ChannelImpl> channels() {
        return channels;
    }

    private void expose() {
        long unexpected = session.options.unexpectedBytes();
        boolean isLogged = session.options.protocol().logsMessages();
        try {
            inbox = session.fabric.exposeLazily(FrameDescriptor.inboxBytes(session.ranks, laneBytes));
            lanes = new InLane[session.ranks];
            for (int source = 0; source < lanes.length; source++) {
                lanes[source] = new InLane(inbox.segment(), session.ranks, laneBytes, source);
            }
            cell = scratch(Long.BYTES);
            staging = scratch(FrameDescriptor.frameBytes(session.options.eagerBytes()) + Long.BYTES);
            logged = isLogged ? new LoggedMessages(this) : null;
            protocol = isLogged ? logged : new UnloggedMessages(this);
        } catch (FtrmaException e) {
            throw new FtrmaException(e.category(), "messages: " + session.ranks + " lanes of " + laneBytes
                + " bytes (--lane) and " + (isLogged ? session.options.messageLogBytes()
                + " bytes for what was sent (--message-log): "
                : session.options.outboxBytes() + " bytes for long messages (--outbox): ") + e.getMessage(), e);
        }
        sender = protocol.sender();
        outcomes = protocol.outcomes();
        receiver = new Receiver(this, inbox.segment(), lanes, protocol.intake(), unexpected, arena);
        state = protocol.state();
        session.waiter.meanwhile(this::drain);
    }

    /** Bytes that they may take, besides those of images. */
    public long bytes() {
        return FrameDescriptor.inboxBytes(session.ranks, laneBytes) + session.options.unexpectedBytes()
            + (session.options.protocol().logsMessages() ? LoggedMessages.bytes(session.options.messageLogBytes())
            : UnloggedMessages.bytes(session.options.outboxBytes()));
    }

    /** What images have of messages, if there are any. */
    public List<CheckpointedState> inTransit() {
        return state == null ? List.of() : List.of(state);
    }

    /** Why no image can be taken now; empty: one can. */
    public String obstacle() {
        if (channels.size() > CollectiveCounts.MOST_CHANNELS) {
            return "there are more than " + CollectiveCounts.MOST_CHANNELS + " channels";
        }
        if (world != null && (sender.lacksRoom() || receiver.isAnyHalf())) {
            progress();
            if (sender.lacksRoom() || receiver.isAnyHalf()) {
                return "a message is half way whose " + (sender.lacksRoom() ? "send" : "receive")
                    + " ended at the deadline";
            }
        }
        return logged == null ? "" : logged.obstacle();
    }

    /** What checkpoints of this rank alone go through; null: there are none. */
    public UpdateGate gate() {
        return session.options.protocol().logsMessages() ? new LateGate(() -> logged) : null;
    }

    /** The step that the program is in. */
    long step() {
        return step.getAsLong();
    }

    InLane[] lanes() {
        return lanes;
    }

    long laneBytes() {
        return laneBytes;
    }

    /** Room to make a frame in. */
    MemorySegment staging() {
        return staging;
    }

    Outcomes outcomes() {
        return outcomes;
    }

    SeveralRequests several() {
        return several;
    }

    OpenCollectives collectives() {
        return collectives;
    }

    /** Whether a piece of a message may lie there, at a peer. */
    boolean mayHavePiece(long place, long bytes) {
        return protocol.mayHavePiece(place, bytes);
    }

    /** Something leaves the rank: what it may depend on is stable before. */
    public void release() {
        protocol.release();
    }

    /** A synchronous message was received, which its sender is about to be told: that leaves this rank, too. */
    void beforeAnswer() {
        release();
    }

    ChannelImpl split(ChannelImpl parent, int[] members, int color, int key) {
        return protocol.split(parent, members, color, key);
    }

    /** A value that the program cannot determine again. */
    public long nondeterministic(LongSupplier supplier) {
        return questions.nondeterministic(supplier);
    }

    MessageProtocol protocol() {
        return protocol;
    }

    /** A number for a channel's messages, the same at all ranks; that after it is for its collectives. */
    int takeContext() {
        nextContext += 2;
        return nextContext - 2;
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

    /** The keys of all are about to be needed: asks for them together. */
    void fetchKeys() {
        keys.fetch(session.ranks);
    }

    OutLane laneTo(int target, MemorySegment room) {
        return new OutLane(session.fabric, session.member, session.ranks, target, attach(target, 0), laneBytes, room);
    }

    PieceSource outboxOf(int peer) {
        return protocol.pieces(peer, attach(peer, 1));
    }

    Requests requests() {
        return requests;
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
        requests.clear();
        collectives.clear();
        isInside = false;
    }

    @Override
    public void restored() {
        if (logged != null) {
            logged.restored();
        }
    }

    @Override
    public void start(long from) {
        if (logged != null) {
            logged.start(from); // else what an image had is there, and lanes are empty: nobody has sent anything yet
        }
    }

    @Override
    public boolean mayNeedCut() {
        return false;
    }

    @Override
    public boolean needsCut() {
        if (world != null) {
            protocol.settle();
            protocol.goLiveIfCaughtUp();
        }
        return false;
    }

    @Override
    public void beforeCopy() {
        if (world != null) {
            protocol.beforeCopy();
        }
    }

    @Override
    public void beforeDemandCopy() {
        if (logged != null) {
            logged.beforeDemandCopy();
        }
    }

    @Override
    public void copied(long generation) {
        if (logged != null) {
            logged.copied(generation);
        }
    }

    @Override
    public boolean replaying() {
        return logged != null && logged.isReplaying();
    }

    @Override
    public void finish() {
        if (logged != null) {
            release();
            logged.goLive();
        }
        if (world != null) {
            waits.awaitSent(logged);
        }
    }

    @Override
    public void report(Reports reports) {
        if (logged != null) {
            logged.report(reports);
        }
    }

    /** The end of a step, or of the program: no request may be open. */
    public void checkNoneOpen(String where) {
        requests.checkNoneOpen(where);
    }

    @Override
    public void progress() {
        if (world == null || isInside) {
            return;
        }
        isInside = true;
        boolean wasPatient = session.waiter.patient(true);
        try {
            protocol.settle();
            receiver.poll(true, false);
            sender.progress();
            collectives.advance();
            protocol.goLiveIfCaughtUp(); // a long computation follows, perhaps
            if (!session.paths.areImmediate()) {
                session.fabric.progress();
            }
        } finally {
            isInside = false;
            session.waiter.patient(wasPatient);
        }
    }

    /**
     * This rank waits for the coordinator, or has returned: what others need of it goes on its way. Returns whether
     * there is more to do.
     */
    public boolean serve() {
        if (logged == null || world == null || isInside) {
            return false;
        }
        progress();
        return logged.hasUnpushed();
    }

    /** This rank waits for something else, perhaps in the fabric: so that nobody waits for room in its lanes. */
    private void drain() {
        if (world != null && !isInside) {
            receiver.poll(false, false);
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
        if (receive.isInert) {
            return;
        }
        isInside = true;
        boolean wasPatient = session.waiter.patient(true);
        try {
            receiver.post(receive);
        } finally {
            isInside = false;
            session.waiter.patient(wasPatient);
        }
    }

    /** As {@link Sender#sendNow}: leaves nothing half done. */
    boolean sendNow(MemorySegment source, long offset, long length, int context, int target, int tag, long call) {
        boolean wasPatient = session.waiter.patient(true);
        try {
            return sender.sendNow(source, offset, length, context, target, tag, call);
        } finally {
            session.waiter.patient(wasPatient);
        }
    }

    /** The same of one value. */
    boolean sendNow(long value, int context, int target, int tag) {
        boolean wasPatient = session.waiter.patient(true);
        try {
            return sender.sendNow(value, context, target, tag);
        } finally {
            session.waiter.patient(wasPatient);
        }
    }

    /** As {@link Sender#begin}. */
    void begin(MessageRequestImpl send) {
        boolean wasPatient = session.waiter.patient(true);
        try {
            sender.begin(send);
        } finally {
            session.waiter.patient(wasPatient);
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

    void await(MessageRequestImpl request) {
        if (!request.isComplete) {
            waits.await(request);
        }
    }

    Waits waits() {
        return waits;
    }

    /** What calls tell that may be different when the program is run again. */
    Questions questions() {
        return questions;
    }
}
