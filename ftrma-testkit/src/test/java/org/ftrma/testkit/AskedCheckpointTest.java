package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.Window;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checkpoints that a program asks for: at the end of the step in which all ranks do, whoever is lost meanwhile. */
class AskedCheckpointTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final int STEPS = 7;

    /** Asks in the steps 2 and 5; each rank goes on by what its neighbour has put. */
    private record Asking(boolean allAsk) implements SimProgram {
        @Override
        public String name() {
            return "asking";
        }

        @Override
        public void run(Job job, Results results) {
            Window window = job.allocateWindow("w", 8);
            MemorySegment state = job.protect("state", 8);
            job.initialize(() -> state.set(LONG, 0, job.rank() + 1));
            for (long step : job.steps(STEPS)) {
                if (step % 3 == 2 && (allAsk || job.rank() > 0)) {
                    job.checkpoint();
                }
                window.putLong(state.get(LONG, 0) * step, (job.rank() + 1) % job.ranks(), 0);
                job.gsync();
                state.set(LONG, 0, 31 * state.get(LONG, 0) + window.memory().get(LONG, 0));
                job.gsync();
            }
            results.store("state", state);
        }
    }

    private static SimResult run(SimProgram program, String protocol, String interval) {
        return new SimCluster(JobOptions.of(Map.of("ranks", "3", "checksums", "1", "interval", interval, "protocol",
            protocol, "log-budget", "1MiB", "deadline", "40s", "cut-deadline", "1s")), program, 1).run();
    }

    private static List<Long> steps(SimResult result) {
        return result.events().stream().map(SimResult.TimedEvent::event)
            .filter(JobEvent.Committed.class::isInstance).map(e -> ((JobEvent.Committed) e).step())
            .filter(step -> step > 0).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full", "puts", "ml"})
    void itIsTakenAtTheEndOfTheStep(String protocol) {
        SimResult alone = run(new Asking(true), protocol, "none");
        assertTrue(alone.succeeded(), alone::story);
        assertEquals(List.of(2L, 5L), steps(alone), alone::story);
        SimResult beside = run(new Asking(true), protocol, "2");
        assertTrue(beside.succeeded(), beside::story);
        assertEquals(List.of(2L, 4L, 5L), steps(beside), beside::story);
    }

    @ParameterizedTest
    @CsvSource({"coordinated,none,7", "full,none,7", "full,2,15", "coordinated,10ms,25"})
    void oneCrashAtManyPointsOfEveryMemberLeavesTheResultAsItIs(String protocol, String interval, int stride) {
        SimReport report = new Simulation().program(new Asking(true)).protocol(protocol).interval(interval)
            .singles(EveryPoint.or(stride));
        System.out.println(report.summary());
        assertTrue(report.clean() && report.gaveUp() == 0, report::toString);
        assertTrue(report.deaths() >= 20, report::summary);
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void whereSomeRanksDoNotAskItIsGivenUpAndTheJobGoesOn(String protocol) {
        SimResult result = run(new Asking(false), protocol, "none");
        assertTrue(result.succeeded(), result::story);
        assertEquals(List.of(), steps(result), result::story);
        assertTrue(result.events().stream().map(SimResult.TimedEvent::event).anyMatch(e ->
            e instanceof JobEvent.Abandoned given && given.reason().contains("of 3 ranks arrived")), result::story);
    }

    @Test
    void outsideOfTheLoopItIsRefused() {
        MisuseInJobsTest.accepted(job -> {
            refused(job);
            job.initialize(() -> refused(job));
            for (long step : job.steps(2)) {
                job.checkpoint();
            }
            refused(job);
        });
    }

    private static void refused(Job job) {
        MisuseException e = assertThrows(MisuseException.class, job::checkpoint);
        assertTrue(e.getMessage().startsWith("checkpoint: no step is being run; call it in the loop"), e.getMessage());
    }
}
