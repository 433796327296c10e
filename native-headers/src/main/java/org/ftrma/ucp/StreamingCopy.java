package org.ftrma.ucp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Copies to memory that no cache holds and that is not read soon. An ordinary store to such memory first reads the line
 * that it is about to overwrite, which costs a copy as much as the writing itself; the processor's streaming stores
 * (x86: {@code movntdq}) write whole lines past the caches. Neither the JDK nor the C library uses them for copies of a
 * few KiB or MiB, so there are two hundred bytes of machine code here. Where the processor is another one, or the
 * system lets no memory be executed, nothing is {@link #isAvailable available}, and all copies are ordinary ones.
 *
 * <p>What was copied is visible to whoever sees a later store of this thread, as with any copy but {@link #copyPart}.
 * Any thread; allocates nothing once it was called a few thousand times. Memory that has no page and can get none (a
 * full tmpfs) ends the process; System V segments have the room they need from the beginning.
 */
@SuppressWarnings("restricted")
public final class StreamingCopy {
    /** Bytes of a line of the cache; what is not whole lines at the destination is copied in the ordinary way. */
    public static final int LINE = 64;
    /**
     * A call of native code keeps the virtual machine from its safepoints: some ten microseconds, if all pages are
     * there.
     */
    private static final long MOST_BYTES = 256 << 10;
    private static final int CODE_BYTES = 4096;

    /**
     * System V calling convention: rdi, rsi destination and offset; rdx, rcx source and offset; r8 bytes of a block,
     * whole lines; r9 blocks; on the stack the strides of destination and source.
     */
    private static final String X86_64 = """
        48 01 f7            add     rdi, rsi
        48 01 ca            add     rdx, rcx
        48 8b 74 24 08      mov     rsi, [rsp + 8]
        48 8b 4c 24 10      mov     rcx, [rsp + 16]
        4c 89 c0     block: mov     rax, r8
        49 89 fa            mov     r10, rdi
        49 89 d3            mov     r11, rdx
        f3 41 0f 6f 03  line: movdqu  xmm0, [r11]
        f3 41 0f 6f 4b 10   movdqu  xmm1, [r11 + 16]
        f3 41 0f 6f 53 20   movdqu  xmm2, [r11 + 32]
        f3 41 0f 6f 5b 30   movdqu  xmm3, [r11 + 48]
        66 41 0f e7 02      movntdq [r10], xmm0
        66 41 0f e7 4a 10   movntdq [r10 + 16], xmm1
        66 41 0f e7 52 20   movntdq [r10 + 32], xmm2
        66 41 0f e7 5a 30   movntdq [r10 + 48], xmm3
        49 83 c3 40         add     r11, 64
        49 83 c2 40         add     r10, 64
        48 83 e8 40         sub     rax, 64
        75 c4               jnz     line
        48 01 f7            add     rdi, rsi
        48 01 ca            add     rdx, rcx
        49 ff c9            dec     r9
        75 b0               jnz     block
        0f ae f8            sfence
        c3                  ret
        """;

    /** rdi destination, rsi source, rdx bytes: whole lines at the destination. Without a fence. */
    private static final String X86_64_LINES = """
        f3 0f 6f 06     line: movdqu  xmm0, [rsi]
        f3 0f 6f 4e 10        movdqu  xmm1, [rsi + 16]
        f3 0f 6f 56 20        movdqu  xmm2, [rsi + 32]
        f3 0f 6f 5e 30        movdqu  xmm3, [rsi + 48]
        66 0f e7 07           movntdq [rdi], xmm0
        66 0f e7 4f 10        movntdq [rdi + 16], xmm1
        66 0f e7 57 20        movntdq [rdi + 32], xmm2
        66 0f e7 5f 30        movntdq [rdi + 48], xmm3
        48 83 c6 40           add     rsi, 64
        48 83 c7 40           add     rdi, 64
        48 83 ea 40           sub     rdx, 64
        75 cc                 jnz     line
        c3                    ret
        """;

    /** The same for processors that have AVX: half the stores. */
    private static final String AVX_LINES = """
        c5 fe 6f 06     line: vmovdqu  ymm0, [rsi]
        c5 fe 6f 4e 20        vmovdqu  ymm1, [rsi + 32]
        c5 fd e7 07           vmovntdq [rdi], ymm0
        c5 fd e7 4f 20        vmovntdq [rdi + 32], ymm1
        48 83 c6 40           add      rsi, 64
        48 83 c7 40           add      rdi, 64
        48 83 ea 40           sub      rdx, 64
        75 e0                 jnz      line
        c5 f8 77              vzeroupper
        c3                    ret
        """;

    private static final MethodHandle COPY = bind(X86_64,
        FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG,
        JAVA_LONG, JAVA_LONG));
    private static final MethodHandle COPY_LINES = linesCopy(hasAvx());

    private StreamingCopy() {
    }

    /** Whether {@link #copy} differs from {@link MemorySegment#copy}. */
    public static boolean isAvailable() {
        return COPY != null;
    }

    /**
     * Copies {@code length} bytes; the ranges do not overlap. Heap memory is copied in the ordinary way.
     *
     * @throws IndexOutOfBoundsException if a range is not inside its segment
     */
    public static void copy(MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset,
        long length) {
        check(source, sourceOffset, 0, length, 1);
        check(destination, destinationOffset, 0, length, 1);
        block(streams(source, destination), source, sourceOffset, destination, destinationOffset, length);
    }

    /**
     * As {@link #copy}, of a piece: does not wait until it is written, so that the processor does what follows
     * meanwhile. What it copied is visible to others only after a full fence of this thread.
     */
    public static void copyPart(MemorySegment source, long sourceOffset, MemorySegment destination,
        long destinationOffset, long length) {
        check(source, sourceOffset, 0, length, 1);
        check(destination, destinationOffset, 0, length, 1);
        if (destination.isReadOnly()) {
            throw new IllegalArgumentException("the destination is read-only");
        }
        if (COPY_LINES == null || !source.isNative() || !destination.isNative()) {
            MemorySegment.copy(source, sourceOffset, destination, destinationOffset, length);
            return;
        }
        if (!source.scope().isAlive() || !destination.scope().isAlive()) {
            throw new IllegalStateException("already closed");
        }
        long head = Math.min(-(destination.address() + destinationOffset) & LINE - 1, length);
        long end = length - (length - head) % LINE;
        if (head > 0) {
            MemorySegment.copy(source, sourceOffset, destination, destinationOffset, head);
        }
        for (long at = head; at < end; at += MOST_BYTES) {
            lines(source, sourceOffset + at, destination, destinationOffset + at, Math.min(MOST_BYTES, end - at));
        }
        if (end < length) {
            MemorySegment.copy(source, sourceOffset + end, destination, destinationOffset + end, length - end);
        }
    }

    /** By addresses: a call with segments locks them, and locked instructions wait for all that is being written. */
    private static void lines(MemorySegment source, long sourceOffset, MemorySegment destination,
        long destinationOffset, long bytes) {
        try {
            COPY_LINES.invokeExact(destination.address() + destinationOffset, source.address() + sourceOffset, bytes);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        } finally {
            Reference.reachabilityFence(source);
            Reference.reachabilityFence(destination);
        }
    }

    /**
     * Copies blocks, the first one from and to the offsets given, in one go where all of them consist of whole lines at
     * the destination. As the copy of one block.
     */
    public static void copy(MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset,
        SpacedBlocks blocks) {
        long bytes = blocks.bytes();
        long count = blocks.count();
        long sourceStride = blocks.sourceStride();
        long stride = blocks.stride();
        check(source, sourceOffset, sourceStride, bytes, count);
        check(destination, destinationOffset, stride, bytes, count);
        boolean streams = streams(source, destination);
        if (streams && count > 1 && bytes <= MOST_BYTES
            && (destination.address() + destinationOffset | stride | bytes) % LINE == 0) {
            long most = MOST_BYTES / bytes;
            for (long done = 0; done < count; done += most) {
                lines(source, sourceOffset + done * sourceStride, destination, destinationOffset + done * stride,
                    blocks, Math.min(most, count - done));
            }
            return;
        }
        for (long i = 0; i < count; i++) {
            block(streams, source, sourceOffset + i * sourceStride, destination, destinationOffset + i * stride, bytes);
        }
    }

    private static boolean streams(MemorySegment source, MemorySegment destination) {
        return COPY != null && source.isNative() && destination.isNative();
    }

    private static void check(MemorySegment segment, long offset, long stride, long blockBytes, long count) {
        long bytes = segment.byteSize();
        if (count < 1 || blockBytes < 1 || stride < 0 || offset < 0 || blockBytes > bytes || offset > bytes - blockBytes
            || stride > 0 && count - 1 > (bytes - blockBytes - offset) / stride) {
            throw new IndexOutOfBoundsException(count + " blocks of " + blockBytes + " bytes from " + offset + " on, "
                + stride + " apart: bytes="
                + bytes);
        }
    }

    private static void block(boolean streams, MemorySegment source, long sourceOffset, MemorySegment destination,
        long destinationOffset, long length) {
        long head = -(destination.address() + destinationOffset) & LINE - 1;
        if (!streams || length - head < LINE) {
            MemorySegment.copy(source, sourceOffset, destination, destinationOffset, length);
            return;
        }
        MemorySegment.copy(source, sourceOffset, destination, destinationOffset, head);
        long end = length - (length - head) % LINE;
        for (long at = head; at < end; at += MOST_BYTES) {
            linesAndFence(source, sourceOffset + at, destination, destinationOffset + at,
                Math.min(MOST_BYTES, end - at));
        }
        MemorySegment.copy(source, sourceOffset + end, destination, destinationOffset + end, length - end);
    }

    private static void linesAndFence(MemorySegment source, long sourceOffset, MemorySegment destination,
        long destinationOffset, long bytes) {
        try {
            COPY.invokeExact(destination, destinationOffset, source, sourceOffset, bytes, 1L, 0L, 0L);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /** So many of the blocks, which are whole lines. */
    private static void lines(MemorySegment source, long sourceOffset, MemorySegment destination,
        long destinationOffset, SpacedBlocks blocks, long count) {
        try {
            COPY.invokeExact(destination, destinationOffset, source, sourceOffset, blocks.bytes(), count,
                blocks.stride(), blocks.sourceStride());
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /** What copies lines without a fence: (destination, source, bytes), or null. */
    static MethodHandle linesCopy(boolean avx) {
        return bind(avx ? AVX_LINES : X86_64_LINES, FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    /** Whether the processor has AVX, and the system lets it be used. */
    static boolean hasAvx() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("flags")).limit(1)
                .anyMatch(line -> List.of(line.split("\\s+")).contains("avx"));
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    /** The code, in memory of its own; null where this is another processor, or memory cannot be executed. */
    private static MethodHandle bind(String code, FunctionDescriptor descriptor) {
        if (!System.getProperty("os.arch").equals("amd64") || !System.getProperty("os.name").equals("Linux")) {
            return null;
        }
        MemorySegment memory = Libc.pages(CODE_BYTES);
        if (memory == null) {
            return null;
        }
        memory.copyFrom(MemorySegment.ofArray(bytes(code)));
        return Libc.makeExecutable(memory) ? Linker.nativeLinker()
            .downcallHandle(memory, descriptor, Linker.Option.critical(false)) : null;
    }

    /** The bytes at the beginnings of the lines. */
    private static byte[] bytes(String code) {
        return HexFormat.of().parseHex(code.lines().map(line -> line.substring(0, line.indexOf("  ")).replace(" ", ""))
            .collect(Collectors.joining()));
    }
}
