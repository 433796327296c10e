package org.ftrma.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.spi.Holes;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory that is used while it is being faulted in. */
@Timeout(60)
class BackgroundPagesTest {
    private static final long BYTES = 96L << 20;

    private static long residentBytes() throws Exception {
        Matcher matcher = Pattern.compile("RssShmem:\\s+(\\d+) kB")
            .matcher(Files.readString(Path.of("/proc/self/status")));
        assertTrue(matcher.find());
        return Long.parseLong(matcher.group(1)) << 10;
    }

    /** Of all shared memory that this process made, mapped or not. */
    private static long segmentBytes() throws Exception {
        long bytes = 0;
        for (String line : Files.readAllLines(Path.of("/proc/sysvipc/shm"))) {
            // key shmid perms size cpid lpid nattch uid gid cuid cgid atime dtime ctime rss swap
            String[] fields = line.trim().split("\\s+");
            bytes += fields[4].equals(Long.toString(ProcessHandle.current().pid())) ? Long.parseLong(fields[14]) : 0;
        }
        return bytes;
    }

    @Test
    void pagesComeWhileTheMemoryIsUsed() throws Exception {
        try (UcxFabric fabric = new UcxFabric(UcxOptions.of(UcxOptions.Path.MAPPED))) {
            fabric.prefaultInBackground();
            long before = residentBytes();
            MemoryRegion first = fabric.expose(BYTES);
            MemoryRegion second = fabric.expose(BYTES);
            second.segment().set(ValueLayout.JAVA_LONG, BYTES - 8, 42);
            assertEquals(0, first.segment().get(ValueLayout.JAVA_LONG, BYTES - 8));
            while (residentBytes() - before < 2 * BYTES) {
                Thread.onSpinWait();
            }
            assertEquals(42, second.segment().get(ValueLayout.JAVA_LONG, BYTES - 8));
        }
    }

    @Test
    void pagesOfLazyMemoryComeAheadAsFarAsIsAskedFor() throws Exception {
        try (UcxFabric fabric = new UcxFabric(UcxOptions.of(UcxOptions.Path.MAPPED))) {
            long before = residentBytes();
            MemoryRegion region = fabric.exposeLazily(BYTES);
            region.segment().set(ValueLayout.JAVA_LONG, 8, 42);
            fabric.prefault(region, BYTES / 2);
            while (residentBytes() - before < BYTES / 2) {
                Thread.onSpinWait();
            }
            fabric.prefault(region, 2 * BYTES);
            while (residentBytes() - before < BYTES) {
                Thread.onSpinWait();
            }
            assertEquals(42, region.segment().get(ValueLayout.JAVA_LONG, 8));
        }
    }

    @Test
    void pagesOfHolesComeWhenTheyAreTouched() throws Exception {
        long hole = 24L << 20;
        Holes holes = new Holes(8L << 20, hole, 48L << 20, 2);
        for (boolean background : new boolean[] {false, true}) {
            try (UcxFabric fabric = new UcxFabric(UcxOptions.of(UcxOptions.Path.MAPPED));
                UcxFabric peer = new UcxFabric(UcxOptions.of(UcxOptions.Path.MAPPED))) {
                if (background) {
                    fabric.prefaultInBackground();
                }
                long before = residentBytes();
                long segmentsBefore = segmentBytes();
                MemoryRegion region = fabric.expose(BYTES, holes);
                while (residentBytes() - before < BYTES - 2 * hole) {
                    Thread.onSpinWait();
                }
                peer.connect(0, fabric.address());
                RemoteMemory remote = peer.attach(0, region.key());
                long mapped = segmentBytes();
                remote.prefault((32L << 20) - 4096, 4096);
                remote.prefault(32L << 20, 4096);
                remote.prefault(56L << 20, 8192);
                long more = segmentBytes() - mapped;
                assertTrue(more <= 3 * 4096, "a reader made " + more + " bytes come that it did not ask for");
                region.segment().set(ValueLayout.JAVA_LONG, 31L << 20, 42);
                assertEquals(42, remote.getLong(31L << 20));
                assertEquals(0, remote.getLong(BYTES - 8));
                long there = segmentBytes() - segmentsBefore;
                assertTrue(there < BYTES - hole, there + " bytes, of " + BYTES + " with holes of 2 x " + hole);
            }
        }
    }

    @Test
    void memoryMayGoBeforeItsPagesAreThere() {
        for (int round = 0; round < 5; round++) {
            try (UcxFabric fabric = new UcxFabric(UcxOptions.of(UcxOptions.Path.MAPPED))) {
                fabric.prefaultInBackground();
                fabric.expose(BYTES).close();
                MemoryRegion next = fabric.expose(BYTES);
                next.segment().set(ValueLayout.JAVA_BYTE, BYTES / 2, (byte) 1);
                assertEquals(1, next.segment().get(ValueLayout.JAVA_BYTE, BYTES / 2));
            }
        }
    }
}
