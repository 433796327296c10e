package org.ftrma.core.session;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.ftrma.FtrmaException;
import org.ftrma.PeerLostException;
import org.ftrma.core.control.Blob;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Clock;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.ImageStore;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.MemoryShare;
import org.ftrma.spi.RemoteMemory;

/**
 * One member in the present view: its connections, its exchanges with the others, its control region. Re-opened for
 * every view. Data thread only.
 */
public final class Session implements MembershipListener {
    private static final int SOON_TURNS = 64;
    private static final long SHORTEST_PAUSE_NANOS = 1000;
    private static final int LONGEST_PAUSE_SHIFT = 9;
    private static final int MAX_DONE = 50_000;
    public final Fabric fabric;
    public final Clock clock;
    public final Inbox inbox;
    public final Waiter waiter;
    public final JobOptions options;
    /** How each member is reached. */
    public final PeerPaths paths;
    /** What becomes of accesses to a peer that is lost. */
    public final Survivor survivor;
    /** What this member tells of what it does. */
    public final Activity activity;
    public final int member;
    public final int ranks;
    /** Where the program is, at a computing rank. */
    public final ProgramPhase phase;
    /** Who hears of the changes of this member's states. */
    public final StateListener states;
    /** Where images are kept beyond the life of the job. */
    public ImageStore store = ImageStore.NONE;
    /** Who takes memory of the host that this process is on. */
    public MemoryShare share = MemoryShare.ALL;
    /** When this process was told its member. */
    public long assignedNanos;
    private final Exchanges exchanges = new Exchanges(this);
    /** By member: the address and control key of those that this one is connected to; null: not connected. */
    private final byte[][] greeted;
    final AccessGate gate;
    private final Addresses addresses;
    private final RemoteMemory[] controls;
    private Contributions greetings;
    /** Whether {@link #meetAll} was called in this view. */
    private boolean metAll;
    private MemoryRegion control;
    /** Control regions of earlier views, kept until nobody can write into them. */
    private final List<MemoryRegion> retired = new ArrayList<>();
    /** What of others' memory may be opened by the same key again. */
    public final OpenedPeers peers = new OpenedPeers(this);
    /** Ranks that are being recovered. */
    public final AwayRanks away;
    private final OtherWork besides = new OtherWork();
    private int losses;
    private boolean opened;
    /**
     * What the program has done that all ranks must do alike, a line each, and was not told yet; of what is too much,
     * the number and a digest.
     */
    private final StringBuilder done = new StringBuilder();
    private int more;
    private int digest;

    public Session(Fabric fabric, Clock clock, Inbox inbox, Waiter waiter, JobOptions options, int member) {
        this.fabric = fabric;
        this.clock = clock;
        this.inbox = inbox;
        this.waiter = waiter;
        this.options = options;
        this.member = member;
        this.ranks = options.ranks();
        this.states = inbox.states();
        this.phase = new ProgramPhase(isComputing() ? states : StateListener.NONE);
        this.greeted = new byte[ranks + options.checksums()][];
        this.controls = new RemoteMemory[ranks];
        this.away = new AwayRanks(this);
        gate = new AccessGate(waiter, inbox, fabric, options, this::isMissing);
        fabric.waitWith(gate);
        this.paths = new PeerPaths(fabric, ranks + options.checksums());
        inbox.beforeLeaving(fabric::renew, paths::areImmediate);
        inbox.gate = gate;
        this.addresses = new Addresses(this, ranks + options.checksums());
        gate.addresses = addresses;
        activity = new Activity(inbox.control, waiter, inbox.dataThread);
        inbox.control.answerWith(frame -> {
            byte[] answer = activity.answer(frame);
            return answer == null ? addresses.answer(frame) : answer;
        });
        this.survivor = new Survivor(this, gate);
        inbox.listen(this);
    }

    @Override
    public void lost(int peer, int recovery) {
        away.lost(peer);
        losses++;
        greeted[peer] = null;
        addresses.lost(peer);
        peers.lost(peer);
        if (peer < ranks) {
            controls[peer] = null;
        }
    }

    @Override
    public void resumed(int peer) {
        away.resumes(peer);
    }

    @Override
    public void opened(int peer) {
        if (peer >= ranks) {
            checksumLost(peer); // the one before it may have been connected to after that was told
        }
        away.back(peer);
    }

    /** Whoever comes in its place makes its parity anew, and nobody else needs that. */
    @Override
    public void checksumLost(int peer) {
        losses++;
        greeted[peer] = null;
        addresses.lost(peer);
    }

    /** Whether a member cannot be read in this view, or could not when this process joined it. */
    public boolean isMissing(int peer) {
        return away.has(peer) || inbox.isMissing(peer);
    }

    /**
     * Whether what failed is to be tried again without those that were lost: waits for the coordinator's word on a lost
     * peer; throws Unwind if all go back.
     *
     * @param known how many losses were known when it began
     */
    public boolean goesOnAfter(FtrmaException failure, int known) {
        if (!(failure instanceof PeerLostException) || !options.protocol().recoversLocally()
            || !paths.canLeaveOneAlone()) {
            return losses != known;
        }
        inbox.forgetLoss();
        awaitWord(failure, () -> losses != known);
        return true;
    }

    /** How many members were lost in this view so far while the others ran on. */
    public int losses() {
        return losses;
    }

    /** Whether a rank is being recovered: deadlines do not run meanwhile. */
    public boolean someoneAway() {
        return away.isAny();
    }

    void awaitReturn(int peer) {
        away.waitsFor(peer);
        int turn = 0;
        while (away.has(peer)) {
            fabric.progress();
            waiter.outerTurn("the recovery", peer, turn++, Long.MAX_VALUE);
        }
    }

    boolean isComputing() {
        return member < ranks;
    }

    /**
     * Enters the newest view. When this returns, every other member has stopped what it did in earlier views: only then
     * may memory that survived be restored. The control region is a new one, since a slow member may still write into
     * the old one until then.
     */
    public void open() {
        boolean renewed = inbox.enterView();
        if (opened && !(renewed && paths.areImmediate())) {
            fabric.renew(); // if it was before, it may have let in others since
        }
        opened = true;
        exchanges.enterView();
        takeDone();
        Arrays.fill(greeted, null);
        Arrays.fill(controls, null);
        away.enterView();
        peers.enterView();
        addresses.enterView();
        gate.enterView();
        paths.enterView();
        metAll = false;
        if (control != null) {
            retired.add(control);
        }
        control = isComputing() ? fabric.expose(ControlDescriptor.BYTES) : null;
        byte[] key = control == null ? new byte[0] : control.key();
        greetings = exchange(ControlMessage.Scope.ALL, Blob.pack(List.of(fabric.address(), key)));
        retired.forEach(MemoryRegion::close);
        retired.clear();
        survivor.connects();
    }

    /**
     * The program has done what all ranks must do alike, in the same order: the coordinator compares it, with the next
     * exchange at the latest.
     */
    public void did(String what) {
        if (done.length() + what.length() > MAX_DONE) {
            more++;
            digest = 31 * digest + what.hashCode();
        } else {
            done.append(what.replace('\n', ' ')).append('\n');
        }
    }

    private String takeDone() {
        String told = more == 0 ? done.toString() : done + "" + more + " more, of digest " + Integer.toHexString(digest)
            + "\n";
        done.setLength(0);
        more = 0;
        digest = 0;
        return told;
    }

    public MemorySegment controlMemory() {
        return control.segment();
    }

    /**
     * All members in scope contribute a blob; when this returns, all have, and each can ask for that of any other.
     * Called in the same order by all.
     */
    public Contributions exchange(ControlMessage.Scope scope, byte[] blob) {
        return exchange(scope, blob, () -> false);
    }

    /** As above; while it waits, calls {@code meanwhile} as long as that is true. */
    public Contributions exchange(ControlMessage.Scope scope, byte[] blob, BooleanSupplier meanwhile) {
        return exchanges.of(scope, blob, takeDone(), meanwhile);
    }

    /**
     * The same among some ranks, which ask for each other by their places.
     *
     * @param scope with the sequence, what tells it apart from other exchanges of the view; from
     *     {@link ControlMessage.Scope#AMONG} on
     */
    public Contributions exchangeAmong(int[] members, int scope, int sequence, byte[] blob) {
        return exchanges.among(members, scope, sequence, blob, takeDone());
    }

    /** Opens a peer's region by its key. */
    public RemoteMemory attach(int peer, Supplier<byte[]> key) {
        return attachAll(peer, () -> List.of(key.get())).getFirst();
    }

    /**
     * Opens regions of a peer by their keys. The keys are asked for when the peer is there, since a process that
     * replaces it has others; and again when a loss was heard of meanwhile: they may be those of a lost process.
     *
     * @throws PeerLostException if a checksum rank is lost meanwhile: who takes its place may have no keys yet
     */
    public List<RemoteMemory> attachAll(int peer, Supplier<List<byte[]>> keys) {
        boolean wasThere = !inbox.isMissing(peer);
        while (true) {
            awaitReturn(peer);
            int known = losses;
            try {
                if (connect(peer)) {
                    List<byte[]> answer = keys.get();
                    if (wasThere && peer >= ranks && inbox.isMissing(peer)) {
                        throw new PeerLostException(peer, "peer=" + peer + " was lost when its keys were asked for");
                    }
                    if (losses == known) {
                        return answer.stream().map(key -> region(peer, key)).toList();
                    }
                }
            } catch (PeerLostException e) {
                if (!options.protocol().recoversLocally() || !paths.canLeaveOneAlone()) {
                    throw e;
                }
                inbox.forgetLoss();
                if (peer >= ranks && inbox.isMissing(peer)) {
                    throw e;
                }
                awaitLoss(peer, known);
            }
        }
    }

    private RemoteMemory region(int peer, byte[] key) {
        RemoteMemory known = peers.find(peer, key);
        return known != null ? known : fabric.attach(peer, key);
    }

    /**
     * Opens a region of a peer that will be asked for by the same key in this view; null if a loss was heard of
     * meanwhile.
     *
     * @throws PeerLostException if the peer is lost
     */
    public RemoteMemory attachAhead(int peer, byte[] key) {
        if (!connect(peer)) {
            return null;
        }
        RemoteMemory memory = fabric.attach(peer, key);
        peers.keep(peer, key, memory);
        return memory;
    }

    /** Whether the peer is connected; else a loss was heard of when its address was asked for. */
    boolean connect(int peer) {
        if (greeted[peer] == null) {
            int known = losses;
            byte[] greeting = greetings.of(peer);
            if (losses != known) {
                return false;
            }
            byte[] address = addresses.of(peer, Blob.unpack(greeting, 2).get(0));
            if (address == null || losses != known) {
                return false;
            }
            fabric.connect(peer, address);
            gate.connected(peer);
            greeted[peer] = greeting;
        }
        return true;
    }

    /** A peer's memory is gone: the coordinator will say that it is recovered, or that all go back. */
    private void awaitLoss(int peer, int known) {
        inbox.awaitingWord(() -> {
            int turn = 0;
            long deadline = waiter.deadlineFromNow();
            while (losses == known) {
                fabric.progress();
                waiter.outerTurn("the coordinator's word on the loss", peer, turn++, deadline);
            }
        });
    }

    /** A computing rank's control region. */
    public RemoteMemory control(int rank) {
        RemoteMemory memory = controls[rank];
        if (memory == null) {
            memory = attach(rank, () -> Blob.unpack(greeted[rank], 2).get(1));
            controls[rank] = memory;
        }
        return memory;
    }

    /**
     * The control regions of all computing ranks are about to be accessed: opens them, for which their addresses and
     * keys come together. Who replays leaves out those that are away.
     */
    public void meetAll() {
        if (!metAll) {
            metAll = true;
            for (int rank = 0; rank < ranks; rank++) {
                if (rank != member && !(away.isReplaying() && away.has(rank))) {
                    fetchGreetings();
                    control(rank);
                }
            }
            greetings.forget();
        }
    }

    /**
     * While a rank is away, or when one was lost since, what that contributed is not known: then each would be asked
     * for alone.
     */
    private void fetchGreetings() {
        while (!greetings.areFetched()) {
            for (int peer = away.next(0); peer >= 0 && !away.isReplaying(); peer = away.next(0)) {
                awaitReturn(peer);
            }
            greetings.fetch(ranks);
        }
        for (int peer = 0; peer < ranks; peer++) {
            if (greeted[peer] == null && peer != member && !away.has(peer)) {
                addresses.ask(peer, Blob.unpack(greetings.of(peer), 2).get(0));
            }
        }
    }

    private void sayReady() {
        inbox.send(new ControlMessage.Restored(inbox.view(), takeDone()));
        inbox.ready();
    }

    /** Tells the coordinator that this member is ready to run, and waits for nobody. */
    public void goAtOnce() {
        sayReady();
        inbox.runs();
    }

    /**
     * Tells the coordinator that this member is ready to run, and waits, without a deadline of its own (the coordinator
     * has one), until that says that all run.
     */
    public void awaitGo() {
        sayReady();
        waiter.timeoutNanos(Long.MAX_VALUE);
        waiter.beginAsleep("the start of the view");
        while (!inbox.go()) {
            fabric.progress();
            waiter.turn();
        }
        waiter.timeoutNanos(options.deadlineNanos());
        inbox.runs();
    }

    /** What this member does for others wherever it waits for the coordinator; it says whether there is more to do. */
    public void besides(BooleanSupplier work) {
        besides.is(work, false);
    }

    /** The same, of a member that others wait for while no control frame tells of it: it looks often. */
    public void besidesOften(BooleanSupplier work) {
        besides.is(work, true);
    }

    /** To be called in each turn of a wait for the coordinator. */
    public void progress() {
        fabric.progress();
        if (besides.run()) {
            waiter.stayAwake();
        }
    }

    /**
     * One turn of a member that is only there for others: where the fabric needs no help with their accesses, nothing
     * but a control frame wakes it.
     */
    public void serveOrSleep() {
        clock.relax(besides.pause(fabric.progress() > 0 || besides.run(), paths.areImmediate()));
    }

    /**
     * Lets time pass before a peer's memory is looked at again, the longer the more often it was: who waits for it to
     * change may wait until a rank that hangs is found out.
     */
    public void backOff(String what, int peer, int turn, long deadline) {
        long until = turn < SOON_TURNS ? 0 : clock.nanoTime()
            + (SHORTEST_PAUSE_NANOS << Math.min(turn - SOON_TURNS, LONGEST_PAUSE_SHIFT));
        int round = turn;
        do {
            fabric.progress();
            waiter.outerTurn(what, peer, round++, deadline);
        } while (until != 0 && clock.nanoTime() < until);
    }

    /** Waits for the view to change after a peer was found lost; throws Unwind when it does. Never returns. */
    public RuntimeException awaitNewView(FtrmaException why) {
        awaitWord(why, () -> false);
        return why;
    }

    /** Replay is impossible: tells the coordinator so, and waits for the view in which all go back. Never returns. */
    public RuntimeException fallBack(FallbackReason reason, String text) {
        inbox.send(new ControlMessage.Fallback(inbox.view(), reason.name(), text));
        throw awaitNewView(new FtrmaException(FtrmaException.Category.FATAL, reason.meaning() + ": " + text));
    }

    /**
     * Waits until the coordinator's word on something that went wrong has come; throws Unwind when the view changes.
     */
    public void awaitWord(FtrmaException why, BooleanSupplier hasCome) {
        inbox.awaitingWord(() -> {
            waiter.timeoutNanos(options.deadlineNanos());
            waiter.beginAsleep("the coordinator's word on: " + why.getMessage());
            while (!hasCome.getAsBoolean()) {
                fabric.progress();
                inbox.drain();
                waiter.turn();
            }
        });
    }
}
