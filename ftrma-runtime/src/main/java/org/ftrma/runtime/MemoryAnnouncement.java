package org.ftrma.runtime;

import org.ftrma.core.checkpoint.Checkpoints;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.image.RotatingImpl;
import org.ftrma.core.parity.MappingAhead;
import org.ftrma.core.protocol.RecoveryProtocols;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.PeerPaths;
import org.ftrma.core.session.Session;
import org.ftrma.core.session.Waiter;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Clock;
import org.ftrma.spi.Fabric;

/**
 * Announces, once in a process, the memory that this rank has allocated, and waits for its pages. Data thread only.
 */
final class MemoryAnnouncement {
    private final Fabric fabric;
    private final Clock clock;
    private final Inbox inbox;
    private final Waiter waiter;
    private final PeerPaths paths;
    private final JobOptions options;
    private final int member;
    private final Checkpoints checkpoints;
    private final RecoveryProtocols protocols;
    private final Allocations allocations;
    private boolean isSent;

    MemoryAnnouncement(Session session, Checkpoints checkpoints, RecoveryProtocols protocols,
        Allocations allocations) {
        this.fabric = session.fabric;
        this.clock = session.clock;
        this.inbox = session.inbox;
        this.waiter = session.waiter;
        this.paths = session.paths;
        this.options = session.options;
        this.member = session.member;
        this.checkpoints = checkpoints;
        this.protocols = protocols;
        this.allocations = allocations;
    }

    /** All is allocated; {@code isFirst}: there is no generation to go back to. */
    void send(boolean isFirst) {
        if (!options.isProtected() || isSent) {
            return;
        }
        isSent = true;
        if (member == 0) {
            checkpoints.announce(allocations.windows(), allocations.locals(), allocations.rotating());
        }
        protocols.expect(allocations.protectedBytes());
        if (isFirst) {
            sendRegionKeys();
            awaitPages();
        }
    }

    /**
     * The checksum ranks may map what rotates while the program initializes. What is copied into images has no memory
     * yet.
     */
    private void sendRegionKeys() {
        for (RotatingImpl segment : allocations.rotating()) {
            if (segment.bytes >= MappingAhead.LEAST_BYTES && paths.areImmediate()) {
                inbox.send(new ControlMessage.RegionKey(inbox.view(), member, segment.region.key()));
            }
        }
    }

    /**
     * Pages that still come when the program computes would take their time from it. If they come too slowly it goes on
     * without.
     */
    private void awaitPages() {
        long until = clock.nanoTime() + options.deadlineNanos() / 2;
        waiter.await("pages", member, 0, Long.MAX_VALUE, () -> !fabric.isFaulting() || clock.nanoTime() >= until);
    }
}
