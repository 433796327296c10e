package org.ftrma.apps.kvstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.ftrma.AtomicOp;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.Program;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.SimCluster;
import org.ftrma.testkit.SimResult;
import org.junit.jupiter.api.Test;

/** The table on simulated ranks, compared with a {@link HashMap}. */
class DistributedHashTableTest {
    private static void run(int ranks, long seed, Program program) {
        JobOptions options = JobOptions.of(Map.of("ranks", "" + ranks));
        SimResult result = new SimCluster(options, new SimulatedProgram("table", () -> program), seed).run();
        assertTrue(result.succeeded(), () -> "ranks " + ranks + ", seed " + seed + "\n" + result.story());
    }

    /** One step in which ranks do something with a table. */
    private static void table(int ranks, long seed, long slots, long heapCells, TableUse use) {
        run(ranks, seed, job -> {
            DistributedHashTable table = DistributedHashTable.allocate(job, "t", slots, heapCells);
            job.initialize(() -> { });
            for (long step : job.steps(1)) {
                assertEquals(1, step);
                use.with(job, table);
            }
        });
    }

    @FunctionalInterface
    private interface TableUse {
        void with(Job job, DistributedHashTable table);
    }

    /** Each rank has keys of its own, in the same few slots as the others': every answer must be a map's. */
    private static void actLikeAMap(Job job, DistributedHashTable table, long seed, int keys) {
        Map<Long, Long> model = new HashMap<>();
        Random random = new Random(31 * seed + job.rank());
        for (int i = 0; i < 60; i++) {
            long key = random.nextInt(keys) * job.ranks() + job.rank();
            long value = random.nextInt(5) == 0 ? 0 : random.nextLong() | 1;
            String what = "rank " + job.rank() + " operation " + i + " key " + key;
            switch (random.nextInt(6)) {
                case 0 -> assertEquals(model.putIfAbsent(key, value) == null, table.insert(key, value), what);
                case 1 -> assertEquals(model.put(key, value) == null, table.put(key, value), what);
                case 2 -> assertEquals(model.replace(key, value) != null, table.update(key, value), what);
                case 3 -> assertEquals(model.remove(key) != null, table.remove(key), what);
                case 4 -> assertEquals(model.getOrDefault(key, -7L), table.get(key, -7), what);
                default -> assertEquals(model.containsKey(key), table.contains(key), what);
            }
        }
        long[] all = new long[keys];
        long[] values = new long[keys];
        for (int i = 0; i < keys; i++) {
            all[i] = (long) i * job.ranks() + job.rank();
        }
        assertEquals(model.size(), table.getAll(all, values, 0, keys, -7));
        for (int i = 0; i < keys; i++) {
            assertEquals(model.getOrDefault(all[i], -7L), values[i]);
        }
        assertEquals(job.allReduce(AtomicOp.SUM, (long) model.size()), table.size());
        long sum = model.entrySet().stream().mapToLong(entry -> entry.getKey() ^ entry.getValue()).sum();
        long[] local = new long[1];
        table.forEachLocal((key, value) -> {
            assertEquals(job.rank(), table.owner(key));
            local[0] += key ^ value;
        });
        assertEquals(job.allReduce(AtomicOp.SUM, sum), job.allReduce(AtomicOp.SUM, local[0]));
    }

    @Test
    void answersAreThoseOfAMapHoweverKeysCollideAndRanksInterleave() {
        for (int ranks = 1; ranks <= 3; ranks++) {
            for (long seed = 1; seed <= 12; seed++) {
                long slots = 1 + seed % 5;
                long number = seed;
                table(ranks, seed, slots, 12L * ranks, (job, table) -> actLikeAMap(job, table, number, 12));
            }
        }
    }

    /** Sorted keys of the local volume, with their values: a second cell of a key would replace the first. */
    private static Map<Long, Long> local(DistributedHashTable table) {
        Map<Long, Long> entries = new TreeMap<>();
        table.forEachLocal(entries::put);
        assertEquals(table.localSize(), entries.size());
        return entries;
    }

    @Test
    void aKeyThatAllRanksInsertAtOnceIsAddedByOneOfThem() {
        for (long seed = 1; seed <= 30; seed++) {
            table(3, seed, 1, 24, (job, table) -> {
                long added = 0;
                for (long key = 0; key < 8; key++) {
                    added += table.insert(key, 100 * key + job.rank()) ? 1 : 0;
                    long value = table.get(key, -1);
                    assertTrue(value / 100 == key && value % 100 < 3, "key " + key + " value " + value);
                }
                assertEquals(8, job.allReduce(AtomicOp.SUM, added));
                assertEquals(8, table.size());
                local(table);
            });
        }
    }

    @Test
    void aFullHeapIsToldAndNothingIsLost() {
        for (long seed = 1; seed <= 10; seed++) {
            table(2, seed, 2, 3, (job, table) -> {
                long added = 0;
                long refused = 0;
                for (long key = job.rank(); key < 40; key += 2) {
                    try {
                        added += table.insert(key, -key) ? 1 : 0;
                        assertEquals(-key, table.get(key, 1));
                    } catch (TableFullException full) {
                        refused++;
                        assertEquals(key, full.key());
                        assertTrue(full.getMessage().contains("table=t rank=" + table.owner(key)
                            + " slots=2 heapCells=3"), full.getMessage());
                        assertFalse(table.contains(key));
                    }
                }
                assertEquals(20, added + refused);
                // Both slots taken, or one, and the whole heap.
                long size = table.size();
                assertEquals(job.allReduce(AtomicOp.SUM, added), size);
                assertEquals(3, table.localHeapUsed());
                assertEquals(5, local(table).size());
            });
        }
    }

    @Test
    void aBatchThatMeetsAFullHeapKeepsWhatCameBefore() {
        table(1, 1, 1, 2, (job, table) -> {
            long[] keys = {5, 6, 7, 8};
            TableFullException full = assertThrows(TableFullException.class, () -> table.insertAll(keys, keys, 0, 4));
            assertEquals(8, full.key());
            assertEquals(Map.of(5L, 5L, 6L, 6L, 7L, 7L), local(table));
            assertEquals(0, table.insertAll(keys, keys, 0, 3));
            assertTrue(table.remove(6) && !table.remove(6));
            assertEquals(1, table.insertAll(keys, new long[] {0, 60, 0, 0}, 1, 1));
            assertEquals(Map.of(5L, 5L, 6L, 60L, 7L, 7L), local(table));
        });
    }

    /** Groups of a batch work on several keys at a time: equal ones, and ones that collide, must not notice. */
    @Test
    void batchesOfAllRanksAddEachKeyOnceWithAValueOfOneOfThem() {
        for (long seed = 1; seed <= 20; seed++) {
            long number = seed;
            table(3, seed, seed % 2 == 0 ? 3 : 40, 300, (job, table) -> {
                Random random = new Random(17 * number + job.rank());
                long[] keys = random.longs(100, 0, 70).toArray();
                long[] values = new long[100];
                for (int i = 0; i < 100; i++) {
                    values[i] = 1000 * keys[i] + 10 * i + job.rank();
                }
                assertEquals(0, table.insertAll(keys, values, 5, 0));
                long added = table.insertAll(keys, values, 0, 90) + table.insertAll(keys, values, 90, 10);
                assertEquals(table.size(), job.allReduce(AtomicOp.SUM, added));
                long[] found = new long[100];
                assertEquals(100, table.getAll(keys, found, 0, 100, -1));
                for (int i = 0; i < 100; i++) {
                    assertEquals(keys[i], found[i] / 1000);
                }
                local(table).forEach((key, value) -> assertEquals(key, value / 1000));
            });
        }
    }

    @Test
    void whatIsReservedIsRefusedAndEverythingElseIsAllowed() {
        table(1, 1, 4, 8, (job, table) -> {
            for (long number : new long[] {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE + 1}) {
                assertTrue(table.insert(number, number));
                assertEquals(number, table.get(number, 7));
            }
            long reserved = Long.MIN_VALUE;
            assertThrows(MisuseException.class, () -> table.insert(reserved, 1));
            assertThrows(MisuseException.class, () -> table.insert(1, reserved));
            assertThrows(MisuseException.class, () -> table.put(9, reserved));
            assertThrows(MisuseException.class, () -> table.update(1, reserved));
            assertThrows(MisuseException.class, () -> table.remove(reserved));
            assertThrows(MisuseException.class, () -> table.get(reserved, 1));
            assertThrows(MisuseException.class, () -> table.insertAll(new long[] {9, reserved}, new long[2], 0, 2));
            assertFalse(table.contains(9));
            assertEquals(5, table.size());
        });
        assertThrows(MisuseException.class, () -> new VolumeDescriptor("t", 0, 1));
        assertThrows(MisuseException.class, () -> new VolumeDescriptor("t", 1, -1));
    }
}
