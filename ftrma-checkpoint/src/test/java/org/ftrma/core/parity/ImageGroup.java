package org.ftrma.core.parity;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import org.ftrma.FtrmaException;
import org.ftrma.PeerLostException;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.image.ImageLayout;
import org.ftrma.core.image.Images;
import org.ftrma.core.image.Longs;
import org.ftrma.core.image.RotatingImpl;
import org.ftrma.core.image.Slots;
import org.ftrma.core.session.ProgramPhase;
import org.ftrma.core.session.StateListener;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.xor.Groups;
import org.ftrma.xor.ReedSolomon;

/** A group of members as the tests of {@link GroupImages} have it, and what each image and parity must be. */
final class ImageGroup {
    private static final int SLOTS = 3;
    private static final int LOCAL_BYTES = 3 * ImageLayout.BLOCK + 40;

    private record Region(MemorySegment segment) implements MemoryRegion {
        @Override
        public byte[] key() {
            return new byte[0];
        }

        @Override
        public void close() {
            // the arena does
        }
    }

    final Random random;
    final Arena arena;
    final boolean mapped;
    final int ranks;
    final int checksums;
    final int most;
    final Groups groups;
    final Longs[] counts;
    final MemorySegment[] locals;
    final RotatingImpl[] rotating;
    final Images[] images;
    final MemorySegment[] parityMemory;
    final Parities[] parities;
    final MemorySegment zeros;
    final TreeSet<Integer> missing = new TreeSet<>();
    /** Those whose memory cannot be accessed any more. */
    final TreeSet<Integer> revoked = new TreeSet<>();
    /** Those of whom something is being read. */
    final TreeSet<Integer> underWay = new TreeSet<>();
    final List<Map<Long, byte[]>> taken = new ArrayList<>();
    final ImageLayout layout;
    long committed;
    long newestParity;
    final long[] latest;
    long demands = ImageLayout.DEMAND;
    Executor helper;
    long step;

    ImageGroup(long seed, Arena arena, int ranks, int checksums, int most, boolean mapped) {
        this.random = new Random(seed);
        this.arena = arena;
        this.ranks = ranks;
        this.checksums = checksums;
        this.most = most;
        this.mapped = mapped;
        this.groups = new Groups(ranks, 1, checksums, Groups.Placement.ROUND_ROBIN);
        this.counts = new Longs[ranks];
        this.locals = new MemorySegment[ranks];
        this.rotating = new RotatingImpl[ranks];
        this.images = new Images[ranks];
        this.parityMemory = new MemorySegment[checksums];
        this.parities = new Parities[checksums];
        this.latest = new long[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            replaceRank(rank);
            taken.add(new HashMap<>());
        }
        this.layout = images[0].layout();
        this.zeros = arena.allocate(layout.headerBytes(), 8);
        for (int i = 0; i < checksums; i++) {
            replaceChecksum(i);
        }
    }

    private Region region(long bytes) {
        return new Region(arena.allocate(bytes, ImageLayout.BLOCK));
    }

    /** Only what images do with it. */
    private Fabric fabric() {
        return (Fabric) Proxy.newProxyInstance(Fabric.class.getClassLoader(), new Class<?>[] {Fabric.class},
            (proxy, method, args) ->
                switch (method.getName()) {
                    case "expose" -> region((long) args[0]);
                    case "pieceBytes" -> 4096L * (1 + random.nextInt(3));
                    case "progress" -> 0;
                    case "copy" -> {
                        MemorySegment.copy((MemorySegment) args[0], (long) args[1], (MemorySegment) args[2],
                            (long) args[3], (long) args[4]);
                        yield null;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    void replaceRank(int rank) {
        ProgramPhase phase = new ProgramPhase(StateListener.NONE);
        phase.enter();
        phase.running();
        counts[rank] = new Longs(most);
        locals[rank] = arena.allocate(LOCAL_BYTES, 8);
        rotating[rank] = new RotatingImpl("turns", ImageLayout.BLOCK, region((2L + SLOTS) * ImageLayout.BLOCK),
            2 + SLOTS, phase);
        List<MemorySegment> local = List.of(locals[rank]);
        List<RotatingImpl> turns = List.of(rotating[rank]);
        List<CheckpointedState> parts = List.of(counts[rank]);
        images[rank] = new Images(fabric(), () -> 3, List.of(), local, turns, parts,
            Images.layoutOf(List.of(), local, turns, parts, SLOTS));
    }

    void replaceChecksum(int i) {
        parityMemory[i] = arena.allocate(layout.parityRegionBytes(SLOTS), ImageLayout.BLOCK);
        parities[i] = new Parities(parityMemory[i], layout, SLOTS);
    }

    private RemoteMemory remote(int member, MemorySegment memory) {
        return (RemoteMemory) Proxy.newProxyInstance(RemoteMemory.class.getClassLoader(),
            new Class<?>[] {RemoteMemory.class},
            (proxy, method, args) -> switch (method.getName()) {
                case "mapped" -> mapped ? memory : null;
                case "prefault" -> null;
                case "getLong" -> memory.get(ValueLayout.JAVA_LONG, (long) args[0]);
                case "get" -> {
                    requireNotRevoked(member);
                    underWay.add(member);
                    MemorySegment.copy(memory, (long) args[2], (MemorySegment) args[0], (long) args[1],
                        (long) args[3]);
                    yield null;
                }
                default -> throw new UnsupportedOperationException(method.getName());
            });
    }

    private void requireNotRevoked(int member) {
        if (revoked.contains(member)) {
            throw new PeerLostException(member, "peer=" + member + " was revoked");
        }
    }

    GroupImages groupImages(int self) {
        return new GroupImages(new GroupImages.Members() {
            @Override
            public int self() {
                return self;
            }

            @Override
            public int ranks() {
                return ranks;
            }

            @Override
            public List<RemoteMemory> open(int member, int count) {
                return member >= ranks ? List.of(remote(member, parityMemory[member - ranks]))
                    : List.of(remote(member, images[member].region().segment()),
                        remote(member, rotating[member].region.segment()));
            }

            @Override
            public boolean isMissing(int member) {
                return missing.contains(member);
            }

            @Override
            public int losses() {
                return 0;
            }

            @Override
            public boolean goesOnAfter(FtrmaException failure, int known) {
                return false;
            }

            @Override
            public void flush(int member) {
                requireNotRevoked(member);
                underWay.remove(member);
            }

            @Override
            public void quiesce() {
                underWay.clear();
            }

            @Override
            public Executor helper() {
                return helper;
            }

            @Override
            public void goOn() {
                // nothing else happens
            }
        }, layout, groups, arena);
    }

    /** The program goes on. */
    void work() {
        step++;
        for (int rank = 0; rank < ranks; rank++) {
            int length = switch (random.nextInt(4)) {
                case 0 -> random.nextInt(20);
                case 1 -> counts[rank].values.length;
                case 2 -> random.nextInt(most + 1);
                default -> most;
            };
            counts[rank].values = random.longs(length).toArray();
            for (int i = random.nextInt(3); i > 0; i--) {
                locals[rank].set(ValueLayout.JAVA_LONG, 8 * random.nextInt(LOCAL_BYTES / 8), random.nextLong());
            }
            rotating[rank].beginStep();
            rotating[rank].next().set(ValueLayout.JAVA_LONG, 8 * random.nextInt(100), random.nextLong());
            rotating[rank].advance();
        }
    }

    void take(int rank, long tag) {
        assertTrue(images[rank].take(tag, step, () -> true));
        taken.get(rank).put(tag, logical(rank, tag));
    }

    /** The image with all that its header has room for. */
    byte[] logical(int rank, long tag) {
        int slot = images[rank].slots().find(tag);
        MemorySegment memory = images[rank].region().segment();
        byte[] bytes = new byte[(int) layout.imageBytes()];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, layout.slotOffset(slot), bytes, 0,
            (int) layout.copiedBytes());
        MemorySegment.copy(images[rank].rotatingMemory(0), ValueLayout.JAVA_BYTE,
            images[rank].rotatingOffset(slot, 0), bytes,
            (int) layout.copiedBytes(), (int) layout.rotatingBytes(0));
        return bytes;
    }

    void cut() {
        long generation = committed + 1;
        boolean given = random.nextInt(5) == 0;
        for (int rank = 0; rank < ranks; rank++) {
            if (given && random.nextInt(3) == 0) {
                if (random.nextBoolean()) {
                    int[] calls = {random.nextInt(4)};
                    images[rank].take(generation, step, () -> calls[0]-- > 0);
                }
                return;
            }
            take(rank, generation);
        }
        for (int i = 0; i < checksums; i++) {
            int slot = parities[i].slots().begin(generation);
            groupImages(ranks + i).encode(member -> generation, parities[i].slots().takeBase(slot),
                parities[i].place(slot));
            parities[i].slots().complete(slot, generation);
            if (given && random.nextBoolean()) {
                return;
            }
        }
        if (given) {
            return;
        }
        committed = generation;
        newestParity = 0;
        Arrays.fill(latest, 0);
        Arrays.stream(images).forEach(one -> one.slots().committed(committed));
        Arrays.stream(parities).forEach(one -> one.slots().committed(committed));
    }

    long imageOf(int rank) {
        return latest[rank] > 0 ? latest[rank] : committed;
    }

    void demand() {
        List<Integer> who = new ArrayList<>();
        long[] tags = latest.clone();
        for (int rank = 0; rank < ranks; rank++) {
            if (random.nextInt(3) == 0) {
                who.add(rank);
                tags[rank] = ++demands;
                take(rank, tags[rank]);
            }
        }
        int way = random.nextInt(3);
        if (who.isEmpty() || way > 0 && random.nextInt(5) == 0) {
            return; // given up
        }
        long parityTag = ++demands;
        for (int i = 0; i < checksums; i++) {
            Slots slots = parities[i].slots();
            GroupImages group = groupImages(ranks + i);
            int from = slots.find(newestParity > 0 ? newestParity : committed);
            int slot = way == 0 && newestParity > 0 ? from : slots.begin(parityTag);
            slots.takeBase(slot);
            if (way == 0 && newestParity == 0) {
                parities[i].copy(from, slot);
            }
            slots.complete(slot, 0);
            if (way == 1) {
                group.encode(rank -> tags[rank] > 0 ? tags[rank] : committed, 0, parities[i].place(slot));
            } else {
                int source = way == 0 ? slot : from;
                for (int rank : who) {
                    group.exchange(rank, imageOf(rank), tags[rank],
                        source == slot ? null : parities[i].place(source), parities[i].place(slot));
                    source = slot;
                }
            }
            slots.complete(slot, parityTag);
            slots.latest(parityTag);
        }
        newestParity = parityTag;
        for (int rank : who) {
            latest[rank] = tags[rank];
            images[rank].slots().latest(tags[rank]);
        }
    }

    void lose() {
        if (committed == 0) {
            return;
        }
        while (missing.size() < 1 + random.nextInt(checksums)) {
            missing.add(random.nextInt(ranks + checksums));
        }
        for (int member : List.copyOf(missing)) {
            if (member < ranks) {
                rebuildRank(member);
            } else {
                rebuildChecksum(member - ranks);
            }
            missing.remove(member);
        }
    }

    private void rebuildRank(int rank) {
        if (random.nextBoolean()) {
            replaceRank(rank);
        }
        images[rank].slots().clear();
        images[rank].slots().committed(committed);
        rebuild(rank, member -> committed, committed);
        if (latest[rank] > 0) {
            rebuild(rank, this::imageOf, newestParity);
        }
        counts[rank].values = new long[] {-1};
        assertEquals(taken.get(rank).get(imageOf(rank))[0], (byte) images[rank].restore(imageOf(rank)));
        long[] values = counts[rank].values;
        byte[] image = taken.get(rank).get(imageOf(rank));
        assertEquals(MemorySegment.ofArray(image).get(ValueLayout.JAVA_LONG_UNALIGNED, 64), 8L * values.length);
        for (int i = 0; i < values.length; i++) {
            assertEquals(MemorySegment.ofArray(image).get(ValueLayout.JAVA_LONG_UNALIGNED, 72 + 8L * i), values[i]);
        }
        assertEquals(-1, MemorySegment.ofArray(image).asSlice(layout.headerBytes(), LOCAL_BYTES)
            .mismatch(locals[rank]));
    }

    private void rebuild(int rank, java.util.function.IntToLongFunction tags, long parityTag) {
        int slot = images[rank].beginRebuild(tags.applyAsLong(rank));
        groupImages(rank).rebuild(tags, parityTag, images[rank].place(slot));
        images[rank].slots().rebuilt(slot, tags.applyAsLong(rank));
        assertArrayEquals(taken.get(rank).get(tags.applyAsLong(rank)), logical(rank, tags.applyAsLong(rank)));
    }

    private void rebuildChecksum(int i) {
        if (random.nextBoolean()) {
            replaceChecksum(i);
        }
        Slots slots = parities[i].slots();
        slots.clear();
        int slot = slots.begin(committed);
        groupImages(ranks + i).rebuild(member -> committed, committed, parities[i].place(slot));
        slots.rebuilt(slot, committed);
        if (newestParity > 0) {
            int next = slots.begin(newestParity);
            groupImages(ranks + i).rebuild(this::imageOf, newestParity, parities[i].place(next));
            slots.rebuilt(next, newestParity);
        }
    }

    void check() {
        if (committed == 0) {
            return;
        }
        for (int i = 0; i < checksums; i++) {
            checkParity(i, committed, member -> committed);
            if (newestParity > 0) {
                checkParity(i, newestParity, this::imageOf);
            }
            for (int slot = 0; slot < SLOTS; slot++) {
                checkUnused(parityMemory[i], slot, layout.parityOffset(slot));
            }
        }
        for (int rank = 0; rank < ranks; rank++) {
            assertArrayEquals(taken.get(rank).get(committed), logical(rank, committed));
            assertArrayEquals(taken.get(rank).get(imageOf(rank)), logical(rank, imageOf(rank)));
            for (int slot = 0; slot < SLOTS; slot++) {
                checkUnused(images[rank].region().segment(), slot, layout.slotOffset(slot));
            }
        }
    }

    private void checkUnused(MemorySegment memory, int slot, long header) {
        long used = memory.get(ValueLayout.JAVA_LONG, ImageLayout.usedOffset(slot));
        MemorySegment unused = memory.asSlice(header + used, layout.headerBytes() - used);
        assertEquals(-1, unused.mismatch(zeros.asSlice(0, unused.byteSize())), "slot " + slot + " uses " + used);
    }

    /** Compares it with a parity of all that is in the images, whatever they use. */
    private void checkParity(int i, long tag, java.util.function.IntToLongFunction tags) {
        int bytes = (int) layout.imageBytes();
        MemorySegment[] sources = new MemorySegment[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            sources[rank] = arena.allocate(bytes, 64)
                .copyFrom(MemorySegment.ofArray(taken.get(rank).get(tags.applyAsLong(rank))));
        }
        MemorySegment expected = arena.allocate(bytes, 64);
        if (checksums == 1) {
            org.ftrma.xor.XorCode.encode(sources, new long[ranks], expected, 0, bytes);
        } else {
            new ReedSolomon(ranks, checksums).encoder(i)
                .set(sources, new long[ranks], new MemorySegment[] {expected}, new long[1], bytes);
        }
        int slot = parities[i].slots().find(tag);
        assertEquals(-1, expected.mismatch(parityMemory[i].asSlice(layout.parityOffset(slot), bytes)),
            "parity " + i + " of " + tag);
    }
}
