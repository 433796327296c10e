package org.ftrma.checkpoint;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.ftrma.FtrmaException;
import org.ftrma.checkpoint.control.Blob;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.xor.DirtyMap;
import org.ftrma.xor.XorCode;

/**
 * Reads what the others of a group hold of one generation (images, and the parity if wanted) and combines it by XOR, piece by piece: into
 * a parity at a
 * checksum rank, into the lost image at a replacement. One-sided; the others' programs run on. Data thread only.
 */
final class GroupImages {
    private static final int PIECE_BYTES = 256 << 10;

    /** Where a piece of the result goes. */
    interface Destination {
        /** The memory for the copied part, with the offset of its first byte. */
        MemorySegment copied();

        long copiedOffset();

        /** The memory for rotating segment j, with the offset of its first byte. */
        MemorySegment rotating(int j);

        long rotatingOffset(int j);
    }

    private final Session session;
    private final ImageLayout layout;
    private final int[] members;
    private final RemoteMemory[] images;
    private final RemoteMemory[][] rotating;
    private final int parityMember;
    private final RemoteMemory parity;
    private final MemorySegment staging;
    private final MemorySegment[] sources;
    private final long[] offsets;

    /**
     * @param members the computing ranks to read
     * @param keys by member: of a computing rank the key of its image region, then of its rotating regions; of a checksum rank that of its parity
     * @param parityMember the checksum rank whose parity is read too, or -1
     */
    GroupImages(Session session, ImageLayout layout, List<Integer> members, byte[][] keys, int parityMember, Arena arena) {
        this.session = session;
        this.layout = layout;
        this.members = members.stream().mapToInt(Integer::intValue).toArray();
        this.images = new RemoteMemory[this.members.length];
        this.rotating = new RemoteMemory[this.members.length][layout.rotating()];
        for (int i = 0; i < this.members.length; i++) {
            int member = this.members[i];
            int regions = 1 + layout.rotating();
            images[i] = session.attach(member, () -> Blob.unpack(keys[member], regions).get(0));
            for (int j = 0; j < layout.rotating(); j++) {
                int number = 1 + j;
                rotating[i][j] = session.attach(member, () -> Blob.unpack(keys[member], regions).get(number));
            }
        }
        this.parityMember = parityMember;
        this.parity = parityMember < 0 ? null : session.attach(parityMember, () -> Blob.unpack(keys[parityMember], 1).get(0));
        int count = images.length + (parity == null ? 0 : 1);
        this.staging = arena.allocate((long) count * PIECE_BYTES, 64);
        this.sources = new MemorySegment[count];
        this.offsets = new long[count];
    }

    /** Combines a whole generation, or, with {@code base} above 0, only the blocks that changed since what the destination holds of base. */
    void combine(long generation, long base, Destination destination) {
        int slot = ImageLayout.slot(generation);
        boolean onlyDirty = base > 0;
        for (int i = 0; i < images.length; i++) {
            long held = images[i].getLong(ImageLayout.generationOffset(slot));
            if (held != generation) {
                throw new FtrmaException(FtrmaException.Category.FATAL, "rank " + members[i] + " holds generation " + held + " in slot " + slot
                    + ", not "
                    + generation);
            }
            onlyDirty &= images[i].getLong(ImageLayout.baseOffset(slot)) == base;
        }
        if (onlyDirty) {
            combineDirty(slot, destination);
        } else {
            combineCopied(slot, 0, layout.copiedBytes(), destination);
        }
        for (int j = 0; j < layout.rotating(); j++) {
            combineRotating(slot, j, destination);
        }
    }

    private void combineDirty(int slot, Destination destination) {
        long bytes = layout.dirtyMapBytes();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment maps = arena.allocate(bytes * images.length, Long.BYTES);
            for (int i = 0; i < images.length; i++) {
                images[i].get(maps, i * bytes, layout.dirtyMapOffset(slot), bytes);
            }
            flushAll();
            DirtyMap union = DirtyMap.wrap(maps.asSlice(0, bytes));
            for (int i = 1; i < images.length; i++) {
                union.union(DirtyMap.wrap(maps.asSlice(i * bytes, bytes)));
            }
            for (long first = union.nextDirty(0); first < union.blocks(); first = union.nextDirty(first)) {
                long end = union.nextClean(first);
                combineCopied(slot, first * ImageLayout.BLOCK, (end - first) * ImageLayout.BLOCK, destination);
                first = end;
            }
        }
    }

    private void flushAll() {
        for (int member : members) {
            session.fabric.flush(member);
        }
        if (parity != null) {
            session.fabric.flush(parityMember);
        }
    }

    private void combineCopied(int slot, long start, long length, Destination destination) {
        for (long at = start; at < start + length; at += PIECE_BYTES) {
            long bytes = Math.min(PIECE_BYTES, start + length - at);
            for (int i = 0; i < images.length; i++) {
                read(i, images[i], layout.slotOffset(slot) + at, bytes);
            }
            finish(slot, at, bytes, destination.copied(), destination.copiedOffset() + at);
        }
    }

    private void combineRotating(int slot, int j, Destination destination) {
        long start = layout.rotatingStart(j);
        long[] base = new long[images.length];
        for (int i = 0; i < images.length; i++) {
            long buffer = images[i].getLong(ImageLayout.bufferOffset(slot, j));
            if (buffer < 0 || buffer >= ImageLayout.BUFFERS) {
                throw new FtrmaException(FtrmaException.Category.FATAL, "rank " + members[i] + " names buffer " + buffer + " of rotating segment " + j);
            }
            base[i] = buffer * layout.rotatingBytes(j);
        }
        for (long at = 0; at < layout.rotatingBytes(j); at += PIECE_BYTES) {
            long bytes = Math.min(PIECE_BYTES, layout.rotatingBytes(j) - at);
            for (int i = 0; i < images.length; i++) {
                read(i, rotating[i][j], base[i] + at, bytes);
            }
            finish(slot, start + at, bytes, destination.rotating(j), destination.rotatingOffset(j) + at);
        }
    }

    private void read(int source, RemoteMemory memory, long offset, long bytes) {
        MemorySegment mapped = memory.mapped();
        if (mapped != null) {
            sources[source] = mapped;
            offsets[source] = offset;
        } else {
            sources[source] = staging;
            offsets[source] = (long) source * PIECE_BYTES;
            memory.get(staging, offsets[source], offset, bytes);
        }
    }

    private void finish(int slot, long logical, long bytes, MemorySegment destination, long offset) {
        if (parity != null) {
            read(images.length, parity, layout.parityOffset(slot) + logical, bytes);
        }
        flushAll();
        session.fabric.progress();
        session.inbox.drain();
        XorCode.encode(sources, offsets, destination, offset, bytes);
    }
}
