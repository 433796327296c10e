package org.ftrma.core.session;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.PeerLostException;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.MessageCodec;
import org.ftrma.spi.ControlPlane;
import org.ftrma.spi.Holes;
import org.ftrma.spi.Unwind;

/**
 * Control messages of the coordinator for this member, which the data thread drains in every access and wait that finds
 * {@link ControlPlane#ready}. {@link ViewState} is where the member is with the newest view, {@link ViewAnnouncement}
 * what was said of that. A new view leaves the program by {@link Unwind} until {@link #enterView} was called.
 */
public final class Inbox {
    final ControlPlane control;
    private final StateListener states;
    private final StateMachine<ViewState> state;
    /** The thread that plays the member. */
    Thread dataThread;
    private ControlMessage.Assign assignment;
    private String endReason = "";
    private ViewAnnouncement told = ViewAnnouncement.none();
    /** Of the newest parity that was told of: generations go on over views. */
    private long parityNanos;
    private boolean rolledBack;
    private String place = "";
    private final AccessesUnderWay accesses = new AccessesUnderWay();
    private AccessGate gate = AccessGate.NONE;
    /** Whether the gate may have more to tell: one look more at each access, so it is a field of this object. */
    boolean isMoreToTell;
    private final List<MembershipListener> listeners = new ArrayList<>();
    private final Provisions provisions = new Provisions();
    private final Set<Long> watched = new HashSet<>();
    private DiskOrders disk = DiskOrders.NONE;
    private ControlMessage.OnDisk onDisk;

    /** Nothing was told; the listener hears of this member's states. */
    public Inbox(ControlPlane control, StateListener states) {
        this.control = control;
        this.states = states;
        this.state = ViewState.machine(states);
    }

    /** Who hears of the changes of this member's states. */
    public StateListener states() {
        return states;
    }

    /** The calling thread plays the member from now on. */
    public void playedHere() {
        dataThread = Thread.currentThread();
    }

    /** Refuses a call of the program on another thread than the one that entered it. */
    public void checkThread() {
        if (Thread.currentThread() != dataThread) { // M29
            throw otherThread();
        }
    }

    /** Each later call of the program is refused, until that was left. */
    void endsWith(Throwable why) {
        gate.endsWith(why);
    }

    private MisuseException otherThread() {
        return new MisuseException("thread=" + Thread.currentThread() + " calls a job, window or request of "
            + dataThread + ": only the thread that entered the program may; let other threads compute, and call from "
            + "that one");
    }

    /** Handles what has come; throws {@link Unwind} when the view changed and was not entered yet. */
    public void drain() {
        checkThread();
        gate.hear(told.view, this::lost);
        receive();
        switch (state.now()) {
            case ENDED -> {
                giveUp();
                throw new FtrmaException(FtrmaException.Category.FATAL,
                    "the job has ended" + (endReason.isEmpty() ? "" : ": " + endReason));
            }
            case TOLD -> {
                giveUp();
                throw new Unwind("view " + told.view + " began");
            }
            case REFUSED -> {
                giveUp();
                throw new MisuseException(told.misuse);
            }
            default -> { } // the program may go on
        }
        gate.requireGoingOn();
    }

    /**
     * As {@link #drain}, if anything has come. Accesses look at the control plane by this method, as waits do: what no
     * look of the method has found yet a compiler takes for impossible, and what it compiled like that is lost when it
     * happens in the middle of the program's loop.
     *
     * @return whether anything had come
     * @throws MisuseException on another thread than the data thread
     */
    public boolean drainIfReady() {
        checkThread();
        boolean ready = control.ready() || isMoreToTell && gate.hasMoreToTell();
        if (ready) {
            drain();
        }
        return ready;
    }

    /** Handles what has come, and only that. */
    public void receive() {
        if (control.ready()) {
            for (byte[] frame = control.poll(); frame != null; frame = control.poll()) {
                try {
                    if (MessageCodec.decode(frame) instanceof ControlMessage.ToMember message) {
                        handle(message);
                    } else {
                        send(new ControlMessage.Note("dropped a frame of the wrong direction"));
                    }
                } catch (MessageCodec.MalformedException | Holes.MalformedException e) {
                    send(new ControlMessage.Note("dropped a malformed frame: " + e.getMessage()));
                }
            }
        }
    }

    private void handle(ControlMessage.ToMember message) {
        if (message instanceof ControlMessage.OfView ofView && ofView.view() != told.view) { // M1
            return; // stale
        }
        switch (message) { // of all kinds: the compiler refuses one that nobody handles
            case ControlMessage.Assign m -> assign(m);
            case ControlMessage.Rollback m -> rollBack(m);
            case ControlMessage.Lost m when gate.keeps(m) -> { } // heard of later
            case ControlMessage.Lost m -> lost(m);
            case ControlMessage.ChecksumLost m -> lost(m);
            case ControlMessage.PeerResumes m -> opened(m.member(), listener -> listener.resumed(m.member()));
            case ControlMessage.PeerLive m -> opened(m.member(), listener -> listener.opened(m.member()));
            case ControlMessage.AskDoing m -> { } // answered as it came
            case ControlMessage.AskWhere m -> send(new ControlMessage.Where(told.view, place));
            case ControlMessage.Exchanged m -> told.exchanges.told(m);
            case ControlMessage.CutGo m -> told.cuts.told(m);
            case ControlMessage.CutAbandon m -> {
                told.cuts.told(m);
                told.encodes.drop(one -> one instanceof ControlMessage.Encode encode && encode.step() == m.step());
            }
            case ControlMessage.CutWanted m -> told.cuts.told(m);
            case ControlMessage.CutAwait m -> told.cuts.told(m);
            case ControlMessage.LeftAlone m -> gate.told(m);
            case ControlMessage.OfAccess m -> listeners.forEach(listener -> listener.addressing(m));
            case ControlMessage.Resume m -> told.cuts.told(m);
            case ControlMessage.Encode m -> told.encodes.add(m);
            case ControlMessage.DemandEncode m -> told.encodes.add(m);
            case ControlMessage.DemandTake m -> told.demand = m;
            case ControlMessage.DemandAbandoned m -> abandoned(m);
            case ControlMessage.DemandCommitted m -> listeners.forEach(listener -> listener.demandCommitted(m));
            case ControlMessage.Committed m -> committed(m);
            case ControlMessage.Go m -> told.go = true;
            case ControlMessage.Misuse m -> misuse(m.text());
            case ControlMessage.Returned m -> told.returned = m;
            case ControlMessage.Answer m -> told.exchanges.told(m);
            case ControlMessage.Provision m -> provisions.told(m, listeners);
            case ControlMessage.RegionKey m -> listeners.forEach(listener -> listener.regionKey(m));
            case ControlMessage.OnDisk m -> onDisk = m;
            case ControlMessage.Flush m -> disk.flush(m);
            case ControlMessage.FlushCancel m -> disk.cancel(m);
            case ControlMessage.Watch m -> watched.add(m.step());
            case ControlMessage.Release m -> watched.remove(m.step());
            case ControlMessage.End m -> {
                endReason = m.reason();
                unlessEnded(ViewState.ENDED);
            }
        }
    }

    private void rollBack(ControlMessage.Rollback m) {
        rolledBack = true;
        newView(ViewAnnouncement.of(m));
    }

    private void lost(ControlMessage.Lost m) {
        told.returned = null;
        if (state.now().isInView()) {
            listeners.forEach(listener -> listener.lost(m.member(), m.recovery()));
            send(new ControlMessage.LostSeen(told.view, m.recovery()));
        } else {
            told.missing.set(m.member());
        }
    }

    private void lost(ControlMessage.ChecksumLost m) {
        gate.lost(m);
        told.missing.set(m.member());
        if (state.now().isInView()) {
            listeners.forEach(listener -> listener.checksumLost(m.member()));
        }
    }

    private void opened(int member, Consumer<MembershipListener> tell) {
        told.missing.clear(member);
        if (state.now().isInView()) {
            listeners.forEach(tell);
        }
    }

    private void committed(ControlMessage.Committed m) {
        told.committed(m);
        parityNanos = m.parityNanos();
        states.committed(m.generation());
        listeners.forEach(listener -> listener.committed(m.generation()));
    }

    private void abandoned(ControlMessage.DemandAbandoned m) {
        told.abandoned(m);
        listeners.forEach(listener -> listener.demandAbandoned(m));
    }

    private void assign(ControlMessage.Assign m) {
        assignment = m;
        Arrays.stream(m.watched()).forEach(watched::add);
        states.plays(m.member(), m.incarnation());
        newView(ViewAnnouncement.of(m));
    }

    private void newView(ViewAnnouncement newer) {
        if (newer.view < told.view) {
            return;
        }
        told = newer;
        states.told(told.view, told.timeline, told.generation, told.generationStep);
        unlessEnded(ViewState.TOLD);
    }

    private void unlessEnded(ViewState next) {
        if (!ended()) {
            state.become(next);
        }
    }

    /** Who has not entered the view yet finds it there. */
    private void misuse(String text) {
        told.misuse = text;
        if (state.mayBecome(ViewState.REFUSED)) {
            state.become(ViewState.REFUSED);
        }
    }

    /**
     * The member accesses others from now on.
     *
     * @param action ends the accesses under way (by renewing the fabric); run before anything is thrown through the
     *     program. A loss alone needs no such end where all accesses take effect at once
     */
    void playThrough(AccessGate newGate, Runnable action, BooleanSupplier isImmediate) {
        gate = newGate;
        accesses.endWith(action, isImmediate);
    }

    /**
     * To be called before an exception leaves for the program: on the way out it may free buffers, and no access under
     * way may still read or write them then.
     */
    public void giveUp() {
        accesses.end(); // M12
    }

    /** A peer was found lost, and the exception is about to leave for the program. */
    void lost(PeerLostException newLoss) {
        told.loss = newLoss;
        accesses.endIfAny();
    }

    /** The loss is not passed to the program: it will be recovered while this member waits. */
    public void forgetLoss() {
        told.loss = null;
    }

    /** The loss that makes the program leave, or null. */
    public PeerLostException loss() {
        return told.loss;
    }

    /** Whether a newer view waits to be entered: whatever the program throws now, that is why it leaves. */
    public boolean viewChanged() {
        return state.is(ViewState.TOLD);
    }

    /**
     * Accepts the newest view: from here on only a further change unwinds. Returns whether the accesses of the last one
     * were given up already.
     */
    boolean enterView() {
        boolean quiet = accesses.enterView();
        told.loss = null;
        unlessEnded(ViewState.ENTERED);
        if (told.misuse != null) {
            misuse(told.misuse);
        }
        return quiet;
    }

    /** This member has its state, and has said so. */
    void ready() {
        advance(ViewState.READY);
    }

    /** This member goes on. */
    void runs() {
        advance(ViewState.RUNNING);
    }

    /** Where the coordinator has said something else meanwhile that counts, and the next look at it ends this. */
    private void advance(ViewState next) {
        if (state.now().isInView() && !state.is(ViewState.REFUSED)) {
            state.become(next);
        }
    }

    /** The wait is one for the coordinator's word on something that went wrong; then this member is where it was. */
    void awaitingWord(Runnable wait) {
        state.during(ViewState.AWAITING_WORD, wait);
    }

    public void send(ControlMessage.ToCoordinator message) {
        control.send(MessageCodec.encode(message));
    }

    /** What is said of exchanges. */
    ExchangeMailbox exchanges() {
        return told.exchanges;
    }

    /** What is said of coordinated checkpoints. */
    public CutMailbox cuts() {
        return told.cuts;
    }

    /** What this checksum rank is to encode. */
    public EncodeQueue encodes() {
        return told.encodes;
    }

    public ControlMessage.Assign assignment() {
        return assignment;
    }

    public boolean ended() {
        return state.is(ViewState.ENDED);
    }

    public int view() {
        return told.view;
    }

    /** Where in the program this member waits for others next, if the coordinator asks. */
    public void place(String where) {
        place = where;
    }

    /** Whether a member was lost before this view, or in it before this process came: then all must be ready first. */
    public boolean followsLoss() {
        return rolledBack || assignment.incarnation() > 0 || told.view > 1 && onDisk == null;
    }

    public int timeline() {
        return told.timeline;
    }

    /** The newest generation known to be committed. */
    public long generation() {
        return told.generation;
    }

    /** The step of that generation. */
    public long generationStep() {
        return told.generationStep;
    }

    /** Processor time that the parity of that generation took from the ranks, as far as it is known. */
    public long parityNanos() {
        return parityNanos;
    }

    /** Where the member is with the newest view. */
    ViewState state() {
        return state.now();
    }

    boolean go() {
        return told.go;
    }

    /**
     * Above 0: this process joined a running view in place of a lost rank, and must replay; the number of that
     * recovery.
     */
    public int recovery() {
        return told.recovery;
    }

    /** When this process joined the running view: the tag of a rank's newest demand checkpoint, 0 if there is none. */
    public long latest(int rank) {
        return told.latest(rank);
    }

    /** As {@link #latest}: the tag of the parity that includes the newest images of a group. */
    public long latestParity(int ranks, int group) {
        return latest(ranks + group);
    }

    /**
     * Whether a member of the own group lacked its part of the committed generation when this process joined this view,
     * and has not come back as a recovered rank; or is a checksum rank that was lost since.
     */
    boolean isMissing(int member) {
        return told.missing.get(member);
    }

    /** The demand checkpoint that this rank is to take, or null. */
    public ControlMessage.DemandTake demand() {
        return told.demand;
    }

    /** It was taken. */
    public void forgetDemand() {
        told.demand = null;
    }

    /** One more that is told of other members' losses and returns, from inside {@link #receive}; after those before. */
    public void listen(MembershipListener listener) {
        listeners.add(listener);
    }

    /** Who writes images to disk when it is told to, from inside {@link #receive}. */
    public void writeWith(DiskOrders writer) {
        disk = writer;
    }

    /** Where images are that this job started from, or null. */
    public ControlMessage.OnDisk onDisk() {
        return onDisk;
    }

    /** What memory will be needed. */
    public Provisions provisions() {
        return provisions;
    }

    /**
     * The step after which a rank's program has returned, or -1: it may have returned just now, or may be played by
     * another process by now.
     */
    public long returnedAfter(int rank) {
        return told.returnedAfter(rank);
    }

    /** Whether that is so of any rank. */
    public boolean hasAnyReturned() {
        return told.returned != null;
    }

    public boolean watched(long step) {
        return watched.contains(step);
    }
}
