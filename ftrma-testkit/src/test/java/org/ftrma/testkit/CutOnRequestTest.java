package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.core.coordinator.RestartPoint;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.Programs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Cuts that somebody outside asks for, at any moment, whoever is lost meanwhile: all ranks cut at one boundary, the
 * result is that of a run without failures, and a job that is stopped on disk goes on from there.
 */
@Tag("long")
class CutOnRequestTest {
    private static final long STEP_LIMIT = 600_000;
    private static final int RANKS = 3;
    private static final int STEPS = 12;
    /** It takes a while until a generation is on disk, and a program that ends before that has its result. */
    private static final int MORE_STEPS = 40;
    private static final long DISK_NANOS = 3_000;
    private static final int MOMENTS = 6;

    /** A job that has no cuts but those asked for, unless the interval says so. */
    private record Setup(String program, String protocol, String interval, long seed, int steps) {
        SimCluster cluster(long ofSeed, SimMemory memory, SimDisk disk) {
            JobOptions options = JobOptions.of(Map.of("ranks", "" + RANKS, "checksums", "1", "interval", interval,
                "protocol", protocol, "log-budget", "1MiB", "flush", "disk", "flush-every", "3", "deadline", "40s"));
            return new SimCluster(options, Programs.byName(program, steps), ofSeed, memory, STEP_LIMIT)
                .flushingTo(disk);
        }

        SimResult run() {
            SimResult clean = cluster(seed, new SimMemory(), new SimDisk(DISK_NANOS)).run();
            assertTrue(clean.succeeded(), clean::story);
            return clean;
        }
    }

    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final AtomicInteger served = new AtomicInteger();
    private final AtomicInteger stopped = new AtomicInteger();
    private final AtomicInteger both = new AtomicInteger();

    private void check(String what, SimResult result, Map<Integer, Map<String, byte[]>> expected) {
        String fault = result.fault(expected);
        if (fault != null) {
            faults.add(what + ": " + fault + "\n" + result.story());
        }
    }

    /** Crashes of each member at points spread over a run, and none. */
    private static List<List<Crash>> crashes(SimResult base, int each) {
        List<List<Crash>> all = new ArrayList<>();
        all.add(List.of());
        for (int member = 0; member <= RANKS; member++) {
            long points = base.memberPoints()[member];
            for (int i = 1; i <= each; i++) {
                all.add(List.of(new Crash(true, member, points * i / (each + 1) + member,
                    i % 2 == 0 ? Crash.How.BEFORE : Crash.How.AFTER)));
            }
        }
        return all;
    }

    private void asksAtAnyMoment(Setup setup) {
        SimResult base = setup.run();
        long longest = base.events().getLast().nanos() - base.events().getFirst().nanos();
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        for (List<Crash> crash : crashes(base, 5)) {
            for (int i = 1; i <= MOMENTS; i++) {
                long nanos = longest * i / MOMENTS;
                cases.add(memory -> {
                    SimCluster cluster = setup.cluster(setup.seed, memory, new SimDisk(DISK_NANOS)).crashing(crash);
                    cluster.after(nanos, c -> c.coordinator().operator().requestCut());
                    SimResult result = cluster.run();
                    check("asked after " + nanos + " ns, " + crash, result, base.contents());
                    served.addAndGet(result.events().stream().anyMatch(e -> e.event() instanceof JobEvent.CutServed)
                        ? 1 : 0);
                });
            }
        }
        SimWorkers.run(cases);
        System.out.println(setup + ": " + cases.size() + " runs, " + served + " served, " + faults.size() + " faults");
        assertTrue(faults.isEmpty(), () -> faults.size() + " faults; the first: " + faults.peek());
        assertTrue(served.get() >= cases.size() / 4, served + " of " + cases.size());
    }

    @ParameterizedTest
    @CsvSource({"halo,coordinated,none,1", "halo,full,none,2", "locks,coordinated,3,3", "locks,full,none,4",
        "atomics,full,2,5", "rotating,coordinated,none,6", "skewed,full,none,7", "halo,puts,none,8", "halo,ml,4,9"})
    void aCutThatIsAskedForAtAnyMomentWithACrashLeavesTheResultAsItIs(String program, String protocol, String interval,
        long seed) {
        asksAtAnyMoment(new Setup(program, protocol, interval, seed, STEPS));
    }

    private void stop(Setup setup, String what, long nanos, List<Crash> crash, SimMemory memory,
        Map<Integer, Map<String, byte[]>> expected) {
        SimDisk disk = new SimDisk(DISK_NANOS);
        SimCluster cluster = setup.cluster(setup.seed, memory, disk).crashing(crash);
        cluster.after(nanos, c -> c.coordinator().operator().stopOnDisk());
        SimResult result = cluster.run();
        check(what, result, expected);
        if (result.outcome() == null || result.outcome().kind() != JobOutcome.Kind.STOPPED) {
            return;
        }
        stopped.incrementAndGet();
        both.addAndGet(result.fired());
        RestartPoint point = disk.named().getLast();
        boolean isLate = result.events().stream().map(SimResult.TimedEvent::event)
            .anyMatch(e -> e instanceof JobEvent.CutServed cut && cut.generation() <= point.generation());
        if (!isLate) {
            faults.add(what + ": it stopped, and what is on disk, " + point + ", is older\n" + result.story());
        }
        check(what + ", then from " + point, setup.cluster(setup.seed + 4711, memory, disk).restartingFrom(point)
            .run(), expected);
    }

    @ParameterizedTest
    @CsvSource({"halo,coordinated,none,11", "halo,full,none,12", "locks,coordinated,2,13", "locks,full,none,14",
        "atomics,full,none,17", "rotating,full,1,16", "halo,puts,none,18"})
    void aJobThatStopsOnDiskAtAnyMomentGoesOnFromThere(String program, String protocol, String interval, long seed) {
        Setup setup = new Setup(program, protocol, interval, seed, MORE_STEPS);
        SimResult base = setup.run();
        long longest = base.events().getLast().nanos() - base.events().getFirst().nanos();
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        for (List<Crash> crash : crashes(base, 5)) {
            for (int i = 1; i <= MOMENTS; i++) {
                long nanos = longest * i / MOMENTS;
                cases.add(memory -> stop(setup, "stopped after " + nanos + " ns, " + crash, nanos, crash, memory,
                    base.contents()));
            }
        }
        SimWorkers.run(cases);
        System.out.println(setup + ": " + cases.size() + " runs, " + stopped + " stopped, " + both
            + " of them with a loss, " + faults.size() + " faults");
        assertTrue(faults.isEmpty(), () -> faults.size() + " faults; the first: " + faults.peek());
        assertTrue(stopped.get() >= cases.size() / 4, stopped + " of " + cases.size());
        assertTrue(both.get() >= 10, "with a loss: " + both);
    }

    /** No work is lost: what is on disk is of the step in which the request came, or of a later one. */
    @Test
    void theStepThatIsOnDiskIsNotBeforeTheRequest() {
        Setup setup = new Setup("halo", "coordinated", "none", 21, STEPS);
        SimDisk disk = new SimDisk(DISK_NANOS);
        SimCluster cluster = setup.cluster(setup.seed, new SimMemory(), disk).watching(0, 4);
        cluster.when(JobEvent.StepHeld.class, held -> held.step() == 4, c -> {
            c.coordinator().operator().stopOnDisk();
            c.coordinator().release(0, 4);
        });
        SimResult result = cluster.run();
        assertNull(result.fault(Map.of()), result::story);
        assertTrue(result.outcome().kind() == JobOutcome.Kind.STOPPED, result::story);
        assertTrue(disk.named().getLast().step() >= 4, () -> disk.named().toString());
        assertTrue(disk.named().getLast().step() <= 6, () -> disk.named().toString());
    }
}
