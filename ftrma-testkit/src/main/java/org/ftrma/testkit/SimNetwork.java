package org.ftrma.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.ftrma.testkit.programs.SimRandom;

/**
 * All transfers of a simulation that are under way, and the fabrics they run between. Belongs to whoever holds the
 * scheduler's baton.
 */
final class SimNetwork implements SimScheduler.Source {
    private static final int HELD_BACK_PASSES = 30;

    private final SimScheduler scheduler;
    private final SimRandom random;
    private final SimTraits traits;
    private final SimMemory memory;
    private final boolean streams;
    private final List<SimTransfer> underWay = new ArrayList<>();
    /** Those that arrive nowhere until a muted fabric, or a host, is heard or goes on again. */
    private final List<SimTransfer> silenced = new ArrayList<>();
    private final List<SimFabric> muted = new ArrayList<>();
    private boolean asksForAddresses;
    private final List<SimFabric> fabrics = new ArrayList<>();
    private final List<SimRegion> regions = new ArrayList<>();
    private long accesses;
    private long accessBytes;
    /** Null where all run on one host. */
    private SimHosts hosts;

    SimNetwork(SimScheduler scheduler, SimRandom random, SimTraits traits, SimMemory memory) {
        this(scheduler, random, traits, memory, false);
    }

    /** {@code streams}: see {@link #streams()}. */
    SimNetwork(SimScheduler scheduler, SimRandom random, SimTraits traits, SimMemory memory, boolean streams) {
        this.streams = streams;
        this.scheduler = scheduler;
        this.random = random;
        this.traits = traits;
        this.memory = memory;
        scheduler.add(this);
    }

    /** Who reaches whom, and how, follows from where they run. */
    void on(SimHosts theHosts) {
        hosts = theHosts;
        hosts.onRoutes(this::reroute);
    }

    private void reroute() {
        move(underWay, silenced, true);
        move(silenced, underWay, false);
    }

    /** A host that stands still answers nobody; what it has sent is on its way, or will be. */
    private boolean isStuck(SimTransfer transfer) {
        SimProcess source = transfer.connection.source.process();
        SimProcess target = transfer.connection.target.process();
        boolean needsAnswer = transfer.kind == SimTransfer.Kind.GET || transfer.landed;
        return !transfer.landed && (!hosts.reaches(source, target) || hosts.standsStill(target))
            || needsAnswer && !transfer.orphan && !hosts.reaches(target, source)
            || hosts.standsStill(source) && !transfer.orphan && transfer.heldBack;
    }

    /** Whether a new connection takes effect at once. */
    boolean connectsAtOnce(SimProcess source, SimProcess target) {
        if (hosts != null) {
            return hosts.areTogether(source, target);
        }
        // what is mapped cannot be cut off
        return traits.isImmediate() || !asksForAddresses && random.chance(traits.immediate());
    }

    /** Whether a process has the memory of another one mapped, or would have it: nothing keeps it out then. */
    boolean isMapped(SimFabric source, SimFabric owner) {
        return hosts == null ? owner.isImmediate(source.member())
            : hosts.areTogether(source.process(), owner.process());
    }

    /** Whether one peer can be cut off alone. */
    boolean revokes() {
        return hosts != null || !traits.isImmediate();
    }

    /** Whether accesses to a peer take effect at once; the connection is null where there is none yet. */
    boolean isImmediate(SimFabric fabric, int peer, SimConnection connection) {
        return hosts == null ? traits.isImmediate()
            : peer == fabric.member() || connection != null && connection.immediate;
    }

    SimRandom random() {
        return random;
    }

    SimTraits traits() {
        return traits;
    }

    /** Whether large pieces of data are said to go past the caches. */
    boolean streams() {
        return streams;
    }

    /** From now on each member has an address of its own for every other, which is to be asked for. */
    SimNetwork askForAddresses() {
        asksForAddresses = true;
        return this;
    }

    boolean asksForAddresses() {
        return asksForAddresses;
    }

    SimScheduler scheduler() {
        return scheduler;
    }

    /** A fabric for a process. */
    SimFabric open(SimProcess process, int member) {
        SimFabric fabric = new SimFabric(this, process, member, fabrics.size());
        fabrics.add(fabric);
        return fabric;
    }

    SimFabric fabric(int id) {
        return id >= 0 && id < fabrics.size() ? fabrics.get(id) : null;
    }

    /** That of a member's newest process. */
    SimFabric fabricOf(int member) {
        return fabrics.stream().filter(fabric -> fabric.member() == member).reduce((older, newer) -> newer)
            .orElseThrow();
    }

    SimRegion region(int id) {
        return id >= 0 && id < regions.size() ? regions.get(id) : null;
    }

    /** An access of another member begins. */
    void count(long bytes) {
        accesses++;
        accessBytes += bytes;
    }

    long accesses() {
        return accesses;
    }

    long accessBytes() {
        return accessBytes;
    }

    /** Of the fabric with the most. */
    long mostExposedBytes() {
        return fabrics.stream().mapToLong(fabric -> fabric.exposedBytes).max().orElse(0);
    }

    int prefaults() {
        return fabrics.stream().mapToInt(fabric -> fabric.prefaults).sum();
    }

    SimRegion expose(SimFabric owner, long bytes) {
        owner.exposedBytes += bytes;
        SimRegion region = new SimRegion(regions.size(), owner.id, memory.allocate(bytes), owner::closeRegion);
        regions.add(region);
        return region;
    }

    void unmap(SimRegion region) {
        if (!region.closed) {
            region.closed = true;
            memory.spoil(region.memory);
        }
    }

    /** A new transfer: takes effect at once or later. */
    void issue(SimTransfer transfer) {
        SimConnection connection = transfer.connection;
        connection.pending++;
        connection.pendingResults += transfer.kind == SimTransfer.Kind.PUT ? 0 : 1;
        connection.pendingSignals += transfer.isSignal ? 1 : 0;
        if (connection.immediate) {
            arrive(transfer);
            return;
        }
        if (transfer.kind == SimTransfer.Kind.PUT && !random.chance(traits.lateSource())) {
            transfer.capture();
        }
        if (transfer.kind == SimTransfer.Kind.GET && !connection.targetGone() && random.chance(traits.lateAck())) {
            transfer.read();
        }
        transfer.heldBack = random.chance(traits.holdBack());
        goOn(transfer);
    }

    private void goOn(SimTransfer transfer) {
        (isSilenced(transfer) ? silenced : underWay).add(transfer);
    }

    private boolean isSilenced(SimTransfer transfer) {
        return hosts != null && isStuck(transfer) || !muted.isEmpty() && !transfer.connection.immediate
            && (muted.contains(transfer.connection.source) || muted.contains(transfer.connection.target));
    }

    /**
     * Nothing that is not immediate reaches this fabric or comes from it until {@link #unmute}: its host, or the link
     * to it, is silent. What is under way stays so, also when its process dies.
     */
    void mute(SimFabric fabric) {
        muted.add(fabric);
        move(underWay, silenced, true);
    }

    /** What is still under way goes on. */
    void unmute(SimFabric fabric) {
        muted.remove(fabric);
        move(silenced, underWay, false);
    }

    private void move(List<SimTransfer> from, List<SimTransfer> to, boolean silent) {
        for (SimTransfer transfer : List.copyOf(from)) {
            if (isSilenced(transfer) == silent) {
                from.remove(transfer);
                to.add(transfer);
            }
        }
    }

    @Override
    public int pending() {
        return underWay.size();
    }

    @Override
    public int weight() {
        return traits.networkWeight();
    }

    @Override
    public void fire() {
        int index = random.below(underWay.size());
        SimTransfer transfer = underWay.get(index);
        if (transfer.heldBack && !transfer.connection.awaited && !random.chance(HELD_BACK_PASSES)) {
            return;
        }
        SimTransfer last = underWay.removeLast();
        if (last != transfer) {
            underWay.set(index, last);
        }
        if (transfer.landed) {
            complete(transfer);
        } else {
            arrive(transfer);
        }
    }

    private void arrive(SimTransfer transfer) {
        SimConnection connection = transfer.connection;
        if (connection.targetGone() || connection.isRefused()) {
            arriveNowhere(transfer);
            return;
        }
        if (transfer.region.closed) {
            scheduler.violation("access to memory that its owner has closed: " + transfer);
            complete(transfer);
            return;
        }
        try {
            transfer.land();
        } catch (IllegalStateException | IndexOutOfBoundsException e) {
            scheduler.violation(e.getMessage() + ": " + transfer);
        }
        if (transfer.kind != SimTransfer.Kind.GET) {
            if (connection.target != connection.source) {
                connection.target.process().changes++;
            }
            scheduler.landed();
        }
        if (!connection.immediate && !transfer.orphan && random.chance(traits.lateAck())) {
            transfer.landed = true;
            goOn(transfer);
        } else {
            complete(transfer);
        }
    }

    /**
     * The peer is dead, has renewed its connections, or has cut off this one's: mapped memory takes the access
     * silently; else it is lost, or hangs.
     */
    private void arriveNowhere(SimTransfer transfer) {
        SimConnection connection = transfer.connection;
        if (transfer.orphan) {
            return;
        }
        if (!connection.immediate && random.chance(traits.stuckPeer())) {
            // Stays pending until the source renews: a network that has not noticed yet.
            return;
        }
        boolean answers = transfer.kind != SimTransfer.Kind.PUT;
        boolean cutOff = connection.target.hasCutOff(connection.source);
        boolean mayDrop = answers || !connection.targetGone() || !isMappedElsewhere(connection.target);
        if (cutOff && answers || !connection.immediate
            && (random.chance(traits.lostPeer()) || connection.isDeaf() && answers || !mayDrop)) {
            connection.lost = true;
            transfer.access.lost = true;
            connection.source.process().changes++;
            return;
        }
        boolean orphaned = connection.immediate && connection.targetGone() && !cutOff;
        if ((answers || orphaned) && !transfer.region.closed) {
            try {
                // Memory of a dead process that is mapped here can still be read, and written: all who have it mapped
                // see the same.
                transfer.land();
            } catch (IllegalStateException | IndexOutOfBoundsException e) {
                scheduler.violation(e.getMessage() + ": " + transfer);
            }
        } else {
            capture(transfer);
            connection.drops();
        }
        complete(transfer);
    }

    /** Whether somebody can read the memory of a dead process, whatever is dropped. */
    private boolean isMappedElsewhere(SimFabric dead) {
        return fabrics.stream().anyMatch(fabric -> fabric.hasMapped(dead));
    }

    private void complete(SimTransfer transfer) {
        if (transfer.orphan) {
            return;
        }
        SimConnection connection = transfer.connection;
        connection.pending--;
        connection.pendingSignals -= transfer.isSignal ? 1 : 0;
        transfer.access.pieces--;
        if (transfer.kind != SimTransfer.Kind.PUT) {
            connection.pendingResults--;
            transfer.access.openPieces--;
        }
        if (!connection.immediate) {
            // What is complete at once is no news to a wait that begins later: a loop that polls must be able to come
            // to rest.
            connection.source.process().changes++;
        }
    }

    /** Sources of puts of this connection are read now. */
    void captureAll(SimConnection connection) {
        captureAll(connection, underWay);
        captureAll(connection, silenced);
    }

    private void captureAll(SimConnection connection, List<SimTransfer> transfers) {
        for (SimTransfer transfer : transfers) {
            if (transfer.connection == connection && transfer.kind == SimTransfer.Kind.PUT) {
                capture(transfer);
            }
        }
    }

    void captureOne(SimTransfer.Access access) {
        captureOne(access, underWay);
        captureOne(access, silenced);
    }

    private void captureOne(SimTransfer.Access access, List<SimTransfer> transfers) {
        for (SimTransfer transfer : transfers) {
            if (transfer.access == access && transfer.kind == SimTransfer.Kind.PUT) {
                capture(transfer);
            }
        }
    }

    private void capture(SimTransfer transfer) {
        try {
            transfer.capture();
        } catch (IllegalStateException | IndexOutOfBoundsException e) {
            scheduler.violation(e.getMessage() + ": " + transfer);
        }
    }

    /**
     * The fabric renews or closes: what others have under way to it is cut off; what it has under way itself is given
     * up.
     */
    void cutOff(SimFabric fabric) {
        giveUpAll(underWay, transfer -> transfer.connection.source == fabric, false);
        giveUpAll(silenced, transfer -> transfer.connection.source == fabric, false);
        // Transfers of others to here meet a new epoch when they arrive.
    }

    /**
     * The fabric cuts off a peer: what it has under way there is given up, and lost for who waits for it. What the peer
     * has under way meets a closed door when it arrives.
     */
    void cutOff(SimConnection connection) {
        giveUpAll(underWay, transfer -> transfer.connection == connection && !transfer.orphan, true);
        giveUpAll(silenced, transfer -> transfer.connection == connection && !transfer.orphan, true);
    }

    private void giveUpAll(List<SimTransfer> transfers, Predicate<SimTransfer> given, boolean lost) {
        for (int i = transfers.size() - 1; i >= 0; i--) {
            SimTransfer transfer = transfers.get(i);
            if (given.test(transfer)) {
                transfer.access.lost |= lost;
                if (!giveUp(transfer)) {
                    transfers.remove(i);
                }
            }
        }
    }

    /** The source is gone; returns whether the transfer may still land. */
    private boolean giveUp(SimTransfer transfer) {
        if (transfer.landed || transfer.kind == SimTransfer.Kind.GET || transfer.sourceFreed()
            || !random.chance(traits.landAfterDeath())) {
            return false;
        }
        if (transfer.kind == SimTransfer.Kind.PUT) {
            capture(transfer);
        }
        transfer.orphan = true;
        return transfer.kind != SimTransfer.Kind.PUT || transfer.wire != null;
    }

    /** A process died: what it had under way lands late or never. */
    void died(SimProcess process) {
        for (SimFabric fabric : fabrics) {
            if (fabric.process() == process) {
                cutOff(fabric);
            }
        }
    }

    @Override
    public String toString() {
        return "transfers under way: " + underWay + (silenced.isEmpty() ? "" : ", silenced: " + silenced);
    }
}
