package org.ftrma.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ftrma.spi.Holes;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shared memory in pages of 2 MiB, on systems that give them to shared memory only when a program insists. */
@Timeout(60)
class HugePagesTest {
    /** Neither whole huge pages, nor whole pages. */
    private static final long BYTES = (32L << 20) + 3 * Pages.PAGE_BYTES + 100;

    @BeforeEach
    void theSystemHasThem() {
        assumeTrue(HugePages.areAvailable(), "Linux before 6.1, or not for shared memory");
    }

    /** How often the kernel found no memory in one piece. */
    private static String refusals() throws IOException {
        return Files.readAllLines(Path.of("/proc/vmstat")).stream()
            .filter(line -> line.startsWith("thp_collapse_alloc_failed")).findAny().orElse("");
    }

    /** Kilobytes of a field of what is mapped at an address. */
    private static long kilobytes(MemorySegment segment, String field) throws Exception {
        String start = Long.toHexString(segment.address()) + "-";
        boolean within = false;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            within = line.matches("[0-9a-f]+-[0-9a-f]+ .*") ? line.startsWith(start) : within;
            if (within && line.startsWith(field + ":")) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new AssertionError("nothing is mapped at " + start + " with " + field);
    }

    private static long mappings() throws Exception {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream().filter(line -> line.contains("/SYSV")).count();
    }

    @Test
    void regionsAndWhatPeersMapOfThemHaveHugePagesAndTheSameContents() throws Exception {
        try (UcxFabric fabric = new UcxFabric(UcxOptions.of(UcxOptions.Path.MAPPED));
            UcxFabric peer = new UcxFabric(UcxOptions.of(UcxOptions.Path.MAPPED))) {
            peer.connect(0, fabric.address());
            long before = mappings();
            List<MemoryRegion> regions = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                String refusals = refusals();
                MemoryRegion region = fabric.expose(BYTES);
                regions.add(region);
                assumeTrue(refusals.equals(refusals()), "memory is fragmented");
                RemoteMemory remote = peer.attach(0, region.key());
                assertEquals(0, region.segment().address() % HugePages.BYTES);
                assertEquals(0, remote.mapped().address() % HugePages.BYTES);
                assertEquals(32 << 10, kilobytes(region.segment(), "ShmemPmdMapped"));
                remote.prefault(0, BYTES);
                assertEquals(32 << 10, kilobytes(remote.mapped(), "ShmemPmdMapped"));
                region.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, BYTES - 8, 40 + i);
                assertEquals(40 + i, remote.getLong(BYTES - 8));
                remote.putLong(8, 50 + i);
                assertEquals(50 + i, region.segment().get(ValueLayout.JAVA_LONG, 8));
            }
            peer.renew();
            regions.forEach(MemoryRegion::close);
            assertEquals(before, mappings());
        }
    }

    @Test
    void contentsStayWhenHugePagesAreMadeOfSmallOnes() {
        try (UcxFabric fabric = new UcxFabric(UcxOptions.of(UcxOptions.Path.MAPPED))) {
            MemorySegment segment = fabric.expose(BYTES, new Holes(0, BYTES, BYTES, 1)).segment();
            for (long at = 0; at < BYTES - 8; at += 3000) {
                segment.set(ValueLayout.JAVA_LONG_UNALIGNED, at, at);
            }
            byte[] contents = segment.toArray(ValueLayout.JAVA_BYTE);
            HugePages.make(segment.address() + 4096, BYTES - 4096);
            assertTrue(Arrays.equals(contents, segment.toArray(ValueLayout.JAVA_BYTE)));
        }
    }

    @Test
    void smallRegionsStayWhereTheyAre() throws Exception {
        try (UcxFabric fabric = new UcxFabric(UcxOptions.of(UcxOptions.Path.MAPPED))) {
            long before = mappings();
            MemoryRegion region = fabric.expose(HugePages.LEAST_BYTES - Pages.PAGE_BYTES);
            assertEquals(before + 1, mappings());
            region.close();
            assertEquals(before, mappings());
        }
    }
}
