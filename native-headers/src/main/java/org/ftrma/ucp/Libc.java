package org.ftrma.ucp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/** The C library functions needed beside UCX. Set-up only: none of them belongs on a data path. Any thread. */
@SuppressWarnings("restricted")
public final class Libc {
    /** Advice for {@link #madvise}: forget what private pages hold; they are zero when they are touched next. */
    public static final int MADV_DONTNEED = 4;
    /** Advice for {@link #madvise}: back the range by huge pages where the system allows it on advice. */
    public static final int MADV_HUGEPAGE = 14;
    /** Advice for {@link #madvise}: no huge pages in this range. */
    public static final int MADV_NOHUGEPAGE = 15;
    /**
     * Advice for {@link #madvise}: fault all pages in for writing; since Linux 5.14. Fails where touching them would
     * raise SIGBUS.
     */
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

    /** Of a page that is not huge. */
    public static final long PAGE_BYTES = 4096;

    private static final int PROT_NONE = 0;
    private static final int PROT_READ = 1;
    private static final int PROT_WRITE = 2;
    private static final int PROT_EXEC = 4;
    private static final int MAP_PRIVATE = 2;
    private static final int MAP_ANONYMOUS = 0x20;
    private static final int MAP_NORESERVE = 0x4000;
    private static final int MREMAP_MAYMOVE = 1;
    private static final int MREMAP_FIXED = 2;

    private static final int PRIO_PROCESS = 0;
    private static final int THIS_THREAD = 0;

    private static final CFunction SETENV = CFunction.ofLibc("setenv");
    private static final CFunction SETPRIORITY = CFunction.ofLibc("setpriority");
    private static final CFunction MADVISE = CFunction.ofLibc("madvise");
    private static final CFunction MINCORE = CFunction.ofLibc("mincore");
    private static final CFunction OPEN_MEMSTREAM = CFunction.ofLibc("open_memstream");
    private static final CFunction FCLOSE = CFunction.ofLibc("fclose");
    private static final CFunction SHMCTL = CFunction.ofLibc("shmctl");
    private static final CFunction MPROTECT = CFunction.ofLibc("mprotect");
    private static final CFunction MMAP = CFunction.ofLibc("mmap");
    private static final CFunction MUNMAP = CFunction.ofLibc("munmap");
    private static final CFunction MREMAP = CFunction.ofLibc("mremap");
    private static final CFunction ABORT = CFunction.ofLibc("abort");
    private static final CFunction FREE = CFunction.ofLibc("free");

    private Libc() {
    }

    /** Sets a variable in the C environment of this process, where native libraries read it, unless it is set. */
    public static void setenvIfAbsent(String name, String value) {
        try (Arena arena = Arena.ofConfined()) {
            if ((int) SETENV.call(arena.allocateFrom(name).address(), arena.allocateFrom(value).address(), 0) != 0) {
                throw new IllegalArgumentException("setenv " + name + "=" + value + " failed");
            }
        }
    }

    /**
     * Has the calling thread, and those that it starts, stand back behind others: on Linux each thread has a nice value
     * of its own. Where the system refuses, it goes on as before.
     *
     * @param nice 0 to 19, the greatest one for the least share
     */
    public static void standBack(int nice) {
        SETPRIORITY.call(PRIO_PROCESS, THIS_THREAD, nice);
    }

    /** Gives advice about a range of pages; returns 0, or the error number. */
    public static int madvise(long address, long lengthBytes, int advice) {
        return MADVISE.errorOf(address, lengthBytes, advice);
    }

    /**
     * Whether pages are in memory: of private ones those are not that nobody has touched.
     *
     * @param answers one byte for each page, whose lowest bit says so
     */
    public static void mincore(long address, long lengthBytes, MemorySegment answers) {
        int error = MINCORE.errorOf(address, lengthBytes, answers.address());
        if (error != 0) {
            throw new IllegalArgumentException("mincore of " + lengthBytes + " bytes at " + Long.toHexString(address)
                + " failed: error " + error);
        }
    }

    /** Does something to a System V shared memory segment; whether that worked. */
    public static boolean shmctl(int id, int command) {
        return (int) SHMCTL.call(id, command, 0) == 0;
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
        return (int) MPROTECT.call(address, lengthBytes, protection) == 0;
    }

    /**
     * New pages of this process alone, zeroed, readable and writable, until they are {@linkplain #unmap unmapped}; null
     * if there are none.
     */
    public static MemorySegment pages(long bytes) {
        return map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS);
    }

    private static MemorySegment map(long bytes, int protection, int flags) {
        long address = MMAP.call(0, bytes, protection, flags, -1, 0);
        return address == -1 ? null : MemorySegment.ofAddress(address).reinterpret(bytes);
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
        MemorySegment reserved = map(lengthBytes + alignmentBytes, PROT_NONE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
        if (reserved == null) {
            return 0;
        }
        long start = reserved.address();
        long end = start + reserved.byteSize();
        long aligned = start + alignmentBytes - 1 & -alignmentBytes;
        // From a length of zero: the old mapping of shared memory stays.
        long mapped = MREMAP.call(address, 0, lengthBytes, MREMAP_MAYMOVE | MREMAP_FIXED, aligned);
        unmap(start, aligned - start);
        unmap(aligned + lengthBytes, end - aligned - lengthBytes);
        // refused: what is left of the reservation may be somebody else's by now, and is no memory
        return mapped == aligned ? aligned : 0;
    }

    /** Unmaps whole pages. */
    public static void unmap(long address, long lengthBytes) {
        if (lengthBytes != 0 && (int) MUNMAP.call(address, lengthBytes) != 0) {
            throw new IllegalArgumentException("munmap of " + lengthBytes + " bytes at " + Long.toHexString(address)
                + " failed");
        }
    }

    /** Ends the process by SIGABRT. */
    static void abort() {
        ABORT.call();
    }

    /** What a C function prints to the stream ({@code FILE *}) that it is given. */
    public static String captureStream(LongConsumer printer) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(ADDRESS);
            MemorySegment size = arena.allocate(JAVA_LONG);
            long stream = OPEN_MEMSTREAM.call(buffer.address(), size.address());
            if (stream == 0) {
                throw new OutOfMemoryError("open_memstream");
            }
            int closed;
            try {
                printer.accept(stream);
            } finally {
                closed = (int) FCLOSE.call(stream);
            }
            MemorySegment text = buffer.get(ADDRESS, 0);
            try {
                return closed == 0 ? text.reinterpret(size.get(JAVA_LONG, 0) + 1).getString(0) : "";
            } finally {
                FREE.call(text.address());
            }
        }
    }
}
