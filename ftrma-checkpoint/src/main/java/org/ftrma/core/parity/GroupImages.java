package org.ftrma.core.parity;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.IntToLongFunction;
import org.ftrma.FtrmaException;
import org.ftrma.PeerLostException;
import org.ftrma.core.image.Destination;
import org.ftrma.core.image.ImageLayout;
import org.ftrma.core.session.Session;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.xor.DirtyMap;
import org.ftrma.xor.GaloisProduct;
import org.ftrma.xor.Groups;
import org.ftrma.xor.ReedSolomon;
import org.ftrma.xor.XorCode;

/**
 * Reads what the others of a group hold, images and parities, and combines it, piece by piece: into the own parity at a
 * checksum rank, into what was lost at a replacement. By XOR where each group has one checksum rank, else by a
 * Reed-Solomon code, whose first parity is that XOR too. One-sided; the others' programs run on. Data thread only; of
 * XOR over much memory that is mapped a second thread does a part, while that one waits for it.
 */
public final class GroupImages {
    private static final int MOST_PIECE_BYTES = 256 << 10;
    /**
     * From how much on two threads combine what is mapped; and how much of it is made ready between two looks at what
     * others say.
     */
    private static final long LEAST_SHARED_BYTES = 4L << 20;

    /** The members of the group, and what is done with them. */
    interface Members {
        /** This member. */
        int self();

        /** Computing ranks of the job. */
        int ranks();

        /**
         * Opens a member's regions: of a computing rank that of images and {@code rotating} more, of a checksum rank
         * that of parities.
         */
        List<RemoteMemory> open(int member, int rotating);

        /** Whether a member cannot be read. */
        boolean isMissing(int member);

        /** How many losses were heard of. */
        int losses();

        /** Whether what failed is to be tried again, see {@link Session#goesOnAfter}. */
        boolean goesOnAfter(FtrmaException failure, int known);

        /** Nothing is read any more: one of those that were read is lost. */
        default void quiesce() { }

        /** Completes accesses to a member. */
        void flush(int member);

        /** Where a part of the work on mapped memory may be done beside the data thread; null: nowhere. */
        Executor helper();

        /** To be called now and then; a FtrmaException if what is made is not wanted any more. */
        void goOn();
    }

    private final Members access;
    private final ImageLayout layout;
    /** By place in the group: the members, computing ranks first. */
    private final int[] members;
    /** Computing ranks in the group, and the own place. */
    private final int size;
    private final int self;
    private final int ranks;
    /** By place: the region of images, or of parities; null: not opened yet. */
    private final RemoteMemory[] regions;
    private final RemoteMemory[][] rotating;
    /** Null where the code is XOR. */
    private final ReedSolomon code;
    /** Which places are combined, always as many as there are computing ranks, and the slot to read of each. */
    private final int[] inputs;
    private final int[] slots;
    /** What they are combined by; null: XOR. */
    private GaloisProduct product;
    private GaloisProduct encoder;
    private final int pieceBytes;
    private final MemorySegment staging;
    private final MemorySegment[] sources;
    private final long[] offsets;
    private final MemorySegment[] output = new MemorySegment[1];
    private final long[] outputOffset = new long[1];
    private final ImageDifference difference;

    /** For one member of a group. */
    public GroupImages(Members access, ImageLayout layout, Groups groups, Arena arena) {
        this.access = access;
        this.layout = layout;
        int group = groups.groupOf(access.self());
        this.members = groups.membersOf(group);
        this.size = groups.size(group);
        this.self = groups.indexInGroup(access.self());
        this.ranks = access.ranks();
        this.regions = new RemoteMemory[members.length];
        this.rotating = new RemoteMemory[size][layout.rotating()];
        this.code = groups.checksumsPerGroup() == 1 ? null : new ReedSolomon(size, groups.checksumsPerGroup());
        this.inputs = new int[size];
        this.slots = new int[size];
        this.pieceBytes = (int) Math.min(MOST_PIECE_BYTES, ImageLayout.align(layout.imageBytes()));
        this.staging = arena.allocate((long) size * pieceBytes, 64);
        this.sources = new MemorySegment[size];
        this.offsets = new long[size];
        this.difference = new ImageDifference(access, pieceBytes, arena);
    }

    /**
     * Makes the own parity of the images of all computing ranks.
     *
     * @param tags by member: which image of it
     * @param base above 0: only the blocks that changed since what the destination holds of this generation
     */
    void encode(IntToLongFunction tags, long base, Destination destination) {
        boolean onlyDirty = base > 0;
        for (int place = 0; place < size; place++) {
            attach(place);
        }
        for (int place = 0; place < size; place++) {
            inputs[place] = place;
            slots[place] = slot(place, tags.applyAsLong(members[place]));
            onlyDirty &= regions[place].getLong(ImageLayout.baseOffset(slots[place])) == base; // C24
        }
        if (code != null && self > size && encoder == null) {
            encoder = code.encoder(self - size);
        }
        product = encoder;
        combine(onlyDirty, destination);
    }

    /**
     * Makes the own image or parity anew, from those of the others that hold theirs. One more of these may be lost
     * meanwhile.
     *
     * @param tags by member: which image of it
     * @param parityTag which parity
     */
    public void rebuild(IntToLongFunction tags, long parityTag, Destination destination) {
        while (true) {
            int known = access.losses();
            try {
                choose(tags, parityTag);
                combine(false, destination);
                return;
            } catch (FtrmaException e) {
                if (code == null || !access.goesOnAfter(e, known)) { // R5
                    throw e;
                }
                Arrays.fill(regions, null);
            }
        }
    }

    /** The first members that are there and hold what is wanted. */
    private void choose(IntToLongFunction tags, long parityTag) {
        int count = 0;
        List<String> lacking = new ArrayList<>();
        for (int place = 0; place < members.length && count < size; place++) {
            long tag = place < size ? tags.applyAsLong(members[place]) : parityTag;
            if (place != self && code != null && access.isMissing(members[place])) {
                lacking.add(name(place) + " is lost");
            } else if (place != self) {
                attach(place);
                int slot = find(place, tag);
                if (slot < 0) {
                    lacking.add(name(place) + " does not hold its part " + name(tag));
                } else {
                    inputs[count] = place;
                    slots[count++] = slot;
                }
            }
        }
        if (count < size) {
            throw new FtrmaException(FtrmaException.Category.FATAL,
                name(self) + " cannot be rebuilt: " + String.join(", ", lacking));
        }
        boolean plain = code == null || self <= size && inputs[size - 1] <= size;
        product = plain ? null : code.rebuilder(inputs, new int[] {self});
    }

    private String name(int place) {
        return place < size ? "rank " + members[place] : "checksum rank " + (members[place] - ranks);
    }

    private void combine(boolean onlyDirty, Destination destination) {
        long used = 0;
        for (int i = 0; i < size; i++) {
            used = Math.max(used, usedHeader(inputs[i], slots[i])); // C25
        }
        if (onlyDirty) {
            destination.beginHeader(Math.max(used, destination.usedHeader()));
            combineDirty(destination);
        } else {
            destination.beginHeader(used);
            for (long[] range : copiedRanges(used)) {
                combineCopied(range[0], range[1], destination);
            }
        }
        for (int j = 0; j < layout.rotating(); j++) {
            combineRotating(j, destination);
        }
    }

    /** How much of the header counts in that slot of a member: beyond, all is zero. */
    private long usedHeader(int place, int slot) {
        long used = regions[place].getLong(ImageLayout.usedOffset(slot));
        if (used <= 0 || used > layout.headerBytes() || used % ImageLayout.BLOCK != 0) {
            throw new FtrmaException(FtrmaException.Category.FATAL,
                name(place) + " says that it uses " + used + " bytes of an image's header of "
                + layout.headerBytes());
        }
        return used;
    }

    /** What is to be combined of the copied part: start and length of each range. */
    private long[][] copiedRanges(long used) {
        long header = layout.headerBytes();
        return used == header ? new long[][] {{0, layout.copiedBytes()}}
            : new long[][] {{0, used}, {header, layout.copiedBytes() - header}};
    }

    /** A member's regions are opened when they are read: another one may be away. */
    private void attach(int place) {
        if (regions[place] == null) {
            int member = members[place];
            int count = place < size ? layout.rotating() : 0;
            List<RemoteMemory> opened = access.open(member, count);
            for (int j = 0; j < count; j++) {
                rotating[place][j] = opened.get(1 + j);
            }
            regions[place] = opened.getFirst();
        }
    }

    private int slot(int place, long tag) {
        int slot = find(place, tag);
        if (slot < 0) {
            throw new FtrmaException(FtrmaException.Category.FATAL,
                name(place) + " does not hold its part " + name(tag));
        }
        return slot;
    }

    private int find(int place, long tag) {
        for (int slot = 0; slot < layout.slots(); slot++) {
            if (regions[place].getLong(ImageLayout.tagOffset(slot)) == tag) {
                return slot;
            }
        }
        return -1;
    }

    private static String name(long tag) {
        return tag < ImageLayout.DEMAND ? "of generation " + tag : "of demand checkpoint " + (tag - ImageLayout.DEMAND);
    }

    /**
     * One member's image takes the place of an older one of it in the own parity: the XOR of both, times the member's
     * coefficient, is the difference. Blocks that are equal in both are not touched.
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
        int oldSlot = slot(which, oldTag);
        int newSlot = slot(which, newTag);
        product = code == null || self == size ? null : code.updater(self - size, which); // D16
        long used = Math.max(Math.max(usedHeader(which, oldSlot), usedHeader(which, newSlot)),
            (source == null ? destination : source).usedHeader());
        destination.beginHeader(used);
        long changed = 0;
        for (long[] range : copiedRanges(used)) {
            long end = range[0] + range[1];
            for (long at = range[0]; at < end; at += pieceBytes) {
                long bytes = Math.min(pieceBytes, end - at);
                changed += difference.exchange(product, member, regions[which], layout.slotOffset(oldSlot) + at,
                    layout.slotOffset(newSlot) + at, bytes,
                    source == null ? null : source.copied(), source == null ? 0 : source.copiedOffset() + at,
                    destination.copied(),
                    destination.copiedOffset() + at);
            }
        }
        for (int j = 0; j < layout.rotating(); j++) {
            long oldBase = regions[which].getLong(ImageLayout.bufferOffset(oldSlot, j)) * layout.rotatingBytes(j);
            long newBase = regions[which].getLong(ImageLayout.bufferOffset(newSlot, j)) * layout.rotatingBytes(j);
            for (long at = 0; at < layout.rotatingBytes(j); at += pieceBytes) {
                long bytes = Math.min(pieceBytes, layout.rotatingBytes(j) - at);
                changed += difference.exchange(product, member, rotating[which][j], oldBase + at, newBase + at, bytes,
                    source == null ? null : source.rotating(j),
                    source == null ? 0 : source.rotatingOffset(j) + at, destination.rotating(j),
                    destination.rotatingOffset(j) + at);
            }
        }
        return changed;
    }

    /** All inputs are images. */
    private void combineDirty(Destination destination) {
        long bytes = layout.dirtyMapBytes();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment maps = arena.allocate(bytes * size, Long.BYTES);
            for (int i = 0; i < size; i++) {
                get(regions[inputs[i]], maps, i * bytes, layout.dirtyMapOffset(slots[i]), bytes);
            }
            flushInputs();
            DirtyMap union = DirtyMap.wrap(maps.asSlice(0, bytes));
            for (int i = 1; i < size; i++) {
                union.union(DirtyMap.wrap(maps.asSlice(i * bytes, bytes)));
            }
            for (long first = union.nextDirty(0); first < union.blocks(); first = union.nextDirty(first)) {
                long end = union.nextClean(first);
                combineCopied(first * ImageLayout.BLOCK, (end - first) * ImageLayout.BLOCK, destination);
                first = end;
            }
        }
    }

    private void get(RemoteMemory memory, MemorySegment destination, long destinationOffset, long offset, long bytes) {
        try {
            memory.get(destination, destinationOffset, offset, bytes);
        } catch (PeerLostException e) {
            access.quiesce(); // as below: its loss was told of in an access to another one
            throw e;
        }
    }

    private void flushInputs() {
        for (int place : inputs) {
            try {
                access.flush(members[place]);
            } catch (PeerLostException e) {
                access.quiesce(); // others are still read into buffers that will be freed
                throw e;
            }
        }
    }

    private void combineCopied(long start, long length, Destination destination) {
        RemoteMemory[] memories = new RemoteMemory[size];
        long[] from = new long[size];
        for (int i = 0; i < size; i++) {
            memories[i] = regions[inputs[i]];
            from[i] = start + (inputs[i] < size ? layout.slotOffset(slots[i]) : layout.parityOffset(slots[i]));
        }
        combine(memories, from, length, destination.copied(), destination.copiedOffset() + start);
    }

    private void combineRotating(int j, Destination destination) {
        RemoteMemory[] memories = new RemoteMemory[size];
        long[] from = new long[size];
        for (int i = 0; i < size; i++) {
            RemoteMemory region = regions[inputs[i]];
            if (inputs[i] >= size) {
                memories[i] = region;
                from[i] = layout.parityOffset(slots[i]) + layout.rotatingStart(j);
            } else {
                long buffer = region.getLong(ImageLayout.bufferOffset(slots[i], j));
                if (buffer < 0 || buffer >= 2 + layout.slots()) {
                    throw new FtrmaException(FtrmaException.Category.FATAL,
                        name(inputs[i]) + " names buffer " + buffer + " of rotating segment " + j);
                }
                memories[i] = rotating[inputs[i]][j];
                from[i] = buffer * layout.rotatingBytes(j);
            }
        }
        combine(memories, from, layout.rotatingBytes(j), destination.rotating(j), destination.rotatingOffset(j));
    }

    /** So many bytes of each input, from where they begin in its memory. */
    private void combine(RemoteMemory[] memories, long[] from, long length, MemorySegment destination, long offset) {
        Executor helper = access.helper();
        if (product == null && helper != null && length >= LEAST_SHARED_BYTES
            && Arrays.stream(memories).allMatch(memory -> memory.mapped() != null)) {
            combineShared(helper, memories, from, length, destination, offset);
            return;
        }
        for (long at = 0; at < length; at += pieceBytes) {
            long bytes = Math.min(pieceBytes, length - at);
            for (int i = 0; i < size; i++) {
                read(i, memories[i], from[i] + at, bytes);
            }
            finish(bytes, destination, offset + at);
        }
    }

    private void combineShared(Executor helper, RemoteMemory[] memories, long[] from, long length,
        MemorySegment destination, long offset) {
        for (int i = 0; i < size; i++) {
            sources[i] = memories[i].mapped();
            for (long at = 0; at < length; at += LEAST_SHARED_BYTES) {
                memories[i].prefault(from[i] + at, Math.min(LEAST_SHARED_BYTES, length - at));
                access.goOn();
            }
        }
        new SharedEncoding(sources, from, destination, offset, length, pieceBytes).run(helper, access::goOn);
    }

    private void read(int source, RemoteMemory memory, long offset, long bytes) {
        MemorySegment mapped = memory.mapped();
        if (mapped != null) {
            memory.prefault(offset, bytes);
            sources[source] = mapped;
            offsets[source] = offset;
        } else {
            sources[source] = staging;
            offsets[source] = (long) source * pieceBytes;
            get(memory, staging, offsets[source], offset, bytes);
        }
    }

    private void finish(long bytes, MemorySegment destination, long offset) {
        flushInputs();
        access.goOn();
        if (product == null) {
            XorCode.encode(sources, offsets, destination, offset, bytes);
        } else {
            output[0] = destination;
            outputOffset[0] = offset;
            product.set(sources, offsets, output, outputOffset, bytes);
        }
    }
}
