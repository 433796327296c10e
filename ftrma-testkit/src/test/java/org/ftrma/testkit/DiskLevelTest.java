package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.RestartPoint;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.bugs.BrokenProtocol;
import org.ftrma.testkit.programs.Programs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Generations on disk: whatever is killed at whatever moment, a job that starts from one that has its name comes to the
 * result of a run without failures.
 */
@Tag("long")
class DiskLevelTest {
    private static final long STEP_LIMIT = 600_000;
    private static final long SLOW_NANOS = 100_000;
    private static final long FAST_NANOS = 10_000;
    private static final int RANKS = 3;
    /** Primes: points before and after a call, of all kinds. */
    private static final int STRIDE = 7;
    private static final int MESSAGES_STRIDE = 13;
    /** Protocol full, with demand checkpoints all the time, of which none goes to disk. */
    private static final String ON_DEMAND = "demand";
    private static final long OTHER_SEED = 4711;

    private record Setup(String program, String protocol, long seed, int steps, long diskNanos, int losses) {
        Setup(String program, String protocol, long seed) {
            this(program, protocol, seed, stepsOf(protocol), SLOW_NANOS);
        }

        /** Steps of programs with messages take less time: with fewer of them nothing comes to a slow disk. */
        static int stepsOf(String protocol) {
            return protocol.equals("pessimistic-v") ? 18 : 6;
        }

        Setup(String program, String protocol, long seed, int steps, long diskNanos) {
            this(program, protocol, seed, steps, diskNanos, 1);
        }

        SimCluster cluster(long ofSeed, SimMemory memory, SimDisk disk, boolean flushed) {
            boolean onDemand = protocol.equals(ON_DEMAND);
            JobOptions options = JobOptions.of(Map.of("ranks", "" + RANKS, "checksums", "" + losses, "losses",
                "" + losses,
                "interval", onDemand ? "3" : "1", "protocol", onDemand ? "full" : protocol, "log-low",
                onDemand ? "0" : "33",
                "log-budget", "1MiB", "flush", flushed ? "disk" : "none", "deadline", "40s"));
            return new SimCluster(options, Programs.byName(program, steps), ofSeed, memory, STEP_LIMIT)
                .flushingTo(disk);
        }

        /** Ranks with messages have many times as many points. */
        long stride() {
            return EveryPoint.or(protocol.equals("pessimistic-v") ? MESSAGES_STRIDE : STRIDE);
        }

        SimDisk disk() {
            return new SimDisk(diskNanos);
        }

        /** A job that writes to the disk. */
        SimCluster job(SimMemory memory, SimDisk disk) {
            return cluster(seed, memory, disk, true);
        }

        Map<Integer, Map<String, byte[]>> expected() {
            SimResult clean = cluster(seed, new SimMemory(), disk(), false).run();
            assertTrue(clean.succeeded(), clean::story);
            return clean.contents();
        }
    }

    /** What is wrong, by case; and how many jobs were started from disk. */
    private static final class Findings {
        private final Queue<String> faults = new ConcurrentLinkedQueue<>();
        private final AtomicInteger restarts = new AtomicInteger();

        void check(String what, SimResult result, Map<Integer, Map<String, byte[]>> expected) {
            String fault = result.fault(expected);
            if (fault != null) {
                faults.add(what + ": " + fault + "\n" + result.story());
            }
        }

        void assertNone(int atLeast) {
            System.out.println(restarts + " jobs started from disk, " + faults.size() + " faults");
            assertTrue(faults.isEmpty(), () -> faults.size() + " faults; the first: " + faults.peek());
            assertTrue(restarts.get() >= atLeast, "only " + restarts + " jobs started from disk");
        }
    }

    private static void restart(Setup setup, String what, SimMemory memory, SimDisk disk, RestartPoint point,
        Findings findings,
        Map<Integer, Map<String, byte[]>> expected) {
        findings.restarts.incrementAndGet();
        SimResult result = setup.cluster(setup.seed + OTHER_SEED, memory, disk, true).restartingFrom(point).run();
        findings.check(what + ", then from " + point, result, expected);
    }

    /**
     * The launcher is killed with all its ranks at a moment; the newest generation that has a name is what there is to
     * start from.
     */
    private static Findings killWhole(Setup setup, int runs) {
        return killWhole(setup, runs, setup.expected());
    }

    private static Findings killWhole(Setup setup, int runs, Map<Integer, Map<String, byte[]>> expected) {
        SimResult base = setup.job(new SimMemory(), setup.disk()).run();
        Findings findings = new Findings();
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        for (int i = 1; i <= runs; i++) {
            long step = base.steps() * i / runs;
            cases.add(memory -> {
                SimDisk disk = setup.disk();
                setup.job(memory, disk).killedWholeAt(step).run();
                if (step % 3 == 0 && !disk.named().isEmpty()) {
                    // The restarted job does not get to its end either.
                    setup.cluster(setup.seed + 1, memory, disk, true).restartingFrom(disk.named().getLast())
                        .killedWholeAt(step / 2).run();
                }
                if (!disk.named().isEmpty()) {
                    restart(setup, "killed whole at step " + step, memory, disk, disk.named().getLast(), findings,
                        expected);
                }
            });
        }
        SimWorkers.run(cases);
        return findings;
    }

    @ParameterizedTest
    @CsvSource({"halo,coordinated,1", "halo,full,2", "locks,coordinated,3", "locks,full,4", "atomics,full,5",
        "rotating,coordinated,6",
        "rotating,full,7", "collectives,full,8", "sparse,coordinated,13", "halo,ml,10", "locks,demand,14",
        "halo,demand,12", "messages,coordinated,31", "logged-messages,pessimistic-v,32", "any-source,pessimistic-v,33",
        "unequal,coordinated,71", "unequal,full,72"})
    void aJobKilledWholeAtAnyMomentGoesOnFromDisk(String program, String protocol, long seed) {
        killWhole(new Setup(program, protocol, seed, 10, FAST_NANOS), 60).assertNone(12);
    }

    /**
     * A crash at a point of a flush, or anywhere else: the job itself goes on, and all that it has left on disk is
     * whole.
     */
    @ParameterizedTest
    @CsvSource({"halo,coordinated,11", "locks,full,12", "rotating,full,13", "logged-messages,pessimistic-v,34",
        "any-source,pessimistic-v,35"})
    void aCrashAtEveryPointLeavesOnlyWholeGenerationsOnDisk(String program, String protocol, long seed) {
        Setup setup = new Setup(program, protocol, seed);
        Map<Integer, Map<String, byte[]>> expected = setup.expected();
        SimResult base = setup.job(new SimMemory(), setup.disk()).run();
        Findings findings = new Findings();
        AtomicInteger givenUp = new AtomicInteger();
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        for (int member = 0; member <= RANKS; member++) {
            for (long point = 1 + member; point <= base.memberPoints()[member]; point += setup.stride()) {
                Crash crash = new Crash(true, member, point, point % 2 == 0 ? Crash.How.BEFORE : Crash.How.AFTER);
                cases.add(memory -> {
                    SimDisk disk = setup.disk();
                    SimResult result = setup.job(memory, disk).crashing(List.of(crash)).run();
                    findings.check(crash.toString(), result, expected);
                    givenUp.addAndGet((int) result.events().stream()
                        .filter(e -> e.event() instanceof JobEvent.FlushFailed failed
                        && failed.reason().contains("was lost")).count());
                    if (!disk.named().isEmpty()) {
                        List<RestartPoint> named = disk.named();
                        RestartPoint one = named.get((int) (crash.index() % named.size()));
                        restart(setup, crash.toString(), memory, disk, one, findings, expected);
                    }
                });
            }
        }
        SimWorkers.run(cases);
        findings.assertNone(25);
        assertTrue(givenUp.get() >= 3, "only " + givenUp + " flushes were hit");
    }

    /** A job that starts from disk may lose a rank before all have read their images, or later: as any other. */
    @ParameterizedTest
    @CsvSource({"halo,coordinated,21", "atomics,coordinated,22", "locks,full,23", "halo,full,24",
        "logged-messages,pessimistic-v,36", "any-source,pessimistic-v,37"})
    void aCrashAtEveryPointOfARestartedJobIsRecovered(String program, String protocol, long seed) {
        Setup setup = new Setup(program, protocol, seed);
        Map<Integer, Map<String, byte[]>> expected = setup.expected();
        Findings findings = new Findings();
        SimDisk written = written(setup);
        SimResult base = restarted(setup, new SimMemory(), written, List.of());
        assertNull(base.fault(expected), base::story);
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        for (int member = 0; member <= RANKS; member++) {
            for (long point = 1 + member; point <= base.memberPoints()[member]; point += setup.stride()) {
                Crash crash = new Crash(true, member, point, point % 2 == 0 ? Crash.How.BEFORE : Crash.How.AFTER);
                cases.add(memory -> {
                    findings.restarts.incrementAndGet();
                    SimResult result = restarted(setup, memory, written, List.of(crash));
                    findings.check(crash.toString(), result, expected);
                    if (!result.succeeded()) {
                        findings.faults.add(crash + ": one loss is survived: " + result.story());
                    }
                });
            }
        }
        SimWorkers.run(cases);
        findings.assertNone(80);
    }

    /** m is 2: the launcher with all of the job, at any moment. */
    @ParameterizedTest
    @CsvSource({"halo,coordinated,41", "locks,full,42", "atomics,demand,66"})
    void aJobOfTwoLossesKilledWholeAtAnyMomentGoesOnFromDisk(String program, String protocol, long seed) {
        killWhole(new Setup(program, protocol, seed, 10, FAST_NANOS, 2), 150).assertNone(12);
    }

    /** m is 2: any two at once, at any moment of a job that was started from disk, and writes to it. */
    @ParameterizedTest
    @CsvSource({"halo,coordinated,43", "locks,full,45", "atomics,coordinated,55",
        "logged-messages,pessimistic-v,53", "any-source,pessimistic-v,54"})
    void twoAtOnceInARestartedJobAreRecovered(String program, String protocol, long seed) {
        Setup setup = new Setup(program, protocol, seed, Setup.stepsOf(protocol), SLOW_NANOS, 2);
        Map<Integer, Map<String, byte[]>> expected = setup.expected();
        SimDisk written = written(setup);
        SimResult base = restarted(setup, new SimMemory(), written, List.of());
        assertNull(base.fault(expected), base::story);
        Findings findings = new Findings();
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        long at = 1;
        for (int[] members : CrashEnumerator.choices(new int[] {0, 1, 2, 3, 4}, 2)) {
            for (long step = at++; step < base.steps(); step += base.steps() / 25) {
                List<Crash> crashes = List.of(new Crash(true, members[0], step, Crash.How.AT_STEP),
                    new Crash(true, members[1], step, Crash.How.AT_STEP));
                cases.add(memory -> {
                    findings.restarts.incrementAndGet();
                    SimResult result = restarted(setup, memory, written, crashes);
                    findings.check(crashes.toString(), result, expected);
                    if (!result.succeeded()) {
                        findings.faults.add(crashes + ": two losses are survived: " + result.story());
                    }
                });
            }
        }
        SimWorkers.run(cases);
        findings.assertNone(200);
    }

    /** What a job without crashes has left. */
    private static SimDisk written(Setup setup) {
        SimDisk disk = setup.disk();
        setup.job(new SimMemory(), disk).run();
        assertFalse(disk.named().isEmpty(),
            "no generation has come to disk before the job's end: take another seed than " + setup.seed);
        return disk;
    }

    private static SimResult restarted(Setup setup, SimMemory memory, SimDisk written, List<Crash> crashes) {
        SimDisk disk = new SimDisk(written);
        return setup.cluster(setup.seed + OTHER_SEED, memory, disk, true).restartingFrom(disk.named().getFirst())
            .crashing(crashes).run();
    }

    @Test
    void aJobThatStartsFromDiskSaysSoAndGoesOnFromItsStepInANewTimeline() {
        Setup setup = new Setup("halo", "coordinated", 31, 20, FAST_NANOS);
        SimDisk disk = setup.disk();
        SimResult first = setup.job(new SimMemory(), disk).run();
        assertFalse(disk.named().isEmpty(), first::story);
        RestartPoint point = disk.named().getFirst();
        SimResult result = setup.cluster(5, new SimMemory(), disk, true).restartingFrom(point).run();
        assertNull(result.fault(setup.expected()), result::story);
        List<JobEvent> events = result.events().stream().map(SimResult.TimedEvent::event).toList();
        assertEquals(new JobEvent.Restarted(point.generation(), point.step(), point.place()), events.getFirst());
        assertTrue(events.contains(new JobEvent.Running(point.view() + 1, point.step() + 1)), result::story);
        assertTrue(events.stream().anyMatch(e -> e instanceof JobEvent.Committed committed
            && committed.generation() == point.generation() + 1),
            result::story);
        assertTrue(disk.named().getLast().timeline() > point.timeline(), () -> disk.named().toString());
    }

    /** Slow disks: flushes are skipped, and no checkpoint waits for them. */
    @Test
    void whereTheDiskIsSlowerThanCheckpointsComeGenerationsAreSkipped() {
        int skipped = 0;
        int flushed = 0;
        for (long seed = 1; seed <= 40; seed++) {
            Setup setup = new Setup("halo", "coordinated", seed);
            SimDisk disk = setup.disk();
            SimResult result = setup.job(new SimMemory(), disk).run();
            assertTrue(result.succeeded(), result::story);
            skipped += (int) result.events().stream().filter(e -> e.event() instanceof JobEvent.FlushSkipped).count();
            flushed += (int) result.events().stream().filter(e -> e.event() instanceof JobEvent.Flushed).count();
        }
        assertTrue(skipped >= 20 && flushed >= 20, skipped + " skipped, " + flushed + " flushed");
    }

    @Test
    void anImageThatIsOverwrittenWhileItIsWrittenIsFound() {
        assertTrue(faults("FLUSH_SLOT_NOT_KEPT") > 0);
    }

    @Test
    void aGenerationThatIsNamedBeforeAllImagesAreThereIsFound() {
        assertTrue(faults("FLUSH_NAMED_EARLY") > 0);
    }

    private static int faults(String bug) {
        int found = 0;
        for (long seed = 1; seed <= 8 && found == 0; seed++) {
            Setup setup = new Setup("halo", "coordinated", seed, 25, SLOW_NANOS);
            Map<Integer, Map<String, byte[]>> expected = setup.expected();
            found += BrokenProtocol.call(Set.of(bug), () -> killWhole(setup, 20, expected).faults.size());
        }
        return found;
    }
}
