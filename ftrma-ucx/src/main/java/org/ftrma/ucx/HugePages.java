package org.ftrma.ucx;

import java.nio.file.Path;
import org.ftrma.ucp.Libc;

/**
 * Pages of 2 MiB for shared memory. By default Linux gives them to shared memory only if an administrator allows it
 * (shmem_enabled); but since Linux 6.1 a program can ask for them itself (MADV_COLLAPSE), where memory lies at
 * multiples of their size. New memory then comes several times as fast, other processes map it in no time, and copies
 * that no cache holds miss the TLB less. Wherever the system refuses, pages stay small. Set-up only; any thread.
 */
final class HugePages {
    static final long BYTES = 2 << 20;
    /** Less is not worth a second mapping, nor the wait for all processors that each request for huge pages is. */
    static final long LEAST_BYTES = 4 * BYTES;

    private static final String SETTINGS = "/sys/kernel/mm/transparent_hugepage/";
    private static final boolean AVAILABLE = KernelFiles.read(Path.of(SETTINGS + "hpage_pmd_size"))
        .equals(Long.toString(BYTES))
        && !KernelFiles.read(Path.of(SETTINGS + "shmem_enabled")).contains("[deny]")
        && Libc.madvise(0, 0, Libc.MADV_COLLAPSE) == 0; // advice about nothing is refused only if it is not known

    /** The system maps nothing again: each attempt costs address space. */
    private static volatile boolean refused;

    private HugePages() {
    }

    /** Whether the system has them; it may still be short of memory in such pieces. */
    static boolean areAvailable() {
        return AVAILABLE;
    }

    /**
     * Where shared memory can be accessed by huge pages: where it is, or in another mapping, which {@link #unmap} ends.
     */
    static long aligned(long address, long bytes) {
        if (!AVAILABLE || refused || bytes < LEAST_BYTES || address % BYTES == 0 || address % Pages.PAGE_BYTES != 0) {
            return address;
        }
        long again = Libc.mapAgain(address, Pages.roundUp(bytes), BYTES);
        refused = again == 0;
        return refused ? address : again;
    }

    /** Ends the other mapping, if there is one. */
    static void unmap(long address, long bytes, long aligned) {
        if (aligned != address) {
            Libc.unmap(aligned, Pages.roundUp(bytes));
        }
    }

    /** Makes huge pages of those that lie within a range, whether their contents are there yet or not. */
    static void make(long address, long bytes) {
        long start = address + BYTES - 1 & -BYTES;
        long end = address + bytes & -BYTES;
        if (!AVAILABLE || end - start < LEAST_BYTES) {
            return;
        }
        // The kernel makes none where there is no page at all yet.
        for (long at = start; at < end; at += BYTES) {
            if (Libc.madvise(at, Pages.PAGE_BYTES, Libc.MADV_POPULATE_WRITE) != 0) {
                return;
            }
        }
        Libc.madvise(start, end - start, Libc.MADV_COLLAPSE);
    }
}
