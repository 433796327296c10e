package org.ftrma.core.session;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.ftrma.FtrmaException;
import org.ftrma.PeerLostException;
import org.ftrma.core.control.Blob;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.RemoteMemory;

/**
 * The members that this one is connected to in the present view: connects to them, and opens their memory. Data thread
 * only.
 */
public final class PeerTable implements MembershipListener {
    private final Fabric fabric;
    private final Inbox inbox;
    private final Waiter waiter;
    private final AccessGate gate;
    private final PeerPaths paths;
    private final RecoveringRanks away;
    private final OpenedPeers opened;
    private final PeerAddresses addresses;
    private final boolean recoversLocally;
    private final int ranks;
    private final int member;
    /** By member: the address and control key of those that this one is connected to; null: not connected. */
    private final byte[][] greeted;
    private Contributions greetings;

    PeerTable(Fabric fabric, Inbox inbox, Waiter waiter, AccessGate gate, PeerPaths paths, RecoveringRanks away,
        OpenedPeers opened, JobOptions options, int member) {
        this.fabric = fabric;
        this.inbox = inbox;
        this.waiter = waiter;
        this.gate = gate;
        this.paths = paths;
        this.away = away;
        this.opened = opened;
        this.recoversLocally = options.protocol().recoversLocally();
        this.ranks = options.ranks();
        this.member = member;
        this.greeted = new byte[ranks + options.checksums()][];
        this.addresses = new PeerAddresses(fabric, inbox, waiter, gate, away, greeted.length);
    }

    /** A new view: nobody is connected. */
    void enterView() {
        Arrays.fill(greeted, null);
        opened.enterView();
        addresses.enterView();
    }

    /** What all members gave for others to connect to them: their addresses, and keys of their control regions. */
    void greet(Contributions given) {
        greetings = given;
    }

    PeerAddresses addresses() {
        return addresses;
    }

    @Override
    public void lost(int peer, int recovery) {
        opened.lost(peer);
        checksumLost(peer);
    }

    @Override
    public void opened(int peer) {
        if (peer >= ranks) {
            checksumLost(peer); // the one before it may have been connected to after that was told
        }
    }

    /** Whoever comes in its place makes its parity anew, and nobody else needs that. */
    @Override
    public void checksumLost(int peer) {
        greeted[peer] = null;
        addresses.lost(peer);
    }

    @Override
    public void addressing(ControlMessage.OfAccess m) {
        addresses.told(m);
    }

    /** Whether this member runs on when a peer is lost. */
    private boolean runsOn() {
        return recoversLocally && paths.canLeaveOneAlone();
    }

    /**
     * Whether what failed is to be tried again without those that were lost: waits for the coordinator's word on a lost
     * peer; throws Unwind if all go back.
     *
     * @param known how many losses were known when it began
     */
    public boolean goesOnAfter(FtrmaException failure, int known) {
        if (!(failure instanceof PeerLostException) || !runsOn()) {
            return away.losses() != known;
        }
        inbox.forgetLoss();
        waiter.awaitWord(failure, () -> away.losses() != known);
        return true;
    }

    /** A rank was lost in an access of this member, which replays: from now on it is away, or all go back. */
    public void requireAway(PeerLostException loss) {
        if (!gate.isOpen()) {
            throw loss;
        }
        inbox.drain();
        if (!away.has(loss.peer())) {
            throw loss;
        }
    }

    void awaitReturn(int peer) {
        away.waitsFor(peer);
        waiter.await("the recovery", peer, 0, Long.MAX_VALUE, () -> !away.has(peer));
    }

    /** Opens a peer's region by its key. */
    public RemoteMemory attach(int peer, Supplier<byte[]> key) {
        return attachAll(peer, () -> List.of(key.get())).getFirst();
    }

    /** As {@link #attach}; where ranks may be given up the same memory is there when it is asked for again. */
    public RemoteMemory attachAgain(int peer, Supplier<byte[]> key) {
        byte[][] last = new byte[1][];
        RemoteMemory memory = attach(peer, () -> last[0] = key.get());
        if (recoversLocally && opened.find(peer, last[0]) == null) {
            opened.keep(peer, last[0], memory);
        }
        return memory;
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
            int known = away.losses();
            try {
                if (connect(peer)) {
                    List<byte[]> answer = keys.get();
                    if (wasThere && peer >= ranks && inbox.isMissing(peer)) {
                        throw new PeerLostException(peer, "peer=" + peer + " was lost when its keys were asked for");
                    }
                    // M18
                    if (away.losses() == known) {
                        return answer.stream().map(key -> region(peer, key)).toList();
                    }
                }
            } catch (PeerLostException e) {
                if (!runsOn()) {
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
        RemoteMemory known = opened.find(peer, key);
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
        opened.keep(peer, key, memory);
        return memory;
    }

    /** Whether the peer is connected; else a loss was heard of when its address was asked for. */
    boolean connect(int peer) {
        if (greeted[peer] == null) {
            int known = away.losses();
            byte[] greeting = greetings.of(peer);
            if (away.losses() != known) {
                return false;
            }
            byte[] address = addresses.of(peer, Blob.unpack(greeting, 2).get(0));
            if (address == null || away.losses() != known) {
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
        inbox.awaitingWord(() -> waiter.await("the coordinator's word on the loss", peer, 0, waiter.deadlineFromNow(),
            () -> away.losses() != known));
    }

    /** The key of the control region of a rank that is connected. */
    byte[] controlKey(int rank) {
        return Blob.unpack(greeted[rank], 2).get(1);
    }

    /**
     * Asks for what all ranks gave, at once. While a rank is away, or when one was lost since, what that contributed is
     * not known: then each would be asked for alone.
     */
    void fetchGreetings() {
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

    void forgetGreetings() {
        greetings.forget();
    }
}
