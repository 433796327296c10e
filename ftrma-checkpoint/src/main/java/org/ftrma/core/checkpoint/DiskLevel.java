package org.ftrma.core.checkpoint;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.ftrma.FtrmaException;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.image.ImageLayout;
import org.ftrma.core.image.Images;
import org.ftrma.core.image.ProtectedMemory;
import org.ftrma.core.image.ResidualState;
import org.ftrma.core.image.RotatingImpl;
import org.ftrma.core.session.DiskOrders;
import org.ftrma.core.session.Inbox;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.ImageStore;

/**
 * The images of one computing rank on disk: writes that of a committed generation when the coordinator says so, while
 * the program goes on, and reads the one that the job starts from. An image that is being written stays in its slot;
 * there is a slot more for that, so that no checkpoint waits for the disk. Data thread only, but for what the store
 * calls when a write is over.
 */
final class DiskLevel implements DiskOrders {
    private final Fabric fabric;
    private final Inbox inbox;
    private final ImageStore store;
    private final int member;
    private final int ranks;
    private Images images;
    private DeclaredState declared;
    /** In words, and the same on all ranks. */
    private String layout;
    private Writing writing;

    DiskLevel(Fabric fabric, Inbox inbox, ImageStore store, int member, int ranks) {
        this.fabric = fabric;
        this.inbox = inbox;
        this.store = store;
        this.member = member;
        this.ranks = ranks;
        inbox.writeWith(this);
    }

    /** One write. The store's thread says when it is over. */
    private final class Writing implements ImageStore.Listener {
        private final long number;
        private volatile boolean over;

        Writing(long number) {
            this.number = number;
        }

        @Override
        public void written(long bytes, byte[] digest) {
            over = true;
            inbox.send(new ControlMessage.FlushWritten(number, bytes, digest));
        }

        @Override
        public void failed(String reason) {
            over = true;
            inbox.send(new ControlMessage.FlushFailed(number, reason));
        }
    }

    /** To be called in each view, before anything is restored. */
    void open(Images allImages, DeclaredState all, List<? extends ProtectedMemory> windows,
        List<MemorySegment> locals, List<RotatingImpl> rotating, List<CheckpointedState> parts) {
        images = allImages;
        declared = all;
        if (layout == null) {
            layout = StateLayout.describe(all, windows, locals, rotating, parts, ranks);
        }
    }

    /** Takes the image of the generation from disk, if the job started from it and this rank does not hold it. */
    void load(long generation) {
        ControlMessage.OnDisk source = inbox.onDisk();
        if (source == null || source.generation() != generation) {
            return;
        }
        images.slots().committed(generation);
        if (images.slots().holds(generation)) {
            return;
        }
        if (!isOfThisShape(source.place())) {
            loadFromOthers(source.place(), generation);
            return;
        }
        try (ImageStore.Stored stored = store.open(source.place(), member)) {
            check(stored, generation);
            int slot = images.beginRebuild(generation);
            stored.into(images.partsFor(slot, stored.bytes()), this::meanwhile);
            images.checkHeader(slot);
            images.slots().rebuilt(slot, generation);
        }
    }

    private void meanwhile() {
        fabric.progress();
        inbox.drainIfReady(); // if all begin anew, so does what is being read
    }

    /** Whether the images are those of a job like this one: of as many ranks, and with all the same state. */
    private boolean isOfThisShape(String place) {
        try (ImageStore.Stored stored = store.open(place, 0)) {
            ImageStore.Label label = stored.label();
            return label.ranks() == ranks
                && StateLayout.withoutRemainder(label.layout(), new ResidualState()).equals(layout);
        }
    }

    private void loadFromOthers(String place, long generation) {
        List<String> told = new Redistribution(store, place, member, ranks, new StateLayout(layout),
            declared.distributions(), this::meanwhile).load(images, generation);
        if (member == 0) {
            told.forEach(line -> inbox.send(new ControlMessage.Redistributed(line)));
        }
    }

    private void check(ImageStore.Stored stored, long generation) {
        ImageStore.Label label = stored.label();
        if (label.rank() != member || label.ranks() != ranks || label.generation() != generation
            || !StateLayout.withoutRemainder(label.layout(), new ResidualState()).equals(layout)) {
            throw new FtrmaException(FtrmaException.Category.SETUP,
                "--restart: the image found for rank " + member + " of " + ranks
                + ", generation " + generation + ", is that of rank " + label.rank() + " of " + label.ranks()
                + ", generation " + label.generation());
        }
        long more = stored.bytes() - images.leastBytes();
        if (more < 0 || stored.bytes() > images.mostBytes() || more % ImageLayout.BLOCK != 0) {
            throw new FtrmaException(FtrmaException.Category.SETUP,
                "--restart: the image of rank " + member + " has " + stored.bytes()
                + " bytes, this program's has whole blocks from " + images.leastBytes() + " to " + images.mostBytes());
        }
    }

    @Override
    public void flush(ControlMessage.Flush m) {
        release();
        int slot = images == null ? -1 : images.slots().find(m.generation());
        if (slot < 0) {
            inbox.send(new ControlMessage.FlushFailed(m.number(),
                "generation " + m.generation() + " is not held any more"));
            return;
        }
        if (writing != null) {
            inbox.send(new ControlMessage.FlushFailed(m.number(), "the last image is still being written"));
            return;
        }
        images.slots().keep(m.generation()); // C30
        writing = new Writing(m.number());
        ImageStore.Label label = new ImageStore.Label(member, ranks, m.generation(),
            images.stepOf(slot), StateLayout.withRemainder(layout, images.remainderOf(slot)));
        store.write(m.place(), label, images.parts(slot), writing);
    }

    @Override
    public void cancel(ControlMessage.FlushCancel m) {
        if (writing != null && writing.number == m.number()) {
            store.cancel();
        }
    }

    /** To be called before a slot is chosen for an image: a slot whose image is written is free again. */
    void release() {
        if (writing != null && writing.over) {
            writing = null;
            images.slots().keep(0);
        }
    }
}
