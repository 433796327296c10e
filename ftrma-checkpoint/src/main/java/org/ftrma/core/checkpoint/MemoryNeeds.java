package org.ftrma.core.checkpoint;

import java.util.Optional;
import org.ftrma.FtrmaException;
import org.ftrma.WindowKind;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.image.ImageLayout;
import org.ftrma.core.session.ControlDescriptor;
import org.ftrma.core.session.Inbox;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.ImageStore;
import org.ftrma.spi.MemoryLimits;
import org.ftrma.spi.MemoryShare;
import org.ftrma.xor.MemoryDemand;
import org.ftrma.xor.MemoryPlan;

/**
 * Memory that a protected job needs, as far as its program has said so yet: a job that does not fit is refused with the
 * figures before anything more is allocated. Every computing rank does the same sums. What all members on its host need
 * is compared with what was free there before any of them allocated anything, so what is allocated on the way counts as
 * taken. Data thread only.
 */
public final class MemoryNeeds {
    private final JobOptions options;
    private final boolean isFirst;
    private final MemoryLimits room;
    private final MemoryShare share;
    private final long logBytes;
    private final long readBytes;
    private long windowBytes;
    private long scratchBytes;
    private long localBytes;
    private long rotatingBytes;
    private long largestRegion;
    private long messageLogBytes;

    /**
     * To be made before the first exchange of a view: nobody allocates anything large before that.
     *
     * @param isReplacement whether this process plays a member that another one has played
     * @param logBytes what a log region takes, 0 without logs
     */
    public MemoryNeeds(Fabric fabric, Inbox inbox, JobOptions options, ImageStore store, MemoryShare share,
        boolean isReplacement, long logBytes) {
        this.options = options;
        this.logBytes = logBytes;
        ControlMessage.OnDisk source = inbox.onDisk();
        this.isFirst = !isReplacement && inbox.view() == (source == null ? 1 : source.firstView());
        this.share = share;
        // A replacement finds the others' memory taken, and perhaps that of its predecessor; what it needs was planned
        // with the job.
        this.readBytes = isFirst && options.isProtected() && source != null ? readBytes(store, source) : 0;
        this.room = isFirst && options.isProtected() ? fabric.room() : MemoryLimits.UNKNOWN;
    }

    /**
     * What an image takes of a job with other ranks that this one starts from: to take its own state from those, a rank
     * holds one of them beside its own.
     */
    private long readBytes(ImageStore store, ControlMessage.OnDisk source) {
        try (ImageStore.Stored first = store.open(source.place(), 0)) {
            return first.label().ranks() == options.ranks() ? 0 : first.bytes();
        } catch (FtrmaException e) {
            return 0; // whoever reads it in earnest is told
        }
    }

    /** Whether this process was there when the job began: a replacement does not plan anew. */
    boolean isFirst() {
        return isFirst;
    }

    /** The program is about to have a window. */
    public void window(long bytes, WindowKind kind) {
        if (kind == WindowKind.PROTECTED) {
            windowBytes += ImageLayout.align(bytes);
        } else {
            scratchBytes += bytes;
        }
        largestRegion = Math.max(largestRegion, bytes);
        check();
    }

    /**
     * The program is about to send messages.
     *
     * @param bytes what all takes that they need
     * @param ofLog of that, what is kept of those that were sent; 0: nothing is
     */
    public void messages(long bytes, long ofLog) {
        messageLogBytes = ofLog;
        window(bytes, WindowKind.SCRATCH);
    }

    /** The program is about to have a protected segment. */
    public void local(long bytes) {
        localBytes += ImageLayout.align(bytes);
        check();
    }

    /** The program is about to have a rotating segment. */
    public void rotating(long bytes) {
        rotatingBytes += ImageLayout.align(bytes);
        largestRegion = Math.max(largestRegion, ImageLayout.buffers(options) * ImageLayout.align(bytes));
        check();
    }

    /**
     * All that was said until now, and what protection adds to it, with so many bytes of the library's own in each
     * image.
     */
    MemoryPlan plan(long headerBytes) {
        long slots = ImageLayout.slots(options);
        boolean network = options.forceNetwork();
        int groups = options.groups();
        long checksumLogs = options.protocol().logsAtChecksum() ? ((options.ranks() - 1L) / groups + 1) * logBytes : 0;
        return MemoryPlan.of(new MemoryDemand(options.ranks(), groups, options.losses())
            .windows(windowBytes).scratch(scratchBytes).local(localBytes)
            .rotating(rotatingBytes, ImageLayout.buffers(options))
            .control(ControlDescriptor.BYTES + slots * headerBytes)
            .onDemand(options.hasDemandCheckpoints()).toDisk(options.isFlushed())
            .messageLog(messageLogBytes).reads(readBytes)
            .logs(options.protocol().logsResults() ? logBytes : 0, checksumLogs)
            .spares(network ? 0 : options.spares()));
    }

    /** Refuses a job that does not fit: a FtrmaException of category SETUP. */
    public void check() {
        if (room.bytes() == Long.MAX_VALUE && room.regionBytes() == Long.MAX_VALUE) {
            return;
        }
        MemoryPlan plan;
        try {
            plan = plan(0);
        } catch (IllegalArgumentException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "memory that the job needs: " + e.getMessage(), e);
        }
        Optional<String> refusal = share.isAll() ? plan.refusal(room.bytes(), room.limit())
            : plan.refusal(share.host(), new int[] {share.ranks(), share.checksums(), share.spares()}, room.bytes(),
            room.limit());
        if (refusal.isPresent()) { // C34
            throw new FtrmaException(FtrmaException.Category.SETUP,
                "memory that the job needs does not fit: " + refusal.get());
        }
        long image = ImageLayout.slots(options) * (windowBytes + localBytes);
        long parity = ImageLayout.paritySlots(options) * (windowBytes + localBytes + rotatingBytes);
        long largest = Math.max(Math.max(largestRegion, logBytes), Math.max(image, parity));
        if (largest > room.regionBytes()) {
            throw new FtrmaException(FtrmaException.Category.SETUP,
                "memory that the job needs does not fit: " + (share.isAll() ? "" : "host " + share.host() + ": ")
                + "one region takes "
                + MemoryPlan.binary(largest)
                + " (a window, or all images of a rank, or a parity), and the limit of each is "
                + MemoryPlan.binary(room.regionBytes()) + " (" + room.regionLimit() + ")\n" + plan.table());
        }
    }
}
