package org.ftrma.core.checkpoint;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import org.ftrma.core.control.Blob;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.image.ImageLayout;
import org.ftrma.core.image.Images;
import org.ftrma.core.image.ProtectedMemory;
import org.ftrma.core.image.RotatingImpl;
import org.ftrma.core.image.Slots;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.core.parity.GroupImages;
import org.ftrma.core.parity.GroupMembers;
import org.ftrma.core.session.Contributions;
import org.ftrma.core.session.Exchanges;
import org.ftrma.core.session.IdleWork;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.PeerFailureHandling;
import org.ftrma.core.session.Session;
import org.ftrma.core.session.StateListener;
import org.ftrma.core.session.Waiter;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Clock;
import org.ftrma.spi.Fabric;
import org.ftrma.xor.Groups;
import org.ftrma.xor.MemoryPlan;

/**
 * Coordinated checkpoints of one computing rank: the exchanges that set them up in each view, the cut at a step
 * boundary (ftRMA, 3.1.2: both schemes; design 6.2), and going back to a generation. Data thread only.
 */
public final class CoordinatedCheckpoints implements Checkpoints {
    private static final String DECISION = "the decision on the cut";

    private final Session session;
    private final Fabric fabric;
    private final Clock clock;
    private final Inbox inbox;
    private final Waiter waiter;
    private final JobOptions options;
    private final Exchanges exchanges;
    private final PeerFailureHandling survivor;
    private final IdleWork idle;
    private final StateListener states;
    private final int member;
    private final int ranks;
    private final Groups groups;
    private Images images;
    private List<RotatingImpl> rotating;
    private DeclaredState declared = DeclaredState.NOTHING;
    private final CutSchedule schedule;
    private final DemandCheckpoints demands;
    private final DiskLevel disk;
    private final CutListener listener;
    private final List<CheckpointedState> libraryState;
    private final Supplier<List<CheckpointedState>> lockState;
    private final CutObstacle obstacle;
    private final MemoryNeeds memory;
    /** What the job needs as far as it was known last, and that for people. */
    private MemoryPlan planned;
    private String table;

    /**
     * Checkpoints of a job.
     *
     * @param libraryState what images have of the library's own, in this order
     * @param lockState what they have of locks, once all is allocated
     * @param gate for demand checkpoints; null where there are none
     */
    public CoordinatedCheckpoints(Session session, List<CheckpointedState> libraryState,
        Supplier<List<CheckpointedState>> lockState, CutObstacle obstacle, CutListener listener, UpdateGate gate,
        MemoryNeeds memory) {
        this.session = session;
        this.fabric = session.fabric;
        this.clock = session.clock;
        this.inbox = session.inbox;
        this.waiter = session.waiter;
        this.options = session.options;
        this.exchanges = session.exchanges;
        this.survivor = session.survivor;
        this.idle = session.idle;
        this.states = session.states;
        this.member = session.member;
        this.ranks = session.ranks;
        this.lockState = lockState;
        this.obstacle = obstacle;
        this.memory = memory;
        this.libraryState = libraryState;
        this.schedule = new CutSchedule(new CutWord(session.away, session.peers, session.controls, survivor, member,
            ranks), clock, inbox, options, member, listener.mayNeedCut() || options.mayBeAskedToCut());
        this.demands = options.hasDemandCheckpoints()
            ? new DemandCheckpoints(session, gate, listener, obstacle) : null;
        this.disk = new DiskLevel(fabric, inbox, session.store, member, ranks);
        this.listener = listener;
        this.groups = JobGroups.of(options);
    }

    @Override
    public void declare(DeclaredState all) {
        declared = all;
    }

    @Override
    public long open(List<? extends ProtectedMemory> windows, List<MemorySegment> locals,
        List<RotatingImpl> rotatingSegments) {
        rotating = rotatingSegments;
        List<CheckpointedState> parts = headerParts();
        ImageLayout layout = images == null ? Images.layoutOf(windows, locals, rotating, parts,
            ImageLayout.slots(options)) : images.layout();
        if (images == null && member == 0 && memory.isFirst()) {
            inbox.send(new ControlMessage.MemoryTable(memoryTable(layout)));
        }
        exchangeLayouts(layout);
        if (images == null) {
            images = new Images(fabric, inbox::timeline, windows, locals, rotating, parts, layout);
        }
        disk.open(images, declared, windows, locals, rotating, parts);
        disk.load(inbox.generation()); // before the keys are exchanged: then checksum ranks read it
        List<byte[]> keys = new ArrayList<>();
        keys.add(images.region().key());
        rotating.forEach(r -> keys.add(r.region.key()));
        Contributions allKeys = exchanges.of(ControlMessage.Scope.ALL, Blob.pack(keys));
        schedule.guessCost(layout.imageBytes());
        long step = restore(layout, allKeys);
        if (demands != null) {
            demands.open(images);
        }
        return step;
    }

    private List<CheckpointedState> headerParts() {
        List<CheckpointedState> parts = new ArrayList<>(libraryState);
        parts.add(schedule);
        parts.addAll(lockState.get());
        return parts;
    }

    /**
     * For people: to make the text takes a while, so that is done before the program initializes where nothing is
     * allocated later.
     */
    private String memoryTable(ImageLayout layout) {
        MemoryPlan plan = memory.plan(layout.headerBytes());
        if (!plan.equals(planned)) {
            planned = plan;
            table = plan.table();
        }
        return table;
    }

    private long restore(ImageLayout layout, Contributions allKeys) {
        long generation = inbox.generation();
        Slots slots = images.slots();
        slots.latest(0);
        if (generation == 0) {
            slots.clear();
            schedule.open(0);
            return 0;
        }
        slots.committed(generation);
        if (!slots.holds(generation)) {
            slots.clear();
            rebuild(member -> generation, generation, layout, allKeys);
        }
        long latest = inbox.latest(member);
        if (latest == 0) {
            long step = images.restore(generation);
            schedule.open(step);
            return step;
        }
        long newest = inbox.latestParity(ranks, groups.groupOf(member));
        rebuild(member -> inbox.latest(member) > 0 ? inbox.latest(member) : generation, newest, layout,
            allKeys);
        long step = images.restore(latest);
        schedule.reopen(step);
        return step;
    }

    @Override
    public void announce(List<? extends ProtectedMemory> windows, List<MemorySegment> locals,
        List<RotatingImpl> rotatingSegments) {
        ImageLayout layout = Images.layoutOf(windows, locals, rotatingSegments, headerParts(),
            ImageLayout.slots(options));
        if (memory.isFirst()) {
            memoryTable(layout);
        }
        List<Long> regions = new ArrayList<>();
        windows.forEach(window -> regions.add(window.largestRegionBytes()));
        rotatingSegments.forEach(segment -> regions.add(segment.region.segment().byteSize()));
        regions.add(layout.imageRegionBytes());
        int paritySlots = ImageLayout.paritySlots(options);
        inbox.send(new ControlMessage.Regions(regions.stream().mapToLong(Long::longValue).toArray(),
            layout.imageHoles().toLongs(),
            layout.parityRegionBytes(paritySlots), layout.parityHoles(paritySlots).toLongs()));
    }

    private void exchangeLayouts(ImageLayout layout) {
        Contributions all = exchanges.of(ControlMessage.Scope.ALL, layout.encode());
        if (!ImageLayout.decode(all.of(0), layout.slots()).sameAs(layout)) {
            throw new org.ftrma.MisuseException("rank 0 protects other sizes than rank " + member
                + ": windows and protected segments must have the same size on every rank");
        }
    }

    /** Makes the lost image: from parities of that tag, and those images of the others that they include. */
    private void rebuild(IntToLongFunction tags, long parityTag, ImageLayout layout, Contributions allKeys) {
        int slot = images.beginRebuild(tags.applyAsLong(member));
        try (Arena staging = Arena.ofConfined()) {
            GroupMembers members = new GroupMembers(fabric, inbox, session.away, session.peers, survivor, member, ranks,
                allKeys);
            new GroupImages(members, layout, groups, staging).rebuild(tags, parityTag, images.place(slot));
        }
        images.slots().rebuilt(slot, tags.applyAsLong(member));
    }

    @Override
    public void askedFor() {
        schedule.askedFor();
    }

    @Override
    public void atBoundary(long step) {
        boolean isWanted = schedule.mayAsk() && listener.needsCut() || inbox.cuts().isWanted();
        boolean isCut = schedule.due(step, isWanted, listener.replaying());
        if (isCut) {
            cut(step);
        }
        if (demands != null) {
            demands.atBoundary(step, isCut);
        }
    }

    @Override
    public void meet() {
        exchanges.awaitGo();
        if (inbox.recovery() > 0) {
            schedule.joins();
        }
    }

    @Override
    public int rotatingBuffers() {
        return ImageLayout.buffers(options);
    }

    @Override
    public void atStart() {
        if (options.protocol().recoversLocally() && inbox.generation() == 0) {
            cut(0);
            awaitFirstCommit();
        }
    }

    /**
     * No rank begins its first step before all could be recovered to here, unless the first generation was given up:
     * the coordinator does that where it takes too long.
     */
    private void awaitFirstCommit() {
        idle.await("the first checkpoint's parity", () -> inbox.generation() > 0 || inbox.cuts().abandon() != null);
    }

    private void cut(long step) {
        long began = clock.nanoTime();
        // C4
        survivor.flushAll(); // what others copy includes this rank's accesses
        inbox.cuts().forget();
        inbox.send(new ControlMessage.CutArrived(inbox.view(), step, obstacle.now()));
        if (!awaitDecision(step)) {
            schedule.abandoned(step, inbox.cuts().abandon());
            return;
        }
        long generation = inbox.cuts().go().generation();
        images.slots().committed(inbox.generation());
        listener.beforeCopy();
        disk.release();
        if (!images.take(generation, step, () -> isWanted(step))) {
            schedule.abandoned(step, inbox.cuts().abandon());
            return;
        }
        listener.copied(generation);
        inbox.send(new ControlMessage.ImageReady(inbox.view(), step, generation));
        // Before all have copied, accesses of the next step would change what others copy.
        if (!awaitResume(step)) { // C6
            schedule.abandoned(step, inbox.cuts().abandon());
            return;
        }
        long blocked = clock.nanoTime() - began;
        inbox.send(new ControlMessage.CutCost(inbox.view(), generation, blocked));
        states.checkpointed(blocked);
        schedule.taken(step, blocked);
    }

    private boolean awaitDecision(long step) {
        idle.await(DECISION, () -> isDecided(step));
        ControlMessage.CutGo go = inbox.cuts().go();
        return go != null && go.step() == step;
    }

    /** Others may be waiting for what this rank, which recovers, has to copy first. */
    private boolean isDecided(long step) {
        ControlMessage.CutGo go = inbox.cuts().go();
        ControlMessage.CutAbandon abandon = inbox.cuts().abandon();
        boolean isDecided = go != null && go.step() == step || abandon != null && abandon.step() == step;
        if (!isDecided && inbox.cuts().awaitedStep() == step && listener.replaying()) { // R28
            listener.beforeCopy();
            waiter.beginAsleep(DECISION);
        }
        return isDecided;
    }

    /** Others go on when a cut is given up, and may wait for this rank then. */
    private boolean isWanted(long step) {
        inbox.drainIfReady();
        ControlMessage.CutAbandon abandon = inbox.cuts().abandon();
        return abandon == null || abandon.step() != step;
    }

    /** Returns false if the cut was given up; where copies take too long, the coordinator gives it up. */
    private boolean awaitResume(long step) {
        idle.await("the other ranks' images", () -> inbox.cuts().resumedStep() == step || !isWanted(step));
        return inbox.cuts().resumedStep() == step;
    }
}
