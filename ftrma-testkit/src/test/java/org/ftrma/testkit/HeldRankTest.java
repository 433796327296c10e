package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Failures put into certain steps, each of which waits for the recovery of the one before: nobody whom that recovery
 * needs may be held for it.
 */
class HeldRankTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final long SEEDS = 20;

    /**
     * No step has a collective. At the end of the first watched step that rank is killed, at the second one it is held
     * until all are back.
     */
    private static final class Story implements SimProgram {
        private final JobOptions options;
        private final long steps;
        private final List<JobEvent.StepHeld> held = new ArrayList<>();
        private final List<JobEvent.Recovered> back = new ArrayList<>();
        private boolean heldTooEarly;
        private int killed = -1;

        Story(String protocol, long steps) {
            options = JobOptions.of(Map.of("ranks", "3", "checksums", "1", "spares", "2", "interval", "4", "protocol",
                protocol,
                "recovery-deadline", "5s", "log-budget", "1MiB"));
            this.steps = steps;
        }

        SimResult undisturbed() {
            return new SimCluster(options, this, 1).run();
        }

        SimResult run(long seed, int victim, long step, int waiting, long waitsAt) {
            SimCluster cluster = new SimCluster(options, this, seed).watching(victim, step).watching(waiting, waitsAt);
            return cluster.when(JobEvent.class, event -> {
                switch (event) {
                    case JobEvent.StepHeld now when killed < 0 && now.member() == victim && now.step() == step -> {
                        killed = victim;
                        cluster.after(0, c -> c.kill(victim));
                    }
                    case JobEvent.StepHeld now when now.member() == victim && now.step() == step
                        && (waiting != victim || waitsAt != step) ->
                        cluster.after(0, c -> c.coordinator().release(victim, step));
                    case JobEvent.StepHeld now -> {
                        held.add(now);
                        heldTooEarly |= killed >= 0 && back.isEmpty();
                        releaseWhenBack(cluster, waiting, waitsAt);
                    }
                    case JobEvent.Recovered now -> {
                        back.add(now);
                        releaseWhenBack(cluster, waiting, waitsAt);
                    }
                    default -> { }
                }
                return false;
            }, c -> { }).run();
        }

        private void releaseWhenBack(SimCluster cluster, int waiting, long waitsAt) {
            if (!held.isEmpty() && !back.isEmpty()) {
                cluster.after(0, c -> c.coordinator().release(waiting, waitsAt));
            }
        }

        @Override
        public String name() {
            return "steps without a collective";
        }

        @Override
        public void run(Job job, Results results) {
            Window window = job.allocateWindow("w", Script.WINDOW_BYTES);
            MemorySegment memory = job.protect("m", 8);
            job.initialize(() -> memory.set(LONG, 0, job.rank()));
            int right = (job.rank() + 1) % job.ranks();
            for (long step : job.steps(steps)) {
                memory.set(LONG, 0, memory.get(LONG, 0) * 31 + step);
                window.putLong(memory.get(LONG, 0), right, 64 * step);
                window.flush(right);
            }
            job.gsync();
            results.store("w", window.memory());
            results.store("m", memory);
        }
    }

    /** The last step: nothing but the program's end tells that the replacement is where it was. */
    @ParameterizedTest
    @CsvSource({"5, 6, 12", "5, 7, 12", "9, 10, 12", "10, 12, 12", "5, 5, 12"})
    void aReplacementIsNotHeldBeforeItIsBack(long killedIn, long waitsAt, long steps) {
        SimResult expected = new Story("full", steps).undisturbed();
        for (long seed = 1; seed <= SEEDS; seed++) {
            Story story = new Story("full", steps);
            SimResult result = story.run(seed, 0, killedIn, 0, waitsAt);
            assertNull(result.fault(expected.contents()), result::story);
            assertTrue(result.succeeded(), result::story);
            assertEquals(0, result.outcome().rollbacks(), result::story);
            assertEquals(1, story.back.size(), result::story);
            assertEquals(List.of(new JobEvent.StepHeld(0, waitsAt)), story.held, result::story);
            assertTrue(!story.heldTooEarly, result::story);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"full", "coordinated"})
    void twoFailuresDuringInitializationComeOneAfterTheOther(String protocol) {
        SimResult expected = new Story(protocol, 9).undisturbed();
        for (long seed = 1; seed <= SEEDS; seed++) {
            Story story = new Story(protocol, 9);
            SimResult result = story.run(seed, 2, 0, 0, 0);
            assertNull(result.fault(expected.contents()), result::story);
            assertTrue(result.succeeded(), result::story);
            assertEquals(1, story.back.size(), result::story);
            assertEquals(new JobEvent.StepHeld(0, 0), story.held.getLast(), result::story);
        }
    }
}
