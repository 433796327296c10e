package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program declares that its state depends on: only a program that declares the same goes on from disk. */
class ParametersTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    /** Counts its steps. */
    private record Counting(String parameter, long steps) implements SimProgram {
        @Override
        public String name() {
            return "counting";
        }

        @Override
        public void run(Job job, Results results) {
            job.parameter("size", parameter);
            MemorySegment count = job.protect("count", 8);
            for (long step : job.steps(steps)) {
                count.set(LONG, 0, count.get(LONG, 0) + step);
                job.barrier();
            }
            results.store("count", count);
        }
    }

    private static SimCluster cluster(String protocol, String parameter, long steps, SimDisk disk) {
        return new SimCluster(JobOptions.of(Map.of("ranks", "2", "checksums", "1", "spares", "1", "interval", "2",
            "protocol", protocol, "flush", "disk", "deadline", "40s", "log-budget", "1MiB")),
            new Counting(parameter, steps), 1).flushingTo(disk);
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void moreStepsFromDiskAreThoseOfALongerJobAndOtherParametersAreRefused(String protocol) {
        SimResult whole = cluster(protocol, "7", 20, new SimDisk(1000)).run();
        SimDisk disk = new SimDisk(1000);
        SimResult first = cluster(protocol, "7", 12, disk).run();
        assertTrue(first.succeeded(), first::story);
        SimResult more = cluster(protocol, "7", 20, disk).restartingFrom(disk.named().getLast())
            .when(JobEvent.StepBegun.class, e -> e.member() == 1, c -> c.kill(1)).run();
        assertNull(more.fault(whole.contents()), more::story);
        assertEquals(20, more.outcome().steps(), more::story);
        refused(cluster(protocol, "8", 20, disk).restartingFrom(disk.named().getLast()).run(),
            "they have \"parameter size: 7\" where this program has \"parameter size: 8\"");
        refused(cluster(protocol, "7", 3, disk).restartingFrom(disk.named().getLast()).run(),
            "steps: iterations=3, and the restored state is that of step");
    }

    private static void refused(SimResult result, String part) {
        assertEquals(JobOutcome.Kind.FAILED, result.outcome().kind(), result::story);
        assertTrue(result.outcome().message().contains(part), result::story);
    }

    @Test
    void allRanksDeclareTheSameBeforeTheirLoop() {
        MisuseInJobsTest.refused(job -> {
            job.parameter("size", "" + job.rank());
            job.steps(1).iterator().next();
        }, "parameter size: 0", "parameter size: 1");
        MisuseInJobsTest.accepted(job -> {
            misuse(() -> job.parameter("a", null), "value is null");
            misuse(() -> job.parameter("a", "b\nc"), "of one line");
            for (long step : job.steps(1)) {
                misuse(() -> job.parameter("a", "b"), "call it before steps()");
            }
        });
    }

    private static void misuse(Runnable call, String part) {
        MisuseException e = assertThrows(MisuseException.class, call::run);
        assertTrue(e.getMessage().contains(part), e.getMessage());
    }
}
