package org.ftrma.messaging;

import java.util.function.BooleanSupplier;
import org.ftrma.core.checkpoint.UpdateGate;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.RecoveryFigures;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.image.Slots;
import org.ftrma.core.protocol.RecoveryProtocol;
import org.ftrma.core.session.MembershipListener;
import org.ftrma.core.session.Session;
import org.ftrma.messaging.event.EventDescriptor;
import org.ftrma.messaging.event.EventLog;
import org.ftrma.messaging.event.EventLoggers;
import org.ftrma.messaging.transport.PeerSendLog;
import org.ftrma.messaging.transport.PieceSource;
import org.ftrma.messaging.transport.SendLog;
import org.ftrma.messaging.transport.SendLogDescriptor;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;

/**
 * Protocol pessimistic-v (Open MPI-V: Bouteiller, Bosilca, Dongarra, 2010): messages are logged at their
 * senders, events at the event loggers before anything leaves the rank. A lost rank alone goes back to its image. It
 * says what it has received, and the others push what comes after that out of their logs, while they run on; what it
 * sends again they have, and it is not pushed. Its events tell it what came first, until they are used up. Data thread
 * only.
 */
final class LoggedMessages implements MessageProtocol, MembershipListener, UpdateGate {
    /** The most of a log whose pages come before the first step. */
    private static final long AHEAD_BYTES = 256 << 20;
    private final Session session;
    private final Messages messages;
    private final MemoryRegion region;
    private final long logBytes;
    private final SendLog log;
    private final EventLoggers loggers;
    private final EventLog events;
    private final LoggedOutcomes outcomes;
    private final CountedIntake intake;
    private final LoggedSender sender;
    private final LoggedState state;
    private MessageNeeds needs;
    private Slots slots;
    /** What an image has that is not committed yet; of a coordinated checkpoint, and of one of this rank alone. */
    private Marks pending;
    private Marks pendingAlone;
    private long pendingGeneration;
    /** Of an image that counts, and was not told yet to who may drop what it covers. */
    private Marks due;
    private boolean isStarted;
    private boolean isReplaying;
    private long entered;
    private long restored;
    private long firstStep;

    /** What an image has: by source the last number that was received, and the first event that it does not cover. */
    private record Marks(long[] received, long event) {
    }

    LoggedMessages(Messages messages) {
        this.messages = messages;
        this.session = messages.session;
        this.logBytes = SendLogDescriptor.regionBytes(session.options.messageLogBytes());
        this.region = session.fabric.exposeLazily(logBytes);
        if (session.inbox.recovery() == 0 && session.inbox.generation() == 0) {
            session.fabric.prefault(region, Math.min(logBytes, AHEAD_BYTES)); // a replacement has no time for that
        }
        this.log = new SendLog(region.segment(), session.ranks);
        this.loggers = new EventLoggers(session, messages::scratch);
        this.events = new EventLog(session, loggers, messages.scratch(EventDescriptor.bytes()));
        this.outcomes = new LoggedOutcomes(session, events, this::isReplaying);
        this.intake = new CountedIntake(messages.lanes());
        this.sender = new LoggedSender(messages, log, session.ranks, session.options.eagerBytes(),
            messages.staging());
        this.state = new LoggedState(messages, outcomes, intake, log, logBytes);
        this.needs = new MessageNeeds(session);
        session.inbox.listen(this);
    }

    /** Bytes that it takes. */
    static long bytes(long messageLogBytes) {
        return SendLogDescriptor.regionBytes(messageLogBytes) + EventDescriptor.bytes();
    }

    @Override
    public Sender sender() {
        return sender;
    }

    @Override
    public Intake intake() {
        return intake;
    }

    @Override
    public Outcomes outcomes() {
        return outcomes;
    }

    @Override
    public CheckpointedState state() {
        return state;
    }

    @Override
    public byte[] key() {
        return region.key();
    }

    @Override
    public PieceSource pieces(int peer, RemoteMemory memory) {
        return new PeerSendLog(session.fabric, peer, memory);
    }

    @Override
    public boolean mayHavePiece(long place, long bytes) {
        return PeerSendLog.mayHave(logBytes, place, bytes);
    }

    @Override
    public ChannelImpl split(ChannelImpl parent, int[] members, int color, int key) {
        return Splits.told(messages, parent, members, color, key);
    }

    /** The program is about to be entered in a new view: nothing was sent, and nothing counts that is. */
    void enterView() {
        entered = session.clock.nanoTime();
        isStarted = false;
        isReplaying = false;
        pending = null;
        pendingAlone = null;
        pendingGeneration = 0;
        due = null;
        needs = new MessageNeeds(session);
        loggers.enterView();
        events.clear();
        outcomes.clear();
    }

    /** Images are open, and nobody goes on before all are here. */
    void restored() {
        if (session.inbox.generation() > 0) {
            intake.tellAll(); // else nothing was restored, and what the initialization has sent is under way
        }
        loggers.open();
        if (session.inbox.recovery() > 0) {
            session.away.leaveOut();
        }
    }

    /** All hold their state, or this rank does, which replaces a lost one. */
    void start(long step) {
        restored = session.clock.nanoTime();
        firstStep = step;
        isStarted = true;
        if (session.inbox.recovery() == 0) {
            events.open();
            sender.resumeAll();
            return;
        }
        session.away.replayWith(null);
        isReplaying = true;
        events.inherit();
        events.trim(outcomes.mark());
        outcomes.replay();
        for (int rank = 0; rank < session.ranks; rank++) {
            if (session.away.has(rank)) {
                sender.lost(rank);
            }
        }
        messages.fetchKeys();
        for (int rank = 0; rank < session.ranks; rank++) {
            sender.meet(rank);
        }
        session.inbox.send(new ControlMessage.Resumed(session.inbox.view(), session.inbox.recovery()));
    }

    boolean isReplaying() {
        return isReplaying;
    }

    @Override
    public void goLiveIfCaughtUp() {
        if (isReplaying && !outcomes.isReplaying() && sender.isCaughtUp()) {
            goLive();
        }
    }

    /** Nobody has to wait any longer for what it does again, or not for long. */
    void goLive() {
        if (!isReplaying) {
            return;
        }
        isReplaying = false;
        long[] figures = new long[RecoveryFigures.values().length];
        figures[RecoveryFigures.JOIN_NANOS.ordinal()] = entered - session.assignedNanos;
        figures[RecoveryFigures.REBUILD_NANOS.ordinal()] = restored - entered;
        figures[RecoveryFigures.REPLAY_NANOS.ordinal()] = session.clock.nanoTime() - restored;
        figures[RecoveryFigures.STEPS_REPEATED.ordinal()] = messages.step() - firstStep;
        session.states.recovered(figures);
        session.inbox.send(new ControlMessage.WentLive(session.inbox.view(), session.inbox.recovery(),
            messages.step(), figures));
    }

    @Override
    public void release() {
        if (isStarted) {
            events.makeStable();
        }
    }

    @Override
    public void beforeCopy() {
        goLive();
        sender.trim();
        sender.settle();
    }

    /** This rank alone will copy now: an image has no messages that images of their receivers cover. */
    void beforeDemandCopy() {
        sender.trim();
        sender.unsettle();
    }

    String obstacle() {
        return state.obstacle();
    }

    private Marks marks() {
        return new Marks(intake.marks(), outcomes.mark());
    }

    void copied(long generation) {
        pending = marks();
        pendingGeneration = generation; // until it counts it may be given up
    }

    @Override
    public void committed(long generation) {
        if (isStarted && generation == pendingGeneration && pending != null) {
            due = pending;
            pending = null;
            pendingGeneration = 0;
        }
    }

    @Override
    public boolean mayStillSend() {
        return session.inbox.recovery() > 0 || session.losses() > 0;
    }

    /** Whether something is to be pushed to a rank that is there. */
    boolean hasUnpushed() {
        return sender.hasUnpushed();
    }

    @Override
    public void settle() {
        if (isStarted) {
            events.refillLoggers();
        }
        if (due != null) {
            Marks marks = due;
            due = null;
            intake.covered(marks.received());
            events.trim(marks.event());
        }
    }

    @Override
    public void lost(int member, int recovery) {
        if (member < session.ranks) {
            sender.lost(member);
            messages.receiver().lost(member);
            intake.again(member);
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

    /** Reports of what was done. */
    void report(RecoveryProtocol.Reports reports) {
        reports.add("messages.sent." + session.member, sender.sent());
        reports.add("messages.events." + session.member, events.end());
        reports.add("messages.values." + session.member, outcomes.values());
        reports.add("messages.logPieces." + session.member, log.used());
    }

    @Override
    public boolean replaying() {
        return isReplaying;
    }

    @Override
    public boolean mayAsk() {
        return isStarted && !isReplaying && session.inbox.generation() > 0;
    }

    @Override
    public void askForDemand() {
        needs.ask(sender, events.runsLow());
    }

    @Override
    public void checkpointsInto(Slots images) {
        slots = images;
    }

    @Override
    public long[] holdUpdates(BooleanSupplier isWanted) {
        return new long[0];
    }

    @Override
    public long[] demandTaken(long[] covered) {
        pendingAlone = marks();
        return covered;
    }

    @Override
    public void allowUpdates() {
        // nobody updates what an image has
    }

    @Override
    public void demandCommitted(ControlMessage.DemandCommitted m) {
        if (m.member() == session.member) {
            slots.latest(m.tag());
            if (pendingAlone != null) {
                due = pendingAlone;
                pendingAlone = null;
            }
        }
        needs.answered(m.member(), true);
    }

    @Override
    public void demandAbandoned(ControlMessage.DemandAbandoned m) {
        if (m.member() == session.member) {
            pendingAlone = null;
        }
        needs.answered(m.member(), false);
    }
}
