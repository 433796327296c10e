package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.Distribution;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.LongCell;
import org.ftrma.RotatingSegment;
import org.ftrma.Team;
import org.ftrma.Window;
import org.ftrma.WindowKind;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Jobs that begin from images of another number of ranks, or of another protocol: what their elements become is the
 * same as in a job that has had as many ranks from its beginning.
 */
class RedistributionTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int ELEMENTS = 23;
    private static final int HEAD = 16;

    /** Arrays of all kinds of distributions, of which each element changes in each step by its number and the step. */
    private record Arrays(int steps) implements SimProgram {
        private static final Distribution BLOCK = Distribution.block(ELEMENTS, 8);
        private static final Distribution CYCLIC = Distribution.cyclic(ELEMENTS, 8);
        private static final Distribution GROUPS = Distribution.blockCyclic(ELEMENTS, 24, 3).after(HEAD);
        private static final Distribution REVERSED = Distribution.of("reversed", ELEMENTS, 8,
            new Distribution.Placement() {
                @Override
                public int rank(int ranks, long element) {
                    return ranks - 1 - (int) (element % ranks);
                }

                @Override
                public long offset(int ranks, long element) {
                    return 8 * (element / ranks);
                }
            });

        @Override
        public String name() {
            return "arrays";
        }

        private static long count(Job job, Distribution distribution) {
            long count = 0;
            for (long element = 0; element < ELEMENTS; element++) {
                count += distribution.placement().rank(job.ranks(), element) == job.rank() ? 1 : 0;
            }
            return count;
        }

        /** All that this rank has of an array changes. */
        private static long change(Job job, Distribution distribution, MemorySegment from, MemorySegment to) {
            long sum = 0;
            Distribution.Placement placement = distribution.placement();
            for (long element = 0; element < ELEMENTS; element++) {
                if (placement.rank(job.ranks(), element) == job.rank()) {
                    for (long at = 0; at < distribution.elementBytes(); at += 8) {
                        long offset = placement.offset(job.ranks(), element) + at;
                        long value = from.get(LONG, offset) * 31 + element + at + job.step();
                        to.set(LONG, offset, value);
                        sum += value;
                    }
                }
            }
            return sum;
        }

        private static void store(Job job, String name, Distribution distribution, MemorySegment from,
            Results results) {
            Distribution.Placement placement = distribution.placement();
            for (long element = 0; element < ELEMENTS; element++) {
                if (placement.rank(job.ranks(), element) == job.rank()) {
                    results.store(name + " " + element, from.asSlice(placement.offset(job.ranks(), element),
                        distribution.elementBytes()));
                }
            }
        }

        @Override
        public void run(Job job, Results results) {
            job.parameter("elements", "" + ELEMENTS);
            job.distribution("block", BLOCK);
            Window block = job.allocateWindow("block", 8L * ((ELEMENTS + job.ranks() - 1) / job.ranks()));
            Window cyclic = job.allocateUnequal("cyclic", 8 * count(job, CYCLIC));
            job.distribution("cyclic", CYCLIC);
            MemorySegment groups = job.protect("groups", HEAD + 24 * (ELEMENTS / job.ranks() + 3));
            job.distribution("groups", GROUPS);
            RotatingSegment reversed = job.protectRotating("reversed", 8L * (ELEMENTS / job.ranks() + 1));
            job.distribution("reversed", REVERSED);
            Window halo = job.allocateWindow("halo", 8L * job.ranks());
            job.distribution("halo", Distribution.zeroed());
            LongCell sum = job.protectLong("sum");
            job.distribution("sum", Distribution.replicated());
            Team pairs = job.team("pairs", job.rank() / 2, 0);
            job.initialize(() -> sum.set(7));
            for (long step : job.steps(steps)) {
                assertEquals(step, job.step());
                long mine = change(job, BLOCK, block.memory(), block.memory())
                    + change(job, CYCLIC, cyclic.memory(), cyclic.memory())
                    + change(job, GROUPS, groups, groups)
                    + change(job, REVERSED, reversed.current(), reversed.next());
                reversed.advance();
                sum.set(sum.get() * 3 + job.allReduce(AtomicOp.SUM, mine));
                pairs.barrier();
            }
            store(job, "block", BLOCK, block.memory(), results);
            store(job, "cyclic", CYCLIC, cyclic.memory(), results);
            store(job, "groups", GROUPS, groups, results);
            store(job, "reversed", REVERSED, reversed.current(), results);
            MemorySegment last = MemorySegment.ofArray(new long[] {sum.get()});
            results.store("sum of " + job.rank(), last);
            assertEquals(8L * job.ranks(), halo.memory().byteSize());
        }
    }

    private static SimCluster cluster(String protocol, int ranks, SimProgram program, SimDisk disk, long seed) {
        return new SimCluster(JobOptions.of(Map.of("ranks", "" + ranks, "checksums", "1", "spares", "1", "interval",
            "1", "protocol", protocol, "flush", "disk", "deadline", "40s", "log-budget", "1MiB")), program, seed)
            .flushingTo(disk);
    }

    /** What there is of each element, each of which is at one rank. */
    private static Map<String, byte[]> elements(SimResult result) {
        Map<String, byte[]> all = new TreeMap<>();
        result.contents().forEach((rank, contents) -> contents.forEach((name, bytes) -> {
            if (name.startsWith("sum")) {
                byte[] other = all.putIfAbsent("sum", bytes);
                assertTrue(other == null || java.util.Arrays.equals(other, bytes), "sums differ");
            } else {
                assertNull(all.put(name, bytes), name + " is at two ranks");
            }
        }));
        return all;
    }

    private static void assertSame(SimResult expected, SimResult result) {
        assertTrue(expected.succeeded(), expected::story);
        assertTrue(result.succeeded(), result::story);
        Map<String, byte[]> right = elements(expected);
        Map<String, byte[]> got = elements(result);
        assertEquals(4 * ELEMENTS + 1, right.size());
        assertEquals(right.keySet(), got.keySet());
        right.forEach((name, bytes) -> assertArrayEquals(bytes, got.get(name), name + ": " + result.story()));
    }

    private static List<String> told(SimResult result) {
        return result.events().stream().filter(e -> e.event() instanceof JobEvent.Redistributed)
            .map(e -> ((JobEvent.Redistributed) e.event()).text()).toList();
    }

    @ParameterizedTest
    @CsvSource({"coordinated,4,coordinated,2", "coordinated,4,coordinated,6", "full,4,full,3", "full,2,full,5",
        "coordinated,3,full,3", "full,3,coordinated,3", "full,6,coordinated,4", "coordinated,2,full,3",
        "coordinated,4,full,1", "full,1,full,4", "pessimistic-v,3,full,4", "coordinated,4,pessimistic-v,3",
        "pessimistic-v,4,pessimistic-v,2", "full,3,pessimistic-v,3", "ml,3,full,4"})
    void eachElementArrivesOnceWhateverTheRanksAndTheProtocol(String protocol, int ranks, String newProtocol,
        int newRanks) {
        SimDisk disk = new SimDisk(1000);
        SimResult first = cluster(protocol, ranks, new Arrays(9), disk, 1).run();
        assertTrue(first.succeeded(), first::story);
        assertFalse(disk.named().isEmpty(), first::story);
        SimResult expected = cluster(newProtocol, newRanks, new Arrays(14), new SimDisk(1000), 2).run();
        SimResult restarted = cluster(newProtocol, newRanks, new Arrays(14), new SimDisk(disk), 3)
            .restartingFrom(disk.named().getLast()).run();
        assertSame(expected, restarted);
        SimResult killed = cluster(newProtocol, newRanks, new Arrays(14), disk, 4)
            .restartingFrom(disk.named().getFirst())
            .when(JobEvent.StepBegun.class, e -> e.member() == newRanks - 1, c -> c.kill(newRanks - 1)).run();
        assertSame(expected, killed);
        assertEquals(ranks != newRanks, told(restarted).contains("window \"block\" is distributed anew (block of 23 "
            + "elements of 8 bytes)"), () -> told(restarted).toString());
        // What that job has written is of its own shape, from which it goes on as it was.
        SimResult again = cluster(newProtocol, newRanks, new Arrays(14), disk, 5)
            .restartingFrom(disk.named().getLast()).run();
        assertSame(expected, again);
        assertEquals(List.of(), told(again));
        assertEquals(List.of(ranks != newRanks, ranks != newRanks, false, false), List.of(plansToRead(restarted),
            plansToRead(killed), plansToRead(again), plansToRead(expected)));
    }

    /** Whether memory was planned for the image of another rank. */
    private static boolean plansToRead(SimResult result) {
        String table = result.events().stream().filter(e -> e.event() instanceof JobEvent.MemoryPlanned)
            .map(e -> ((JobEvent.MemoryPlanned) e.event()).table()).findFirst()
            .orElseThrow(() -> new AssertionError(result.story()));
        return table.contains("image being read");
    }

    /** A rank may be lost while it reads images, or before all have: the others read on, and its replacement anew. */
    @ParameterizedTest
    @CsvSource({"coordinated,4,full,3", "full,2,coordinated,4"})
    void aCrashAtEveryPointOfAJobOfAnotherShapeIsRecovered(String protocol, int ranks, String newProtocol,
        int newRanks) {
        SimDisk written = new SimDisk(1000);
        SimResult first = cluster(protocol, ranks, new Arrays(9), written, 1).run();
        assertTrue(first.succeeded(), first::story);
        SimProgram program = new Arrays(9);
        SimResult expected = cluster(newProtocol, newRanks, program, new SimDisk(1000), 2).run();
        SimResult base = cluster(newProtocol, newRanks, program, new SimDisk(written), 3)
            .restartingFrom(written.named().getFirst()).run();
        assertSame(expected, base);
        long stride = EveryPoint.or(97);
        SimWorkers.run(IntStream.rangeClosed(0, newRanks).boxed()
            .flatMap(member -> LongStream
                .iterate(1 + member, point -> point <= base.memberPoints()[member], point -> point + stride)
                .mapToObj(point -> new Crash(true, member, point,
                    point % 2 == 0 ? Crash.How.BEFORE : Crash.How.AFTER)))
            .<Consumer<SimMemory>>map(crash -> memory -> assertSame(expected,
                cluster(newProtocol, newRanks, program, new SimDisk(written), 3)
                    .restartingFrom(written.named().getFirst()).crashing(List.of(crash)).run())).toList());
    }

    private static void refused(SimResult result, String part) {
        assertEquals(JobOutcome.Kind.FAILED, result.outcome().kind(), result::story);
        assertTrue(result.outcome().message().contains(part), result::story);
    }

    /** Some state, of which a test says how it lies over the ranks. */
    private interface Small extends SimProgram {
        @Override
        default String name() {
            return "small";
        }
    }

    private static void steps(Job job) {
        for (long step : job.steps(20)) {
            job.barrier();
            job.step();
        }
    }

    private static void refused(int ranks, Small then, Small now, String part) {
        SimDisk disk = new SimDisk(1000);
        SimResult first = cluster("coordinated", 3, then, disk, 1).run();
        assertTrue(first.succeeded(), first::story);
        refused(cluster("coordinated", ranks, now, disk, 2).restartingFrom(disk.named().getLast()).run(), part);
    }

    private static Small window(Distribution distribution, long bytes) {
        return (job, results) -> {
            job.allocateWindow("u", bytes);
            if (distribution != null) {
                job.distribution("u", distribution);
            }
            steps(job);
        };
    }

    @Test
    void stateThatIsNotDeclaredIsRefusedWithWhatToDo() {
        refused(2, window(null, 64), window(null, 64),
            "the images are of 3 ranks, this job has --ranks 2, and the program does not say how window \"u\" lies "
                + "over the ranks: go on with --ranks 3, or let the program say it, by job.distribution(\"u\", ");
    }

    @Test
    void whatTheImagesDoNotHaveIsRefused() {
        Distribution block = Distribution.block(12, 8);
        refused(2, window(block, 64), window(Distribution.cyclic(12, 8), 64),
            "they have \"distribution u: block of 12 elements of 8 bytes\" where this program has \"distribution u: "
                + "cyclic, 12 elements of 8 bytes\"");
        refused(2, window(block, 64), (job, results) -> {
            job.allocateWindow("v", 64);
            job.distribution("v", block);
            steps(job);
        }, "they have \"window u: 64 bytes\" where this program has \"nothing of that name\"");
        refused(2, window(block, 64), (job, results) -> {
            job.allocateWindow("u", 64);
            job.protect("v", 64);
            job.distribution("u", block);
            steps(job);
        }, "they have \"nothing of that name\" where this program has \"protected segment v: 64 bytes\"");
        refused(2, window(block, 64), (job, results) -> {
            job.protect("u", 64);
            job.distribution("u", block);
            steps(job);
        }, "they have \"window u: 64 bytes\" where this program has \"protected segment u: 64 bytes\"");
    }

    /** Images written before the program said anything are of use once it does. */
    @Test
    void aProgramMaySayLaterHowItsStateLies() {
        SimDisk disk = new SimDisk(1000);
        assertTrue(cluster("coordinated", 3, window(null, 64), disk, 1).run().succeeded());
        SimResult result = cluster("coordinated", 2, window(Distribution.block(12, 8), 64), disk, 2)
            .restartingFrom(disk.named().getLast()).run();
        assertTrue(result.succeeded(), result::story);
    }

    @Test
    void distributionsThatDoNotFitAreRefusedWithTheElement() {
        refused(2, window(null, 64), window(Distribution.block(40, 8), 200), "window \"u\" is distributed as block of "
            + "40 elements of 8 bytes; on 3 ranks element 0 and the 13 after it are at offset=0 length=112 "
            + "partLength=64");
        refused(2, window(null, 64), window(Distribution.block(24, 8), 80), "on 2 ranks element ");
        refused(2, window(null, 64), window(placed(0, 0), 64), "where others are, too; each needs a place of its own");
        refused(2, window(null, 64), window(placed(7, 8), 64), "element 0 is at rank 7: must be 0 to 2");
    }

    /** A placement that takes the number of ranks from elsewhere than its argument. */
    private static Small captured(int bytes) {
        return (job, results) -> {
            int ranks = job.ranks();
            job.allocateWindow("u", bytes);
            job.distribution("u", Distribution.of("by hand", 12, 8, new Distribution.Placement() {
                @Override
                public int rank(int ofRanks, long element) {
                    return (int) element % ranks;
                }

                @Override
                public long offset(int ofRanks, long element) {
                    return element / ranks * 8;
                }
            }));
            steps(job);
        };
    }

    @Test
    void placementsThatDependOnMoreThanTheirArgumentsAreRefused() {
        refused(2, captured(96), captured(96), "window \"u\" is distributed as by hand, 12 elements of 8 bytes, but on "
            + "3 ranks its elements are at other places than when the images were written");
    }

    @Test
    void whatAPlacementThrowsIsToldWithTheElement() {
        Distribution broken = Distribution.of("broken", 12, 8, new Distribution.Placement() {
            @Override
            public int rank(int ranks, long element) {
                return (int) (element / (ranks - 3)) % ranks;
            }

            @Override
            public long offset(int ranks, long element) {
                return element * 8;
            }
        });
        SimResult result = cluster("coordinated", 3, window(broken, 96), new SimDisk(1000), 1).run();
        refused(result, "distribution broken, 12 elements of 8 bytes; on 3 ranks its placement of element 0 threw "
            + "java.lang.ArithmeticException");
    }

    @Test
    void aScratchWindowHasNoDistribution() {
        Small scratch = (job, results) -> {
            job.allocateWindow("u", 96, WindowKind.SCRATCH);
            job.distribution("u", Distribution.block(12, 8));
            steps(job);
        };
        refused(cluster("coordinated", 3, scratch, new SimDisk(1000), 1).run(),
            "distribution u: that is a scratch window");
    }

    private static Distribution placed(int rank, long stride) {
        return Distribution.of("somehow", 2, 8, new Distribution.Placement() {
            @Override
            public int rank(int ranks, long element) {
                return rank;
            }

            @Override
            public long offset(int ranks, long element) {
                return stride * element;
            }
        });
    }

    @Test
    void replicatedStateThatDiffersIsRefusedWithTheRank() {
        Small replicated = (job, results) -> {
            LongCell cell = job.protectLong("cell");
            job.distribution("cell", Distribution.replicated());
            job.initialize(() -> cell.set(job.rank() == 1 ? 9 : 3));
            steps(job);
        };
        refused(2, replicated, replicated, "protected segment \"cell\" is replicated, as the program says, but rank 1 "
            + "has other bytes in its image than rank 0, from offset 0 on");
    }

    /** More steps than before, with more room for what they leave. */
    @Test
    void replicatedStateMayGrow() {
        SimDisk disk = new SimDisk(1000);
        assertTrue(cluster("full", 2, history(16), disk, 1).run().succeeded());
        SimResult expected = cluster("full", 2, history(24), new SimDisk(1000), 1).run();
        SimResult result = cluster("full", 2, history(24), disk, 2).restartingFrom(disk.named().getLast()).run();
        assertNull(result.fault(expected.contents()), result::story);
        refused(cluster("full", 2, history(3), disk, 2).restartingFrom(disk.named().getFirst()).run(),
            "protected segment \"history\" is replicated, and has 32 bytes on rank ");
    }

    private static Small history(int steps) {
        return (job, results) -> {
            MemorySegment history = job.protect("history", 8L * (steps + 1));
            job.distribution("history", Distribution.replicated());
            for (long step : job.steps(steps)) {
                history.set(LONG, 8 * step, job.allReduce(AtomicOp.SUM, step * job.rank()));
            }
            results.store("history", history);
        };
    }

    @Test
    void locksAndMessagesAtTheCutAreRefusedUnlessTheJobHasTheSameShape() {
        Small locked = (job, results) -> {
            Window u = job.allocateWindow("u", 64);
            job.distribution("u", Distribution.block(6, 8));
            for (long step : job.steps(20)) {
                if (step == 1) {
                    u.lock(LockType.SHARED, 0);
                }
                job.barrier();
            }
            u.unlock(0);
        };
        refused(2, locked, locked, "--restart: 3 locks were held when the images were taken, which only a job of the "
            + "same shape goes on with: --ranks 3");
        for (String protocol : List.of("coordinated", "pessimistic-v")) {
            SimDisk disk = new SimDisk(1000);
            SimResult first = cluster(protocol, 3, sending(), disk, 1).run();
            assertTrue(first.succeeded(), first::story);
            refused(cluster(protocol, 2, sending(), disk, 2).restartingFrom(disk.named().getLast()).run(),
                "--restart: 3 messages were sent and not received when the images were taken");
            SimResult same = cluster(protocol, 3, sending(), disk, 2).restartingFrom(disk.named().getLast()).run();
            assertNull(same.fault(first.contents()), same::story);
        }
    }

    /** Each message is received a step after it was sent. */
    private static Small sending() {
        return (job, results) -> {
            Channel channel = job.messages();
            MemorySegment last = job.protect("last", 8);
            job.distribution("last", Distribution.zeroed());
            MemorySegment sent = Arena.ofAuto().allocate(8, 8);
            int next = (job.rank() + 1) % job.ranks();
            for (long step : job.steps(24)) {
                if (step > 1) {
                    channel.recv(last, (job.rank() + job.ranks() - 1) % job.ranks(), 5);
                }
                sent.set(LONG, 0, step);
                channel.send(sent, next, 5);
                job.barrier();
            }
            channel.recv(last, (job.rank() + job.ranks() - 1) % job.ranks(), 5);
            results.store("last", last);
        };
    }

    @Test
    void allRanksSayTheSameOfWhatThereIs() {
        MisuseInJobsTest.refused(job -> {
            job.allocateWindow("u", 64);
            job.distribution("u", Distribution.block(1 + job.rank(), 8));
            job.steps(1).iterator().next();
        }, "distribution u: block of 1 elements of 8 bytes", "distribution u: block of 2 elements of 8 bytes");
        MisuseInJobsTest.refused(job -> {
            job.distribution("u", Distribution.replicated());
            job.steps(1).iterator().next();
        }, "distribution u: there is no window or segment of that name");
    }
}
