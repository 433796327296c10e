package org.ftrma.checkpoint;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.ftrma.FtrmaException;
import org.ftrma.checkpoint.control.Blob;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.xor.DirtyMap;
import org.ftrma.xor.XorCode;

/**
 * Reads what the others of a group hold (images, and the parity if wanted) and combines it by XOR, piece by piece: into a parity at a checksum rank,
 * into the lost image at a replacement. One-sided; the others' programs run on. Data thread only.
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
    private final byte[][] keys;
    private final RemoteMemory[] images;
    private final RemoteMemory[][] rotating;
    private final int parityMember;
    private final RemoteMemory parity;
    private final MemorySegment staging;
    private final MemorySegment[] sources;
    private final long[] offsets;
    /** By member: the slot to read. */
    private final int[] slots;
    private int paritySlot;
    /** Where memory is not mapped: a piece of an older and of a newer image. */
    private final MemorySegment pair;

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
        this.keys = keys;
        this.parityMember = parityMember;
        this.parity = parityMember < 0 ? null : session.attach(parityMember, () -> Blob.unpack(keys[parityMember], 1).get(0));
        int count = images.length + (parity == null ? 0 : 1);
        this.staging = arena.allocate((long) count * PIECE_BYTES, 64);
        this.sources = new MemorySegment[count];
        this.offsets = new long[count];
        this.slots = new int[images.length];
        this.pair = arena.allocate(2L * PIECE_BYTES, 64);
    }

    /**
     * Combines images, one of each member.
     *
     * @param tags by member: which image of it
     * @param parityTag which parity, if one is read
     * @param base above 0: only the blocks that changed since what the destination holds of this generation
     */
    void combine(IntToLongFunction tags, long parityTag, long base, Destination destination) {
        boolean onlyDirty = base > 0;
        for (int i = 0; i < images.length; i++) {
            attach(i);
        }
        for (int i = 0; i < images.length; i++) {
            slots[i] = slot("rank " + members[i], images[i], tags.applyAsLong(members[i]));
            onlyDirty &= images[i].getLong(ImageLayout.baseOffset(slots[i])) == base;
        }
        paritySlot = parity == null ? -1 : slot("the checksum rank", parity, parityTag);
        if (onlyDirty) {
            combineDirty(destination);
        } else {
            combineCopied(0, layout.copiedBytes(), destination);
        }
        for (int j = 0; j < layout.rotating(); j++) {
            combineRotating(j, destination);
        }
    }

    /** A member's regions are opened when they are read: another one may be away. */
    private void attach(int which) {
        if (images[which] == null) {
            int member = members[which];
            int regions = 1 + layout.rotating();
            images[which] = session.attach(member, () -> Blob.unpack(keys[member], regions).get(0));
            for (int j = 0; j < layout.rotating(); j++) {
                int number = 1 + j;
                rotating[which][j] = session.attach(member, () -> Blob.unpack(keys[member], regions).get(number));
            }
        }
    }

    private int slot(String who, RemoteMemory memory, long tag) {
        for (int slot = 0; slot < layout.slots(); slot++) {
            if (memory.getLong(ImageLayout.tagOffset(slot)) == tag) {
                return slot;
            }
        }
        throw new FtrmaException(FtrmaException.Category.FATAL, who + " does not hold image or parity " + name(tag));
    }

    private static String name(long tag) {
        return tag < ImageLayout.DEMAND ? "of generation " + tag : "of demand checkpoint " + (tag - ImageLayout.DEMAND);
    }

    /**
     * One member's image takes the place of an older one of it in a parity: XOR of both is the difference. Blocks that are equal in
     * both are not touched.
     *
     * @param source the parity that includes the older one; null: the destination itself, which is changed in place
     * @return bytes that changed
     */
    long exchange(int member, long oldTag, long newTag, Destination source, Destination destination) {
        int which = 0;
        while (members[which] != member) {
            which++;
        }
        attach(which);
        int oldSlot = slot("rank " + member, images[which], oldTag);
        int newSlot = slot("rank " + member, images[which], newTag);
        long changed = 0;
        for (long at = 0; at < layout.copiedBytes(); at += PIECE_BYTES) {
            long bytes = Math.min(PIECE_BYTES, layout.copiedBytes() - at);
            changed += exchange(member, images[which], layout.slotOffset(oldSlot) + at, layout.slotOffset(newSlot) + at, bytes,
                source == null ? null : source.copied(), source == null ? 0 : source.copiedOffset() + at, destination.copied(),
                destination.copiedOffset() + at);
        }
        for (int j = 0; j < layout.rotating(); j++) {
            long oldBase = images[which].getLong(ImageLayout.bufferOffset(oldSlot, j)) * layout.rotatingBytes(j);
            long newBase = images[which].getLong(ImageLayout.bufferOffset(newSlot, j)) * layout.rotatingBytes(j);
            for (long at = 0; at < layout.rotatingBytes(j); at += PIECE_BYTES) {
                long bytes = Math.min(PIECE_BYTES, layout.rotatingBytes(j) - at);
                changed += exchange(member, rotating[which][j], oldBase + at, newBase + at, bytes, source == null ? null : source.rotating(j),
                    source == null ? 0 : source.rotatingOffset(j) + at, destination.rotating(j), destination.rotatingOffset(j) + at);
            }
        }
        return changed;
    }

    private long exchange(int member, RemoteMemory memory, long older, long newer, long bytes, MemorySegment source, long sourceOffset,
        MemorySegment destination, long offset) {
        MemorySegment mapped = memory.mapped();
        MemorySegment images = mapped != null ? mapped : pair;
        long oldAt = mapped != null ? older : 0;
        long newAt = mapped != null ? newer : PIECE_BYTES;
        if (mapped == null) {
            memory.get(pair, 0, older, bytes);
            memory.get(pair, PIECE_BYTES, newer, bytes);
            session.fabric.flush(member);
        }
        session.fabric.progress();
        checkWanted();
        if (source != null) {
            MemorySegment.copy(source, sourceOffset, destination, offset, bytes);
        }
        long changed = 0;
        for (long at = 0; at < bytes; at += ImageLayout.BLOCK) {
            long length = Math.min(ImageLayout.BLOCK, bytes - at);
            if (MemorySegment.mismatch(images, oldAt + at, oldAt + at + length, images, newAt + at, newAt + at + length) >= 0) {
                XorCode.xorInto(images, oldAt + at, destination, offset + at, length);
                XorCode.xorInto(images, newAt + at, destination, offset + at, length);
                changed += length;
            }
        }
        return changed;
    }

    private void combineDirty(Destination destination) {
        long bytes = layout.dirtyMapBytes();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment maps = arena.allocate(bytes * images.length, Long.BYTES);
            for (int i = 0; i < images.length; i++) {
                images[i].get(maps, i * bytes, layout.dirtyMapOffset(slots[i]), bytes);
            }
            flushAll();
            DirtyMap union = DirtyMap.wrap(maps.asSlice(0, bytes));
            for (int i = 1; i < images.length; i++) {
                union.union(DirtyMap.wrap(maps.asSlice(i * bytes, bytes)));
            }
            for (long first = union.nextDirty(0); first < union.blocks(); first = union.nextDirty(first)) {
                long end = union.nextClean(first);
                combineCopied(first * ImageLayout.BLOCK, (end - first) * ImageLayout.BLOCK, destination);
                first = end;
            }
        }
    }

    /** What is given up needs not be finished. */
    private void checkWanted() {
        session.inbox.drain();
        if (session.inbox.encodingGivenUp()) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "the parity that was to be made is not wanted any more");
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

    private void combineCopied(long start, long length, Destination destination) {
        for (long at = start; at < start + length; at += PIECE_BYTES) {
            long bytes = Math.min(PIECE_BYTES, start + length - at);
            for (int i = 0; i < images.length; i++) {
                read(i, images[i], layout.slotOffset(slots[i]) + at, bytes);
            }
            finish(at, bytes, destination.copied(), destination.copiedOffset() + at);
        }
    }

    private void combineRotating(int j, Destination destination) {
        long start = layout.rotatingStart(j);
        long[] base = new long[images.length];
        for (int i = 0; i < images.length; i++) {
            long buffer = images[i].getLong(ImageLayout.bufferOffset(slots[i], j));
            if (buffer < 0 || buffer >= 2 + layout.slots()) {
                throw new FtrmaException(FtrmaException.Category.FATAL, "rank " + members[i] + " names buffer " + buffer + " of rotating segment " + j);
            }
            base[i] = buffer * layout.rotatingBytes(j);
        }
        for (long at = 0; at < layout.rotatingBytes(j); at += PIECE_BYTES) {
            long bytes = Math.min(PIECE_BYTES, layout.rotatingBytes(j) - at);
            for (int i = 0; i < images.length; i++) {
                read(i, rotating[i][j], base[i] + at, bytes);
            }
            finish(start + at, bytes, destination.rotating(j), destination.rotatingOffset(j) + at);
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

    private void finish(long logical, long bytes, MemorySegment destination, long offset) {
        if (parity != null) {
            read(images.length, parity, layout.parityOffset(paritySlot) + logical, bytes);
        }
        flushAll();
        session.fabric.progress();
        checkWanted();
        XorCode.encode(sources, offsets, destination, offset, bytes);
    }
}
