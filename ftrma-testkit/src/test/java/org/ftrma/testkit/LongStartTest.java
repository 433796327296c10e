package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Initializations that take longer than {@code --recovery-deadline}: they are the program's own time, and no reason to
 * end a job.
 */
class LongStartTest {
    private static final int SEEDS = 12;
    private static final long SECOND = 1_000_000_000L;
    private static final long INITIALIZATION_NANOS = 12 * SECOND;

    /**
     * Rank 1 initializes for long, while the others wait for it, and each rank counts its steps in its neighbour's
     * window.
     */
    private static final class Story implements SimProgram {
        private final JobOptions options;
        private SimCluster cluster;

        Story(Map<String, String> given) {
            Map<String, String> all = new HashMap<>(Map.of("ranks", "3", "checksums", "1", "spares", "1", "interval",
                "2", "deadline", "20s",
                "recovery-deadline", "5s", "log-budget", "1MiB"));
            all.putAll(given);
            options = JobOptions.of(all);
        }

        SimResult run(long seed, Consumer<SimCluster> before) {
            cluster = new SimCluster(options, this, seed);
            before.accept(cluster);
            return cluster.run();
        }

        @Override
        public String name() {
            return "long start";
        }

        @Override
        public void run(Job job, Results results) {
            Window window = job.allocateWindow("w", Script.WINDOW_BYTES);
            MemorySegment memory = job.protect("m", 8);
            job.initialize(() -> {
                if (job.rank() == 1) {
                    long end = cluster.nanos() + INITIALIZATION_NANOS;
                    while (cluster.nanos() < end) {
                        cluster.relax(job.rank());
                    }
                }
                memory.set(ValueLayout.JAVA_LONG, 0, 7);
            });
            for (long step : job.steps(8)) {
                memory.set(ValueLayout.JAVA_LONG, 0, memory.get(ValueLayout.JAVA_LONG, 0) * 3 + step);
                window.putLong(memory.get(ValueLayout.JAVA_LONG, 0), (job.rank() + 1) % job.ranks(), step * 64);
                job.gsync();
            }
            results.store("w", window.memory());
            results.store("m", memory);
        }
    }

    private static void succeeded(SimResult result, Map<Integer, Map<String, byte[]>> expected) {
        assertNull(result.fault(expected), result::story);
        assertTrue(result.succeeded(), result::story);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "coordinated", "full"})
    void aLongInitializationDoesNotEndAHealthyJob(String protocol) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimResult result = new Story(Map.of("protocol", protocol)).run(seed, cluster -> { });
            succeeded(result, result.contents());
        }
    }

    /**
     * One after the other: a rank that waits for another one's initialization, the one that initializes, and a checksum
     * rank.
     */
    @ParameterizedTest
    @CsvSource({"coordinated,0", "coordinated,1", "coordinated,3", "full,0", "full,1", "full,3"})
    void aLossInALongInitializationIsRecovered(String protocol, int member) {
        Story story = new Story(Map.of("protocol", protocol));
        Map<Integer, Map<String, byte[]>> expected = story.run(1, cluster -> { }).contents();
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimResult result = story.run(seed, cluster -> cluster.after(8 * SECOND, c -> c.kill(member)));
            succeeded(result, expected);
            assertTrue(result.story().contains("MemberLost"), result::story);
        }
    }

    /** The replacement lives, and does not get on with restoring its state. */
    @Test
    void aRecoveryThatMakesNoProgressEndsTheJob() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimResult result = new Story(Map.of()).run(seed,
                cluster -> cluster.when(JobEvent.Committed.class, e -> e.generation() == 1, c -> {
                    c.kill(2);
                    c.hold(2, "getLong", () -> { }, () -> false);
                }));
            assertEquals(JobOutcome.Kind.CATASTROPHIC, result.outcome().kind(), result::story);
            assertTrue(result.outcome().message().contains("--recovery-deadline")
                && result.outcome().message().matches("view 2 .*; not ready: .*rank 2.*"),
                result.outcome().message());
        }
    }
}
