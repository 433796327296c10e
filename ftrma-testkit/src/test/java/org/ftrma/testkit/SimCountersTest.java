package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.ftrma.Job;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.core.counter.Counter;
import org.ftrma.core.counter.CounterSnapshot;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.Programs;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;

/** What simulated processes counted, read after their deaths. */
class SimCountersTest {
    private static final int STEPS = 6;
    private static final SimProgram PROGRAM = Programs.byName("halo", STEPS);

    /** All meet while they initialize: so it takes a while. */
    private static final class Meeting implements SimProgram {
        @Override
        public String name() {
            return "a meeting";
        }

        @Override
        public void run(Job job, Results results) {
            job.protect("m", 8);
            job.initialize(() -> {
                job.barrier();
                job.barrier();
            });
            for (long step : job.steps(STEPS)) {
                job.barrier();
            }
        }
    }

    private static JobOptions options(String protocol) {
        return JobOptions.of(Map.of("ranks", "3", "checksums", "1", "spares", "2", "interval", "2", "protocol",
            protocol));
    }

    /** Of the process that was to play that. */
    private static CounterSnapshot of(SimResult result, int member, int incarnation) {
        int process = result.events().stream().map(SimResult.TimedEvent::event)
            .filter(event -> event instanceof JobEvent.Assigned assigned && assigned.member() == member
                && assigned.incarnation() == incarnation)
            .mapToInt(event -> ((JobEvent.Assigned) event).process()).findFirst().orElseThrow();
        return result.counters().read(process);
    }

    private static String state(CounterSnapshot counters, String what) {
        return counters.state(what) == null ? null : counters.state(what).name();
    }

    @Test
    void deadIncarnationIsReadAsItWasAndItsReplacementAsItIs() {
        for (String protocol : List.of("coordinated", "full")) {
            for (long seed = 1; seed <= 20; seed++) {
                SimResult result = new SimCluster(options(protocol), PROGRAM, seed)
                    .watching(2, 4).when(JobEvent.StepHeld.class, held -> true, c -> {
                        c.kill(2);
                        c.coordinator().release(2, 4);
                    }).run();
                assertTrue(result.succeeded(), result::story);
                boolean logs = protocol.equals("full");
                CounterSnapshot dead = of(result, 2, 0);
                assertEquals(List.of(2, 0), List.of(dead.member(), dead.incarnation()), result::story);
                assertEquals(List.of(1L, 4L), List.of(dead.get(Counter.VIEW), dead.get(Counter.STEP)), result::story);
                assertEquals("RUNNING", state(dead, "view"), result::story);
                assertEquals("RUNNING", state(dead, "program"), result::story);
                assertEquals(logs ? "LOGGING" : null, state(dead, "access logging"), result::story);
                CounterSnapshot next = of(result, 2, 1);
                assertEquals(List.of(2, 1), List.of(next.member(), next.incarnation()), result::story);
                assertEquals(logs ? 1 : 2, next.get(Counter.VIEW), result::story);
                assertEquals(STEPS, next.get(Counter.STEP), result::story);
                assertEquals("ENDED", state(next, "view"), result::story);
                assertEquals("ENDED", state(next, "program"), result::story);
                assertTrue(next.state("view").sinceNanos() > dead.state("view").sinceNanos(), result::story);
            }
        }
    }

    /** Its thread is thrown out of everything that it is in, which no process that is killed goes through. */
    @Test
    void whatAThreadDoesOnItsWayOutOfADeadProcessIsNotCounted() {
        Set<String> seen = new TreeSet<>();
        for (long step = 20; step < 1220; step += 11) {
            SimResult result = new SimCluster(options("coordinated"), new Meeting(), 5)
                .crashing(List.of(new Crash(true, 1, step, Crash.How.AT_STEP))).run();
            assertTrue(result.succeeded(), result::story);
            if (result.fired() == 1 && of(result, 1, 0) != null) { // else it was dead before it began
                seen.add(state(of(result, 1, 0), "view") + " " + state(of(result, 1, 0), "program"));
            }
        }
        assertTrue(seen.containsAll(List.of("WAITING null", "ENTERED ALLOCATING", "ENTERED INITIALIZING",
            "READY ALLOCATING", "RUNNING RUNNING")), seen.toString());
    }

    @Test
    void reportOfAFailureTellsWhatEachProcessWasAt() {
        SimResult result = new SimCluster(options("coordinated"), PROGRAM, 3)
            .when(JobEvent.StepBegun.class, e -> e.member() == 1 && e.step() == 3, c -> {
                c.kill(0);
                c.kill(1);
            }).watching(1, 3).run();
        assertEquals(JobOutcome.Kind.CATASTROPHIC, result.outcome().kind());
        String story = result.story();
        assertTrue(story.contains(" member 1: incarnation 0, view 1, generation ")
            && story.contains(", step 3; view RUNNING, program RUNNING\n"), story);
        assertTrue(story.contains(" (no member): no member; view ENDED\n"), story);
        SimResult whole = new SimCluster(options("coordinated"), PROGRAM, 3).run();
        assertNull(whole.fault(whole.contents()));
        assertTrue(!whole.story().contains("view ENDED"), whole.story());
    }
}
