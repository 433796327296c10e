package org.ftrma.checkpoint;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.ftrma.FtrmaException;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.xor.BlockCompare;
import org.ftrma.xor.DirtyMap;

/**
 * The images of one computing rank, in slots, each the exact state at one checkpoint (see {@link ImageLayout}). Copies the state into a slot, and back.
 * Data thread only; checksum ranks read the slots while the program runs on.
 */
final class Images {
    private static final long PIECE_BYTES = 1L << 20;

    private final Session session;
    private final List<WindowImpl> windows;
    private final List<MemorySegment> locals;
    private final List<RotatingImpl> rotating;
    private final List<HeaderPart> parts;
    private final ImageLayout layout;
    private final MemorySegment header;
    private final MemoryRegion region;
    private final MemorySegment memory;
    private final Slots slots;

    /** Images of all that; {@code parts} is the library's own state. */
    Images(Session session, List<WindowImpl> windows, List<MemorySegment> locals, List<RotatingImpl> rotating, List<HeaderPart> parts,
        ImageLayout layout, Arena arena) {
        this.session = session;
        this.windows = windows;
        this.locals = locals;
        this.rotating = rotating;
        this.parts = parts;
        this.layout = layout;
        this.header = arena.allocate(headerBytes(parts), ImageLayout.BLOCK);
        this.region = session.fabric.expose(layout.imageRegionBytes());
        this.memory = region.segment();
        this.slots = new Slots(memory, layout.slots());
    }

    static ImageLayout layoutOf(List<WindowImpl> windows, List<MemorySegment> locals, List<RotatingImpl> rotating, List<HeaderPart> parts,
        int slots) {
        long copied = headerBytes(parts);
        for (WindowImpl window : windows) {
            copied += window.kind() == org.ftrma.WindowKind.PROTECTED ? ImageLayout.align(window.bytes()) : 0;
        }
        for (MemorySegment local : locals) {
            copied += ImageLayout.align(local.byteSize());
        }
        return new ImageLayout(copied, rotating.stream().mapToLong(r -> ImageLayout.align(r.bytes)).toArray(), slots);
    }

    private static long headerBytes(List<HeaderPart> parts) {
        long bytes = ImageLayout.HEADER_PARTS;
        for (HeaderPart part : parts) {
            bytes += part.imageBytes();
        }
        return ImageLayout.align(bytes);
    }

    /** Bytes of an image that are the library's own. */
    static long headerBytes(ImageLayout layout, List<WindowImpl> windows, List<MemorySegment> locals) {
        return layout.copiedBytes() - layoutOf(windows, locals, List.of(), List.of(), layout.slots()).copiedBytes() + ImageLayout.BLOCK;
    }

    ImageLayout layout() {
        return layout;
    }

    MemoryRegion region() {
        return region;
    }

    /** Which slots hold what. */
    Slots slots() {
        return slots;
    }

    /**
     * Copies the state after {@code step} into a free slot. What others change meanwhile may be in it or not.
     *
     * @param isWanted asked now and then; if not, the slot holds nothing
     * @return whether the slot holds it
     */
    boolean take(long tag, long step, BooleanSupplier isWanted) {
        int slot = slots.begin(tag);
        long base = slots.takeBase(slot);
        word(ImageLayout.baseOffset(slot), base == 0 ? -1 : base);
        writeHeader(step);
        MemorySegment map = memory.asSlice(layout.dirtyMapOffset(slot), layout.dirtyMapBytes());
        DirtyMap dirty = DirtyMap.format(map, layout.copiedBytes(), ImageLayout.BLOCK);
        long at = layout.slotOffset(slot);
        long block = 0;
        boolean whole = copyChanged(header, at, dirty, block, isWanted);
        block += header.byteSize() / ImageLayout.BLOCK;
        for (MemorySegment piece : copied()) {
            whole = whole && copyChanged(piece, at + block * ImageLayout.BLOCK, dirty, block, isWanted);
            block += ImageLayout.align(piece.byteSize()) / ImageLayout.BLOCK;
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

    private List<MemorySegment> copied() {
        List<MemorySegment> pieces = new java.util.ArrayList<>();
        windows.stream().filter(w -> w.kind() == org.ftrma.WindowKind.PROTECTED).forEach(w -> pieces.add(w.memory()));
        pieces.addAll(locals);
        return pieces;
    }

    /** Returns false if it was given up. */
    private boolean copyChanged(MemorySegment source, long destination, DirtyMap dirty, long firstBlock, BooleanSupplier isWanted) {
        long length;
        for (long at = 0; at < source.byteSize(); at += length) {
            length = Math.min(session.fabric.pieceBytes(), source.byteSize() - at);
            BlockCompare.copyChanged(source, at, memory, destination + at, length, dirty, firstBlock + at / ImageLayout.BLOCK);
            session.fabric.progress();
            if (!isWanted.getAsBoolean()) {
                return false;
            }
        }
        return true;
    }

    private void writeHeader(long step) {
        header.fill((byte) 0);
        header.set(ValueLayout.JAVA_LONG, 0, step);
        header.set(ValueLayout.JAVA_LONG, 8, session.inbox.timeline());
        long at = ImageLayout.HEADER_PARTS;
        for (HeaderPart part : parts) {
            part.save(header, at);
            at += part.imageBytes();
        }
    }

    /** An image becomes the state; returns its step. */
    long restore(long tag) {
        int slot = slots.find(tag);
        if (slot < 0) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "no slot holds image " + tag + " (demand checkpoints are above "
                + ImageLayout.DEMAND + ")");
        }
        long at = layout.slotOffset(slot);
        session.fabric.copy(memory, at, header, 0, header.byteSize());
        at += header.byteSize();
        for (MemorySegment piece : copied()) {
            for (long done = 0; done < piece.byteSize(); done += PIECE_BYTES) {
                session.fabric.copy(memory, at + done, piece, done, Math.min(PIECE_BYTES, piece.byteSize() - done));
            }
            at += ImageLayout.align(piece.byteSize());
        }
        long partAt = ImageLayout.HEADER_PARTS;
        for (HeaderPart part : parts) {
            part.restore(header, partAt);
            partAt += part.imageBytes();
        }
        rotating.forEach(r -> r.restore(slot));
        return header.get(ValueLayout.JAVA_LONG, 0);
    }

    /** The logical image in a slot, piece by piece. */
    List<MemorySegment> parts(int slot) {
        List<MemorySegment> parts = new java.util.ArrayList<>();
        parts.add(memory.asSlice(layout.slotOffset(slot), layout.copiedBytes()));
        for (int j = 0; j < rotating.size(); j++) {
            parts.add(rotatingMemory(j).asSlice(rotatingOffset(slot, j), layout.rotatingBytes(j)));
        }
        return parts;
    }

    /** The step of the image in a slot. */
    long stepOf(int slot) {
        return word(layout.slotOffset(slot));
    }

    /** Prepares a slot to be rebuilt from parity, or read from disk; {@link Slots#rebuilt} follows. */
    int beginRebuild(long tag) {
        int slot = slots.begin(tag);
        slots.takeBase(slot);
        for (int j = 0; j < rotating.size(); j++) {
            word(ImageLayout.bufferOffset(slot, j), rotating.get(j).forRebuild(slot));
        }
        return slot;
    }

    /** Where rotating segment j of a slot's image lies in its region. */
    long rotatingOffset(int slot, int j) {
        return word(ImageLayout.bufferOffset(slot, j)) * layout.rotatingBytes(j);
    }

    MemorySegment rotatingMemory(int j) {
        return rotating.get(j).region.segment();
    }

    private long word(long offset) {
        return memory.get(ValueLayout.JAVA_LONG, offset);
    }

    private void word(long offset, long value) {
        memory.set(ValueLayout.JAVA_LONG, offset, value);
    }
}
