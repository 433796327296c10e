package org.ftrma.ucx;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ftrma.FtrmaException;
import org.ftrma.spi.Holes;
import org.ftrma.ucp.Libc;

/** Checks for memory before it is allocated, and prepares its pages afterwards. Set-up only; any thread. */
final class Pages {
    static final long PAGE_BYTES = 4096;
    private static final Path SHARED_MEMORY_FILES = Path.of("/dev/shm");

    private Pages() {
    }

    static long roundUp(long bytes) {
        return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    }

    /** Refuses what would end in the kernel killing some process of this machine. */
    static void requireAvailable(long bytes) {
        long available = HostMemory.here().availableBytes();
        if (bytes > available) {
            throw new FtrmaException(FtrmaException.Category.SETUP,
                "memory: requested=" + bytes + " available=" + available
                + " bytes: use smaller windows or fewer ranks on this machine");
        }
    }

    /** A full /dev/shm makes UCX fail with a message that does not name it. */
    static void requireSharedMemoryFiles(long bytes) {
        long usable;
        try {
            usable = Files.getFileStore(SHARED_MEMORY_FILES).getUsableSpace();
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP,
                SHARED_MEMORY_FILES + " cannot be used: mount a tmpfs there", e);
        }
        requireSharedMemoryFiles(bytes, usable);
    }

    static void requireSharedMemoryFiles(long bytes, long usable) {
        if (bytes > usable) {
            throw new FtrmaException(FtrmaException.Category.SETUP,
                SHARED_MEMORY_FILES + " is too small: requested=" + bytes + " free="
                + usable + " bytes: enlarge it (mount -o remount,size=SIZE " + SHARED_MEMORY_FILES
                + "; containers: --shm-size=SIZE)");
        }
    }

    /**
     * Asks for huge pages, then faults all pages in. That makes a lack of memory an error here instead of a SIGBUS at
     * some later store, and first accesses as fast as any.
     */
    static void prepare(long address, long bytes) {
        preferHuge(address, bytes);
        int error = Libc.madvise(address, bytes, Libc.MADV_POPULATE_WRITE);
        if (error != 0 && error != Libc.EINVAL) { // EINVAL: Linux before 5.14, pages come one by one
            throw new FtrmaException(FtrmaException.Category.SETUP,
                "memory: requested=" + bytes + " bytes cannot be faulted in (errno "
                + error + "), available=" + HostMemory.here().availableBytes()
                + ": use smaller windows, fewer ranks, or a higher memory limit");
        }
    }

    /** As {@link #prepare}, by huge pages, even where they come only to programs that insist. */
    static void prepareShared(long address, long bytes) {
        HugePages.make(address, bytes);
        prepare(address, bytes);
    }

    /** A part of some memory. */
    @FunctionalInterface
    interface Part {
        void at(long address, long bytes);
    }

    /** All parts of a region but its holes, each whole pages. */
    static void outside(Holes holes, long address, long bytes, Part part) {
        for (int i = 0; i <= holes.count(); i++) {
            long start = holes.usedStart(i, bytes) & -PAGE_BYTES;
            long end = Math.min(roundUp(holes.start(i, bytes)), bytes);
            if (start < end) {
                part.at(address + start, end - start);
            }
        }
    }

    /**
     * Huge pages may come with first touches, where the system allows it: shmem_enabled=advise for shared memory,
     * enabled=madvise for the rest.
     */
    static void preferHuge(long address, long bytes) {
        if (bytes >= HugePages.BYTES) {
            Libc.madvise(address, bytes, Libc.MADV_HUGEPAGE); // advice only: a kernel without huge pages refuses it
        }
    }

    /** The kernel's limits of System V shared memory and how to raise them, for messages. */
    static String sharedMemoryLimits() {
        return "kernel.shmmax=" + limit("shmmax") + " kernel.shmall=" + limit("shmall") + " kernel.shmmni="
            + limit("shmmni")
            + " (bytes, pages, segments): raise them (sysctl -w kernel.shmmax=BYTES), or use the network path";
    }

    private static String limit(String name) {
        return KernelFiles.read(Path.of("/proc/sys/kernel/" + name));
    }
}
