package org.ftrma.xor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class MemoryPlanTest {
    private static final long MIB = 1L << 20;

    private static MemoryDemand demand(int ranks, int groups, long windows, long scratch, long local,
        long rotating, int buffers) {
        return new MemoryDemand(ranks, groups, 1).windows(windows).scratch(scratch).local(local)
            .rotating(rotating, buffers).control(MIB);
    }

    private static MemoryDemand small(int buffers) {
        return new MemoryDemand(4, 2, 1).windows(8 * MIB).rotating(MIB, buffers).control(100);
    }

    @Test
    void countsEveryCopyOfTheState() {
        MemoryPlan plan = MemoryPlan.of(demand(4, 1, 64 * MIB, 16 * MIB, 8 * MIB, 10 * MIB, 3));
        long map = 4096;
        assertTrue(DirtyMap.bytesFor(72 * MIB, 4096) <= map,
            "rotating buffers are not mapped: they always count as changed");
        assertEquals(108 * MIB, plan.computing().live(), "windows, scratch, local, two rotating buffers");
        assertEquals(82 * MIB, plan.computing().images().committed(), "windows, local, a rotating buffer; no scratch");
        assertEquals(72 * MIB, plan.computing().images().pending(), "the rotating part is the program's own buffer");
        assertEquals(MIB + 2 * map, plan.computing().control(), "a map for each image");
        assertEquals(MIB + 4 * map, plan.checksum().control(), "a map of each member");
        assertEquals(82 * MIB, plan.checksum().committedParity());
        assertEquals(82 * MIB, plan.checksum().pendingParity());
        assertEquals(1, plan.checksumRanks());
        assertEquals(263 * MIB + 2 * map, plan.perRank());
        assertEquals(165 * MIB + 4 * map, plan.perChecksumRank());
        assertEquals(4 * plan.perRank() + plan.perChecksumRank(), plan.totalBytes());
        assertEquals(4 * 108 * MIB, plan.unprotectedBytes());
        MemoryPlan four = MemoryPlan.of(demand(4, 1, 64 * MIB, 16 * MIB, 8 * MIB, 10 * MIB, 4));
        assertEquals(plan.perRank() + 10 * MIB, four.perRank(), "a fourth rotating buffer");
    }

    @Test
    void aJobWithoutProtectionHasNoImages() {
        MemoryPlan plan = MemoryPlan.of(demand(3, 0, 64 * MIB, 0, 0, MIB, 2));
        assertEquals(3 * (66 * MIB + MIB), plan.totalBytes());
        assertEquals(0, plan.computing().images().bytes() + plan.perChecksumRank());
    }

    @Test
    void theWholeIsTheSumOfItsPartsAndPartialBlocksCount() {
        RandomGenerator random = Memory.random(41);
        for (int i = 0; i < 2000; i++) {
            int ranks = random.nextInt(1, 100);
            int groups = random.nextInt(1, ranks + 1);
            long windows = random.nextLong(1L << 33);
            long local = random.nextLong(1L << 20);
            long rotating = random.nextLong(1L << 30);
            MemoryPlan plan = MemoryPlan.of(demand(ranks, groups, windows, 0, local, rotating, 3));
            String name = plan.toString();
            long parity = plan.checksum().committedParity();
            assertTrue(parity >= windows + local + rotating && parity % 4096 == 0, name);
            assertTrue(parity < windows + local + rotating + 2 * 4096, name);
            assertEquals(ranks * plan.perRank() + groups * plan.perChecksumRank(), plan.totalBytes(), name);
            assertTrue(plan.refusal(plan.totalBytes(), "").isEmpty(), name);
            assertTrue(plan.refusal(plan.totalBytes() - 1, "").isPresent(), name);
        }
    }

    @Test
    void theRefusalHasTheFiguresAndTheFix() {
        MemoryPlan plan = MemoryPlan.of(demand(4, 1, 1024 * MIB, 0, 0, 0, 0));
        String some = plan.refusal(6L << 30, "kernel.shmall: raise it").orElseThrow();
        assertTrue(some.startsWith("the job needs 14.0 GiB of memory and 6.0 GiB are available (kernel.shmall: raise "
            + "it); use fewer ranks or smaller"
            + " windows, or run without protection (--protocol none needs 4.0 GiB)\n"), some);
        assertTrue(some.endsWith(plan.table()), some);
        String little = plan.refusal(3L << 30, "all there is").orElseThrow();
        assertTrue(!little.contains("--protocol none"), "it would not fit either: " + little);
    }

    @Test
    void logsAndSparesCount() {
        MemoryDemand demand = new MemoryDemand(4, 2, 1).windows(8 * MIB).scratch(MIB).local(3 * MIB).rotating(MIB, 5)
            .control(4096).onDemand(true);
        MemoryPlan without = MemoryPlan.of(demand);
        MemoryPlan with = MemoryPlan.of(demand.logs(16 * MIB, 2 * MIB).spares(3));
        assertEquals(without.perRank() + 16 * MIB, with.perRank());
        assertEquals(without.perChecksumRank() + 2 * MIB, with.perChecksumRank());
        assertEquals(with.perRank() - 3 * MIB - 16 * MIB, with.perSpare(), "without local segments and logs");
        assertEquals(4 * with.perRank() + 2 * with.perChecksumRank() + 3 * with.perSpare(), with.totalBytes());
        assertTrue(with.table().contains("access logs, at most              16.0 MiB         2.0 MiB\n"), with.table());
        assertTrue(with.table()
            .contains("number                                   4               2               3\n"), with.table());
        assertTrue(with.refusal(1, "").orElseThrow().contains("a smaller --log-budget, fewer --spares\n"),
            with.refusal(1, "").orElseThrow());
    }

    /** What was sent is part of the live state, and of it alone the option says how large it is. */
    @Test
    void aLogOfMessagesIsNamedWhereThereIsOne() {
        MemoryDemand demand = new MemoryDemand(4, 1, 1).windows(MIB).scratch(80 * MIB);
        MemoryPlan without = MemoryPlan.of(demand);
        MemoryPlan with = MemoryPlan.of(demand.messageLog(64 * MIB));
        assertEquals(without.totalBytes(), with.totalBytes());
        assertFalse(without.refusal(1, "").orElseThrow().contains("--message-log"));
        for (String told : List.of(with.refusal(1, "").orElseThrow(),
            with.refusal("b", new int[] {2, 1, 0}, 1, "").orElseThrow())) {
            assertTrue(told.contains(" use fewer ranks or smaller windows, a smaller --message-log\n"), told);
            assertTrue(told.contains("of it messages, at most           64.0 MiB               -\n"), told);
        }
    }

    @Test
    void anImageOfAnotherJobThatIsReadIsOneImageMore() {
        MemoryDemand demand = new MemoryDemand(4, 2, 1).windows(8 * MIB).control(4096).spares(1);
        MemoryPlan without = MemoryPlan.of(demand);
        MemoryPlan with = MemoryPlan.of(demand.reads(12 * MIB));
        assertEquals(without.perRank() + 12 * MIB, with.perRank());
        assertEquals(without.perChecksumRank(), with.perChecksumRank());
        assertEquals(without.perSpare(), with.perSpare());
        assertEquals(4 * 12 * MIB, with.totalBytes() - without.totalBytes());
        assertTrue(with.table().contains("image being read                  12.0 MiB               -\n"), with.table());
        assertFalse(without.table().contains("being read"), without.table());
    }

    @Test
    void aHostIsAskedForWhatItsOwnMembersNeed() {
        MemoryPlan plan = MemoryPlan.of(demand(4, 1, 1024 * MIB, 0, 0, 0, 0).spares(1));
        long need = 2 * plan.perRank() + plan.perChecksumRank();
        assertTrue(plan.totalBytes() > need);
        assertTrue(plan.refusal("b", new int[] {2, 1, 0}, need, "").isEmpty());
        String told = plan.refusal("b", new int[] {2, 1, 0}, need - 1, "kernel.shmall: raise it").orElseThrow();
        assertTrue(told.startsWith("host b needs 8.0 GiB of memory for 2 of the computing ranks, 1 of the checksum "
            + "ranks and 0 of the spares, and 8.0 GiB are available there (kernel.shmall: raise it); give it fewer "
            + "slots or the job more hosts, use fewer ranks or smaller windows\n"), told);
        assertTrue(told.endsWith(plan.table()), told);
        assertTrue(plan.refusal("c", new int[] {0, 0, 1}, 0, "").orElseThrow().contains(", fewer --spares\n"));
    }

    @Test
    void theTableIsInBinaryUnits() {
        MemoryPlan plan = new MemoryPlan(4, new MemoryPlan.Computing(96 * MIB, 0,
            new MemoryPlan.Images(64 * MIB, 64 * MIB, 0, 0, 0), 0, 1023), 1,
            new MemoryPlan.Checksum(3L << 30, 1536 * MIB, 0, 0, 2048), 0, 0);
        assertEquals("""
            memory                      computing rank   checksum rank
            live state                        96.0 MiB               -
            committed image, parity           64.0 MiB         3.0 GiB
            pending image, parity             64.0 MiB         1.5 GiB
            control                             1023 B         2.0 KiB
            each                             224.0 MiB         4.5 GiB
            number                                   4               1
            together 5.4 GiB, of which 5.0 GiB for protection""", plan.table());
    }

    @Test
    void demandCheckpointsTakeOneImageAndOneParityMore() {
        MemoryPlan without = MemoryPlan.of(small(4));
        MemoryPlan with = MemoryPlan.of(small(5).onDemand(true));
        assertEquals(9 * MIB, with.computing().images().demand());
        assertEquals(9 * MIB, with.checksum().demandParity());
        assertEquals(without.computing().images().pending(), with.computing().images().pending());
        long map = (with.computing().control() - without.computing().control());
        assertTrue(map > 0 && map <= 4096, "one more map of changed blocks: " + map);
        assertEquals(4 * (9 * MIB + map) + 2 * 9 * MIB, with.totalBytes() - without.totalBytes());
        assertTrue(with.table().contains("demand image, parity") && !without.table().contains("demand image"),
            with.table());
    }

    @Test
    void imagesThatAreWrittenToDiskTakeOneImageMoreAndNoParity() {
        MemoryPlan without = MemoryPlan.of(small(4));
        MemoryPlan with = MemoryPlan.of(small(5).toDisk(true));
        assertEquals(9 * MIB, with.computing().images().disk());
        assertEquals(without.computing().images().pending(), with.computing().images().pending());
        assertEquals(without.perChecksumRank(), with.perChecksumRank());
        long map = with.computing().control() - without.computing().control();
        assertTrue(map > 0 && map <= 4096, "one more map of changed blocks: " + map);
        assertEquals(4 * (9 * MIB + map), with.totalBytes() - without.totalBytes());
        assertTrue(with.table().contains("image being written") && !without.table().contains("image being written"),
            with.table());
    }

    @Test
    void impossibleDemandsAreRefusedByName() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> demand(2, 3, 0, 0, 0, 0, 0)).getMessage()
            .startsWith("groups=3 ranks=2"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> demand(2, 1, -5, 0, 0, 0, 0)).getMessage()
            .startsWith("windowBytes=-5"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> demand(2, 1, 0, 0, 0, 1, 2)).getMessage()
            .startsWith("rotatingBuffers=2: must be at least 3"));
        assertThrows(IllegalArgumentException.class, () -> demand(0, 0, 0, 0, 0, 0, 0));
        assertThrows(IllegalArgumentException.class, () ->
            MemoryPlan.of(demand(1000, 1, Long.MAX_VALUE / 8, 0, 0, 0, 0)));
        assertThrows(IllegalArgumentException.class, () -> MemoryPlan.of(demand(1, 1, Long.MAX_VALUE, 0, 0, 0, 0)));
    }
}
