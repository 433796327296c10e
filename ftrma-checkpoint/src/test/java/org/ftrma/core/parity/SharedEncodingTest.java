package org.ftrma.core.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import org.ftrma.FtrmaException;
import org.ftrma.xor.XorCode;
import org.junit.jupiter.api.Test;

/**
 * A parity that two threads make: the right one whatever the second thread does, and nothing is touched once it is
 * made.
 */
class SharedEncodingTest {
    private static final long PIECE = 4096;
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

    private final Random random = new Random(11);

    private MemorySegment[] sources(Arena arena, int count, long bytes) {
        MemorySegment[] sources = new MemorySegment[count];
        for (int i = 0; i < count; i++) {
            byte[] data = new byte[(int) bytes];
            random.nextBytes(data);
            sources[i] = arena.allocate(bytes, 64).copyFrom(MemorySegment.ofArray(data));
        }
        return sources;
    }

    private void makesTheParity(Executor helper) {
        for (long length : new long[] {1, PIECE - 1, PIECE, PIECE + 1, 10 * PIECE, 200 * PIECE + 77}) {
            for (int count = 1; count <= 4; count++) {
                try (Arena arena = Arena.ofShared()) {
                    MemorySegment[] sources = sources(arena, count, length + 16);
                    long[] offsets = new long[count];
                    for (int i = 0; i < count; i++) {
                        offsets[i] = random.nextInt(16);
                    }
                    MemorySegment parity = arena.allocate(length + 16, 64);
                    MemorySegment expected = arena.allocate(length + 16, 64);
                    XorCode.encode(sources, offsets, expected, 8, length);
                    long[] pieces = new long[1];
                    new SharedEncoding(sources, offsets, parity, 8, length, PIECE).run(helper, () -> pieces[0]++);
                    assertEquals(-1, expected.mismatch(parity), "length=" + length + " count=" + count);
                    assertTrue(pieces[0] <= (length + PIECE - 1) / PIECE, "pieces=" + pieces[0]);
                }
            }
        }
    }

    @Test
    void withAThreadThatHelps() {
        makesTheParity(ForkJoinPool.commonPool());
    }

    @Test
    void withOneThatDoesAllOfIt() {
        makesTheParity(task -> CompletableFuture.runAsync(task).join());
    }

    @Test
    void withNone() {
        makesTheParity(task -> { });
        makesTheParity(task -> {
            throw new RejectedExecutionException("none is left");
        });
    }

    /** The other thread has begun a piece that takes it far longer than what is left for the calling one. */
    @Test
    void theLastPieceOfTheOtherThreadIsWaitedFor() {
        long piece = 64 << 20;
        try (Arena arena = Arena.ofShared()) {
            MemorySegment[] sources = sources(arena, 2, piece + 1);
            sources[0].set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
            sources[1].set(ValueLayout.JAVA_BYTE, 0, (byte) 2);
            MemorySegment parity = arena.allocate(piece + 1, 64);
            new SharedEncoding(sources, new long[2], parity, 0, piece + 1, piece).run(task -> {
                new Thread(task, "helps").start();
                while ((byte) BYTE.getVolatile(parity, 0L) == 0) {
                    Thread.onSpinWait();
                }
            }, () -> { });
            long last = piece - 1;
            assertEquals(sources[0].get(ValueLayout.JAVA_BYTE, last) ^ sources[1].get(ValueLayout.JAVA_BYTE, last),
                parity.get(ValueLayout.JAVA_BYTE, last));
            assertEquals(-1, parity.mismatch(xor(arena, sources, piece + 1)));
        }
    }

    private static MemorySegment xor(Arena arena, MemorySegment[] sources, long bytes) {
        MemorySegment expected = arena.allocate(bytes, 64);
        XorCode.encode(sources, new long[sources.length], expected, 0, bytes);
        return expected;
    }

    @Test
    void whoBeginsTooLateTouchesNothing() {
        List<Runnable> later = new ArrayList<>();
        Arena arena = Arena.ofShared();
        MemorySegment[] sources = sources(arena, 2, 8 * PIECE);
        MemorySegment parity = arena.allocate(8 * PIECE, 64);
        new SharedEncoding(sources, new long[2], parity, 0, 8 * PIECE, PIECE).run(later::add, () -> { });
        parity.fill((byte) 5);
        MemorySegment kept = MemorySegment.ofArray(parity.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
        later.getFirst().run();
        assertEquals(-1, kept.mismatch(parity));
        arena.close();
        later.getFirst().run();
    }

    /** The memory may be freed at once then. */
    @Test
    void whenItIsGivenUpTheOtherThreadStopsFirst() {
        IllegalStateException reason = new IllegalStateException("not wanted any more");
        for (int time = 0; time < 50; time++) {
            List<CompletableFuture<Void>> helping = new ArrayList<>();
            List<Runnable> tasks = new ArrayList<>();
            long wait = random.nextInt(200_000);
            try (Arena arena = Arena.ofShared()) {
                SharedEncoding encoding = new SharedEncoding(sources(arena, 3, 1 << 20), new long[3],
                    arena.allocate(1 << 20, 64), 0, 1 << 20, PIECE);
                assertSame(reason, assertThrows(IllegalStateException.class, () -> encoding.run(tasks::add, () -> {
                    helping.add(CompletableFuture.runAsync(tasks.getFirst()));
                    long began = System.nanoTime();
                    while (System.nanoTime() - began < wait) {
                        Thread.onSpinWait();
                    }
                    throw reason;
                })));
            }
            helping.getFirst().join();
        }
    }

    @Test
    void whatTheOtherThreadFailsOfIsReported() {
        try (Arena arena = Arena.ofConfined()) { // of this thread alone
            SharedEncoding encoding = new SharedEncoding(sources(arena, 2, 4 * PIECE), new long[2],
                arena.allocate(4 * PIECE, 64), 0, 4 * PIECE, PIECE);
            FtrmaException failure = assertThrows(FtrmaException.class,
                () -> encoding.run(task -> CompletableFuture.runAsync(task).join(), () -> { }));
            assertTrue(failure.getMessage().contains("second thread")
                && failure.getCause() instanceof WrongThreadException, failure.toString());
        }
    }
}
