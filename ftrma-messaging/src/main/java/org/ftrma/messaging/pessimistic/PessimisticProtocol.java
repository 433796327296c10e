package org.ftrma.messaging.pessimistic;

import java.util.function.ObjLongConsumer;
import org.ftrma.core.checkpoint.UpdateGate;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.RecoveryFigures;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.MembershipListener;
import org.ftrma.core.session.Session;
import org.ftrma.core.session.StateMachine;
import org.ftrma.messaging.collective.CoordinatedSplit;
import org.ftrma.messaging.event.EventDescriptor;
import org.ftrma.messaging.event.EventLog;
import org.ftrma.messaging.event.EventLoggers;
import org.ftrma.messaging.protocol.MessageProtocol;
import org.ftrma.messaging.protocol.MessagingContext;
import org.ftrma.messaging.receive.DuplicateFilter;
import org.ftrma.messaging.receive.PieceMemory;
import org.ftrma.messaging.receive.Receiver;
import org.ftrma.messaging.send.LoggedSender;
import org.ftrma.messaging.send.PeerMemories;
import org.ftrma.messaging.send.ReleaseGate;
import org.ftrma.messaging.transport.SendLog;
import org.ftrma.messaging.transport.SendLogDescriptor;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Clock;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.MemoryRegion;

/**
 * Protocol pessimistic-v (Open MPI-V: Bouteiller, Bosilca, Dongarra, 2010): messages are logged at their senders,
 * events at the event loggers before anything leaves the rank. A lost rank alone goes back to its image. It publishes
 * what it has received, and the others push what comes after that out of their logs, while they run on; what it sends
 * again they have, and it is not pushed. Its events decide what came first, until they are used up. Data thread only.
 */
public final class PessimisticProtocol implements MessageProtocol, MembershipListener {
    /** The most of a log whose pages come before the first step. */
    private static final long AHEAD_BYTES = 256 << 20;
    private final MessagingContext context;
    private final Session session;
    private final Inbox inbox;
    private final Clock clock;
    private final PeerMemories peers;
    private final StateMachine<MessageLoggingState> state;
    private final SendLog log;
    private final EventLoggers loggers;
    private final EventLog events;
    private final LoggedDeterminants determinants;
    private final DuplicateFilter received;
    private final ReleaseGate gate;
    private final Parts parts;
    private final Receiver receiver;
    private final LoggedSender sender;
    private final LoggedState images;
    private final ImageMarks marks;
    private final CheckpointNeeds needs;
    private final IndependentImages independent;
    private long enteredNanos;
    private long restoredNanos;
    private long firstStep;

    /** Logs the messages of a rank. */
    public PessimisticProtocol(MessagingContext context) {
        this.context = context;
        this.session = context.session();
        this.inbox = context.inbox();
        this.peers = context.peers();
        this.clock = context.clock();
        this.state = MessageLoggingState.machine(session.states);
        Fabric fabric = context.fabric();
        JobOptions options = context.options();
        long logBytes = SendLogDescriptor.regionBytes(options.messageLogBytes());
        MemoryRegion region = fabric.exposeLazily(logBytes);
        if (inbox.recovery() == 0 && inbox.generation() == 0) {
            fabric.prefault(region, Math.min(logBytes, AHEAD_BYTES)); // a replacement has no time for that
        }
        this.log = new SendLog(region.segment(), session.ranks);
        this.loggers = new EventLoggers(session, context::allocate);
        this.events = new EventLog(session, loggers, context.allocate(EventDescriptor.bytes()));
        this.determinants = new LoggedDeterminants(session, events, state);
        this.received = new DuplicateFilter(context.lanes());
        this.gate = new StableGate(state, events);
        PieceMemory pieces = new SendLogPieces(fabric, peers, region, logBytes);
        this.receiver = context.receiver(pieces, gate, received, determinants);
        this.sender = new LoggedSender(session, peers, gate, log, options.eagerBytes(), context.staging(),
            context.allocate(Long.BYTES));
        this.images = new LoggedState(session.ranks, determinants, context.counts(), received, log, logBytes);
        this.parts = new Parts(sender, receiver, determinants, gate, pieces, new CoordinatedSplit(session), images);
        this.marks = new ImageMarks(received, determinants, events);
        this.needs = new CheckpointNeeds(inbox, session.member, session.ranks, options.logLowPercent(), sender,
            log, events);
        this.independent = new IndependentImages(inbox, session.member, state, marks, needs);
        inbox.listen(this);
        inbox.listen(independent);
    }

    /** Bytes that it takes. */
    public static long bytes(JobOptions options) {
        return SendLogDescriptor.regionBytes(options.messageLogBytes()) + EventDescriptor.bytes();
    }

    /** The memory that it takes, for error messages. */
    public static String memory(JobOptions options) {
        return options.messageLogBytes() + " bytes for what was sent (--message-log)";
    }

    @Override
    public Parts parts() {
        return parts;
    }

    @Override
    public UpdateGate updates() {
        return independent;
    }

    @Override
    public void enterView() {
        enteredNanos = clock.nanoTime();
        if (!state.is(MessageLoggingState.OFF)) {
            state.become(MessageLoggingState.OFF);
        }
        marks.clear();
        needs.clear();
        loggers.enterView();
        events.clear();
        determinants.clear();
    }

    @Override
    public void restored() {
        if (inbox.generation() > 0) {
            received.tellAll(); // else nothing was restored, and what the initialization has sent is under way
        }
        loggers.open();
        if (inbox.recovery() > 0) {
            session.away.leaveOut();
        }
    }

    @Override
    public void start(long step) {
        restoredNanos = clock.nanoTime();
        firstStep = step;
        if (inbox.recovery() == 0) {
            state.become(MessageLoggingState.LOGGING);
            events.open();
            sender.resumeAll();
        } else {
            state.become(MessageLoggingState.REPLAYING);
            replay();
        }
    }

    private void replay() {
        session.away.replayWith(null);
        events.inherit();
        events.trim(determinants.mark());
        determinants.replay();
        for (int rank = 0; rank < session.ranks; rank++) {
            if (session.away.has(rank)) {
                sender.lost(rank);
            }
        }
        peers.fetchKeys();
        for (int rank = 0; rank < session.ranks; rank++) {
            sender.meet(rank);
        }
        inbox.send(new ControlMessage.Resumed(inbox.view(), inbox.recovery()));
    }

    @Override
    public boolean replaying() {
        return state.is(MessageLoggingState.REPLAYING);
    }

    @Override
    public void goLiveIfCaughtUp() {
        if (state.is(MessageLoggingState.REPLAYING) && !determinants.isReplaying() && sender.isCaughtUp()) {
            goLive();
        }
    }

    /** Nobody has to wait any longer for what it does again, or not for long. */
    private void goLive() {
        if (!state.is(MessageLoggingState.REPLAYING)) {
            return;
        }
        state.become(MessageLoggingState.LOGGING);
        long[] figures = new long[RecoveryFigures.values().length];
        figures[RecoveryFigures.JOIN_NANOS.ordinal()] = enteredNanos - session.assignedNanos;
        figures[RecoveryFigures.REBUILD_NANOS.ordinal()] = restoredNanos - enteredNanos;
        figures[RecoveryFigures.REPLAY_NANOS.ordinal()] = clock.nanoTime() - restoredNanos;
        figures[RecoveryFigures.STEPS_REPEATED.ordinal()] = context.step() - firstStep;
        session.states.recovered(figures);
        inbox.send(new ControlMessage.WentLive(inbox.view(), inbox.recovery(), context.step(), figures));
    }

    @Override
    public String obstacle() {
        return images.obstacle();
    }

    @Override
    public void beforeCopy() {
        goLive();
        sender.trim();
        sender.settle();
    }

    /** An image of this rank alone has no messages that images of their receivers cover. */
    @Override
    public void beforeDemandCopy() {
        sender.trim();
        sender.unsettle();
    }

    @Override
    public void copied(long generation) {
        marks.copied(generation);
    }

    @Override
    public void committed(long generation) {
        if (!state.is(MessageLoggingState.OFF)) {
            marks.committed(generation);
        }
    }

    @Override
    public void settle() {
        if (!state.is(MessageLoggingState.OFF)) {
            events.refillLoggers();
        }
        marks.publish();
    }

    @Override
    public boolean servesOthers() {
        return true;
    }

    @Override
    public boolean hasUnpushed() {
        return sender.hasUnpushed();
    }

    @Override
    public boolean mayStillSend() {
        return inbox.recovery() > 0 || session.losses() > 0;
    }

    @Override
    public void finish() {
        gate.beforeReport();
        goLive();
    }

    @Override
    public void lost(int member, int recovery) {
        if (member < session.ranks) {
            sender.lost(member);
            receiver.lost(member);
            received.again(member);
        }
    }

    @Override
    public void resumed(int member) {
        sender.resumed(member);
    }

    /** One that was there before it said so to this one is there at the latest now. */
    @Override
    public void opened(int member) {
        if (member < session.ranks) {
            sender.resumed(member);
        }
    }

    @Override
    public void report(ObjLongConsumer<String> reports) {
        reports.accept("messages.sent." + session.member, sender.sent());
        reports.accept("messages.events." + session.member, events.end());
        reports.accept("messages.values." + session.member, determinants.values());
        reports.accept("messages.logPieces." + session.member, log.used());
    }
}
