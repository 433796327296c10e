package org.ftrma.core.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.ftrma.FtrmaException;
import org.ftrma.PeerLostException;
import org.ftrma.core.image.ImageLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Images and parities of one group whose headers grow and shrink, over many checkpoints of all kinds, some of them
 * given up, and losses of members: what is rebuilt is what was lost, byte by byte, and what no header uses is zero
 * everywhere.
 */
class GroupImagesTest {
    @ParameterizedTest
    @CsvSource({"3,1,2100,true", "3,1,2100,false", "1,1,2100,true", "4,2,2100,true", "4,2,2100,false", "2,2,2100,true",
        "3,3,2100,true",
        "3,1,40000,true", "3,2,40000,false", "3,2,20,true"})
    void whatIsRebuiltIsWhatWasLostWhateverTheHeadersTake(int ranks, int checksums, int most, boolean mapped) {
        long checkpoints = 0;
        int seeds = most > 10_000 ? 1 : 6;
        for (int seed = 0; seed < seeds; seed++) {
            try (Arena arena = Arena.ofConfined()) {
                ImageGroup group = new ImageGroup(seed, arena, ranks, checksums, most, mapped);
                for (int turn = 0; turn < 40; turn++) {
                    group.work();
                    switch (group.random.nextInt(5)) {
                        case 0, 1 -> group.cut();
                        case 2, 3 -> {
                            if (group.committed > 0) {
                                group.demand();
                            }
                        }
                        default -> group.lose();
                    }
                    group.check();
                }
                checkpoints += group.committed;
            }
        }
        assertTrue(checkpoints > 4L * seeds, "checkpoints=" + checkpoints);
    }

    /** Buffers go when an encoding ends, also one that ends because a member was lost. */
    @Test
    void nothingIsReadAnyMoreWhenOneOfThoseThatAreReadIsLost() {
        for (int lost = 0; lost < 3; lost++) {
            for (boolean again : new boolean[] {false, true}) {
                try (Arena arena = Arena.ofConfined()) {
                    ImageGroup group = new ImageGroup(1, arena, 3, 1, 2100, false);
                    group.work();
                    while (again && group.committed == 0) {
                        group.cut();
                        group.work();
                    }
                    long generation = group.committed + 1;
                    for (int rank = 0; rank < 3; rank++) {
                        group.take(rank, generation);
                    }
                    Parities parities = group.parities[0];
                    int slot = parities.slots().begin(generation);
                    long base = parities.slots().takeBase(slot);
                    GroupImages images = group.groupImages(3);
                    group.revoked.add(lost);
                    assertThrows(PeerLostException.class,
                        () -> images.encode(member -> generation, base, parities.place(slot)));
                    assertTrue(group.underWay.isEmpty(), () -> "is being read: " + group.underWay);
                }
            }
        }
    }

    /** Large images in mapped memory: the same whether another thread does its part, has no time, or never begins. */
    @Test
    void twoThreadsMakeTheSameParity() {
        int[] runs = new int[1];
        for (Executor helper : List.<Executor>of(ForkJoinPool.commonPool(), Runnable::run, task -> { })) {
            try (Arena arena = Arena.ofShared()) {
                ImageGroup group = new ImageGroup(7, arena, 3, 1, 600_000, true);
                group.helper = task -> {
                    runs[0]++;
                    helper.execute(task);
                };
                for (int turn = 0; turn < 8; turn++) {
                    group.work();
                    if (turn % 2 == 0) {
                        group.cut();
                    } else if (group.committed > 0) {
                        group.lose();
                    }
                    group.check();
                }
                assertTrue(group.committed > 0);
            }
        }
        assertTrue(runs[0] > 5, "shared=" + runs[0]);
    }

    /** A header that became small: neither it nor its parity is read beyond. */
    @Test
    void onlyWhatHeadersUseIsCombined() {
        try (Arena arena = Arena.ofConfined()) {
            ImageGroup group = new ImageGroup(5, arena, 3, 1, 2100, true);
            for (int length : new int[] {2100, 5, 5, 700, 5, 5}) {
                long before = group.committed;
                while (group.committed == before) {
                    group.work();
                    Arrays.stream(group.counts).forEach(one ->
                        one.values = new long[Math.min(one.values.length, length)]);
                    group.counts[1].values = group.random.longs(length).toArray();
                    group.cut();
                }
                group.check();
                int slot = group.images[1].slots().find(group.committed);
                assertEquals(ImageLayout.align(72 + 8L * length), group.images[1].place(slot).usedHeader());
                long bytes = group.images[1].parts(slot).stream().mapToLong(MemorySegment::byteSize).sum();
                assertEquals(group.layout.imageBytes() - group.layout.headerBytes()
                    + ImageLayout.align(72 + 8L * length), bytes);
            }
        }
    }

    @Test
    void aMemberThatUsesMoreThanThereIsIsRefused() {
        try (Arena arena = Arena.ofConfined()) {
            for (long used : new long[] {0, -4096, 100, 1L << 40}) {
                ImageGroup group = new ImageGroup(1, arena, 2, 1, 2100, true);
                group.work();
                group.take(0, 1);
                group.take(1, 1);
                int slot = group.images[1].slots().find(1);
                group.images[1].region().segment().set(ValueLayout.JAVA_LONG, ImageLayout.usedOffset(slot), used);
                FtrmaException refusal = assertThrows(FtrmaException.class,
                    () -> group.groupImages(2).encode(member -> 1, 0, group.parities[0].place(0)));
                assertEquals(FtrmaException.Category.FATAL, refusal.category());
                assertTrue(refusal.getMessage().contains("rank 1 says that it uses " + used), refusal.getMessage());
            }
        }
    }
}
