package org.ftrma.core.session;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.ftrma.core.control.Blob;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Clock;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.ImageStore;
import org.ftrma.spi.MemoryShare;
import org.ftrma.spi.RemoteMemory;

/**
 * Context of one member over all views of its job: each class takes from it, when it is made, what it uses. Its parts
 * are opened anew for every view. Data thread only.
 */
public final class Session {
    public final Fabric fabric;
    public final Clock clock;
    public final Inbox inbox;
    public final Waiter waiter;
    public final JobOptions options;
    public final int member;
    public final int ranks;
    /** Where images are kept beyond the life of the job. */
    public final ImageStore store;
    /** Who takes memory of the host that this process is on. */
    public final MemoryShare share;
    /** When this process was told its member. */
    public final long assignedNanos;
    /** How each member is reached. */
    public final PeerPaths paths;
    /** Ranks that are being recovered. */
    public final RecoveringRanks away;
    /** What of others' memory may be opened by the same key again. */
    public final OpenedPeers opened;
    public final PeerTable peers;
    public final ControlRegions controls;
    public final Exchanges exchanges;
    /** What becomes of accesses to a peer that is lost. */
    public final PeerFailureHandling survivor;
    /** What this member does for others wherever it waits for the coordinator. */
    public final IdleWork idle;
    /** What this member tells of what it does. */
    public final Activity activity;
    /** Where the program is, at a computing rank. */
    public final ProgramPhase phase;
    /** Who hears of the changes of this member's states. */
    public final StateListener states;
    private final AccessGate gate;
    private boolean isOpened;

    /** The context of a process that was assigned its member at that time. */
    public Session(Fabric fabric, Clock clock, Inbox inbox, JobOptions options, int member, ImageStore store,
        MemoryShare share, long assignedNanos) {
        this.fabric = fabric;
        this.clock = clock;
        this.inbox = inbox;
        this.options = options;
        this.member = member;
        this.ranks = options.ranks();
        this.store = store;
        this.share = share;
        this.assignedNanos = assignedNanos;
        this.states = inbox.states();
        this.phase = new ProgramPhase(member < ranks ? states : StateListener.NONE);
        this.waiter = new Waiter(clock, inbox, fabric, options);
        this.paths = new PeerPaths(fabric, ranks + options.checksums());
        this.away = new RecoveringRanks(inbox, member, ranks);
        this.opened = new OpenedPeers(inbox, ranks);
        this.gate = new AccessGate(waiter, inbox, fabric, options, away);
        this.peers = new PeerTable(fabric, inbox, waiter, gate, paths, away, opened, options, member);
        this.controls = new ControlRegions(fabric, peers, away, member, ranks);
        this.exchanges = new Exchanges(inbox, waiter, away, opened, member);
        this.survivor = new PeerFailureHandling(gate, fabric, inbox, waiter, peers, away, options);
        this.idle = new IdleWork(fabric, clock, waiter, paths);
        this.activity = new Activity(inbox.control, waiter, inbox.dataThread);
        fabric.waitWith(gate);
        inbox.playThrough(gate, fabric::renew, paths::areImmediate);
        inbox.control.answerWith(frame -> {
            byte[] answer = activity.answer(frame);
            return answer == null ? peers.addresses().answer(frame) : answer;
        });
        List.of(away, peers, controls).forEach(inbox::listen);
    }

    /**
     * Enters the newest view. When this returns, every other member has stopped what it did in earlier views: only then
     * may memory that survived be restored.
     */
    public void open() {
        boolean renewed = inbox.enterView();
        if (isOpened && !(renewed && paths.areImmediate())) {
            fabric.renew(); // if it was before, it may have let in others since
        }
        isOpened = true;
        exchanges.enterView();
        away.enterView();
        peers.enterView();
        gate.enterView();
        paths.enterView();
        byte[] key = controls.expose(); // M11
        peers.greet(exchanges.of(ControlMessage.Scope.ALL, Blob.pack(List.of(fabric.address(), key)))); // M10
        controls.closeRetired(); // M11
        survivor.connects();
    }

    /** As {@link Exchanges#of}. */
    public Contributions exchange(ControlMessage.Scope scope, byte[] blob) {
        return exchanges.of(scope, blob);
    }

    /** As {@link Exchanges#among}. */
    public Contributions exchangeAmong(int[] members, int scope, int sequence, byte[] blob) {
        return exchanges.among(members, scope, sequence, blob);
    }

    /** As {@link Exchanges#recordCall}. */
    public void did(String call) {
        exchanges.recordCall(call);
    }

    /** As {@link PeerTable#attach}. */
    public RemoteMemory attach(int peer, Supplier<byte[]> key) {
        return peers.attach(peer, key);
    }

    /** As {@link PeerTable#attachAll}. */
    public List<RemoteMemory> attachAll(int peer, Supplier<List<byte[]>> keys) {
        return peers.attachAll(peer, keys);
    }

    /** As {@link RecoveringRanks#losses}. */
    public int losses() {
        return away.losses();
    }

    /** As {@link RecoveringRanks#isMissing}. */
    public boolean isMissing(int peer) {
        return away.isMissing(peer);
    }

    /** As {@link IdleWork#isOften}. */
    public void besidesOften(BooleanSupplier work) {
        idle.isOften(work);
    }

    /** As {@link Waiter#fallBack}. */
    public RuntimeException fallBack(FallbackReason reason, String text) {
        return waiter.fallBack(reason, text);
    }
}
