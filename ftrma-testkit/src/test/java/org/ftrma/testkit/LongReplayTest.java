package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.function.Consumer;
import org.ftrma.Channel;
import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a lost rank repeats takes longer than {@code --recovery-deadline}: as long as it gets on, from step to step,
 * that is no reason for the others to go back.
 */
class LongReplayTest {
    private static final int SEEDS = 4;
    private static final int STEPS = 10;
    private static final long SECOND = 1_000_000_000L;

    /** A step takes so long, at all ranks; each rank hands its state on to the next one. */
    private static final class Story implements SimProgram {
        private final JobOptions options;
        private final long stepNanos;
        private SimCluster cluster;
        /** The step in which rank 1 gets no further when it repeats it; 0: none. */
        private long endless;
        private long done;

        Story(String protocol, long stepNanos) {
            this.stepNanos = stepNanos;
            options = JobOptions.of(Map.of("ranks", "3", "checksums", "1", "spares", "1", "interval", "none",
                "deadline", "60s", "recovery-deadline", "5s", "log-budget", "1MiB", "protocol", protocol));
        }

        SimResult run(long seed, Consumer<SimCluster> before) {
            done = 0;
            cluster = new SimCluster(options, this, seed);
            before.accept(cluster);
            return cluster.run();
        }

        @Override
        public String name() {
            return "long replay";
        }

        @Override
        public void run(Job job, Results results) {
            boolean sends = options.protocol().logsMessages();
            Channel channel = sends ? job.messages() : null;
            Window window = sends ? null : job.allocateWindow("w", 64);
            MemorySegment memory = job.protect("m", 16);
            int next = (job.rank() + 1) % job.ranks();
            for (long step : job.steps(STEPS)) {
                compute(job, job.rank() == 1 && step <= done ? step : -1);
                done = job.rank() == 1 ? Math.max(done, step) : done;
                memory.set(ValueLayout.JAVA_LONG, 0, memory.get(ValueLayout.JAVA_LONG, 0) * 3 + step);
                if (sends) {
                    channel.send(memory.asSlice(0, 8), next, 1);
                    channel.recv(memory.asSlice(8, 8), (job.rank() + job.ranks() - 1) % job.ranks(), 1);
                } else {
                    window.putLong(memory.get(ValueLayout.JAVA_LONG, 0), next, 0);
                    job.gsync();
                    memory.set(ValueLayout.JAVA_LONG, 8, window.memory().get(ValueLayout.JAVA_LONG, 0));
                    job.gsync();
                }
                memory.set(ValueLayout.JAVA_LONG, 0, memory.get(ValueLayout.JAVA_LONG, 0)
                    + memory.get(ValueLayout.JAVA_LONG, 8));
            }
            results.store("m", memory);
        }

        private void compute(Job job, long repeated) {
            long end = cluster.nanos() + stepNanos;
            while (cluster.nanos() < end || repeated == endless) {
                cluster.relax(job.rank());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"full, 2", "full, 20", "pessimistic-v, 2", "pessimistic-v, 20"})
    void aReplayMayTakeLongerThanTheDeadline(String protocol, long seconds) {
        Story story = new Story(protocol, seconds * SECOND);
        SimResult clean = story.run(1, cluster -> { });
        assertNull(clean.fault(clean.contents()), clean::story);
        for (long seed = 1; seed <= SEEDS; seed++) {
            long moment = seconds * SECOND * (STEPS - 1) + seed * SECOND / 3;
            SimResult result = story.run(seed, cluster -> cluster.after(moment, c -> c.kill(1)));
            assertNull(result.fault(clean.contents()), result::story);
            assertEquals(Map.of(), result.outcome().fallbacks(), result::story);
            assertEquals(1, result.outcome().localRecoveries(), result::story);
        }
    }

    /** All go back. */
    @ParameterizedTest
    @CsvSource({"full, 2", "pessimistic-v, 2"})
    void oneThatGetsNoFurtherIsGivenUp(String protocol, long seconds) {
        Story story = new Story(protocol, seconds * SECOND);
        SimResult clean = story.run(1, cluster -> { });
        for (long seed = 1; seed <= SEEDS; seed++) {
            story.endless = 4;
            SimResult result = story.run(seed, cluster -> {
                cluster.when(JobEvent.RecoveryBegun.class, e -> e.rolledBack(), c -> story.endless = 0);
                cluster.after(seconds * SECOND * (STEPS - 1), c -> c.kill(1));
            });
            assertNull(result.fault(clean.contents()), result::story);
            assertEquals(Map.of("DEADLINE", 1), result.outcome().fallbacks(), result::story);
            assertTrue(result.succeeded(), result::story);
        }
    }

    /** In each step a rank sends, computes for long, and receives. */
    private static final class Computing implements SimProgram {
        private SimCluster cluster;
        private boolean isLive;
        /** Whether rank 1 was live before it had computed. */
        private boolean wasLive;

        @Override
        public String name() {
            return "computing";
        }

        @Override
        public void run(Job job, Results results) {
            Channel channel = job.messages();
            MemorySegment memory = job.protect("m", 16);
            for (long step : job.steps(2)) {
                memory.set(ValueLayout.JAVA_LONG, 0, step);
                channel.send(memory.asSlice(0, 8), 1 - job.rank(), 1);
                long end = cluster.nanos() + 10 * SECOND;
                while (cluster.nanos() < end) {
                    job.progress();
                    cluster.relax(job.rank());
                }
                wasLive |= job.rank() == 1 && step == 1 && isLive;
                channel.recv(memory.asSlice(8, 8), 1 - job.rank(), 1);
            }
            results.store("m", memory);
        }
    }

    /** Who has sent all that others have is live while it computes, not only when it waits for them. */
    @Test
    void aRankThatComputesIsLive() {
        Computing program = new Computing();
        SimCluster cluster = new SimCluster(JobOptions.of(Map.of("ranks", "2", "checksums", "1", "spares", "1",
            "interval", "none", "log-budget", "1MiB", "protocol", "pessimistic-v")), program, 1);
        program.cluster = cluster;
        cluster.when(JobEvent.Replayed.class, e -> true, c -> program.isLive = true);
        cluster.after(5 * SECOND, c -> c.kill(1));
        SimResult result = cluster.run();
        assertTrue(result.succeeded() && result.outcome().localRecoveries() == 1, result::story);
        assertTrue(program.wasLive, result::story);
    }
}
