package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.ftrma.AtomicOp;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.Program;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.Programs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Loops of which nobody knows ahead how many steps they take, and loops that are broken out of: whoever is lost, all
 * ranks leave in the step in which they leave without a failure.
 */
@Tag("long")
class OpenLoopTest {
    private static final int STEPS = 6;

    @ParameterizedTest
    @CsvSource({"coordinated,7", "full,7", "puts,21", "ml,35"})
    void oneCrashAtManyPointsOfEveryMemberLeavesTheResultAsItIs(String protocol, int stride) {
        SimReport report = new Simulation().program("converge").protocol(protocol).steps(STEPS)
            .singles(EveryPoint.or(stride));
        System.out.println(report.summary());
        assertTrue(report.clean() && report.gaveUp() == 0, report::toString);
        assertTrue(report.deaths() >= 20, report::summary);
        assertTrue(report.replays() > 0 || !protocol.equals("full"), report::summary);
    }

    private static SimCluster cluster(String protocol, long seed, Map<String, String> more) {
        Map<String, String> options = new HashMap<>(Map.of("ranks", "3", "checksums", protocol.equals("none") ? "0"
            : "1", "spares", "1", "interval", "2", "protocol", protocol, "log-budget", "1MiB", "deadline", "40s"));
        options.putAll(more);
        return new SimCluster(JobOptions.of(options), Programs.converge(20), seed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "coordinated", "full"})
    void theOutcomeSaysAfterWhichStepTheLoopWasLeft(String protocol) {
        SimResult clean = cluster(protocol, 1, Map.of()).run();
        assertTrue(clean.succeeded(), clean::story);
        long steps = clean.outcome().steps();
        assertTrue(steps > 10 && steps <= 40, clean::story);
        if (!protocol.equals("none")) {
            SimResult killed = cluster(protocol, 2, Map.of())
                .when(JobEvent.Committed.class, e -> e.generation() == 3, c -> c.kill(1)).run();
            assertNull(killed.fault(clean.contents()), killed::story);
            assertEquals(1, killed.outcome().rollbacks() + killed.outcome().localRecoveries(), killed::story);
            assertEquals(steps, killed.outcome().steps(), killed::story);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void aJobThatStopsOnDiskGoesOnFromThereToTheSameStep(String protocol) {
        SimResult clean = cluster(protocol, 3, Map.of()).run();
        SimDisk disk = new SimDisk(3_000);
        SimResult stopped = cluster(protocol, 3, Map.of("flush", "disk")).flushingTo(disk)
            .when(JobEvent.Committed.class, e -> e.generation() == 2, c -> c.coordinator().operator().stopOnDisk())
            .run();
        assertEquals(JobOutcome.Kind.STOPPED, stopped.outcome().kind(), stopped::story);
        assertEquals(-1, stopped.outcome().steps(), stopped::story);
        SimResult restarted = cluster(protocol, 4, Map.of("flush", "disk")).flushingTo(disk)
            .restartingFrom(disk.named().getLast()).run();
        assertNull(restarted.fault(clean.contents()), restarted::story);
        assertEquals(clean.outcome().steps(), restarted.outcome().steps(), restarted::story);
    }

    private static void refused(Program program, String... parts) {
        MisuseInJobsTest.refused(program, parts);
    }

    @Test
    void ranksThatLeaveAtDifferentStepsAreTold() {
        refused(job -> {
            while (job.nextStep()) {
                if (job.step() == 2 + job.rank()) {
                    break;
                }
            }
        }, "returned after step", "in the same step", "step 2", "step 3");
        refused(job -> {
            for (long step : job.steps(9)) {
                if (step == 2 + job.rank()) {
                    break;
                }
            }
        }, "returned after step", "step 2", "step 3");
    }

    @Test
    void aRankThatLeavesBeforeTheOthersIsNotWaitedFor() {
        refused(job -> {
            while (job.nextStep()) {
                job.allReduce(AtomicOp.SUM, job.step());
                if (job.step() == 2 && job.rank() == 1) {
                    return;
                }
            }
        }, "rank 1 has finished");
    }

    @Test
    void loopsOfDifferentFormAreTold() {
        refused(job -> {
            if (job.rank() == 0) {
                job.nextStep();
            } else {
                job.steps(3).iterator().next();
            }
        }, "a loop of steps without a number, by nextStep()", "the loop over 3 steps");
    }

    private static void misuse(Runnable call, String part) {
        MisuseException e = assertThrows(MisuseException.class, call::run);
        assertTrue(e.getMessage().contains(part), e.getMessage());
    }

    @Test
    void aProgramHasOneLoopOfEitherForm() {
        MisuseInJobsTest.accepted(job -> {
            job.initialize(() -> misuse(job::nextStep, "nextStep: inside of initialize"));
            while (job.nextStep()) {
                misuse(() -> job.steps(3), "steps: a program has one resilient loop, and nextStep() was called before");
                if (job.step() == 3) {
                    break;
                }
            }
            assertEquals(3, job.step());
            misuse(() -> job.steps(3), "nextStep() was called before");
        });
        MisuseInJobsTest.accepted(job -> {
            job.steps(2).forEach(step -> misuse(job::nextStep, "steps() was called before"));
            misuse(job::nextStep, "nextStep: a program has one resilient loop");
        });
    }

    @Test
    void whatIsBrokenOutOfIsTheLastStep() {
        MisuseInJobsTest.run(2, job -> {
            for (long step : job.steps(5)) {
                if (step == 2) {
                    break;
                }
            }
            leaveAlone(job);
        }).forEach(result -> assertEquals(2, result.outcome().steps(), result::story));
        MisuseInJobsTest.run(2, OpenLoopTest::leaveAlone)
            .forEach(result -> assertEquals(0, result.outcome().steps(), result::story));
    }

    private static void leaveAlone(Job job) {
        assertTrue(job.step() >= 0);
    }
}
