package org.ftrma.ucp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.LongConsumer;

/** The C library functions needed beside UCX. Set-up only: none of them belongs on a data path. Any thread. */
@SuppressWarnings("restricted")
public final class Libc {
    /** Advice for {@link #madvise}: back the range by huge pages where the system allows it on advice. */
    public static final int MADV_HUGEPAGE = 14;
    /** Advice for {@link #madvise}: fault all pages in for writing; since Linux 5.14. Fails where touching them would raise SIGBUS. */
    public static final int MADV_POPULATE_WRITE = 23;
    /** Faults in all pages for reading (Linux 5.14). */
    public static final int MADV_POPULATE_READ = 22;
    /** Makes huge pages of a range, whatever the system's settings for them (Linux 6.1). */
    public static final int MADV_COLLAPSE = 25;
    /** Command for {@link #shmctl}: remove a System V shared memory segment. */
    public static final int IPC_RMID = 0;
    /** Error: not enough memory. */
    public static final int ENOMEM = 12;
    /** Error: bad address; also what populating a full tmpfs answers. */
    public static final int EFAULT = 14;
    /** Error: invalid argument; also advice that the kernel does not know. */
    public static final int EINVAL = 22;

    static final long PAGE_BYTES = 4096;

    private static final int PROT_NONE = 0;
    private static final int PROT_READ = 1;
    private static final int PROT_WRITE = 2;
    private static final int PROT_EXEC = 4;
    private static final int MAP_PRIVATE = 2;
    private static final int MAP_ANONYMOUS = 0x20;
    private static final int MAP_NORESERVE = 0x4000;
    private static final int MREMAP_MAYMOVE = 1;
    private static final int MREMAP_FIXED = 2;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle SETENV = bind("setenv", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    private static final MethodHandle MADVISE =
        bind("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT), Linker.Option.captureCallState("errno"));

    /** Linked when first used, or by {@link #link}: a rank starts sooner without them. */
    private static final class Rare {
        static final MethodHandle OPEN_MEMSTREAM = bind("open_memstream", FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS));
        static final MethodHandle FCLOSE = bind("fclose", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
        static final MethodHandle SHMCTL = bind("shmctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
        static final MethodHandle MPROTECT = bind("mprotect", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
        static final MethodHandle MMAP =
            bind("mmap", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
        static final MethodHandle MUNMAP = bind("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
        static final MethodHandle MREMAP = bind("mremap", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG),
            Linker.Option.firstVariadicArg(4));
        static final MethodHandle ABORT = bind("abort", FunctionDescriptor.ofVoid());
        static final MethodHandle FREE = bind("free", FunctionDescriptor.ofVoid(ADDRESS));
    }

    private Libc() {
    }

    /** Links what is linked when it is first used, which takes tens of milliseconds. */
    public static void link() {
        Objects.requireNonNull(Rare.MMAP);
    }

    /** Sets a variable in the C environment of this process, where native libraries read it, unless it is set. */
    public static void setenvIfAbsent(String name, String value) {
        try (Arena arena = Arena.ofConfined()) {
            int result = (int) SETENV.invokeExact(arena.allocateFrom(name), arena.allocateFrom(value), 0);
            if (result != 0) {
                throw new IllegalArgumentException("setenv " + name + "=" + value + " failed");
            }
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /** Gives advice about a range of pages; returns 0, or the error number. */
    public static int madvise(long address, long lengthBytes, int advice) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            int result = (int) MADVISE.invokeExact(state, address, lengthBytes, advice);
            return result == 0 ? 0 : (int) ERRNO.get(state, 0L);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /** Does something to a System V shared memory segment; whether that worked. */
    public static boolean shmctl(int id, int command) {
        try {
            return (int) Rare.SHMCTL.invokeExact(id, command, 0L) == 0;
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /** Makes whole pages readable and writable; whether that worked. */
    static boolean makeWritable(long address, long lengthBytes) {
        return protect(address, lengthBytes, PROT_READ | PROT_WRITE);
    }

    /** Makes whole pages readable and executable, and no longer writable; whether that worked. */
    static boolean makeExecutable(MemorySegment pages) {
        return protect(pages.address(), pages.byteSize(), PROT_READ | PROT_EXEC);
    }

    private static boolean protect(long address, long lengthBytes, int protection) {
        try {
            return (int) Rare.MPROTECT.invokeExact(address, lengthBytes, protection) == 0;
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /** New pages of this process alone, readable and writable, until it ends; null if there are none. */
    static MemorySegment pages(long bytes) {
        return map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS);
    }

    private static MemorySegment map(long bytes, int protection, int flags) {
        try {
            MemorySegment pages = (MemorySegment) Rare.MMAP.invokeExact(MemorySegment.NULL, bytes, protection, flags, -1, 0L);
            return pages.address() == -1 ? null : pages.reinterpret(bytes);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /**
     * Maps shared memory of this process a second time.
     *
     * @param address of whole pages of one mapping
     * @param lengthBytes whole pages
     * @param alignmentBytes a power of two, of whole pages
     * @return a multiple of the alignment, to be unmapped by {@link #unmap}; 0 if the system refuses
     */
    public static long mapAgain(long address, long lengthBytes, long alignmentBytes) {
        MemorySegment reserved = map(lengthBytes + alignmentBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
        if (reserved == null) {
            return 0;
        }
        long start = reserved.address();
        long end = start + reserved.byteSize();
        long aligned = start + alignmentBytes - 1 & -alignmentBytes;
        long mapped;
        try {
            // From a length of zero: the old mapping of shared memory stays.
            mapped = (long) Rare.MREMAP.invokeExact(address, 0L, lengthBytes, MREMAP_MAYMOVE | MREMAP_FIXED, aligned);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
        unmap(start, aligned - start);
        unmap(aligned + lengthBytes, end - aligned - lengthBytes);
        return mapped == aligned ? aligned : 0; // refused: what is left of the reservation may be somebody else's by now, and is no memory
    }

    /** Unmaps whole pages. */
    public static void unmap(long address, long lengthBytes) {
        if (lengthBytes == 0) {
            return;
        }
        try {
            int result = (int) Rare.MUNMAP.invokeExact(address, lengthBytes);
            if (result != 0) {
                throw new IllegalArgumentException("munmap of " + lengthBytes + " bytes at " + Long.toHexString(address) + " failed");
            }
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /** Ends the process by SIGABRT. */
    static void abort() {
        try {
            Rare.ABORT.invokeExact();
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    /** What a C function prints to the stream ({@code FILE *}) that it is given. */
    public static String captureStream(LongConsumer printer) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(ADDRESS);
            MemorySegment size = arena.allocate(JAVA_LONG);
            long stream = (long) Rare.OPEN_MEMSTREAM.invokeExact(buffer, size);
            if (stream == 0) {
                throw new OutOfMemoryError("open_memstream");
            }
            int closed;
            try {
                printer.accept(stream);
            } finally {
                closed = (int) Rare.FCLOSE.invokeExact(stream);
            }
            MemorySegment text = buffer.get(ADDRESS, 0);
            try {
                return closed == 0 ? text.reinterpret(size.get(JAVA_LONG, 0) + 1).getString(0) : "";
            } finally {
                Rare.FREE.invokeExact(text);
            }
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }

    private static MethodHandle bind(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, options);
    }
}
