package org.ftrma.messaging.protocol;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.Session;
import org.ftrma.core.session.Waiter;
import org.ftrma.messaging.collective.CollectiveCounts;
import org.ftrma.messaging.match.Contexts;
import org.ftrma.messaging.match.UnexpectedStore;
import org.ftrma.messaging.receive.MessageDeterminants;
import org.ftrma.messaging.receive.PieceMemory;
import org.ftrma.messaging.receive.ReceiveSequence;
import org.ftrma.messaging.receive.Receiver;
import org.ftrma.messaging.send.PeerMemories;
import org.ftrma.messaging.send.ReleaseGate;
import org.ftrma.messaging.transport.FrameDescriptor;
import org.ftrma.messaging.transport.InLane;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Clock;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.MemoryRegion;

/**
 * Memory and parts of a rank that a protocol builds on, whichever it is. All of it stays for the whole job. Data thread
 * only.
 */
public final class MessagingContext {
    private final Session session;
    private final Arena arena;
    private final LongSupplier step;
    private final Inbox inbox;
    private final Fabric fabric;
    private final Waiter waiter;
    private final Clock clock;
    private final JobOptions options;
    private final MemoryRegion incoming;
    private final InLane[] lanes;
    private final MemorySegment staging;
    private final PeerMemories peers;
    private final Contexts contexts = new Contexts();
    private final UnexpectedStore store;
    private final CollectiveCounts counts = new CollectiveCounts();

    /** Exposes the lanes of a rank; {@code step} is the step that the program is in. */
    public MessagingContext(Session session, Arena arena, LongSupplier step) {
        this.inbox = session.inbox;
        this.fabric = session.fabric;
        this.waiter = session.waiter;
        this.clock = session.clock;
        this.options = session.options;
        long laneBytes = options.laneBytes();
        this.session = session;
        this.arena = arena;
        this.step = step;
        this.incoming = fabric.exposeLazily(FrameDescriptor.inboxBytes(session.ranks, laneBytes));
        this.lanes = new InLane[session.ranks];
        for (int source = 0; source < lanes.length; source++) {
            lanes[source] = new InLane(incoming.segment(), session.ranks, laneBytes, source);
        }
        this.staging = allocate(FrameDescriptor.frameBytes(options.eagerBytes()) + Long.BYTES);
        this.peers = new PeerMemories(session, fabric, laneBytes);
        this.store = new UnexpectedStore(arena, options.unexpectedBytes());
    }

    /** This member in the present view. */
    public Session session() {
        return session;
    }

    /** The step that the program is in. */
    public long step() {
        return step.getAsLong();
    }

    /** Memory of the rank's own that stays. */
    public MemorySegment allocate(long bytes) {
        return arena.allocate(Math.max(8, bytes), 64);
    }

    /** Control messages of this member, and its view. */
    public Inbox inbox() {
        return inbox;
    }

    /** Network of this member. */
    public Fabric fabric() {
        return fabric;
    }

    /** Waits of this member. */
    public Waiter waiter() {
        return waiter;
    }

    /** Time of this member. */
    public Clock clock() {
        return clock;
    }

    /** Options of the job. */
    public JobOptions options() {
        return options;
    }

    /** Key of the memory that all lanes are in. */
    public byte[] lanesKey() {
        return incoming.key();
    }

    /** Lanes of this rank, by source. */
    public InLane[] lanes() {
        return lanes.clone();
    }

    /** Room to make a frame in. */
    public MemorySegment staging() {
        return staging;
    }

    /** Other ranks' memory. */
    public PeerMemories peers() {
        return peers;
    }

    /** Where messages and receives wait for each other. */
    public Contexts contexts() {
        return contexts;
    }

    /** Messages that no receive has matched. */
    public UnexpectedStore store() {
        return store;
    }

    /** Numbers of collectives, by channel. */
    public CollectiveCounts counts() {
        return counts;
    }

    /** The receiving half of the rank, with what is the protocol's own. */
    public Receiver receiver(PieceMemory pieces, ReleaseGate gate, ReceiveSequence sequence,
        MessageDeterminants determinants) {
        return new Receiver(incoming.segment(), lanes, contexts, store, pieces, session.survivor, gate, sequence,
            determinants);
    }
}
