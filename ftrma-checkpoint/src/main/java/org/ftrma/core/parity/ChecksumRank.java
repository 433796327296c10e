package org.ftrma.core.parity;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.ftrma.FtrmaException;
import org.ftrma.core.control.Blob;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.image.ImageLayout;
import org.ftrma.core.image.Slots;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.core.session.Contributions;
import org.ftrma.core.session.Exchanges;
import org.ftrma.core.session.IdleWork;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.MembershipListener;
import org.ftrma.core.session.RecoveringRanks;
import org.ftrma.core.session.Session;
import org.ftrma.core.session.StateListener;
import org.ftrma.core.session.Waiter;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Clock;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.Holes;
import org.ftrma.spi.MemoryLimits;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.MemoryShare;
import org.ftrma.xor.Groups;
import org.ftrma.xor.MemoryPlan;

/**
 * A checksum rank: holds a parity of its group's images, in slots: that of the committed generation, that of the
 * pending one, and, where there are demand checkpoints, that of each member's newest image. Where a group has several
 * checksum ranks, each has a parity of its own. It reads the images one-sidedly while the program runs on. Data thread
 * only.
 */
public final class ChecksumRank {
    /** What a checksum rank does for the ranks of its group besides holding their parity. */
    @FunctionalInterface
    public interface GroupService {
        /** Nothing. */
        GroupService NONE = (session, guarded) -> { };

        /** To be called in each view, between the exchanges of keys and of readiness: all members exchange the same. */
        void open(Session session, List<Integer> guarded);
    }

    /**
     * For each image that changes, up to this many are combined anew in less memory traffic: its old and new one and
     * the parity, read and written.
     */
    private static final int FEW = 2;
    private final Session session;
    private final Fabric fabric;
    private final Clock clock;
    private final Inbox inbox;
    private final Waiter waiter;
    private final JobOptions options;
    private final RecoveringRanks away;
    private final Exchanges exchanges;
    private final IdleWork idle;
    private final StateListener states;
    private final Groups groups;
    private final int group;
    private final List<Integer> guarded;
    private ImageLayout layout;
    private MemoryRegion parity;
    /** What was prepared before the layout was known for certain. */
    private MemoryRegion prepared;
    private Parities parities;
    private Slots slots;
    /** By member: its newest image, 0: that of the committed generation. */
    private final long[] latest;
    /** A rank was replaced: its regions are others now. */
    private boolean stale;
    /** Rotating segments of the group's ranks, before all have told what there is. */
    private final MappingAhead ahead;
    private final GroupService service;

    /** A checksum rank that does something else, too, for the ranks of its group. */
    public ChecksumRank(Session session, GroupService service) {
        this.session = session;
        this.fabric = session.fabric;
        this.clock = session.clock;
        this.inbox = session.inbox;
        this.waiter = session.waiter;
        this.options = session.options;
        this.away = session.away;
        this.exchanges = session.exchanges;
        this.idle = session.idle;
        this.states = session.states;
        this.service = service;
        this.ahead = new MappingAhead(inbox, away, session.peers);
        this.latest = new long[session.ranks];
        this.groups = JobGroups.of(options);
        inbox.listen(new Membership());
        if (fabric.helper() != null) {
            fabric.helper().execute(() -> { }); // its thread is there then when the first parity is made
        }
        this.group = groups.groupOf(session.member);
        this.guarded = IntStream.of(groups.ranksOf(group)).boxed().toList();
    }

    private final class Membership implements MembershipListener {
        @Override
        public void lost(int member, int recovery) {
            inbox.encodes().dropAll(options.isDemandStreaming());
            stale = true;
        }

        @Override
        public void checksumLost(int member) {
            inbox.encodes().dropAll(options.isDemandStreaming());
        }

        @Override
        public void committed(long generation) {
            noteCommitted(generation);
        }

        @Override
        public void demandCommitted(ControlMessage.DemandCommitted m) {
            if (guarded.contains(m.member())) {
                latest[m.member()] = m.tag();
                slots.latest(m.parity());
            }
        }

        @Override
        public void regionKey(ControlMessage.RegionKey m) {
            if (guarded.contains(m.member())) {
                ahead.add(m);
            }
        }

        @Override
        public void provision(long parityBytes, Holes holes) {
            if (parity == null && prepared == null && parityBytes > 0) {
                requireRoom(parityBytes);
                prepared = fabric.expose(parityBytes, holes);
            }
        }
    }

    /** Serves one view; ends by Unwind when it changes, or returns when the job is over. */
    public void serveView() {
        stale = false;
        ahead.restart();
        Contributions layouts = exchanges.of(ControlMessage.Scope.ALL, new byte[0], ahead::turn);
        ImageLayout told = ImageLayout.decode(layouts.of(guarded.get(0)), ImageLayout.slots(options));
        if (parity == null) {
            layout = told;
            int count = ImageLayout.paritySlots(options);
            requireRoom(layout.parityRegionBytes(count));
            parity = takePrepared(layout.parityRegionBytes(count), layout.parityHoles(count));
            parities = new Parities(parity.segment(), layout, count);
            slots = parities.slots();
        } else if (!layout.sameAs(told)) {
            throw new FtrmaException(FtrmaException.Category.FATAL,
                "the image layout changed from " + layout.imageBytes() + " to "
                + told.imageBytes() + " bytes");
        }
        Contributions keys = exchanges.of(ControlMessage.Scope.ALL, Blob.pack(List.of(parity.key())));
        service.open(session, guarded);
        try (Arena arena = Arena.ofConfined()) {
            GroupImages images = open(keys, arena);
            restore(images);
            exchanges.goAtOnce();
            serve(images, keys, arena);
        }
    }

    /** Where there are computing ranks on this host, these do the sum for all. */
    private void requireRoom(long bytes) {
        MemoryShare share = session.share;
        if (share.isAll() || share.ranks() > 0) {
            return;
        }
        MemoryLimits room = fabric.room();
        long need = Math.multiplyExact(share.checksums(), bytes);
        if (need > room.bytes()) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "memory that the job needs does not fit: host "
                + share.host() + " needs " + MemoryPlan.binary(need) + " for the parities of " + share.checksums()
                + " of the checksum ranks, and " + MemoryPlan.binary(room.bytes()) + " are available there ("
                + room.limit() + "); give it fewer slots or the job more hosts, or use smaller windows");
        }
    }

    private MemoryRegion takePrepared(long bytes, Holes holes) {
        MemoryRegion region = prepared;
        prepared = null;
        if (region != null && region.segment().byteSize() == bytes) {
            return region;
        }
        if (region != null) {
            region.close();
        }
        return fabric.expose(bytes, holes);
    }

    /** What all hold when this view begins, or is joined. */
    private void restore(GroupImages images) {
        long generation = inbox.generation();
        slots.latest(0);
        noteCommitted(generation);
        if (generation > 0 && !slots.holds(generation)) {
            slots.clear();
            int slot = slots.begin(generation);
            if (isOnDisk(generation)) {
                images.encode(member -> generation, 0, parities.place(slot));
            } else {
                images.rebuild(member -> generation, generation, parities.place(slot));
            }
            slots.rebuilt(slot, generation);
        }
        Arrays.fill(latest, 0);
        for (int member : guarded) {
            latest[member] = inbox.latest(member);
        }
        long newest = inbox.latestParity(session.ranks, group);
        if (newest > 0) {
            int slot = slots.begin(newest);
            images.rebuild(this::imageOf, newest, parities.place(slot));
            slots.rebuilt(slot, newest);
        }
    }

    /**
     * Whether all computing ranks, those that were lost too, have read this generation from disk before they told their
     * keys: so it is where a job has started from it and not run yet, and no other process is told of the disk.
     */
    private boolean isOnDisk(long generation) {
        ControlMessage.OnDisk source = inbox.onDisk();
        return source != null && source.generation() == generation;
    }

    private long imageOf(int member) {
        return latest[member] > 0 ? latest[member] : inbox.generation();
    }

    private GroupImages open(Contributions keys, Arena arena) {
        return new GroupImages(new GroupMembers(fabric, inbox, away, session.peers, session.survivor, session.member,
            session.ranks, keys), layout, groups, arena);
    }

    private void serve(GroupImages first, Contributions keys, Arena arena) {
        GroupImages images = first;
        while (true) {
            inbox.receive();
            if (inbox.ended()) {
                return;
            }
            inbox.drain();
            noteCommitted(inbox.generation());
            ControlMessage.ToEncode next = inbox.encodes().poll();
            if (next != null) {
                int known = away.losses();
                ControlMessage.ToCoordinator done = null;
                try {
                    // C27
                    if (stale) {
                        stale = false;
                        images = open(keys, arena);
                    }
                    // A switch over types takes milliseconds the first time.
                    done = next instanceof ControlMessage.Encode m ? encode(images, m)
                        : exchange(images, (ControlMessage.DemandEncode) next);
                } catch (FtrmaException e) {
                    // It was given up: with the loss of a rank, whose images may be gone, or since another checksum
                    // rank was lost, and images may be overwritten. Both may be so before the coordinator's word on it
                    // is here.
                    waiter.awaitWord(e, () -> away.losses() != known || inbox.encodes().isPresentGivenUp()); // C18
                }
                if (done != null && !inbox.encodes().isPresentGivenUp()) {
                    inbox.send(done);
                }
            } else {
                idle.serveOrSleep();
            }
        }
    }

    private ControlMessage.ToCoordinator encode(GroupImages images, ControlMessage.Encode next) {
        long generation = next.generation();
        long taken = clock.takenNanos();
        long began = clock.nanoTime();
        int slot = slots.begin(generation);
        images.encode(member -> generation, slots.takeBase(slot), parities.place(slot));
        slots.complete(slot, generation);
        states.parityMade(clock.nanoTime() - began);
        return new ControlMessage.ParityReady(inbox.view(), next.step(), generation,
            clock.takenNanos() - taken);
    }

    /**
     * Demand checkpoints: a new parity with the members' new images in place of the old ones. Until it is committed,
     * the old parity counts.
     */
    private ControlMessage.ToCoordinator exchange(GroupImages images, ControlMessage.DemandEncode next) {
        long newest = slots.latest();
        int from = slots.find(newest > 0 ? newest : inbox.generation());
        long bytes;
        int slot;
        if (options.isDemandStreaming()) {
            if (newest > 0) {
                slot = from;
            } else {
                slot = slots.begin(next.tag());
                slots.takeBase(slot);
                parities.copy(from, slot);
            }
            slots.complete(slot, 0); // neither the one nor the other
            bytes = exchange(images, next, slot, slot);
        } else {
            slot = slots.begin(next.tag());
            slots.takeBase(slot);
            if (guarded.size() <= FEW * next.members().length) {
                images.encode(member -> newImageOf(next, member), 0, parities.place(slot));
                bytes = layout.imageBytes();
            } else {
                bytes = exchange(images, next, from, slot);
            }
        }
        slots.complete(slot, next.tag());
        return new ControlMessage.DemandEncoded(inbox.view(), next.tag(), bytes);
    }

    private long exchange(GroupImages images, ControlMessage.DemandEncode next, int from, int slot) {
        long bytes = 0;
        int source = from;
        for (int i = 0; i < next.members().length; i++) {
            int member = (int) next.members()[i];
            bytes += images.exchange(member, imageOf(member), next.tags()[i],
                source == slot ? null : parities.place(source), parities.place(slot));
            source = slot;
        }
        return bytes;
    }

    private long newImageOf(ControlMessage.DemandEncode next, int member) {
        for (int i = 0; i < next.members().length; i++) {
            if (next.members()[i] == member) {
                return next.tags()[i];
            }
        }
        return imageOf(member);
    }

    private void noteCommitted(long generation) {
        if (slots != null && generation > 0) {
            if (!slots.isCommitted(generation)) {
                Arrays.fill(latest, 0);
            }
            slots.committed(generation);
        }
    }
}
