package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.PeerLostException;
import org.ftrma.Window;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.Programs;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;

/** Rows of the failure matrix, told as stories, each under many schedules. */
class SimClusterTest {
    private static final int SEEDS = 60;
    private static final SimProgram PROGRAM = Programs.byName("halo", 6);

    private interface Story {
        void prepare(SimCluster cluster);
    }

    private static JobOptions options(int ranks, int checksums, int spares) {
        return JobOptions.of(Map.of("ranks", "" + ranks, "checksums", "" + checksums, "spares", "" + spares, "interval",
            "2"));
    }

    private static SimCluster cluster(long seed) {
        return new SimCluster(options(4, 2, 1), PROGRAM, seed);
    }

    private static void tell(Story story, Predicate<SimResult> expectation) {
        Map<Integer, Map<String, byte[]>> expected = cluster(1).run().contents();
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimCluster cluster = cluster(seed);
            story.prepare(cluster);
            SimResult result = cluster.run();
            assertNull(result.fault(expected), result::story);
            assertTrue(expectation.test(result), result::story);
        }
    }

    private static long count(SimResult result, Class<? extends JobEvent> type) {
        return result.events().stream().filter(e -> type.isInstance(e.event())).count();
    }

    @Test
    void oneRankLostAfterACheckpointComesBackAndTheJobSucceeds() {
        tell(cluster -> cluster.when(JobEvent.Committed.class, e -> e.generation() == 1, c -> c.kill(2)),
            result -> result.succeeded() && result.outcome().rollbacks() == 1);
    }

    @Test
    void aRankLostBeforeTheFirstCheckpointStartsAgainFromGenerationZero() {
        tell(cluster -> cluster.when(JobEvent.Running.class, e -> e.view() == 1, c -> c.kill(1)),
            result -> result.succeeded()
            && result.events().stream().anyMatch(e -> e.event() instanceof JobEvent.RecoveryBegun begun
            && begun.rolledBack()));
    }

    @Test
    void theReplacementMayBeLostDuringItsOwnRecovery() {
        tell(cluster -> cluster.when(JobEvent.Committed.class, e -> e.generation() == 1, c -> c.kill(0))
            .when(JobEvent.Assigned.class, e -> e.member() == 0 && e.incarnation() == 1, c -> c.kill(0)),
            result -> result.succeeded() && count(result, JobEvent.MemberLost.class) == 2);
    }

    @Test
    void ranksOfTwoGroupsMayBeLostAtOnce() {
        tell(cluster -> cluster.when(JobEvent.Committed.class, e -> e.generation() == 1, c -> {
            c.kill(0);
            c.kill(3);
        }), SimResult::succeeded);
    }

    @Test
    void aLostChecksumRankIsReplacedWithoutRollback() {
        tell(cluster -> cluster.when(JobEvent.Committed.class, e -> e.generation() == 1, c -> c.kill(4)),
            result -> result.succeeded() && result.outcome().rollbacks() == 0);
    }

    @Test
    void aChecksumRankLostWhileItComputesParityEndsThatCheckpointOnly() {
        tell(cluster -> cluster.when(JobEvent.StepBegun.class, e -> e.step() == 1,
            c -> c.after(60_000, later -> later.kill(5))),
            result -> result.succeeded() && result.outcome().rollbacks() == 0);
    }

    @Test
    void aRankAndItsChecksumRankLostTogetherEndTheJobClearly() {
        Set<String> messages = new HashSet<>();
        tell(cluster -> cluster.when(JobEvent.Committed.class, e -> e.generation() == 1, c -> {
            c.kill(0);
            c.kill(4);
        }), result -> {
            messages.add(result.outcome().message());
            return result.outcome().kind() == JobOutcome.Kind.CATASTROPHIC && result.outcome().kind().exitCode() == 3;
        });
        assertTrue(messages.stream().allMatch(m -> m.contains("group") && m.contains("rank 0")
            && m.contains("checksum rank 0")),
            messages::toString);
    }

    private static void checkpointsGoOnAfterLosing(int member) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimResult result = new SimCluster(options(3, 1, 2), Programs.byName("halo", 30), seed)
                .when(JobEvent.Committed.class, e -> e.generation() == 1, c -> c.kill(member)).run();
            assertTrue(result.succeeded(), result::story);
            long recovered = result.events().stream().filter(e -> e.event() instanceof JobEvent.Recovered).findFirst()
                .orElseThrow().nanos();
            assertTrue(result.events().stream().anyMatch(e -> e.nanos() > recovered
                && e.event() instanceof JobEvent.Committed), result::story);
        }
    }

    @Test
    void checkpointsGoOnAfterARankWasReplaced() {
        checkpointsGoOnAfterLosing(1);
    }

    @Test
    void checkpointsGoOnAfterAChecksumRankWasReplaced() {
        checkpointsGoOnAfterLosing(3);
    }

    @Test
    void aProgramThatThrowsEndsTheJobAndEveryProcessLeaves() {
        SimProgram broken = new SimProgram() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public void run(Job job, Results results) throws Exception {
                for (long step : job.steps(5)) {
                    job.gsync();
                    if (step == 4 && job.rank() == 1) {
                        throw new java.io.IOException("disk full in the program");
                    }
                }
            }
        };
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimResult result = new SimCluster(options(3, 1, 1), broken, seed).crashing(Crash.parse("m2@40a")).run();
            assertEquals(JobOutcome.Kind.FAILED, result.outcome().kind(), result::story);
            assertTrue(result.outcome().message().contains("rank 1")
                && result.outcome().message().contains("disk full"), result::story);
            assertEquals(List.of(), result.violations(), result::story);
            assertNull(result.hang(), result::story);
        }
    }

    /**
     * Leaves buffers behind when it is left by an exception: accesses to the next rank are under way when those to the
     * one after it fail.
     */
    private static SimProgram borrowing(boolean throwing, boolean wrapping) {
        return new SimProgram() {
            @Override
            public String name() {
                return "borrowing";
            }

            @Override
            public void run(Job job, Results results) throws Exception {
                Window window = job.allocateWindow("u", 256);
                job.initialize(() -> window.memory().fill((byte) (1 + job.rank())));
                for (long step : job.steps(12)) {
                    int next = (job.rank() + 1) % job.ranks();
                    int other = (job.rank() + 2) % job.ranks();
                    try (Arena arena = Arena.ofConfined()) {
                        MemorySegment buffer = arena.allocate(128, 8).fill((byte) step);
                        window.get(buffer, 64, next, 0, 64);
                        window.put(buffer, 0, next, 128, 64);
                        if (throwing && step == 4 && job.rank() == 1) {
                            throw new java.io.IOException("disk full in the program");
                        }
                        window.getLong(other, 0);
                        window.flushAll();
                    } catch (PeerLostException e) {
                        throw wrapping ? new IllegalArgumentException("the program's own words", e) : e;
                    }
                    job.gsync();
                }
                results.store("u", window.memory());
            }
        };
    }

    private static void noBufferIsTouchedAfterALoss(boolean wrapping) {
        SimProgram program = borrowing(false, wrapping);
        Map<Integer, Map<String, byte[]>> expected = new SimCluster(options(4, 2, 1), program, 1).run().contents();
        for (long seed = 1; seed <= 4 * SEEDS; seed++) {
            SimResult result = new SimCluster(options(4, 2, 1), program, seed)
                .when(JobEvent.Committed.class, e -> e.generation() == 1, c -> c.kill(2)).run();
            assertNull(result.fault(expected), result::story);
            assertTrue(result.succeeded(), result::story);
        }
    }

    @Test
    void noAccessTouchesABufferThatTheProgramFreedOnItsWayOutOfALoss() {
        noBufferIsTouchedAfterALoss(false);
    }

    @Test
    void aLossThatTheProgramWrapsInAnExceptionOfItsOwnIsStillALoss() {
        noBufferIsTouchedAfterALoss(true);
    }

    @Test
    void noAccessTouchesABufferThatTheProgramFreedOnItsWayOutByItsOwnException() {
        for (long seed = 1; seed <= 4 * SEEDS; seed++) {
            SimResult result = new SimCluster(options(4, 2, 1), borrowing(true, false), seed).run();
            assertEquals(JobOutcome.Kind.FAILED, result.outcome().kind(), result::story);
            assertTrue(result.outcome().message().contains("disk full"), result::story);
            assertEquals(List.of(), result.violations(), result::story);
            assertNull(result.hang(), result::story);
        }
    }

    /**
     * Unlocks in a finally block, as programs do: what the block throws over a change of views must not end the job.
     */
    @Test
    void aProgramThatUnlocksInAFinallyBlockIsRecoveredLikeAnyOther() {
        SimProgram locking = new SimProgram() {
            @Override
            public String name() {
                return "locking";
            }

            @Override
            public void run(Job job, Results results) {
                Window window = job.allocateWindow("u", 64);
                for (long step : job.steps(12)) {
                    int next = (job.rank() + 1) % job.ranks();
                    window.lock(LockType.EXCLUSIVE, next);
                    try {
                        window.putLong(window.getLong(next, 8) + step, next, 8);
                        window.flush(next);
                    } finally {
                        window.unlock(next);
                    }
                    job.gsync();
                }
                results.store("u", window.memory());
            }
        };
        Map<Integer, Map<String, byte[]>> expected = new SimCluster(options(4, 2, 1), locking, 1).run().contents();
        for (long seed = 1; seed <= 4 * SEEDS; seed++) {
            SimResult result = new SimCluster(options(4, 2, 1), locking, seed)
                .when(JobEvent.Committed.class, e -> e.generation() == 1, c -> c.kill(2)).run();
            assertNull(result.fault(expected), result::story);
            assertTrue(result.succeeded(), result::story);
        }
    }

    @Test
    void theSameSeedTakesTheSameCourseAndAnotherOneAnother() {
        List<Crash> crashes = Crash.parse("m1@60b,m3@70a");
        Set<Long> traces = new HashSet<>();
        for (long seed = 1; seed <= 20; seed++) {
            SimResult first = cluster(seed).crashing(crashes).run();
            SimResult second = cluster(seed).crashing(crashes).run();
            assertEquals(first.trace(), second.trace());
            assertEquals(first.events(), second.events());
            assertEquals(first.steps(), second.steps());
            traces.add(first.trace());
        }
        assertEquals(20, traces.size());
    }

    @Test
    void aHangIsReportedWithTheStateOfEveryProcess() {
        SimProgram waiting = new SimProgram() {
            @Override
            public String name() {
                return "waiting";
            }

            @Override
            public void run(Job job, Results results) {
                // Rank 0 waits for a rank that waits for its lock; the job's own deadline is longer than the
                // simulator's patience.
                Window window = job.allocateWindow("w", 64);
                job.initialize(() -> {
                    if (job.rank() == 0) {
                        window.lock(LockType.EXCLUSIVE, 0);
                    }
                    job.gsync();
                });
                for (long step : job.steps(1)) {
                    if (job.rank() == 1) {
                        window.lock(LockType.EXCLUSIVE, 0);
                    }
                    job.barrier();
                    results.store("step" + step, java.lang.foreign.MemorySegment.ofArray(new byte[1]));
                }
            }
        };
        JobOptions patient = JobOptions.of(Map.of("ranks", "2", "checksums", "1", "deadline", "1h", "recovery-deadline",
            "1h"));
        SimResult result = new SimCluster(patient, waiting, 5).run();
        assertNotNull(result.hang());
        assertTrue(result.hang().contains("member 0") && result.hang().contains("Collectives.barrier"), result.hang());
        assertNotEquals(null, result.fault(Map.of()));
    }
}
