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
import org.ftrma.core.session.Session;
import org.ftrma.xor.Groups;
import org.ftrma.xor.MemoryPlan;

/**
 * Coordinated checkpoints of one computing rank: the exchanges that set them up in each view, the cut at a step
 * boundary (ftRMA, 3.1.2: both schemes; design 6.2), and going back to a generation. Data thread only.
 */
public final class CoordinatedCheckpoints implements Checkpoints {
    private final Session session;
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
        this.lockState = lockState;
        this.obstacle = obstacle;
        this.memory = memory;
        this.libraryState = libraryState;
        this.schedule = new CutSchedule(session, listener.mayNeedCut() || session.options.mayBeAskedToCut());
        this.demands = session.options.hasDemandCheckpoints()
            ? new DemandCheckpoints(session, gate, listener, obstacle) : null;
        this.disk = new DiskLevel(session);
        this.listener = listener;
        this.session = session;
        this.groups = JobGroups.of(session.options);
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
            ImageLayout.slots(session.options)) : images.layout();
        if (images == null && session.member == 0 && memory.isFirst()) {
            session.inbox.send(new ControlMessage.MemoryTable(memoryTable(layout)));
        }
        exchangeLayouts(layout);
        if (images == null) {
            images = new Images(session.fabric, session.inbox::timeline, windows, locals, rotating, parts, layout);
        }
        disk.open(images, declared, windows, locals, rotating, parts);
        disk.load(session.inbox.generation()); // before the keys are exchanged: then checksum ranks read it
        List<byte[]> keys = new ArrayList<>();
        keys.add(images.region().key());
        rotating.forEach(r -> keys.add(r.region.key()));
        Contributions allKeys = session.exchange(ControlMessage.Scope.ALL, Blob.pack(keys));
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
        long generation = session.inbox.generation();
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
        long latest = session.inbox.latest(session.member);
        if (latest == 0) {
            long step = images.restore(generation);
            schedule.open(step);
            return step;
        }
        long newest = session.inbox.latestParity(session.ranks, groups.groupOf(session.member));
        rebuild(member -> session.inbox.latest(member) > 0 ? session.inbox.latest(member) : generation, newest, layout,
            allKeys);
        long step = images.restore(latest);
        schedule.reopen(step);
        return step;
    }

    @Override
    public void announce(List<? extends ProtectedMemory> windows, List<MemorySegment> locals,
        List<RotatingImpl> rotatingSegments) {
        ImageLayout layout = Images.layoutOf(windows, locals, rotatingSegments, headerParts(),
            ImageLayout.slots(session.options));
        if (memory.isFirst()) {
            memoryTable(layout);
        }
        List<Long> regions = new ArrayList<>();
        windows.forEach(window -> regions.add(window.largestRegionBytes()));
        rotatingSegments.forEach(segment -> regions.add(segment.region.segment().byteSize()));
        regions.add(layout.imageRegionBytes());
        int paritySlots = ImageLayout.paritySlots(session.options);
        session.inbox.send(new ControlMessage.Regions(regions.stream().mapToLong(Long::longValue).toArray(),
            layout.imageHoles().toLongs(),
            layout.parityRegionBytes(paritySlots), layout.parityHoles(paritySlots).toLongs()));
    }

    private void exchangeLayouts(ImageLayout layout) {
        Contributions all = session.exchange(ControlMessage.Scope.ALL, layout.encode());
        if (!ImageLayout.decode(all.of(0), layout.slots()).sameAs(layout)) {
            throw new org.ftrma.MisuseException("rank 0 protects other sizes than rank " + session.member
                + ": windows and protected segments must have the same size on every rank");
        }
    }

    /** Makes the lost image: from parities of that tag, and those images of the others that they include. */
    private void rebuild(IntToLongFunction tags, long parityTag, ImageLayout layout, Contributions allKeys) {
        int slot = images.beginRebuild(tags.applyAsLong(session.member));
        try (Arena staging = Arena.ofConfined()) {
            GroupMembers members = new GroupMembers(session, allKeys);
            new GroupImages(members, layout, groups, staging).rebuild(tags, parityTag, images.place(slot));
        }
        images.slots().rebuilt(slot, tags.applyAsLong(session.member));
    }

    @Override
    public void askedFor() {
        schedule.askedFor();
    }

    @Override
    public void atBoundary(long step) {
        boolean isWanted = schedule.mayAsk() && listener.needsCut() || session.inbox.cuts().isWanted();
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
        session.awaitGo();
        if (session.inbox.recovery() > 0) {
            schedule.joins();
        }
    }

    @Override
    public int rotatingBuffers() {
        return ImageLayout.buffers(session.options);
    }

    @Override
    public void atStart() {
        if (session.options.protocol().recoversLocally() && session.inbox.generation() == 0) {
            cut(0);
            awaitFirstCommit();
        }
    }

    /**
     * No rank begins its first step before all could be recovered to here, unless the first generation was given up:
     * the coordinator does that where it takes too long.
     */
    private void awaitFirstCommit() {
        session.waiter.timeoutNanos(Long.MAX_VALUE);
        session.waiter.beginAsleep("the first checkpoint's parity");
        while (session.inbox.generation() == 0 && session.inbox.cuts().abandon() == null) {
            session.progress();
            session.waiter.turn();
        }
        session.waiter.timeoutNanos(session.options.deadlineNanos());
    }

    private void cut(long step) {
        long began = session.clock.nanoTime();
        session.survivor.flushAll(); // what others copy includes this rank's accesses
        session.inbox.cuts().forget();
        session.inbox.send(new ControlMessage.CutArrived(session.inbox.view(), step, obstacle.now()));
        if (!awaitDecision(step)) {
            schedule.abandoned(step, session.inbox.cuts().abandon());
            return;
        }
        long generation = session.inbox.cuts().go().generation();
        images.slots().committed(session.inbox.generation());
        listener.beforeCopy();
        disk.release();
        if (!images.take(generation, step, () -> isWanted(step))) {
            schedule.abandoned(step, session.inbox.cuts().abandon());
            return;
        }
        listener.copied(generation);
        session.inbox.send(new ControlMessage.ImageReady(session.inbox.view(), step, generation));
        // Before all have copied, accesses of the next step would change what others copy.
        if (!awaitResume(step)) {
            schedule.abandoned(step, session.inbox.cuts().abandon());
            return;
        }
        long blocked = session.clock.nanoTime() - began;
        session.inbox.send(new ControlMessage.CutCost(session.inbox.view(), generation, blocked));
        session.states.checkpointed(blocked);
        schedule.taken(step, blocked);
    }

    private boolean awaitDecision(long step) {
        session.waiter.timeoutNanos(Long.MAX_VALUE);
        session.waiter.beginAsleep("the decision on the cut");
        while (true) {
            ControlMessage.CutGo go = session.inbox.cuts().go();
            ControlMessage.CutAbandon abandon = session.inbox.cuts().abandon();
            if (go != null && go.step() == step || abandon != null && abandon.step() == step) {
                session.waiter.timeoutNanos(session.options.deadlineNanos());
                return go != null && go.step() == step;
            }
            if (session.inbox.cuts().awaitedStep() == step && listener.replaying()) {
                listener.beforeCopy();
                session.waiter.beginAsleep("the decision on the cut");
            }
            session.progress();
            session.waiter.turn();
        }
    }

    /** Others go on when a cut is given up, and may wait for this rank then. */
    private boolean isWanted(long step) {
        session.inbox.drainIfReady();
        ControlMessage.CutAbandon abandon = session.inbox.cuts().abandon();
        return abandon == null || abandon.step() != step;
    }

    /** Returns false if the cut was given up; where copies take too long, the coordinator gives it up. */
    private boolean awaitResume(long step) {
        session.waiter.timeoutNanos(Long.MAX_VALUE);
        session.waiter.beginAsleep("the other ranks' images");
        while (session.inbox.cuts().resumedStep() != step && isWanted(step)) {
            session.progress();
            session.waiter.turn();
        }
        session.waiter.timeoutNanos(session.options.deadlineNanos());
        return session.inbox.cuts().resumedStep() == step;
    }
}
