package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checkpoints that take too long, with members that live (their heartbeats go on) and do nothing: a checkpoint is given
 * up, a checksum rank replaced, and the job goes on (design 6.2).
 */
@Tag("long")
class SlowCheckpointTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final int SEEDS = 12;

    /**
     * Each rank adds to its neighbour's words in each step, and waits in some steps until something has happened to the
     * job.
     */
    private static final class Story implements SimProgram {
        private final JobOptions options;
        private final long steps;
        private final List<JobEvent> seen = new ArrayList<>();
        private LongFunction<BooleanSupplier> waits = step -> () -> true;
        private LongFunction<Runnable> acts = step -> () -> { };
        private Consumer<SimCluster> before = cluster -> { };
        private SimCluster cluster;

        Story(Map<String, String> given, long steps) {
            Map<String, String> all = new HashMap<>(Map.of("ranks", "3", "checksums", "1", "spares", "1", "interval",
                "2", "cut-deadline", "1s",
                "recovery-deadline", "5s", "log-budget", "1MiB"));
            all.putAll(given);
            options = JobOptions.of(all);
            this.steps = steps;
        }

        SimResult run(long seed) {
            cluster = new SimCluster(options, this, seed)
                .when(JobEvent.class, event -> seen.add(event) && false, c -> { });
            before.accept(cluster);
            return cluster.run();
        }

        long count(Class<? extends JobEvent> type) {
            return seen.stream().filter(type::isInstance).count();
        }

        /** Where such an event is, or what the number of events is. */
        int first(Predicate<JobEvent> wanted, int from) {
            int at = from;
            while (at < seen.size() && !wanted.test(seen.get(at))) {
                at++;
            }
            return at;
        }

        long abandoned() {
            return seen.stream().filter(event -> event instanceof JobEvent.Abandoned given && given.generation() > 0)
                .count();
        }

        @Override
        public String name() {
            return "slow checkpoint";
        }

        @Override
        public void run(Job job, Results results) {
            Window window = job.allocateWindow("w", Script.WINDOW_BYTES);
            MemorySegment memory = job.protect("m", 8);
            for (long step : job.steps(steps)) {
                memory.set(LONG, 0, memory.get(LONG, 0) + step);
                window.putLong(memory.get(LONG, 0), (job.rank() + 1) % job.ranks(), step % 64 * 64);
                BooleanSupplier condition = waits.apply(step);
                while (!condition.getAsBoolean()) {
                    window.flushLocal(job.rank());
                    if (!condition.getAsBoolean()) {
                        cluster.relax(job.rank());
                    }
                }
                job.gsync();
                if (job.rank() == 1) {
                    acts.apply(step).run();
                }
            }
            results.store("w", window.memory());
            results.store("m", memory);
        }
    }

    private static Map<Integer, Map<String, byte[]>> expected(Map<String, String> given, long steps) {
        return new Story(given, steps).run(1).contents();
    }

    private static void succeeded(SimResult result, Map<Integer, Map<String, byte[]>> expected) {
        assertNull(result.fault(expected), result::story);
        assertTrue(result.succeeded(), result::story);
        assertEquals(0, result.outcome().rollbacks(), result::story);
    }

    /** With logs nobody begins before the first checkpoint is committed or given up. */
    @ParameterizedTest
    @CsvSource({"coordinated,1", "full,1", "coordinated,2", "full,2"})
    void aChecksumRankThatIsStuckCostsTwoCheckpointsAndIsReplaced(String protocol, String losses) {
        Map<String, String> given = Map.of("protocol", protocol, "losses", losses, "checksums", losses);
        Map<Integer, Map<String, byte[]>> expected = expected(given, 9);
        for (long seed = 1; seed <= SEEDS; seed++) {
            Story story = new Story(given, 9);
            story.waits = step -> () -> step < 3 || story.abandoned() >= 1
                && (step < 5 || story.count(JobEvent.Recovered.class) == 1)
                && (step < 8 || story.count(JobEvent.Committed.class) >= 1);
            story.before = cluster -> cluster.hold(3, "getLong", () -> { }, () -> false);
            SimResult result = story.run(seed);
            succeeded(result, expected);
            assertTrue(story.seen.stream().anyMatch(event -> event instanceof JobEvent.MemberLost lost
                && lost.member() == 3
                && lost.cause().contains("is not complete at checksum ranks {0}")), result::story);
            assertTrue(story.abandoned() >= 2, result::story);
        }
    }

    @ParameterizedTest
    @CsvSource({"coordinated,1", "coordinated,2", "coordinated,3", "coordinated,4", "full,1", "full,3"})
    void aRankThatIsStuckInACheckpointIsNotWaitedFor(String protocol, int call) {
        Map<String, String> given = Map.of("protocol", protocol);
        Map<Integer, Map<String, byte[]>> expected = expected(given, 8);
        long givenUp = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            Story story = new Story(given, 8);
            story.waits = step -> () -> step < 8 || story.count(JobEvent.Committed.class) >= 1;
            story.acts = step -> () -> {
                if (step == 2) {
                    holdAt(story, 1, call, () -> { }, () -> story.abandoned() > 0);
                }
            };
            SimResult result = story.run(seed);
            succeeded(result, expected);
            assertTrue(story.count(JobEvent.Committed.class) >= 1, result::story);
            givenUp += story.abandoned();
        }
        System.out.println("call " + call + ", " + protocol + ": " + givenUp + " checkpoints given up");
        assertTrue(givenUp >= SEEDS, givenUp + " checkpoints given up");
    }

    /** Held at the n-th of these calls from now on: the first are in waits, later ones in the copy. */
    private static void holdAt(Story story, int rank, int call, Runnable whenHeld, BooleanSupplier until) {
        if (call == 1) {
            story.cluster.hold(rank, "progress", whenHeld, until);
        } else {
            story.cluster.hold(rank, "progress", () -> holdAt(story, rank, call - 1, whenHeld, until), () -> true);
        }
    }

    /**
     * Checksum rank 1 has not looked at the images yet when checksum rank 0 is lost, and the checkpoint with it; when
     * it does, they are being overwritten for the next attempt.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void aChecksumRankThatIsBehindLeavesAnAttemptThatWasGivenUp(int call) {
        Map<String, String> given = Map.of("ranks", "4", "checksums", "2", "cut-deadline", "20s");
        Map<Integer, Map<String, byte[]>> expected = expected(given, 9);
        for (long seed = 1; seed <= SEEDS; seed++) {
            Story story = new Story(given, 9);
            boolean[] copying = new boolean[1];
            boolean[] behind = new boolean[1];
            long[] released = new long[1];
            story.before = cluster -> cluster.hold(5, "getLong", () -> {
                behind[0] = true;
                cluster.kill(4);
            }, () -> {
                released[0] = cluster.nanos();
                return copying[0];
            });
            story.waits = step -> () -> step < 3 || behind[0]
                && (step < 4 || story.count(JobEvent.Recovered.class) == 1);
            story.acts = step -> () -> {
                if (step == 4) {
                    holdAt(story, 1, call, () -> copying[0] = true,
                        () -> story.cluster.nanos() > released[0] + 300_000_000L);
                }
            };
            SimResult result = story.run(seed);
            succeeded(result, expected);
            assertTrue(story.count(JobEvent.Committed.class) >= 1, result::story);
            assertEquals(1, story.abandoned(), result::story);
            assertEquals(1, story.count(JobEvent.MemberLost.class), result::story);
        }
    }

    @Test
    void aReplacedChecksumRankThatIsStuckIsReplacedOnceMore() {
        Map<Integer, Map<String, byte[]>> expected = expected(Map.of(), 9);
        for (long seed = 1; seed <= SEEDS; seed++) {
            Story story = new Story(Map.of(), 9);
            story.acts = step -> () -> {
                if (step == 4) {
                    story.cluster.hold(3, "getLong", () -> { }, () -> false);
                    story.cluster.kill(3);
                }
            };
            story.waits = step -> () -> (step < 3 || story.count(JobEvent.Committed.class) >= 1)
                && (step < 5 || story.count(JobEvent.Recovered.class) == 1)
                && (step < 8 || story.count(JobEvent.Committed.class) >= 2);
            SimResult result = story.run(seed);
            succeeded(result, expected);
            assertEquals(2, story.count(JobEvent.MemberLost.class), result::story);
            assertTrue(story.seen.stream().anyMatch(event -> event instanceof JobEvent.MemberLost lost
                && lost.cause().contains("has not made its parity anew within")), result::story);
        }
    }

    /**
     * From step 3 on rank 1 stands still for 2.5 s at that call of a copy, more than half of a deadline of 4 s; returns
     * when that began, once it has.
     */
    private static long[] holdsCopy(Story story, int call) {
        long[] began = new long[1];
        story.acts = step -> () -> {
            if (step == 3) {
                holdAt(story, 1, call, () -> began[0] = story.cluster.nanos(),
                    () -> story.cluster.nanos() > began[0] + 2_500_000_000L);
            }
        };
        return began;
    }

    /** Others' atomic updates are held off meanwhile, and may wait no longer than {@code --deadline}. */
    @Test
    void aDemandCheckpointWhoseCopyTakesTooLongIsGivenUp() {
        Map<String, String> given = Map.of("protocol", "full", "interval", "none", "log-low", "0", "deadline", "4s");
        Map<Integer, Map<String, byte[]>> expected = expected(given, 10);
        long givenUp = 0;
        long committed = 0;
        for (int call = 1; call <= 30; call++) {
            for (long seed = 1; seed <= 4; seed++) {
                Story story = new Story(given, 10);
                holdsCopy(story, call);
                SimResult result = story.run(seed);
                succeeded(result, expected);
                committed += result.outcome().demands().committed();
                givenUp += story.seen.stream().filter(event -> event instanceof JobEvent.Note note
                    && note.text().startsWith("rank 1: gave its demand checkpoint up")).count();
            }
        }
        System.out.println(givenUp + " demand checkpoints given up, " + committed + " committed");
        assertTrue(givenUp > 0 && committed > 0, givenUp + " given up, " + committed + " committed");
    }

    /** It is left alone for {@code --deadline}, for each attempt keeps others waiting; all ranks run on meanwhile. */
    @ParameterizedTest
    @ValueSource(strings = {"bulk", "streaming"})
    void aRankWhoseCopyWasTooSlowTakesAnotherDemandCheckpointLater(String demand) {
        Map<String, String> given = Map.of("protocol", "full", "interval", "none", "log-low", "0", "deadline", "4s",
            "demand", demand);
        Map<Integer, Map<String, byte[]>> expected = expected(given, 20);
        int seen = 0;
        for (int call = 1; call <= 12; call++) {
            Story story = new Story(given, 20);
            long[] began = holdsCopy(story, call);
            story.waits = step -> () -> step < 10 || story.cluster.nanos() > began[0] + 7_000_000_000L;
            SimResult result = story.run(call);
            succeeded(result, expected);
            int tooSlow = story.first(event -> event instanceof JobEvent.DemandAbandoned slow
                && slow.member() == 1 && slow.reason().contains("too slow"), 0);
            if (tooSlow < story.seen.size()) {
                seen++;
                int later = story.first(event -> event instanceof JobEvent.DemandCommitted committed
                    && committed.member() == 1, tooSlow);
                assertTrue(later < story.seen.size(), result::story);
            }
        }
        assertTrue(seen > 0, "no copy was too slow");
    }
}
