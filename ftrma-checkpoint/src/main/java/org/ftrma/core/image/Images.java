package org.ftrma.core.image;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.ftrma.FtrmaException;
import org.ftrma.WindowKind;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.xor.BlockCompare;
import org.ftrma.xor.DirtyMap;

/**
 * The images of one computing rank, in slots, each the exact state at one checkpoint (see {@link ImageLayout}). Copies
 * the state into a slot, and back. Data thread only; checksum ranks read the slots while the program runs on.
 */
public final class Images {
    private static final long PIECE_BYTES = 1L << 20;

    private final Fabric fabric;
    private final LongSupplier timeline;
    private final List<? extends ProtectedMemory> windows;
    private final List<MemorySegment> locals;
    private final List<RotatingImpl> rotating;
    private final List<CheckpointedState> parts;
    private final ImageLayout layout;
    private final MemoryRegion region;
    private final MemorySegment memory;
    private final Slots slots;
    private final UsedHeaders headers;

    /** Images of all that; {@code parts} is the library's own state. */
    public Images(Fabric fabric, LongSupplier timeline, List<? extends ProtectedMemory> windows,
        List<MemorySegment> locals, List<RotatingImpl> rotating,
        List<CheckpointedState> parts, ImageLayout layout) {
        this.fabric = fabric;
        this.timeline = timeline;
        this.windows = windows;
        this.locals = locals;
        this.rotating = rotating;
        this.parts = parts;
        this.layout = layout;
        this.region = fabric.expose(layout.imageRegionBytes(), layout.imageHoles());
        this.memory = region.segment();
        this.slots = new Slots(memory, layout.slots());
        this.headers = new UsedHeaders(memory, layout::slotOffset);
    }

    public static ImageLayout layoutOf(List<? extends ProtectedMemory> windows, List<MemorySegment> locals,
        List<RotatingImpl> rotating,
        List<CheckpointedState> parts, int slots) {
        long header = ImageHeader.capacity(parts);
        long copied = header;
        for (ProtectedMemory window : windows) {
            copied += window.kind() == WindowKind.PROTECTED ? ImageLayout.align(window.largestBytes()) : 0;
        }
        for (MemorySegment local : locals) {
            copied += ImageLayout.align(local.byteSize());
        }
        return new ImageLayout(header, copied, rotating.stream().mapToLong(r -> ImageLayout.align(r.bytes)).toArray(),
            slots);
    }

    public ImageLayout layout() {
        return layout;
    }

    public MemoryRegion region() {
        return region;
    }

    /** Which slots hold what. */
    public Slots slots() {
        return slots;
    }

    /**
     * Copies the state after {@code step} into a free slot. What others change meanwhile may be in it or not.
     *
     * @param isWanted asked now and then; if not, the slot holds nothing
     * @return whether the slot holds it
     */
    public boolean take(long tag, long step, BooleanSupplier isWanted) {
        int slot = slots.begin(tag);
        long base = slots.takeBase(slot);
        word(ImageLayout.baseOffset(slot), base == 0 ? -1 : base);
        MemorySegment map = memory.asSlice(layout.dirtyMapOffset(slot), layout.dirtyMapBytes());
        DirtyMap dirty = DirtyMap.format(map, layout.copiedBytes(), ImageLayout.BLOCK);
        writeHeader(slot, step, dirty);
        fabric.progress();
        boolean whole = isWanted.getAsBoolean();
        long at = layout.slotOffset(slot);
        long block = layout.headerBytes() / ImageLayout.BLOCK;
        for (Piece piece : copied()) {
            whole = whole && copyChanged(piece.memory, at + block * ImageLayout.BLOCK, dirty, block, isWanted);
            block += piece.room / ImageLayout.BLOCK;
        }
        if (!whole) {
            return false;
        }
        for (int j = 0; j < rotating.size(); j++) {
            word(ImageLayout.bufferOffset(slot, j), rotating.get(j).freeze(slot));
        }
        slots.complete(slot, tag);
        return true;
    }

    /** What is copied, and what is for it in each image: where a window's parts differ, more than it takes. */
    private record Piece(MemorySegment memory, long room) {
    }

    private List<Piece> copied() {
        List<Piece> pieces = new ArrayList<>();
        windows.stream().filter(w -> w.kind() == WindowKind.PROTECTED)
            .forEach(w -> pieces.add(new Piece(w.memory(), ImageLayout.align(w.largestBytes()))));
        locals.forEach(one -> pieces.add(new Piece(one, ImageLayout.align(one.byteSize()))));
        return pieces;
    }

    /** Returns false if it was given up. */
    private boolean copyChanged(MemorySegment source, long destination, DirtyMap dirty, long firstBlock,
        BooleanSupplier isWanted) {
        long length;
        for (long at = 0; at < source.byteSize(); at += length) {
            length = Math.min(fabric.pieceBytes(), source.byteSize() - at);
            BlockCompare.copyChanged(source, at, memory, destination + at, length, dirty,
                firstBlock + at / ImageLayout.BLOCK);
            fabric.progress();
            if (!isWanted.getAsBoolean()) {
                return false;
            }
        }
        return true;
    }

    /** Writes the header into the slot, without a copy of it elsewhere: nearly all of it changes between two images. */
    private void writeHeader(int slot, long step, DirtyMap dirty) {
        long had = headers.of(slot);
        headers.set(slot, layout.headerBytes()); // in case that it is left in the middle
        long used = ImageHeader.write(memory, layout.slotOffset(slot), step, timeline.getAsLong(), parts);
        headers.clear(slot, used, had);
        headers.set(slot, used);
        dirty.mark(0, Math.max(used, had) / ImageLayout.BLOCK); // C25
    }

    /** An image becomes the state; returns its step. */
    public long restore(long tag) {
        int slot = slots.find(tag);
        if (slot < 0) {
            throw new FtrmaException(FtrmaException.Category.FATAL,
                "no slot holds image " + tag + " (demand checkpoints are above "
                + ImageLayout.DEMAND + ")");
        }
        long at = layout.slotOffset(slot);
        at += layout.headerBytes();
        for (Piece piece : copied()) {
            long bytes = piece.memory.byteSize();
            for (long done = 0; done < bytes; done += PIECE_BYTES) {
                fabric.copy(memory, at + done, piece.memory, done, Math.min(PIECE_BYTES, bytes - done));
            }
            at += piece.room;
        }
        long step = ImageHeader.read(memory, layout.slotOffset(slot), layout.headerBytes(), parts);
        rotating.forEach(r -> r.restore(slot)); // C29
        return step;
    }

    /** The logical image in a slot, piece by piece, without what its header does not use. */
    public List<MemorySegment> parts(int slot) {
        List<MemorySegment> parts = new ArrayList<>();
        long at = layout.slotOffset(slot);
        parts.add(memory.asSlice(at, headers.of(slot)));
        if (layout.copiedBytes() > layout.headerBytes()) {
            parts.add(memory.asSlice(at + layout.headerBytes(), layout.copiedBytes() - layout.headerBytes()));
        }
        for (int j = 0; j < rotating.size(); j++) {
            parts.add(rotatingMemory(j).asSlice(rotatingOffset(slot, j), layout.rotatingBytes(j)));
        }
        return parts;
    }

    /**
     * Begins the image of a job that goes on at this step and has done nothing itself so far: with zeros for all that
     * is protected, which {@link #protectedParts} has.
     */
    public void beginAnew(int slot, long step) {
        long had = headers.of(slot);
        headers.set(slot, layout.headerBytes()); // in case that it is left in the middle
        long used = ImageHeader.writeUnused(memory, layout.slotOffset(slot), step, timeline.getAsLong(), parts);
        headers.clear(slot, used, had);
        headers.set(slot, used);
        protectedParts(slot).forEach(part -> part.fill((byte) 0));
    }

    /** In the image in a slot: this rank's protected windows, its segments, those that rotate, in their order. */
    public List<MemorySegment> protectedParts(int slot) {
        List<MemorySegment> parts = new ArrayList<>();
        long at = layout.slotOffset(slot) + layout.headerBytes();
        for (Piece piece : copied()) {
            parts.add(memory.asSlice(at, piece.memory.byteSize()));
            at += piece.room;
        }
        for (int j = 0; j < rotating.size(); j++) {
            parts.add(rotatingMemory(j).asSlice(rotatingOffset(slot, j), rotating.get(j).bytes));
        }
        return parts;
    }

    /** What is lost where a job goes on without what a slot's image has of the library's own state. */
    public ResidualState remainderOf(int slot) {
        return ImageHeader.remainder(memory, layout.slotOffset(slot));
    }

    /** The step of the image in a slot. */
    public long stepOf(int slot) {
        return ImageHeader.step(memory, layout.slotOffset(slot));
    }

    /** The least and the most bytes of {@link #parts}. */
    public long leastBytes() {
        return layout.imageBytes() - layout.headerBytes() + ImageLayout.BLOCK;
    }

    public long mostBytes() {
        return layout.imageBytes();
    }

    /** {@link #parts} of a slot will be written, so many bytes. */
    public List<MemorySegment> partsFor(int slot, long bytes) {
        headers.begin(slot, bytes - leastBytes() + ImageLayout.BLOCK);
        return parts(slot);
    }

    /**
     * What was written into a slot has all of the header that it says it has; it may have more, of zeros, where it had
     * been rebuilt.
     */
    public void checkHeader(int slot) {
        long used = ImageHeader.usedBlocks(memory, layout.slotOffset(slot), layout.headerBytes());
        CheckpointedState.require(used <= headers.of(slot), "it says that it uses " + used + " bytes, and has "
            + headers.of(slot));
    }

    /** A slot as the place of what is rebuilt. */
    public Destination place(int slot) {
        return new SlotPlace(memory, layout.slotOffset(slot), headers, slot) {
            @Override
            public MemorySegment rotating(int j) {
                return rotatingMemory(j);
            }

            @Override
            public long rotatingOffset(int j) {
                return Images.this.rotatingOffset(slot, j);
            }
        };
    }

    /** Prepares a slot to be rebuilt from parity, or read from disk; {@link Slots#rebuilt} follows. */
    public int beginRebuild(long tag) {
        int slot = slots.begin(tag);
        slots.takeBase(slot);
        for (int j = 0; j < rotating.size(); j++) {
            word(ImageLayout.bufferOffset(slot, j), rotating.get(j).forRebuild(slot));
        }
        return slot;
    }

    /** Where rotating segment j of a slot's image lies in its region. */
    public long rotatingOffset(int slot, int j) {
        return word(ImageLayout.bufferOffset(slot, j)) * layout.rotatingBytes(j);
    }

    public MemorySegment rotatingMemory(int j) {
        return rotating.get(j).region.segment();
    }

    private long word(long offset) {
        return memory.get(ValueLayout.JAVA_LONG, offset);
    }

    private void word(long offset, long value) {
        memory.set(ValueLayout.JAVA_LONG, offset, value);
    }
}
